/** From the plane of a domain to latitude and longitude, by a lattice of places. */
import type { Grid, Ground } from "./kinds";

export interface Place {
  latitude: number;
  longitude: number;
}

export function placeAt(grid: Grid, lattice: Ground["lattice"], x: number, y: number): Place | null {
  if (!lattice) return null;
  const last = lattice.n - 1;
  const a = ((x - grid.x) / (grid.nx * grid.dx)) * last, b = ((y - grid.y) / (grid.ny * grid.dy)) * last;
  if (a < 0 || b < 0 || a > last || b > last) return null;
  const i = Math.min(Math.floor(a), last - 1), j = Math.min(Math.floor(b), last - 1);
  const between = (values: number[]): number => {
    const at = j * lattice.n + i, p = a - i, q = b - j;
    const south = values[at] * (1 - p) + values[at + 1] * p;
    const north = values[at + lattice.n] * (1 - p) + values[at + lattice.n + 1] * p;
    return south * (1 - q) + north * q;
  };
  const east = between(lattice.east), left = between(lattice.left), north = between(lattice.north);
  const degrees = 180 / Math.PI;
  return { latitude: Math.atan2(north, Math.hypot(east, left)) * degrees, longitude: Math.atan2(left, east) * degrees };
}

export function inDegrees(place: Place): string {
  const { latitude, longitude } = place;
  const letter = (value: number, letters: string) => (value < 0 ? letters[1] : letters[0]);
  return `${Math.abs(latitude).toFixed(2)}°${letter(latitude, "NS")} ${Math.abs(longitude).toFixed(2)}°${letter(longitude, "EW")}`;
}
