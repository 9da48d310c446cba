/** Asks the server. Whatever goes wrong is an Error whose message can be shown. */
import type { Ground, RunState, Scale, Section, Series, Sounding, StationSeries, View } from "./kinds";

export class Refused extends Error {}

async function ask(path: string, signal?: AbortSignal): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { signal, credentials: "same-origin" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error("The server does not answer: has squall watch ended?");
  }
  if (answer.ok) return answer;
  if (answer.status === 401) throw new Refused("The server asks for its token: open the address that it printed.");
  const told = await answer.json().catch(() => null);
  throw new Refused(told?.error ?? `The server says ${answer.status}.`);
}

async function json<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, signal)).json();
}

export type Words = Record<string, string | number>;

/** The query of a view, the same text for the same view. */
export function query(view: View, more: Words = {}): string {
  const words = new URLSearchParams({
    run: `${view.run}`, stream: view.stream, domain: `${view.domain}`, field: view.field, level: view.level,
  });
  if (view.minus) {
    const m = view.minus;
    const less = { run: m.run, stream: m.stream, domain: m.domain, field: m.field, level: m.level };
    for (const [name, value] of Object.entries(less)) words.set(`m_${name}`, `${value}`);
  }
  for (const [name, value] of Object.entries(more)) words.set(name, `${value}`);
  return words.toString();
}

const coloured = (view: View): Words => ({ limits: view.limits, colours: view.colours });

export const askGround = (view: View) =>
  json<Ground>(`api/ground?run=${view.run}&stream=${view.stream}&domain=${view.domain}`);
export const askScale = (view: View) => json<Scale>(`api/scale?${query(view, coloured(view))}`);
export const askValue = (view: View, t: number, i: number, j: number) =>
  json<{ value: number | null }>(`api/value?${query(view, { t, i, j })}`);
export const askSounding = (view: View, t: number, i: number, j: number) =>
  json<Sounding>(`api/sounding?${query(view, { t, i, j })}`);
export const askSeries = (view: View, i: number, j: number, first: number) =>
  json<Series>(`api/series?${query(view, { i, j, first })}`);
export const askStation = (run: number, stream: string, station: number, first: number) =>
  json<StationSeries>(`api/station?${new URLSearchParams({ run: `${run}`, stream, station: `${station}`, first: `${first}` })}`);
export const askState = (run: number) => json<RunState>(`api/state?run=${run}`);
export const askHealth = (run: number) => json<any>(`api/health?run=${run}`);

export async function askTile(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  return (await ask(address, signal)).arrayBuffer();
}

export async function askSection(view: View, t: number, ends: number[]): Promise<Section> {
  const [i0, j0, i1, j1] = ends;
  const address = `api/section?${query(view, { t, i0, j0, i1, j1, ...coloured(view) })}`;
  const packed = await (await ask(address)).arrayBuffer();
  const length = new DataView(packed).getUint32(0, true);
  const about = JSON.parse(new TextDecoder().decode(new Uint8Array(packed, 4, length)));
  const [rows, columns] = about.arrays.z;
  const z = new Float32Array(packed, 4 + length, rows * columns);
  const values = new Float32Array(packed, 4 + length + 4 * rows * columns, rows * columns);
  return { ...about, rows, columns, z, values };
}
