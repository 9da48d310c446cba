/** Where the maps look: the point of the plane [km] in their middle, and pixels for a km. */
import { signal } from "@preact/signals";
import type { Grid } from "./kinds";

export interface Camera {
  x: number;
  y: number;
  k: number;
}

/** Null: all of the domain. All maps of the page share it. */
export const camera = signal<Camera | null>(null);

export interface Size {
  width: number;
  height: number;
}

/** Room that stays free around the domain: above for the title, below for the colours. */
const TOP = 84, BOTTOM = 92, SIDE = 44;

export function whole(grid: Grid, size: Size): Camera {
  const width = grid.nx * grid.dx, height = grid.ny * grid.dy;
  const free = { width: Math.max(size.width - 2 * SIDE, 50), height: Math.max(size.height - TOP - BOTTOM, 50) };
  const k = Math.min(free.width / width, free.height / height);
  return { x: grid.x + width / 2, y: grid.y + height / 2 + (TOP - BOTTOM) / 2 / k, k };
}

/** Zooms by a factor about a point of the screen. */
export function zoomed(from: Camera, grid: Grid, size: Size, factor: number, at?: { x: number; y: number }): Camera {
  const least = 0.4 * whole(grid, size).k, most = Math.max(200 / grid.dx, least);
  const k = Math.min(Math.max(from.k * factor, least), most);
  const dx = (at?.x ?? size.width / 2) - size.width / 2, dy = size.height / 2 - (at?.y ?? size.height / 2);
  return within({ x: from.x + dx / from.k - dx / k, y: from.y + dy / from.k - dy / k, k }, grid);
}

/** The middle stays in the domain. */
export function within(camera: Camera, grid: Grid): Camera {
  const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
  const x = clamp(camera.x, grid.x, grid.x + grid.nx * grid.dx);
  const y = clamp(camera.y, grid.y, grid.y + grid.ny * grid.dy);
  return { ...camera, x, y };
}

export const toScreen = (c: Camera, size: Size, x: number, y: number): [number, number] =>
  [size.width / 2 + (x - c.x) * c.k, size.height / 2 - (y - c.y) * c.k];

export const toPlane = (c: Camera, size: Size, sx: number, sy: number): [number, number] =>
  [c.x + (sx - size.width / 2) / c.k, c.y - (sy - size.height / 2) / c.k];
