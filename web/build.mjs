// Makes the page from src/: `npm ci && npm run build`. What is made is committed, so that Squall needs no npm;
// a test makes it again and compares.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";

const out = process.argv[2] ?? "../python/squall/watch/static";
mkdirSync(out, { recursive: true });
for (const file of readdirSync(out)) rmSync(`${out}/${file}`);

await build({
  entryPoints: { page: "src/main.tsx", style: "src/style.css" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".woff2": "file" },
  assetNames: "[name]",
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) copyFileSync(`src/${file}`, `${out}/${file}`);

const used = Object.keys(JSON.parse(readFileSync("package.json")).dependencies);
const inner = ["d3-array", "internmap", "@preact/signals-core"];
const licenses = [...used, ...inner].sort().map((name) => {
  const folder = `node_modules/${name}`;
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync(`${out}/licenses.txt`, `The page contains:\n\n${licenses.join(`\n${"-".repeat(72)}\n\n`)}`);
