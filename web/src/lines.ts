/** What is drawn over fields with lines: coasts, borders, the graticule, contours of a second field. */
import { contours } from "d3-contour";
import { type Camera, type Size, toScreen } from "./camera";
import type { Grid, Ground } from "./kinds";
import { short } from "./numbers";
import { MISSING, type Tile } from "./tile_store";

export interface Inks {
  coast: string;
  border: string;
  faint: string;
  ink: string;
  halo: string;
  accent: string;
  beside: string; // for what is written next to the map
}

/** The colours of lines, which the style sheet has for light and for dark. */
export function inks(): Inks {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--map-${name}`).trim();
  return { coast: of("coast"), border: of("border"), faint: of("faint"), ink: of("ink"), halo: of("halo"), accent: of("accent"), beside: style.getPropertyValue("--soft").trim() };
}

/** Paths in the plane [km], y northwards. */
export interface Paths {
  coasts: Path2D;
  countries: Path2D;
  states: Path2D;
  graticule: Path2D;
}

export function paths(ground: Ground): Paths {
  const of = (lines: number[][]) => {
    const path = new Path2D();
    for (const line of lines) {
      path.moveTo(line[0], line[1]);
      for (let n = 2; n < line.length; n += 2) path.lineTo(line[n], line[n + 1]);
    }
    return path;
  };
  return {
    coasts: of(ground.coasts), countries: of(ground.countries), states: of(ground.states),
    graticule: of(ground.graticule.map((line) => line.line)),
  };
}

/** Strokes paths of the plane on the screen, `width` pixels wide. */
export function onPlane(ctx: CanvasRenderingContext2D, c: Camera, size: Size, draw: (pixel: number) => void): void {
  ctx.save();
  ctx.translate(size.width / 2, size.height / 2);
  ctx.scale(c.k, -c.k);
  ctx.translate(-c.x, -c.y);
  draw(1 / c.k);
  ctx.restore();
}

export function drawGround(ctx: CanvasRenderingContext2D, c: Camera, size: Size, grid: Grid, lines: Paths, ink: Inks): void {
  onPlane(ctx, c, size, (pixel) => {
    ctx.beginPath();
    ctx.rect(grid.x, grid.y, grid.nx * grid.dx, grid.ny * grid.dy);
    ctx.clip();
    ctx.lineJoin = "round";
    const stroke = (path: Path2D, width: number, colour: string, dash: number[] = []) => {
      ctx.lineWidth = width * pixel;
      ctx.strokeStyle = colour;
      ctx.setLineDash(dash.map((length) => length * pixel));
      ctx.stroke(path);
    };
    stroke(lines.graticule, 0.6, ink.faint, [4, 5]);
    stroke(lines.states, 0.6, ink.border);
    stroke(lines.countries, 1, ink.border);
    stroke(lines.coasts, 1.15, ink.coast);
  });
}

/** Names of meridians below the domain, of parallels left of it. */
export function nameGraticule(ctx: CanvasRenderingContext2D, c: Camera, size: Size, grid: Grid, ground: Ground): void {
  const left = Math.max(grid.x, c.x - size.width / 2 / c.k), bottom = Math.max(grid.y, c.y - size.height / 2 / c.k);
  const inside = (x: number, y: number) => x >= left && y >= bottom && x < grid.x + grid.nx * grid.dx && y < grid.y + grid.ny * grid.dy;
  ctx.font = "500 10.5px Inter, system-ui, sans-serif";
  for (const { name, axis, line } of ground.graticule) {
    for (let n = 2; n < line.length; n += 2) {
      const [x0, y0, x1, y1] = line.slice(n - 2, n + 2);
      const crosses = axis === "x" ? (y0 - bottom) * (y1 - bottom) <= 0 && y0 !== y1 : (x0 - left) * (x1 - left) <= 0 && x0 !== x1;
      if (!crosses) continue;
      const share = axis === "x" ? (bottom - y0) / (y1 - y0) : (left - x0) / (x1 - x0);
      const x = axis === "x" ? x0 + share * (x1 - x0) : left, y = axis === "x" ? bottom : y0 + share * (y1 - y0);
      if (!inside(x + 1e-6, y + 1e-6)) continue;
      const [sx, sy] = toScreen(c, size, x, y);
      ctx.textAlign = axis === "x" ? "center" : "right";
      ctx.textBaseline = axis === "x" ? "top" : "middle";
      // Beside the map where there is room, else at its rim.
      const wide = ctx.measureText(name).width;
      if (axis === "x") ctx.fillText(name, sx, Math.min(sy + 5, size.height - 14));
      else ctx.fillText(name, Math.max(sx - 6, wide + 3), sy);
      break;
    }
  }
}

/** A contour line: its value and points in the plane [km]. */
export interface Contour {
  value: number;
  points: Float64Array;
}

/** Lines of a tile that covers a grid at a resolution of `step` of its cells. */
export function contourLines(tile: Tile, grid: Grid, step: number, levels: number[]): Contour[] {
  const nx = tile.columns - 2, ny = tile.rows - 2;
  if (nx < 2 || ny < 2) return [];
  const values = new Array<number>(nx * ny);
  for (let j = 0; j < ny; ++j)
    for (let i = 0; i < nx; ++i) {
      const value = tile.values[(j + 1) * tile.columns + i + 1];
      values[j * nx + i] = value >= MISSING / 10 ? NaN : value;
    }
  const found: Contour[] = [];
  for (const { value, coordinates } of contours().size([nx, ny]).thresholds(levels)(values))
    for (const polygon of coordinates)
      for (const ring of polygon)
        for (const part of open(ring as [number, number][], nx, ny))
          found.push({ value, points: Float64Array.from(part.flatMap(([x, y]) => [grid.x + x * grid.dx * step, grid.y + y * grid.dy * step])) });
  return found;
}

/** The parts of a ring that do not run along the edge. */
function* open(ring: [number, number][], nx: number, ny: number): Generator<[number, number][]> {
  const onEdge = ([x, y]: [number, number]) => x <= 0.01 || y <= 0.01 || x >= nx - 0.01 || y >= ny - 0.01;
  let part: [number, number][] = [];
  for (const point of ring) {
    if (!onEdge(point)) {
      part.push(point);
      continue;
    }
    if (part.length > 1) yield part;
    part = [];
  }
  if (part.length > 1) yield part;
}

export function drawContours(ctx: CanvasRenderingContext2D, c: Camera, size: Size, lines: Contour[], ink: Inks): void {
  onPlane(ctx, c, size, (pixel) => {
    const path = new Path2D();
    for (const { points } of lines) {
      path.moveTo(points[0], points[1]);
      for (let n = 2; n < points.length; n += 2) path.lineTo(points[n], points[n + 1]);
    }
    ctx.lineJoin = "round";
    ctx.lineWidth = 1.1 * pixel;
    ctx.strokeStyle = ink.ink;
    ctx.stroke(path);
  });
}

/** Values on the lines, upright, where there is room. */
export function nameContours(ctx: CanvasRenderingContext2D, c: Camera, size: Size, lines: Contour[], ink: Inks): void {
  const taken: [number, number][] = [];
  ctx.font = "500 10px Inter, system-ui, sans-serif";
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (const { value, points } of lines) {
    const count = points.length / 2;
    if (count < 12) continue;
    for (const share of [0.5, 0.25, 0.75]) {
      const n = Math.floor(count * share), ahead = Math.min(n + 2, count - 1), behind = Math.max(n - 2, 0);
      const [x, y] = toScreen(c, size, points[2 * n], points[2 * n + 1]);
      if (x < 20 || y < 80 || x > size.width - 20 || y > size.height - 80) continue;
      if (taken.some(([a, b]) => Math.hypot(a - x, b - y) < 110)) continue;
      taken.push([x, y]);
      let angle = -Math.atan2(points[2 * ahead + 1] - points[2 * behind + 1], points[2 * ahead] - points[2 * behind]);
      if (Math.abs(angle) > Math.PI / 2) angle += Math.PI;
      ctx.save();
      ctx.translate(x, y);
      ctx.rotate(angle);
      ctx.lineWidth = 3.5;
      ctx.strokeStyle = ink.halo;
      ctx.strokeText(short(value), 0, 0);
      ctx.fillStyle = ink.ink;
      ctx.fillText(short(value), 0, 0);
      ctx.restore();
    }
  }
}
