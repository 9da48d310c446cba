/** Draws tiles of a field in the bands of its scale, with WebGL. */
import * as twgl from "twgl.js";
import type { Camera, Size } from "./camera";
import type { Scale } from "./kinds";
import { MISSING, type Tile } from "./tile_store";

const MOST = 62; // levels of a scale

const VERTEX = `#version 300 es
uniform vec4 place; // of the tile: west, south, width, height [km], less the camera's middle
uniform vec2 zoom;  // from km to clip space
uniform vec2 cells;
in vec2 position;
out vec2 cell;
void main() {
  cell = position * cells + 1.0; // one column and row lie around
  gl_Position = vec4((place.xy + position * place.zw) * zoom, 0, 1);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D values;
uniform ivec2 size;
uniform int count;
uniform float levels[${MOST}];
uniform vec4 colours[${MOST + 1}];
in vec2 cell;
out vec4 colour;

float at(ivec2 point) { return texelFetch(values, clamp(point, ivec2(0), size - 1), 0).r; }

vec4 band(int k) { return colours[clamp(k, 0, count)]; }

void main() {
  // Between the middles of four cells; those that have no value count nothing.
  vec2 from = cell - 0.5, share = fract(from);
  ivec2 corner = ivec2(floor(from));
  float value = 0.0, weight = 0.0;
  for (int n = 0; n < 4; ++n) {
    ivec2 side = ivec2(n & 1, n >> 1);
    float v = at(corner + side);
    vec2 w = mix(1.0 - share, share, vec2(side));
    if (v < 1e34) { value += v * w.x * w.y; weight += w.x * w.y; }
  }
  if (weight < 0.5 || at(ivec2(floor(cell))) > 1e34) discard;
  value /= weight;
  int k = 0; // how many levels are not above the value
  for (int above = count; k < above;) {
    int middle = (k + above) / 2;
    if (value >= levels[middle]) k = middle + 1; else above = middle;
  }
  // A pixel that an edge of bands goes through has the colours of both.
  float wide = max(fwidth(value), 1e-20);
  colour = band(k);
  if (k > 0 && value - levels[k - 1] < 0.5 * wide)
    colour = mix(band(k - 1), colour, 0.5 + (value - levels[k - 1]) / wide);
  else if (k < count && levels[k] - value < 0.5 * wide)
    colour = mix(band(k + 1), colour, 0.5 + (levels[k] - value) / wide);
}`;

/** Where a tile lies: its corner and the size of its cells [km], and how many of them are drawn. */
export interface Placed {
  tile: Tile;
  x: number;
  y: number;
  dx: number;
  dy: number;
  columns: number;
  rows: number;
}

export class FieldLayer {
  private gl: WebGL2RenderingContext;
  private program: twgl.ProgramInfo;
  private square: twgl.BufferInfo;
  private textures = new Map<Tile, WebGLTexture>();

  /** Throws an Error where the browser has no WebGL 2. */
  constructor(private canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { antialias: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("This browser has no WebGL 2, with which maps are drawn.");
    this.gl = gl;
    this.program = twgl.createProgramInfo(gl, [VERTEX, FRAGMENT]);
    this.square = twgl.createBufferInfoFromArrays(gl, {
      position: { numComponents: 2, data: [0, 0, 1, 0, 0, 1, 1, 1] },
    });
  }

  draw(tiles: Placed[], scale: Scale | undefined, camera: Camera, size: Size): void {
    const { gl } = this;
    fit(this.canvas, size);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.forget(tiles);
    if (!scale) return;
    gl.useProgram(this.program.program);
    twgl.setBuffersAndAttributes(gl, this.program, this.square);
    twgl.setUniforms(this.program, {
      zoom: [2 * camera.k / size.width, 2 * camera.k / size.height], ...bands(scale),
    });
    for (const placed of tiles) {
      const { x, y, dx, dy, columns, rows, tile } = placed;
      twgl.setUniforms(this.program, {
        place: [x - camera.x, y - camera.y, columns * dx, rows * dy],
        cells: [columns, rows], size: [tile.columns, tile.rows], values: this.texture(tile),
      });
      twgl.drawBufferInfo(gl, this.square, gl.TRIANGLE_STRIP);
    }
  }

  private texture(tile: Tile): WebGLTexture {
    const known = this.textures.get(tile);
    if (known) return known;
    const { gl } = this;
    const made = twgl.createTexture(gl, {
      src: tile.values, width: tile.columns, height: tile.rows, internalFormat: gl.R32F, format: gl.RED,
      type: gl.FLOAT, minMag: gl.NEAREST, wrap: gl.CLAMP_TO_EDGE, auto: false,
    });
    this.textures.set(tile, made);
    return made;
  }

  /** Lets go of textures that are not drawn, but for some that may come back. */
  private forget(tiles: Placed[]): void {
    if (this.textures.size < 96) return;
    const used = new Set(tiles.map((placed) => placed.tile));
    for (const [tile, texture] of this.textures) {
      if (used.has(tile)) continue;
      this.gl.deleteTexture(texture);
      this.textures.delete(tile);
    }
  }
}

/** As many pixels as a canvas of this size has on the screen. */
export function fit(canvas: HTMLCanvasElement, size: Size): void {
  const width = Math.round(size.width * devicePixelRatio), height = Math.round(size.height * devicePixelRatio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

const channels = (hex: string | null): number[] =>
  hex ? [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).concat(1) : [0, 0, 0, 0];

function bands(scale: Scale): Record<string, unknown> {
  const levels = new Float32Array(MOST).fill(MISSING);
  levels.set(scale.levels.slice(0, MOST));
  const colours = [scale.under, ...scale.colours, scale.over].slice(0, MOST + 1).flatMap(channels);
  const all = new Float32Array(4 * (MOST + 1));
  all.set(colours);
  return { count: Math.min(scale.levels.length, MOST), levels, colours: all };
}
