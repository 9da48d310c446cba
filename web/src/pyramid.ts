/** Which tiles of a grid a camera needs, and where they lie. */
import type { Camera, Size } from "./camera";
import type { Placed } from "./field_layer";
import type { Grid, View } from "./kinds";
import { SIDE, tileKey, type Tile } from "./tile_store";

const MOST = 16; // tiles of a picture: at most 2 MiB of values

export interface Spot {
  z: number;
  x: number;
  y: number;
}

/** The coarsest tile, which covers all, and those of the resolution that the screen can show. */
export function spots(grid: Grid, c: Camera, size: Size): Spot[] {
  const top = grid.depth - 1, found: Spot[] = [{ z: top, x: 0, y: 0 }];
  const cell = c.k * Math.min(grid.dx, grid.dy) * devicePixelRatio;
  for (let z = Math.min(top, Math.max(0, Math.floor(-Math.log2(cell)))); z < top; ++z) {
    const seen = visible(grid, c, size, z);
    if (seen.length <= MOST) return found.concat(seen);
  }
  return found;
}

/** All tiles of a resolution in a picture. */
export function visible(grid: Grid, c: Camera, size: Size, z: number): Spot[] {
  const width = SIDE * grid.dx * 2 ** z, height = SIDE * grid.dy * 2 ** z;
  const cells = (n: number) => Math.ceil(n / 2 ** z / SIDE);
  const range = (middle: number, half: number, edge: number, length: number, count: number): [number, number] =>
    [Math.max(0, Math.floor((middle - half - edge) / length)), Math.min(count - 1, Math.floor((middle + half - edge) / length))];
  const [west, east] = range(c.x, size.width / 2 / c.k, grid.x, width, cells(grid.nx));
  const [south, north] = range(c.y, size.height / 2 / c.k, grid.y, height, cells(grid.ny));
  const found: Spot[] = [];
  for (let y = south; y <= north; ++y) for (let x = west; x <= east; ++x) found.push({ z, x, y });
  return found;
}

export const keyOf = (view: View, t: number, generation: number, spot: Spot): string =>
  tileKey(view, t, generation, spot.z, spot.x, spot.y);

export function placed(grid: Grid, spot: Spot, tile: Tile): Placed {
  const step = 2 ** spot.z, dx = grid.dx * step, dy = grid.dy * step;
  const columns = tile.columns - 2, rows = tile.rows - 2;
  // The last cells of a coarse resolution reach beyond the domain.
  const west = spot.x * SIDE * step, south = spot.y * SIDE * step;
  return {
    tile, dx, dy, x: grid.x + west * grid.dx, y: grid.y + south * grid.dy,
    columns: Math.min(columns, (grid.nx - west) / step), rows: Math.min(rows, (grid.ny - south) / step),
  };
}

/** The value of the cell of a tile in which a point lies. */
export function valueIn(p: Placed, x: number, y: number): number | undefined {
  const i = Math.floor((x - p.x) / p.dx), j = Math.floor((y - p.y) / p.dy);
  if (i < 0 || j < 0 || i >= p.columns || j >= p.rows) return undefined;
  return p.tile.values[(j + 1) * p.tile.columns + i + 1];
}
