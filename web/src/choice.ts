/** What the viewer chose, kept in the address so that a link shows the same. */
import { computed, effect, signal } from "@preact/signals";
import { camera } from "./camera";
import type { Field, Index, Level, Stream, View } from "./kinds";

export type Panel = "" | "point" | "section" | "health";

export interface Choice {
  view: View;
  second: View | null; // beside the first
  difference: boolean; // of both, as a third map
  time: number | null; // s since the start, of the first view; null: the newest
  contours: string; // a field; "": none
  wind: "off" | "barbs" | "flow";
  nests: boolean;
  panel: Panel;
  point: [number, number] | null; // km in the plane
  station: [string, number] | null; // a stream's, by number
  line: [number, number, number, number] | null; // km
}

const NONE: View = { run: 0, stream: "history", domain: 1, field: "", level: "", limits: "", colours: "" };

export const index = signal<Index | null>(null);
export const choice = signal<Choice>({
  view: NONE, second: null, difference: false, time: null, contours: "", wind: "off", nests: true, panel: "",
  point: null, station: null, line: null,
});
export const playing = signal(false);
export const drawing = signal(false); // a line for a section is being drawn

export const set = (changes: Partial<Choice>): void => {
  choice.value = { ...choice.value, ...changes };
};
export const setView = (changes: Partial<View>): void => set({ view: settled({ ...choice.value.view, ...changes }) });
export const setSecond = (changes: Partial<View>): void => {
  const { second } = choice.value;
  if (second) set({ second: settled({ ...second, ...changes }) });
};

export function streamOf(view: View): Stream | undefined {
  return index.value?.runs[view.run]?.streams.find((s) => s.name === view.stream && s.domain === view.domain);
}
export const fieldOf = (view: View): Field | undefined => streamOf(view)?.fields.find((f) => f.name === view.field);
export function levelsOf(view: View): Level[] {
  const field = fieldOf(view);
  return (field?.level && streamOf(view)?.levels[field.level]) || [];
}

export const stream = computed(() => streamOf(choice.value.view));

/** The nests in the domain of a view that have its field, where they are shown. */
export function nestsIn(view: View): Stream[] {
  if (!choice.value.nests || view.domain !== 1 || view.minus) return [];
  return (index.value?.runs[view.run]?.streams ?? []).filter(
    (s) => s.name === view.stream && s.domain > 1 && s.fields.some((field) => field.name === view.field));
}
/** How many seconds later a stream begins than another, where both know when. */
const later = (one: Stream, other: Stream): number => (one.start !== null && other.start !== null ? one.start - other.start : 0);

const SAME = 0.02; // s

/** Times of the slider: those of the domain and, from its first on, of the nests that are drawn in it. */
export const frames = computed<number[]>(() => {
  const s = stream.value;
  if (!s?.frames.length) return [];
  const inner = nestsIn(choice.value.view).flatMap((nest) => nest.frames.map((t) => t + later(nest, s)));
  const more = inner.filter((t) => t > s.frames[0] && !s.frames.some((own) => Math.abs(own - t) < SAME));
  const all = [...s.frames, ...more].sort((a, b) => a - b);
  return all.filter((t, n) => n === 0 || t - all[n - 1] > SAME);
});
export const time = computed<number | null>(() => {
  const all = frames.value, asked = choice.value.time;
  if (!all.length) return null;
  if (asked === null) return all[all.length - 1];
  return all.reduce((best, t) => (Math.abs(t - asked) < Math.abs(best - asked) ? t : best));
});
/** The frame of the first view. */
export const shownTime = computed(() => timeOf(choice.value.view));
export const following = computed(() => choice.value.time === null);

/** A stream's last frame until the time that is shown. */
export function lastUntil(own: Stream): number | undefined {
  const first = stream.value, now = time.value;
  return first && now !== null ? own.frames.filter((t) => t <= now + later(first, own) + SAME).pop() : undefined;
}

/** The frame of a view at the time that is shown: of the first one the last until then, for nests may have
 *  one of their own; of another the nearest, by the calendar where both have one. */
export function timeOf(view: View): number | null {
  const own = streamOf(view), first = stream.value, now = time.value;
  if (!own || !first || now === null || !own.frames.length) return null;
  if (own === first) return lastUntil(own) ?? own.frames[0];
  const valid = now + later(first, own);
  return own.frames.reduce((best, t) => (Math.abs(t - valid) < Math.abs(best - valid) ? t : best));
}

const FIRST = ["T2", "theta_pert", "temperature", "W"];

