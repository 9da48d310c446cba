/** The maps as a PNG: with title, time and colour bar. */
import { along, named } from "./bar";
import type { Scale } from "./kinds";
import { short } from "./numbers";

export interface Part {
  canvases: HTMLCanvasElement[];
  title: string;
  when: string;
  run: string;
  scale: Scale | undefined;
}

const HEAD = 62, FOOT = 66, PAD = 20;

/** Parts side by side, in pixels of the screen; from dark pages dark. */
export async function picture(parts: Part[]): Promise<Blob> {
  const dpr = devicePixelRatio, style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  const widths = parts.map((part) => part.canvases[0].width / dpr), height = parts[0].canvases[0].height / dpr;
  const canvas = document.createElement("canvas"), ctx = canvas.getContext("2d")!;
  canvas.width = widths.reduce((sum, width) => sum + width, 0) * dpr;
  canvas.height = (height + HEAD + FOOT) * dpr;
  ctx.scale(dpr, dpr);
  ctx.fillStyle = of("--map");
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  let left = 0;
  parts.forEach((part, n) => {
    ctx.save();
    ctx.translate(left, 0);
    for (const layer of part.canvases) if (layer.width) ctx.drawImage(layer, 0, HEAD, widths[n], height);
    head(ctx, part, widths[n], of);
    if (part.scale) bar(ctx, part.scale, widths[n], HEAD + height + 14, of);
    ctx.restore();
    left += widths[n];
  });
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("No picture could be made."))), "image/png"));
}

type Of = (name: string) => string;

function head(ctx: CanvasRenderingContext2D, part: Part, width: number, of: Of): void {
  ctx.textBaseline = "alphabetic";
  ctx.fillStyle = of("--ink");
  ctx.font = "600 18px Inter, system-ui, sans-serif";
  ctx.fillText(part.title, PAD, 30, width - 2 * PAD);
  ctx.fillStyle = of("--soft");
  ctx.font = "13px Inter, system-ui, sans-serif";
  ctx.fillText(part.when, PAD, 51, width - 2 * PAD);
  ctx.textAlign = "right";
  ctx.fillText(part.run, width - PAD, 51);
  ctx.textAlign = "left";
}

function bar(ctx: CanvasRenderingContext2D, scale: Scale, width: number, top: number, of: Of): void {
  const wide = Math.min(width - 4 * PAD, 420), left = (width - wide) / 2, bands = scale.colours.length;
  scale.colours.forEach((colour, n) => {
    ctx.fillStyle = colour;
    ctx.fillRect(left + (n * wide) / bands, top, wide / bands + 0.5, 12);
  });
  ctx.fillStyle = of("--ink");
  ctx.font = "11.5px Inter, system-ui, sans-serif";
  ctx.textAlign = "center";
  for (const tick of named(scale, 10)) ctx.fillText(short(tick), left + along(scale, tick) * wide, top + 27);
  ctx.textAlign = "left";
  ctx.fillText(scale.unit, left + wide + 12, top + 10);
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
