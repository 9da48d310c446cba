/** The wind over a map: barbs, or particles that move with it. */
import { type Camera, type Size, toPlane, toScreen } from "./camera";
import type { Grid } from "./kinds";
import type { Inks } from "./lines";
import { MISSING, type Tile } from "./tile_store";

/** Components along the grid [m/s] on tiles that cover it at a resolution of `step` of its cells. */
export interface Wind {
  u: Tile;
  v: Tile;
  grid: Grid;
  step: number;
}

/** The wind at a point of the plane; null: there is none. */
export function windAt(wind: Wind, x: number, y: number): [number, number] | null {
  const { u, v, grid, step } = wind;
  const a = (x - grid.x) / (grid.dx * step) + 0.5, b = (y - grid.y) / (grid.dy * step) + 0.5;
  if (a < 0.5 || b < 0.5 || a > u.columns - 1.5 || b > u.rows - 1.5) return null;
  const i = Math.floor(a), j = Math.floor(b), p = a - i, q = b - j, at = j * u.columns + i;
  const of = ({ values, columns }: Tile): number =>
    (values[at] * (1 - p) + values[at + 1] * p) * (1 - q) + (values[at + columns] * (1 - p) + values[at + columns + 1] * p) * q;
  const east = of(u), north = of(v);
  return Math.abs(east) + Math.abs(north) < MISSING / 1e6 ? [east, north] : null;
}

const APART = 44, SHAFT = 21; // pixels
export const FULL_BARB = 5; // m/s; half a barb is half of it, a flag five

/** Barbs at points that stay where they are on the map while it is moved. */
export function drawBarbs(ctx: CanvasRenderingContext2D, c: Camera, size: Size, wind: Wind, ink: Inks, southern: (x: number, y: number) => boolean): void {
  const cells = Math.max(1, 2 ** Math.round(Math.log2(APART / c.k / wind.grid.dx)));
  const { grid } = wind, apartX = cells * grid.dx, apartY = cells * grid.dy;
  const [west, north] = toPlane(c, size, 0, 0), [east, south] = toPlane(c, size, size.width, size.height);
  const first = (low: number, edge: number, apart: number) => edge + (Math.max(0, Math.floor((low - edge) / apart)) + 0.5) * apart;
  ctx.lineCap = "round";
  for (const halo of [true, false]) {
    ctx.strokeStyle = halo ? ink.halo : ink.ink;
    ctx.fillStyle = ctx.strokeStyle;
    ctx.lineWidth = halo ? 2.8 : 1.15;
    for (let y = first(south, grid.y, apartY); y < Math.min(north, grid.y + grid.ny * grid.dy); y += apartY)
      for (let x = first(west, grid.x, apartX); x < Math.min(east, grid.x + grid.nx * grid.dx); x += apartX) {
        const found = windAt(wind, x, y);
        if (!found) continue;
        const [sx, sy] = toScreen(c, size, x, y);
        barb(ctx, sx, sy, found[0], found[1], southern(x, y));
      }
  }
}

function barb(ctx: CanvasRenderingContext2D, x: number, y: number, u: number, v: number, southern: boolean): void {
  let halves = Math.round((2 * Math.hypot(u, v)) / FULL_BARB);
  ctx.save();
  ctx.translate(x, y);
  ctx.beginPath();
  if (halves === 0) {
    ctx.arc(0, 0, 2, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.restore();
    return;
  }
  ctx.rotate(Math.atan2(-v, u)); // along the wind; it comes from the left now
  const side = southern ? 1 : -1;
  ctx.moveTo(0, 0);
  ctx.lineTo(-SHAFT, 0);
  let at = -SHAFT;
  for (; halves >= 10; halves -= 10, at += 6) {
    ctx.moveTo(at, 0);
    ctx.lineTo(at, side * 9);
    ctx.lineTo(at + 5, 0);
  }
  for (; halves >= 2; halves -= 2, at += 3.8) {
    ctx.moveTo(at, 0);
    ctx.lineTo(at - 3, side * 9);
  }
  if (halves) {
    const from = at === -SHAFT ? at + 3.8 : at;
    ctx.moveTo(from, 0);
    ctx.lineTo(from - 1.5, side * 4.8);
  }
  ctx.stroke();
  ctx.restore();
}

const SPEED = 3.2; // pixels a second for 1 m/s
const LIFE = 3.5; // s

interface Particle {
  x: number;
  y: number;
  age: number;
}

/** Particles that leave trails. */
export class Flow {
  private ctx: CanvasRenderingContext2D;
  private particles: Particle[] = [];
  private last = 0;
  private seen = "";

  constructor(private canvas: HTMLCanvasElement) {
    this.ctx = canvas.getContext("2d")!;
  }

  clear(): void {
    this.ctx.setTransform(1, 0, 0, 1, 0, 0);
    this.ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** One picture of them; `now` in ms. */
  step(now: number, wind: Wind, c: Camera, size: Size, ink: Inks): void {
    const { ctx, canvas } = this, dpr = devicePixelRatio;
    const dt = Math.min((now - this.last) / 1000, 0.05);
    this.last = now;
    const camera = `${c.x} ${c.y} ${c.k} ${size.width} ${size.height}`;
    if (camera !== this.seen) {
      canvas.width = size.width * dpr;
      canvas.height = size.height * dpr;
      this.seen = camera;
    }
    const number = Math.min(3500, Math.round((size.width * size.height) / 420));
    while (this.particles.length < number) this.particles.push({ x: 0, y: 0, age: Math.random() * LIFE + LIFE });
    this.particles.length = number;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalCompositeOperation = "destination-out";
    ctx.fillStyle = `rgba(0,0,0,${1 - Math.exp(-dt * 3.2)})`;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.globalCompositeOperation = "source-over";
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.strokeStyle = ink.accent;
    ctx.lineWidth = 1.15;
    ctx.lineCap = "round";
    ctx.beginPath();
    for (const particle of this.particles) this.move(particle, dt, wind, c, size);
    ctx.stroke();
  }

  private move(particle: Particle, dt: number, wind: Wind, c: Camera, size: Size): void {
    particle.age += dt;
    if (particle.age > LIFE) {
      [particle.x, particle.y] = toPlane(c, size, Math.random() * size.width, Math.random() * size.height);
      particle.age = Math.random() * LIFE;
    }
    const found = windAt(wind, particle.x, particle.y);
    if (!found) {
      particle.age = LIFE + 1;
      return;
    }
    const [x0, y0] = toScreen(c, size, particle.x, particle.y);
    particle.x += (found[0] * SPEED * dt) / c.k;
    particle.y += (found[1] * SPEED * dt) / c.k;
    const [x1, y1] = toScreen(c, size, particle.x, particle.y);
    this.ctx.moveTo(x0, y0);
    this.ctx.lineTo(x1, y1);
  }
}