/** A view that can be: with a stream, field and level that there are. */
export function settled(view: View): View {
  const run = index.value?.runs[view.run] ? view.run : 0;
  const streams = index.value?.runs[run]?.streams ?? [];
  const stream = streams.find((s) => s.name === view.stream && s.domain === view.domain) ?? streams[0];
  if (!stream) return view;
  const known = (name: string) => stream.fields.find((field) => field.name === name);
  const field = known(view.field) ?? FIRST.map(known).find(Boolean) ?? stream.fields[0];
  if (!field) return view;
  const levels = stream.levels[field.level] ?? [];
  const level = !field.level ? "" : levels.some((l) => l.level === view.level) ? view.level
    : field.level === "bottom_top" ? "0" : levels[0]?.level ?? "0";
  const kept = field.name === view.field ? { limits: view.limits, colours: view.colours } : { limits: "", colours: "" };
  return { run, stream: stream.name, domain: stream.domain, field: field.name, level, ...kept };
}

/** How a run is shown first: its weather on the Earth, else what suits a storm. */
export function beginning(): Partial<Choice> {
  const first = settled(choice.value.view), stream = streamOf(first);
  if (!stream) return {};
  const has = (name: string) => stream.fields.some((field) => field.name === name);
  const flat = stream.grid.ny < 2;
  return {
    view: first,
    contours: stream.grid.earth && has("sea_level_pressure") ? "sea_level_pressure" : "",
    wind: !flat && (has("U10") || has("U")) ? "flow" : "off",
    ...(flat ? { panel: "section" as Panel } : {}),
  };
}

const viewWords = (view: View): string =>
  [view.run, view.stream, view.domain, view.field, view.level, view.limits, view.colours].map((word) => encodeURIComponent(`${word}`)).join("~");
function viewOf(words: string): View {
  const [run, stream, domain, field, level, limits, colours] = words.split("~").map(decodeURIComponent);
  return { run: Number(run) || 0, stream: stream || "history", domain: Number(domain) || 1, field: field ?? "", level: level ?? "", limits: limits ?? "", colours: colours ?? "" };
}
const numbers = (text: string | null, count: number): number[] | null => {
  const found = (text ?? "").split(",").map(Number);
  return text && found.length === count && found.every(Number.isFinite) ? found : null;
};

/** The part of the address after #. */
export function words(c: Choice): string {
  const parts: [string, string][] = [["v", viewWords(c.view)]];
  if (c.second) parts.push(["w", viewWords(c.second)]);
  if (c.difference) parts.push(["d", "1"]);
  if (c.time !== null) parts.push(["t", `${c.time}`]);
  parts.push(["c", encodeURIComponent(c.contours)], ["wind", c.wind]);
  if (!c.nests) parts.push(["nests", "0"]);
  if (c.panel) parts.push(["panel", c.panel]);
  const rounded = (values: number[]) => values.map((value) => parseFloat(value.toPrecision(7))).join(",");
  if (c.point) parts.push(["p", rounded(c.point)]);
  if (c.station) parts.push(["s", `${encodeURIComponent(c.station[0])}~${c.station[1]}`]);
  if (c.line) parts.push(["l", rounded(c.line)]);
  const at = camera.value;
  if (at) parts.push(["at", rounded([at.x, at.y, at.k])]);
  return parts.map(([name, value]) => `${name}=${value}`).join("&");
}

/** What an address says; null: nothing. */
export function read(hash: string): Partial<Choice> | null {
  const said = new Map(hash.replace(/^#/, "").split("&").map((part) => part.split("=") as [string, string]));
  if (!said.get("v")) return null;
  const at = numbers(said.get("at") ?? null, 3);
  camera.value = at && at[2] > 0 ? { x: at[0], y: at[1], k: at[2] } : null;
  const panels: Panel[] = ["point", "section", "health"], winds = ["off", "barbs", "flow"] as const;
  const t = said.get("t"), [stations, number] = (said.get("s") ?? "").split("~");
  return {
    view: viewOf(said.get("v")!), second: said.get("w") ? viewOf(said.get("w")!) : null, difference: said.get("d") === "1",
    time: t !== undefined && Number.isFinite(Number(t)) ? Number(t) : null,
    contours: decodeURIComponent(said.get("c") ?? ""), wind: winds.find((w) => w === said.get("wind")) ?? "off",
    nests: said.get("nests") !== "0", panel: panels.find((p) => p === said.get("panel")) ?? "",
    station: stations && /^\d+$/.test(number ?? "") ? [decodeURIComponent(stations), Number(number)] : null,
    point: numbers(said.get("p") ?? null, 2) as Choice["point"], line: numbers(said.get("l") ?? null, 4) as Choice["line"],
  };
}

/** Keeps the address as the choice is; not more often than browsers allow. */
export function keepAddress(): void {
  let waiting = 0;
  effect(() => {
    const hash = `#${words(choice.value)}`;
    if (!index.value) return;
    clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      if (location.hash !== hash) history.replaceState(null, "", hash);
    }, 250);
  });
}
