/** Tiles of fields: what was asked for last is kept, what nobody wants any more is not waited for. */
import type { View } from "./kinds";
import { askTile, query, Refused } from "./server";

export const SIDE = 256;
export const MISSING = 1e35; // in a tile's values: there is none
const KEPT = 320;

/** Values of SIDE x SIDE points at most and one around them, row after row from the south-west. */
export interface Tile {
  columns: number;
  rows: number;
  values: Float32Array;
  bytes: number; // as it travelled
}

interface Entry {
  tile?: Tile;
  error?: string;
  stop: AbortController;
}

export function tileKey(view: View, t: number, generation: number, z: number, x: number, y: number): string {
  return `api/tile?${query(view, { t, z, x, y, g: generation })}`;
}

export class TileStore {
  private kept = new Map<string, Entry>();
  constructor(private arrived: () => void) {}

  /** The tile, if it is here; it is asked for if not. */
  get(key: string): Tile | undefined {
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known.tile;
    }
    const entry: Entry = { stop: new AbortController() };
    this.kept.set(key, entry);
    this.load(key, entry);
    return undefined;
  }

  /** The tile, if it is here. */
  peek(key: string): Tile | undefined {
    return this.kept.get(key)?.tile;
  }

  /** What the server said of a tile that it cannot give. */
  error(key: string): string | undefined {
    return this.kept.get(key)?.error;
  }

  /** Stops waiting for tiles that are not among these. */
  only(wanted: Set<string>): void {
    for (const [key, entry] of this.kept) {
      if (entry.tile || entry.error || wanted.has(key)) continue;
      entry.stop.abort();
      this.kept.delete(key);
    }
  }

  clear(): void {
    this.only(new Set());
    this.kept.clear();
  }

  private async load(key: string, entry: Entry): Promise<void> {
    try {
      entry.tile = await decode(await askTile(key, entry.stop.signal));
    } catch (error) {
      if (entry.stop.signal.aborted) return;
      entry.error = (error as Error).message;
      if (!(error instanceof Refused)) setTimeout(() => this.kept.delete(key), 2000); // asked for again then
    }
    for (const old of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(old);
    }
    this.arrived();
  }
}

/** As python/squall/watch/tiles.py packs it. */
export async function decode(packed: ArrayBuffer): Promise<Tile> {
  const head = new DataView(packed);
  const columns = head.getUint16(4, true), rows = head.getUint16(6, true);
  const low = head.getFloat64(8, true), step = (head.getFloat64(16, true) - low) / 65534;
  const inflated = new Blob([new Uint8Array(packed, 24)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const body = new Uint8Array(await new Response(inflated).arrayBuffer());
  const count = columns * rows, values = new Float32Array(count);
  for (let row = 0, n = 0; row < rows; ++row) {
    for (let column = 0, code = 0; column < columns; ++column, ++n) {
      code = (code + (body[n] << 8) + body[count + n]) & 65535;
      values[n] = code === 65535 ? MISSING : low + code * step;
    }
  }
  return { columns, rows, values, bytes: packed.byteLength };
}
