/** One map: the field, lines over it and the wind, drawn when something has changed. */
import { camera, type Camera, type Size, toPlane, toScreen, whole } from "./camera";
import { inDegrees, placeAt } from "./earth";
import { FieldLayer, type Placed } from "./field_layer";
import type { Grid, Ground, Scale, Stations, Stream, View } from "./kinds";
import { type Contour, contourLines, drawContours, drawGround, inks, nameGraticule, onPlane, type Paths, paths } from "./lines";
import { listen } from "./pointing";
import { keyOf, placed, spots, type Spot, valueIn } from "./pyramid";
import { askGround, askValue } from "./server";
import { drawStations, nearest } from "./stations";
import { MISSING, TileStore } from "./tile_store";
import { drawBarbs, Flow, type Wind } from "./wind";

/** A nest, and which of its frames. */
export interface Nest {
  stream: Stream;
  t: number;
}

/** What a map shows. */
export interface Shown {
  view: View;
  stream: Stream;
  nests: Nest[]; // drawn over it
  t: number;
  generation: number;
  scale: Scale | undefined;
  contours: { view: View; scale: Scale | undefined } | null;
  wind: { mode: "barbs" | "flow"; u: View; v: View } | null;
  point: [number, number] | null;
  stations: Stations[];
  station: [string, number] | null; // the one that was chosen
  line: [number, number, number, number] | null;
  drawing: boolean;
}

export interface Reading {
  value: string; // with its unit; "": none
  where: string;
}

export interface Heard {
  reading(reading: Reading | null): void;
  pick(x: number, y: number): void;
  station(stream: string, number: number): void;
  line(points: [number, number, number, number], done: boolean): void;
  state(drawn: string, trouble: string): void;
}

export class MapView {
  private canvases: HTMLCanvasElement[];
  private layer: FieldLayer;
  private ctx: CanvasRenderingContext2D;
  private flow: Flow;
  private tiles = new TileStore(() => this.again());
  private shown: Shown | null = null;
  private seen: { tiles: Placed[]; scale: Scale | undefined; key: string } = { tiles: [], scale: undefined, key: "" };
  private ground: { key: string; told?: Ground; lines?: Paths } = { key: "" };
  private contours: { key: string; lines: Contour[] } = { key: "", lines: [] };
  private pointer: { x: number; y: number } | null = null;
  private asking = 0;
  private dirty = true;
  private stops: (() => void)[] = [];
  private calm = matchMedia("(prefers-reduced-motion: reduce)");
  bytes = 0; // of the tiles in the picture

