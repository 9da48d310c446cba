/** A vertical section along the line that was drawn. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useAsked } from "./asked";
import { along, Bar } from "./bar";
import { choice, drawing, fieldOf, index, stream, shownTime } from "./choice";
import type { Grid, Scale, Section } from "./kinds";
import { figure, short } from "./numbers";
import { askSection, query } from "./server";

/** i and j of both ends; of a domain of one row, that row. */
function ends(grid: Grid, line: number[] | null): number[] | null {
  if (grid.ny < 2) return [0, 0, grid.nx - 1, 0];
  if (!line) return null;
  const clamp = (value: number, most: number) => Math.min(Math.max(Math.floor(value), 0), most - 1);
  const found = [0, 2].flatMap((n) => [clamp((line[n] - grid.x) / grid.dx, grid.nx), clamp((line[n + 1] - grid.y) / grid.dy, grid.ny)]);
  return found[0] === found[2] && found[1] === found[3] ? null : found;
}

export function SectionPanel() {
  const { view, line } = choice.value, s = stream.value, t = shownTime.value;
  const at = s && !drawing.value ? ends(s.grid, line) : null;
  const key = at ? `${query(view)} ${view.limits} ${view.colours} ${t} ${at} ${index.value?.runs[view.run]?.generation}` : "";
  const asked = useAsked(key, at && t !== null ? () => askSection({ ...view, minus: undefined }, t, at) : null);
  const flat = !!s && s.grid.ny < 2;
  return (
    <>
      {!flat && <button type="button" class={`draw ${drawing.value ? "on" : ""}`} aria-pressed={drawing.value} onClick={() => (drawing.value = !drawing.value)}>
        {drawing.value ? "Drag a line on the map" : line ? "Draw another line" : "Draw a line on the map"}
      </button>}
      {asked.error && !asked.waits && <p class="hint">{asked.error}</p>}
      {asked.answer && !asked.error && <Cut section={asked.answer} label={fieldOf(view)?.long_name ?? ""} />}
    </>
  );
}

const LEFT = 38, BOTTOM = 34, RIGHT = 10, TOP = 10;

function Cut({ section, label }: { section: Section; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null), host = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [reading, setReading] = useState("");
  useEffect(() => {
    const sizes = new ResizeObserver(() => setSize({ width: host.current!.clientWidth, height: host.current!.clientHeight }));
    sizes.observe(host.current!);
    return () => sizes.disconnect();
  }, []);
  useEffect(() => {
    if (size.width > 60) draw(canvas.current!, section, size);
  }, [section, size]);
  const hover = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect(), r = ranges(section);
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    const height = r.bottom + ((box.height - BOTTOM - (event.clientY - box.top)) / (box.height - TOP - BOTTOM)) * (r.top - r.bottom);
    const value = valueAt(section, share * (section.columns - 1), height);
    setReading(value === null ? "" : `${figure(value)} ${section.scale.unit} at ${height.toFixed(1)} km, ${(share * r.length).toFixed(0)} km from A`);
  };
  return (
    <>
      <div ref={host} class="cut" onPointerMove={hover} onPointerLeave={() => setReading("")}>
        <canvas ref={canvas} role="img" aria-label={`Section of ${label}`} data-columns={section.columns} />
      </div>
      <p class="hint" aria-live="off">{reading || " "}</p>
      <Bar scale={section.scale} label={label} />
    </>
  );
}

function ranges(section: Section) {
  let top = -Infinity, bottom = Infinity;
  for (const z of section.z) [top, bottom] = [Math.max(top, z), Math.min(bottom, z)];
  return { top, bottom: Math.min(bottom, 0), length: section.distance[section.columns - 1] };
}

