/** One map: the field, lines over it and the wind, drawn when something has changed. */
import { camera, type Camera, type Size, toPlane, toScreen, whole } from "./camera";
import { inDegrees, placeAt } from "./earth";
import { FieldLayer, fit, type Placed } from "./field_layer";
import type { Grid, Ground, Scale, Stations, Stream, View } from "./kinds";
import { type Contour, contourLines, drawContours, drawGround, type Inks, inks, nameContours, nameGraticule, onPlane, type Paths, paths } from "./lines";
import { listen } from "./pointing";
import { keyOf, placed, spots, type Spot, valueIn, visible } from "./pyramid";
import { askGround, askValue } from "./server";
import { Sheet } from "./sheet";
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

const REST = 160; // ms after a movement, when what lies around is drawn, too

export class MapView {
  private sheet: Sheet;
  private layer: FieldLayer;
  private ctx: CanvasRenderingContext2D;
  private flow: Flow;
  private tiles = new TileStore(() => this.arrived());
  private shown: Shown | null = null;
  private seen: { tiles: Placed[]; scale: Scale | undefined; key: string } = { tiles: [], scale: undefined, key: "" };
  private ground: { key: string; told?: Ground; lines?: Paths } = { key: "" };
  private contours: { key: string; lines: Contour[] } = { key: "", lines: [] };
  private pointer: { x: number; y: number } | null = null;
  private asking = 0;
  private dirty = true;
  private movedAt = 0; // 0: it lies still
  private at: Camera | null = null; // of the last turn
  private roams = false; // it was moved since this frame is shown
  private window: Size;
  private ink: Inks = inks();
  private stops: (() => void)[] = [];
  private calm = matchMedia("(prefers-reduced-motion: reduce)");
  bytes = 0; // of the tiles in the picture

