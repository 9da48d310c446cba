/** A map with its title and colours. */
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Bar } from "./bar";
import { choice, drawing, fieldOf, index, lastUntil, levelsOf, nestsIn, set, streamOf, timeOf } from "./choice";
import type { Scale, Stations, View } from "./kinds";
import { MapView, type Nest, type Reading, type Shown } from "./map_view";
import { figure } from "./numbers";
import { scaleError, scaleNews, scaleOf } from "./scales";
import { runName, title, when } from "./words";

/** Maps by their number, for pictures and for playing. */
export const maps = new Map<number, MapView>();
/** Maps that show all that was asked for. */
export const drawn = new Map<number, string>();

const named = (value: number, scale?: Scale) => `${figure(value)}${scale?.unit ? ` ${scale.unit}` : ""}`;

/** The components of the wind that belong to a field: at its level, or at 10 m. */
function windOf(view: View): { u: View; v: View } | null {
  const known = (name: string) => streamOf(view)?.fields.find((field) => field.name === name);
  const pair = (u: string, v: string, level: string) => {
    const plain = { ...view, limits: "", colours: "", minus: undefined };
    return known(u) && known(v) ? { u: { ...plain, field: u, level }, v: { ...plain, field: v, level } } : null;
  };
  const aloft = levelsOf(view).length > 0;
  return (aloft && pair("U", "V", view.level)) || pair("U10", "V10", "") || pair("U", "V", aloft ? view.level : "0");
}

/** The field whose contours are drawn, at the level of the view where it has levels. */
function contoursOf(view: View): View | null {
  const name = choice.value.contours, asked = { ...view, field: name, limits: "", colours: "", minus: undefined };
  const field = name && fieldOf(asked);
  if (!field) return null;
  return { ...asked, level: field.level ? (field.level === fieldOf(view)?.level ? view.level : "0") : "" };
}

/** The nests of a view, each with its last frame until the time that is shown. */
function nestsOf(view: View): Nest[] {
  return nestsIn(view).flatMap((stream) => {
    const t = lastUntil(stream);
    return t === undefined ? [] : [{ stream, t }];
  });
}

const NONE: Stations[] = [];

function shownOf(view: View): Shown | null {
  const stream = streamOf(view), t = timeOf(view), c = choice.value;
  if (!stream || t === null || !view.field) return null;
  const run = index.value!.runs[view.run], contours = contoursOf(view);
  const nests = nestsOf(view);
  const wind = c.wind === "off" || view.minus ? null : windOf(view);
  return {
    view, stream, nests, t, generation: run.generation, scale: scaleOf(view),
    contours: contours && !view.minus ? { view: contours, scale: scaleOf(contours) } : null,
    wind: wind && c.wind !== "off" ? { mode: c.wind, ...wind } : null, point: c.point,
    stations: view.minus || view.run !== c.view.run ? NONE : run.stations, station: c.station, line: c.line, drawing: drawing.value,
  };
}

export function Pane({ view, number, several }: { view: View; number: number; several: boolean }) {
  const host = useRef<HTMLDivElement>(null), map = useRef<MapView | null>(null);
  const reading = useSignal<Reading | null>(null);
  const [state, setState] = useState({ drawn: "", trouble: "" });
  const [broken, setBroken] = useState("");
  void scaleNews.value;
  const shown = shownOf(view);

  useLayoutEffect(() => {
    try {
      map.current = new MapView(host.current!, {
        reading: (now) => (reading.value = now),
        pick: (x, y) => set({ point: [x, y], station: null, panel: "point" }),
        station: (stream, number) => {
          const of = index.value!.runs[choice.value.view.run].stations.find((one) => one.stream === stream);
          if (of) set({ station: [stream, number], point: [of.x[number], of.y[number]], panel: "point" });
        },
        line: (line, done) => {
          set(done ? { line, panel: "section" } : { line });
          if (done) drawing.value = false;
        },
        state: (now, trouble) => {
          drawn.set(number, now);
          setState((before) => (before.drawn === now && before.trouble === trouble ? before : { drawn: now, trouble }));
        },
      }, named);
      maps.set(number, map.current);
    } catch (error) {
      setBroken((error as Error).message);
    }
    return () => {
      map.current?.end();
      maps.delete(number);
      drawn.delete(number);
    };
  }, [number]);
  useLayoutEffect(() => {
    if (shown) map.current?.show(shown);
  });

  const stream = streamOf(view), at = stream && shown ? when(stream, shown.t) : null;
  const trouble = broken || scaleError(view) || state.trouble;
  return (
    <section class="pane" aria-label={title(view)}>
      <div ref={host} class={`map ${drawing.value ? "drawing" : ""}`} tabIndex={0} role="application"
        aria-label={`Map of ${title(view)}. Arrows move it, + and − zoom, 0 shows all, Enter selects the point in the middle.`}
        data-drawn={state.drawn} />
      <header class="title">
        <h2>{title(view)}</h2>
        {at && <p><time>{at.main}</time> <span>{at.rest}</span></p>}
        {stream && shown?.nests.filter((nest) => when(nest.stream, nest.t).main !== at?.main).map((nest) => (
          <p class="nest" key={nest.stream.domain}>Domain {nest.stream.domain}: <time>{when(nest.stream, nest.t).main}</time></p>
        ))}
        {several && <p class="run">{view.minus ? `${runName(view)} − ${runName(view.minus)}` : runName(view)}</p>}
      </header>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
      <div class="below">
        {shown?.scale && <Bar scale={shown.scale} label={fieldOf(view)?.long_name ?? ""} />}
        <Output reading={reading} />
      </div>
    </section>
  );
}

/** By itself, so that what is under a moving pointer draws nothing else anew. */
function Output({ reading }: { reading: Signal<Reading | null> }) {
  const now = reading.value;
  return (
    <output class="reading" data-value={now?.value ?? ""}>
      {now && <><b>{now.value}</b> <span>{now.where}</span></>}
    </output>
  );
}