/** Linear between layers of the two columns around a point; null: in the ground or above. */
function valueAt({ z, values, rows, columns }: Section, column: number, height: number): number | null {
  if (!(column >= 0 && column <= columns - 1)) return null;
  const i = Math.min(Math.floor(column), columns - 2), share = column - i;
  const zAt = (k: number) => z[k * columns + i] * (1 - share) + z[k * columns + i + 1] * share;
  if (height < zAt(0)) return null;
  for (let k = 1; k < rows; ++k) {
    const above = zAt(k);
    if (height > above) continue;
    const below = zAt(k - 1), w = above > below ? (height - below) / (above - below) : 0;
    const at = (row: number) => values[row * columns + i] * (1 - share) + values[row * columns + i + 1] * share;
    const value = at(k - 1) * (1 - w) + at(k) * w;
    return Number.isFinite(value) ? value : null;
  }
  return null;
}

function colourOf(scale: Scale): (value: number) => string | null {
  const last = scale.levels.length - 1;
  return (value) => {
    if (value < scale.levels[0]) return scale.under;
    if (value >= scale.levels[last]) return scale.over;
    return scale.colours[Math.min(Math.floor(along(scale, value) * last), last - 1)];
  };
}

function draw(canvas: HTMLCanvasElement, section: Section, size: { width: number; height: number }): void {
  const dpr = devicePixelRatio, ctx = canvas.getContext("2d")!, r = ranges(section), colour = colourOf(section.scale);
  canvas.width = size.width * dpr;
  canvas.height = size.height * dpr;
  const wide = Math.round((size.width - LEFT - RIGHT) * dpr), high = Math.round((size.height - TOP - BOTTOM) * dpr);
  const picture = ctx.createImageData(wide, high), packed = new Map<string | null, number>();
  const style = getComputedStyle(document.documentElement), of = (name: string) => style.getPropertyValue(name).trim();
  const ground = of("--ground-rgb").split(" ").map(Number);
  const pixels = new Uint32Array(picture.data.buffer);
  const rgba = (hex: string | null) => {
    if (!packed.has(hex)) packed.set(hex, hex ? (255 << 24) | (parseInt(hex.slice(5, 7), 16) << 16) | (parseInt(hex.slice(3, 5), 16) << 8) | parseInt(hex.slice(1, 3), 16) : 0);
    return packed.get(hex)!;
  };
  const earth = (255 << 24) | (ground[2] << 16) | (ground[1] << 8) | ground[0];
  for (let px = 0; px < wide; ++px) {
    const column = (px / Math.max(wide - 1, 1)) * (section.columns - 1), i = Math.min(Math.floor(column), section.columns - 2), share = column - i;
    const low = section.z[i] * (1 - share) + section.z[i + 1] * share;
    for (let py = 0; py < high; ++py) {
      const height = r.bottom + (1 - (py + 0.5) / high) * (r.top - r.bottom);
      const value = valueAt(section, column, height);
      pixels[py * wide + px] = value !== null ? rgba(colour(value)) : height < low ? earth : 0;
    }
  }
  ctx.putImageData(picture, LEFT * dpr, TOP * dpr);
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.fillStyle = of("--soft");
  ctx.font = "11px Inter, system-ui, sans-serif";
  ctx.textBaseline = "middle";
  ctx.textAlign = "right";
  const steps = (length: number, most: number) => [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((step) => length / step <= most) ?? 2000;
  for (let z = 0, step = steps(r.top, 7); z <= r.top; z += step) ctx.fillText(short(z), LEFT - 6, size.height - BOTTOM - ((z - r.bottom) / (r.top - r.bottom)) * (size.height - TOP - BOTTOM));
  ctx.textAlign = "center";
  const step = steps(r.length, 6);
  for (let d = 0; d <= r.length; d += step) {
    const at = LEFT + (d / r.length) * (size.width - LEFT - RIGHT);
    ctx.fillText(d === 0 ? "A" : short(d), at, size.height - BOTTOM + 11);
  }
  ctx.textAlign = "left";
  ctx.fillText("height (km) over distance (km)", LEFT, size.height - 7);
}
