/** Stations that the run writes: how their fields went, and all of them to choose from. */
import { useEffect, useState } from "preact/hooks";
import { Chart } from "./chart";
import { choice, index, set, stream, time } from "./choice";
import type { Stations, StationSeries } from "./kinds";
import { figure } from "./numbers";
import { askStation } from "./server";
import { brief, capital } from "./words";

/** All frames at a station, as they are read; later frames are added. */
function useStation(run: number, at: [string, number] | null, count: number): StationSeries | null {
  const key = at ? `${run} ${at} ${index.value?.runs[run]?.generation}` : "";
  const [state, setState] = useState<{ key: string; series: StationSeries | null }>({ key: "", series: null });
  useEffect(() => {
    if (!at) return;
    let stale = false;
    const goOn = async (sofar: StationSeries | null) => {
      while (!stale) {
        const more = await askStation(run, ...at, sofar?.t.length ?? 0), before = sofar;
        if (stale) return;
        sofar = before ? {
          ...more, t: [...before.t, ...more.t],
          fields: more.fields.map((field, n) => ({ ...field, values: [...before.fields[n].values, ...field.values] })),
        } : more;
        setState({ key, series: sofar });
        if (!more.more) return;
      }
    };
    goOn(state.key === key ? state.series : null).catch(() => stale || setState({ key: "", series: null }));
    return () => {
      stale = true;
    };
  }, [key, count]);
  return state.key === key ? state.series : null;
}

const stationsOf = (run: number): Stations[] => index.value?.runs[run]?.stations ?? [];

/** The station that was chosen. */
export function StationPanel() {
  const { view: { run }, station } = choice.value, s = stream.value, t = time.value;
  const of = stationsOf(run).find((one) => one.stream === station?.[0]), known = of && station && of.names[station[1]] !== undefined;
  const series = useStation(run, known ? station : null, of?.frames ?? 0);
  if (!known || !s) return null;
  return (
    <>
      <h3 class="station">{of.names[station[1]]} <span>{of.stream}</span></h3>
      {!series && <p class="hint">Reading …</p>}
      {series && !series.fields.length && <p class="hint">This stream has profiles only: squall plot --stream {of.stream} draws them.</p>}
      {series?.fields.map((field) => {
        const k = t === null ? -1 : series.t.reduce((best, one, n) => (Math.abs(one - t) < Math.abs(series.t[best] - t) ? n : best), 0);
        const now = field.values[k];
        return (
          <div key={field.name}>
            <h3>{capital(field.long_name)}{now !== null && now !== undefined && <b class="now">{figure(now)} {field.unit}</b>}</h3>
            <Chart x={series.t} lines={[{ name: field.name, values: field.values, colour: "--line" }]} height={110} unit={field.unit}
              now={t ?? undefined} seconds label={`${capital(field.long_name)} at ${of.names[station[1]]} over time`}
              name={(seconds) => brief(s, seconds)} pick={(seconds) => set({ time: seconds })} />
          </div>
        );
      })}
    </>
  );
}

/** All stations, for those who do not point at the map. */
export function StationList() {
  const { view: { run }, station } = choice.value, all = stationsOf(run);
  if (!all.length) return null;
  return (
    <>
      {all.map(({ stream, names, x, y }) => (
        <div key={stream}>
          <h3>Stations: {stream}</h3>
          <p class="stations">
            {names.map((name, n) => {
              const on = station?.[0] === stream && station[1] === n;
              return (
                <button type="button" key={n} aria-pressed={on}
                  onClick={() => set(on ? { station: null } : { station: [stream, n], point: [x[n], y[n]] })}>{name}</button>
              );
            })}
          </p>
        </div>
      ))}
    </>
  );
}
