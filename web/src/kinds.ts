/** What the server tells; see python/squall/watch/index.py and app.py. */

export interface Field {
  name: string;
  long_name: string;
  units: string;
  level: string; // the dimension of its levels; "": none
  derived: boolean;
}

export interface Level {
  level: string;
  name: string;
  kind: string;
}

/** Lengths in km; x, y: of the south-western corner, in the plane of the run's first domain. */
export interface Grid {
  nx: number;
  ny: number;
  nz: number;
  dx: number;
  dy: number;
  x: number;
  y: number;
  earth: boolean;
  depth: number;
  name: string;
}

export interface Stream {
  name: string;
  domain: number;
  grid: Grid;
  frames: number[]; // s since the start
  start: number | null; // s since 1970
  fields: Field[];
  levels: Record<string, Level[]>;
}

/** Of a stream: names, and places in the plane [km]. */
export interface Stations {
  stream: string;
  names: string[];
  x: number[];
  y: number[];
  frames: number;
}

/** Fields at a station, in some frames. */
export interface StationSeries {
  t: number[];
  fields: { name: string; long_name: string; unit: string; values: (number | null)[] }[];
  more: boolean;
}

export interface Run {
  name: string;
  title: string;
  generation: number;
  streams: Stream[];
  stations: Stations[];
  trouble: string;
}

/** Of python/squall/watch/health.py; empty: nothing is known. */
export interface RunState {
  word?: "running" | "done" | "stopped" | "died";
  why?: string;
  ranks?: number;
  threads?: number;
  seconds?: number;
  duration?: number;
  speed?: number; // model time over time
  steps_per_second?: number;
  seconds_left?: number | null;
  courant?: number;
  max_w?: number;
  load?: number[]; // of each rank: share of the time in which it did not wait for others
  staging?: number[]; // bytes of each rank
  staging_peak?: number[];
  staging_limit?: number;
  domains?: { domain: number; name?: string; nx: number; ny: number; nz: number; dx: number; parent?: number }[];
  streams?: { name: string; frames: number; perceived_last: number; perceived_total: number }[];
}

export interface Index {
  runs: Run[];
  news: number;
}

/** A field on a level. */
export interface View {
  run: number;
  stream: string;
  domain: number;
  field: string;
  level: string;
  limits: string;
  colours: string;
  minus?: View;
}

export interface Scale {
  levels: number[];
  colours: string[];
  under: string | null;
  over: string | null;
  ticks: number[];
  lines: number[];
  unit: string;
}

export interface Ground {
  coasts: number[][];
  countries: number[][];
  states: number[][];
  graticule: { name: string; axis: "x" | "y"; line: number[] }[];
  lattice: { n: number; east: number[]; left: number[]; north: number[] } | null;
}

export interface Sounding {
  p: number[];
  z: number[];
  t: number[];
  dew?: (number | null)[];
  u: number[];
  v: number[];
  parcel?: (number | null)[];
  parcels: { name: string; cape: number | null; cin: number | null; lcl: number | null; lfc: number | null }[];
  numbers: { name: string; value: number | null; unit: string }[];
  place: { latitude: number; longitude: number } | null;
  adiabats: { p: number[]; moist: number[][]; kappa: number };
}

export interface Series {
  t: number[];
  values: (number | null)[];
  unit: string;
  more: boolean;
}

export interface Section {
  distance: number[];
  scale: Scale;
  rows: number;
  columns: number;
  z: Float32Array; // km, row after row
  values: Float32Array;
}