  constructor(private host: HTMLElement, private heard: Heard, private figure: (value: number, scale?: Scale) => string) {
    this.canvases = ["field", "flow", "lines"].map((name) => {
      const canvas = document.createElement("canvas");
      canvas.className = name;
      host.append(canvas);
      return canvas;
    });
    this.layer = new FieldLayer(this.canvases[0]);
    this.flow = new Flow(this.canvases[1]);
    this.ctx = this.canvases[2].getContext("2d")!;
    const sizes = new ResizeObserver(() => this.again());
    sizes.observe(host);
    const dark = matchMedia("(prefers-color-scheme: dark)"), again = () => this.again();
    dark.addEventListener("change", again);
    this.stops.push(
      camera.subscribe(again), () => sizes.disconnect(), () => dark.removeEventListener("change", again),
      listen(host, {
        grid: () => this.shown?.stream.grid, camera: () => this.camera(), size: () => this.size(),
        lines: () => !!this.shown?.drawing, hover: (at) => this.hover(at), pick: (x, y) => this.pick(x, y), line: heard.line,
      }),
    );
    let stopped = false;
    const turn = (now: number) => {
      if (stopped) return;
      this.turn(now);
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
    this.stops.push(() => (stopped = true));
  }

  end(): void {
    this.stops.forEach((stop) => stop());
    this.tiles.clear();
    this.canvases.forEach((canvas) => canvas.remove());
  }

  show(shown: Shown): void {
    this.shown = shown;
    this.again();
  }

  /** What is drawn, for a picture: from the lowest up. */
  pictures(): HTMLCanvasElement[] {
    return this.canvases;
  }

  private again(): void {
    this.dirty = true;
  }

  private size(): Size {
    return { width: Math.max(this.host.clientWidth, 1), height: Math.max(this.host.clientHeight, 1) };
  }

  private camera(): Camera | null {
    return this.shown && (camera.value ?? whole(this.shown.stream.grid, this.size()));
  }

  private turn(now: number): void {
    const { shown } = this, c = this.camera();
    if (!shown || !c) return;
    if (this.dirty) {
      this.dirty = false;
      this.draw(shown, c);
    }
    if (shown.wind?.mode !== "flow" || this.calm.matches) return;
    const wind = this.wind(shown);
    if (wind) this.flow.step(now, wind, c, this.size(), inks());
  }

  private draw(shown: Shown, c: Camera): void {
    const size = this.size(), wanted = new Set<string>();
    this.gather(shown, c, size, wanted);
    const { ctx } = this, canvas = this.canvases[2], ink = inks();
    canvas.width = size.width * devicePixelRatio;
    canvas.height = size.height * devicePixelRatio;
    ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    this.layer.draw(this.seen.tiles, this.seen.scale, c, size);
    this.drawLines(shown, c, size, wanted);
    if (shown.wind) {
      const wind = this.wind(shown, wanted);
      if (shown.wind.mode !== "flow" || this.calm.matches) this.flow.clear();
      if (wind && (shown.wind.mode === "barbs" || this.calm.matches))
        drawBarbs(ctx, c, size, wind, ink, (x, y) => (placeAt(shown.stream.grid, this.ground.told?.lattice ?? null, x, y)?.latitude ?? 1) < 0);
    } else this.flow.clear();
    drawStations(ctx, c, size, shown.stations, shown.station, ink);
    this.mark(shown, c, size);
    this.tiles.only(wanted);
    this.read();
  }

  /** Tiles of the field; those of the picture before stay until all of a new one are here. */
  private gather(shown: Shown, c: Camera, size: Size, wanted: Set<string>): void {
    const found: Placed[] = [], key = JSON.stringify([shown.view, shown.t, shown.generation, ...shown.nests.map((nest) => nest.t)]);
    let missing = 0, trouble = "";
    for (const { stream, t } of [{ stream: shown.stream, t: shown.t }, ...shown.nests]) {
      const view = { ...shown.view, domain: stream.domain };
      for (const spot of spots(stream.grid, c, size)) {
        const name = keyOf(view, t, shown.generation, spot), tile = this.tiles.get(name);
        wanted.add(name);
        if (tile) found.push(placed(stream.grid, spot, tile));
        else if (this.tiles.error(name)) trouble ||= stream === shown.stream ? this.tiles.error(name)! : "";
        else ++missing;
      }
    }
    if (!missing || key === this.seen.key) {
      const scale = shown.scale ?? (key === this.seen.key ? this.seen.scale : undefined);
      this.seen = { tiles: found, scale, key };
      this.bytes = found.reduce((sum, one) => sum + one.tile.bytes, 0);
    }
    const done = !missing && (shown.scale || trouble);
    this.heard.state(done ? key : "", trouble);
  }

  private drawLines(shown: Shown, c: Camera, size: Size, wanted: Set<string>): void {
    const { ctx } = this, ink = inks(), { grid } = shown.stream;
    const told = this.groundOf(shown);
    if (told && this.ground.lines) {
      drawGround(ctx, c, size, grid, this.ground.lines, ink);
      ctx.fillStyle = ink.beside;
      nameGraticule(ctx, c, size, grid, told);
    }
    if (shown.contours) {
      const spot = { z: grid.depth - 1, x: 0, y: 0 };
      const name = keyOf(shown.contours.view, shown.t, shown.generation, spot), tile = this.tiles.get(name);
      wanted.add(name);
      const { scale } = shown.contours;
      if (tile && scale) {
        const key = name + scale.lines.join();
        if (key !== this.contours.key) this.contours = { key, lines: contourLines(tile, grid, 2 ** spot.z, scale.lines) };
      } else if (this.tiles.error(name)) this.contours = { key: "", lines: [] };
      drawContours(ctx, c, size, this.contours.lines, ink);
    }
    onPlane(ctx, c, size, (pixel) => {
      for (const stream of [shown.stream, ...shown.nests.map((nest) => nest.stream)]) {
        const { x, y, nx, ny, dx, dy } = stream.grid;
        ctx.lineWidth = (stream === shown.stream ? 1 : 1.6) * pixel;
        ctx.strokeStyle = stream === shown.stream ? ink.border : ink.ink;
        ctx.strokeRect(x, y, nx * dx, ny * dy);
      }
    });
  }

  private groundOf(shown: Shown): Ground | undefined {
    if (!shown.stream.grid.earth) return undefined;
    const key = `${shown.view.run} ${shown.stream.grid.name}`;
    if (key !== this.ground.key) {
      this.ground = { key };
      askGround(shown.view).then((told) => {
        if (this.ground.key !== key) return;
        this.ground = { key, told, lines: paths(told) };
        this.again();
      }, () => {});
    }
    return this.ground.told;
  }

  private wind(shown: Shown, wanted?: Set<string>): Wind | null {
    const spot: Spot = { z: shown.stream.grid.depth - 1, x: 0, y: 0 };
    const [u, v] = [shown.wind!.u, shown.wind!.v].map((view) => {
      const name = keyOf(view, shown.t, shown.generation, spot);
      wanted?.add(name);
      return this.tiles.get(name);
    });
    return u && v ? { u, v, grid: shown.stream.grid, step: 2 ** spot.z } : null;
  }

  /** The point and the line that were chosen. */
  private mark(shown: Shown, c: Camera, size: Size): void {
    const { ctx } = this, ink = inks();
    const ring = (x: number, y: number, radius: number) => {
      ctx.beginPath();
      ctx.arc(x, y, radius, 0, 2 * Math.PI);
    };
    if (shown.line) {
      const [x0, y0] = toScreen(c, size, shown.line[0], shown.line[1]), [x1, y1] = toScreen(c, size, shown.line[2], shown.line[3]);
      for (const [width, colour] of [[5, ink.halo], [2.2, ink.ink]] as const) {
        ctx.lineWidth = width;
        ctx.strokeStyle = colour;
        ctx.beginPath();
        ctx.moveTo(x0, y0);
        ctx.lineTo(x1, y1);
        ctx.stroke();
      }
      ctx.font = "600 11px Inter, system-ui, sans-serif";
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      for (const [x, y, letter] of [[x0, y0, "A"], [x1, y1, "B"]] as const) {
        ring(x, y, 9);
        ctx.fillStyle = ink.ink;
        ctx.fill();
        ctx.fillStyle = ink.halo;
        ctx.fillText(letter, x, y + 0.5);
      }
    }
    if (!shown.point) return;
    const [x, y] = toScreen(c, size, ...shown.point);
    for (const [width, colour] of [[5, ink.halo], [2.4, ink.ink]] as const) {
      ring(x, y, 7);
      ctx.lineWidth = width;
      ctx.strokeStyle = colour;
      ctx.stroke();
    }
  }

  /** A station that is near, else the point. */
  private pick(x: number, y: number): void {
    const c = this.camera(), found = c && nearest(this.shown?.stations ?? [], x, y, 12 / c.k);
    if (found) this.heard.station(...found);
    else this.heard.pick(x, y);
  }

  private hover(at: { x: number; y: number } | null): void {
    this.pointer = at;
    this.read();
  }

  /** Tells the value under the pointer: of the tile where it has the grid's own points, else the server's. */
  private read(): void {
    const { shown, pointer } = this, c = this.camera();
    clearTimeout(this.asking);
    if (!shown || !c || !pointer || !this.seen.tiles.length) return this.heard.reading(null);
    const [x, y] = toPlane(c, this.size(), pointer.x, pointer.y);
    const { grid } = shown.stream, i = Math.floor((x - grid.x) / grid.dx), j = Math.floor((y - grid.y) / grid.dy);
    if (i < 0 || j < 0 || i >= grid.nx || j >= grid.ny) return this.heard.reading(null);
    const over = [...this.seen.tiles].reverse().find((p) => valueIn(p, x, y) !== undefined);
    if (!over) return this.heard.reading(null);
    const where = this.where(grid, x, y, i, j), value = valueIn(over, x, y)!;
    this.heard.reading({ value: value < MISSING / 10 ? this.figure(value, this.seen.scale) : "no value", where });
    const coarse = over.dx > grid.dx * 1.01;
    if (!coarse) return;
    this.asking = window.setTimeout(() => {
      askValue(shown.view, shown.t, i, j).then(({ value: exact }) => {
        if (this.pointer !== pointer || this.shown !== shown) return;
        this.heard.reading({ value: exact === null ? "no value" : this.figure(exact, this.seen.scale), where });
      }, () => {});
    }, 120);
  }

  private where(grid: Grid, x: number, y: number, i: number, j: number): string {
    const place = placeAt(grid, this.ground.told?.lattice ?? null, x, y);
    return place ? inDegrees(place) : `x ${(x - grid.x).toFixed(1)} km, y ${(y - grid.y).toFixed(1)} km (${i}, ${j})`;
  }
}