  constructor(host: HTMLElement, private heard: Heard, private figure: (value: number, scale?: Scale) => string) {
    this.sheet = new Sheet(host, ["field", "flow", "lines"]);
    const [field, flow, lines] = this.sheet.canvases;
    this.layer = new FieldLayer(field);
    this.flow = new Flow(flow);
    this.ctx = lines.getContext("2d")!;
    this.window = sizeOf(host);
    const sizes = new ResizeObserver(() => {
      this.window = sizeOf(host);
      this.again();
    });
    sizes.observe(host);
    const dark = matchMedia("(prefers-color-scheme: dark)"), again = () => {
      this.ink = inks();
      this.again();
    };
    dark.addEventListener("change", again);
    this.stops.push(
      camera.subscribe(() => (this.movedAt = performance.now())), () => sizes.disconnect(), () => dark.removeEventListener("change", again),
      listen(host, {
        grid: () => this.shown?.stream.grid, camera: () => this.camera(), size: () => this.window,
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
    this.sheet.remove();
  }

  show(shown: Shown): void {
    const before = this.shown;
    if (before && words(before) === words(shown) && before.stream === shown.stream && before.scale === shown.scale && before.stations === shown.stations) return;
    if (before?.t !== shown.t) this.roams = false;
    this.shown = shown;
    this.again();
    const c = this.camera();
    // Asked for now: pictures may be drawn slowly.
    if (c) for (const spot of spots(shown.stream.grid, c, this.window)) this.tiles.get(keyOf(shown.view, shown.t, shown.generation, spot));
  }

  /** What is in the window, for a picture: from the lowest up. */
  pictures(): HTMLCanvasElement[] {
    const { shown } = this, c = this.camera();
    if (shown && c) this.draw(shown, c);
    return this.sheet.pictures();
  }

  private again(): void {
    this.dirty = true;
  }

  /** Tiles that come while the map is moved are drawn when it rests. */
  private arrived(): void {
    if (!this.movedAt) this.again();
  }

  private camera(): Camera | null {
    return this.shown && (camera.value ?? whole(this.shown.stream.grid, this.window));
  }

  private turn(now: number): void {
    const { shown } = this, c = this.camera();
    if (!shown || !c) return;
    if (this.dirty) this.draw(shown, c);
    else if (this.movedAt) this.move(shown, c);
    else if (shown.wind?.mode === "flow" && !this.calm.matches) {
      const wind = this.wind(shown);
      if (wind) this.flow.step(now, wind, c, this.window, this.ink);
    }
  }

  /** What was drawn moves as it is, as far as it reaches. */
  private move(shown: Shown, c: Camera): void {
    const rests = JSON.stringify(c) === JSON.stringify(this.at) && performance.now() - this.movedAt > REST;
    this.at = c;
    if (rests || !this.sheet.slide(c)) return this.draw(shown, c);
    if (this.roams) return;
    this.roams = true;
    this.gather(shown, this.sheet.camera!, new Set()); // asks for what lies around
  }

  private draw(shown: Shown, c: Camera): void {
    this.dirty = false;
    this.movedAt = 0;
    this.at = c;
    const [, flow, lines] = this.sheet.canvases, wanted = new Set<string>();
    this.sheet.lay(c, this.window, flow);
    this.gather(shown, c, wanted);
    this.layer.draw(this.seen.tiles, this.seen.scale, c, this.sheet.size);
    const { ctx, ink } = this;
    fit(lines, this.sheet.size);
    ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    ctx.clearRect(0, 0, this.sheet.size.width, this.sheet.size.height);
    this.drawLines(shown, c, wanted);
    flow.hidden = !shown.wind; // one thing less to lay over the others
    if (shown.wind) {
      const wind = this.wind(shown, wanted);
      if (shown.wind.mode !== "flow" || this.calm.matches) this.flow.clear();
      if (wind && (shown.wind.mode === "barbs" || this.calm.matches))
        drawBarbs(ctx, c, this.sheet.size, wind, ink, (x, y) => (placeAt(shown.stream.grid, this.ground.told?.lattice ?? null, x, y)?.latitude ?? 1) < 0);
    } else this.flow.clear();
    drawStations(ctx, c, this.sheet.size, shown.stations, shown.station, ink);
    this.mark(shown, c, this.sheet.size);
    this.tiles.only(wanted);
    this.read();
  }

  /** Tiles of the field; those of the picture before stay until all of a new one are here. */
  private gather(shown: Shown, c: Camera, wanted: Set<string>): void {
    const found: Placed[] = [], key = JSON.stringify([shown.view, shown.t, shown.generation, ...shown.nests.map((nest) => nest.t)]);
    let missing = 0, trouble = "";
    for (const { stream, t } of [{ stream: shown.stream, t: shown.t }, ...shown.nests]) {
      const view = { ...shown.view, domain: stream.domain }, near = spots(stream.grid, c, this.window);
      for (const spot of near) {
        const name = keyOf(view, t, shown.generation, spot), tile = this.tiles.get(name);
        wanted.add(name);
        if (tile) found.push(placed(stream.grid, spot, tile));
        else if (this.tiles.error(name)) trouble ||= stream === shown.stream ? this.tiles.error(name)! : "";
        else ++missing;
      }
      if (near.length > 1) found.push(...this.around(shown, view, stream.grid, t, c, near, wanted));
    }
    if (!missing || key === this.seen.key) {
      const scale = shown.scale ?? (key === this.seen.key ? this.seen.scale : undefined);
      this.seen = { tiles: found, scale, key };
      this.bytes = found.reduce((sum, one) => sum + one.tile.bytes, 0);
    }
    const done = !missing && (shown.scale || trouble);
    this.heard.state(done ? key : "", trouble);
  }

  /** What is here of the tiles beyond the window; they are asked for once the map is moved about. */
  private around(shown: Shown, view: View, grid: Grid, t: number, c: Camera, near: Spot[], wanted: Set<string>): Placed[] {
    const { z } = near[near.length - 1], inside = new Set(near.map(({ x, y }) => `${x} ${y}`));
    return visible(grid, c, this.sheet.size, z).flatMap((spot) => {
      if (inside.has(`${spot.x} ${spot.y}`)) return [];
      const name = keyOf(view, t, shown.generation, spot), tile = this.roams ? this.tiles.get(name) : this.tiles.peek(name);
      wanted.add(name);
      return tile ? [placed(grid, spot, tile)] : [];
    });
  }

  private drawLines(shown: Shown, c: Camera, wanted: Set<string>): void {
    const { ctx, ink } = this, { size } = this.sheet, { grid } = shown.stream;
    const told = this.groundOf(shown);
    if (told && this.ground.lines) {
      drawGround(ctx, c, size, grid, this.ground.lines, ink);
      ctx.fillStyle = ink.beside;
      this.inWindow((window) => nameGraticule(ctx, c, window, grid, told));
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
      this.inWindow((window) => nameContours(ctx, c, window, this.contours.lines, ink));
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

  /** For what has its place by the edges of the window. */
  private inWindow(draw: (window: Size) => void): void {
    this.ctx.save();
    this.ctx.translate(this.sheet.beyond.width, this.sheet.beyond.height);
    draw(this.window);
    this.ctx.restore();
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
    const { ctx, ink } = this;
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
    const [x, y] = toPlane(c, this.window, pointer.x, pointer.y);
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

const sizeOf = (host: HTMLElement): Size => ({ width: Math.max(host.clientWidth, 1), height: Math.max(host.clientHeight, 1) });

/** The same text for what looks the same, but for what is told apart by its identity. */
const words = ({ view, t, generation, contours, wind, point, station, line, drawing, nests, stations }: Shown): string =>
  JSON.stringify([view, t, generation, contours, wind, point, station, line, drawing, stations.length, nests.map((nest) => [nest.stream.domain, nest.t])]);
