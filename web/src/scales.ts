/** Colours of views, asked for once until frames come. */
import { signal } from "@preact/signals";
import type { Scale, View } from "./kinds";
import { askScale, query } from "./server";

const kept = new Map<string, { scale?: Scale; error?: string; news: number }>();
/** Grows when a scale has come. */
export const scaleNews = signal(0);
let news = 0;

const keyOf = (view: View) => `${query(view)} ${view.limits} ${view.colours}`;

/** Colours may reach farther with each frame: they are asked for again, and shown as they were meanwhile. */
export function outdated(now: number): void {
  news = now;
}

const LATER = 60; // ms: the new frame itself is asked for first

export function scaleOf(view: View): Scale | undefined {
  if (!view.field) return undefined;
  const key = keyOf(view), known = kept.get(key);
  if (known?.news === news) return known.scale;
  const entry = { ...known, news };
  kept.set(key, entry);
  const ask = () =>
    askScale(view)
      .then((scale) => Object.assign(entry, { scale, error: undefined }))
      .catch((error: Error) => Object.assign(entry, { error: error.message }))
      .finally(() => {
        if (kept.size > 60) kept.delete(kept.keys().next().value!);
        ++scaleNews.value;
      });
  if (known?.scale) setTimeout(ask, LATER);
  else ask();
  return entry.scale;
}

/** Why a view has no colours: what the server says. */
export const scaleError = (view: View): string | undefined => kept.get(keyOf(view))?.error;
