/** What is shown, in words. */
import { fieldOf, levelsOf, streamOf } from "./choice";
import { index } from "./choice";
import type { Stream, View } from "./kinds";
import { clock, date, span } from "./numbers";

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Temperature, 850 hPa. */
export function title(view: View): string {
  const field = fieldOf(view);
  if (!field) return "";
  const level = levelsOf(view).find((one) => one.level === view.level)?.name;
  const own = `${capital(field.long_name)}${level ? `, ${level}` : ""}`;
  if (!view.minus) return own;
  const other = title(view.minus);
  return own === other ? `Difference: ${own}` : `${own} − ${other.charAt(0).toLowerCase()}${other.slice(1)}`;
}

/** When, and how long after the start. */
export function when(stream: Stream, t: number): { main: string; rest: string } {
  // Idealised runs begin in the year 1: their calendar says nothing.
  if (stream.start === null || stream.start < -2e9 || !stream.grid.earth) return { main: span(t), rest: "since the start" };
  return { main: date(stream.start + t), rest: t ? `+${span(t)}` : "the start" };
}

/** As short as a mark on the slider. */
export function brief(stream: Stream, t: number): string {
  return stream.start === null || stream.start < -2e9 || !stream.grid.earth ? span(t) : clock(stream.start + t);
}

export function runName(view: View): string {
  return index.value?.runs[view.run]?.name ?? "";
}

export const domainName = (view: View): string => {
  const stream = streamOf(view);
  return stream && stream.domain > 1 ? `domain ${stream.domain}` : "";
};
