/** What is above a point, and how the field goes there. */
import { useEffect, useState } from "preact/hooks";
import { useAsked } from "./asked";
import { Chart } from "./chart";
import { choice, index, set, shownTime, stream } from "./choice";
import { inDegrees } from "./earth";
import type { Series, View } from "./kinds";
import { figure } from "./numbers";
import { askSeries, askSounding, query } from "./server";
import { Hodograph, SkewT } from "./skewt";
import { StationList, StationPanel } from "./station_panel";
import { brief, title } from "./words";

/** The cell of the grid in which the chosen point lies; null: outside. */
function cell(): [number, number] | null {
  const { point } = choice.value, grid = stream.value?.grid;
  if (!point || !grid) return null;
  const i = Math.floor((point[0] - grid.x) / grid.dx), j = Math.floor((point[1] - grid.y) / grid.dy);
  return i >= 0 && j >= 0 && i < grid.nx && j < grid.ny ? [i, j] : null;
}

/** All frames of a field at a point, as they are read; later frames are added. */
function useSeries(view: View, at: [number, number] | null, count: number, news: number): Series | null {
  const [series, setSeries] = useState<Series | null>(null);
  const key = at ? `${query(view)} ${at} ${index.value?.runs[view.run]?.generation}` : "";
  const [kept, setKept] = useState("");
  useEffect(() => {
    if (!at) return;
    let stale = false;
    const goOn = async (sofar: Series | null) => {
      while (!stale) {
        const more: Series = await askSeries(view, ...at, sofar?.t.length ?? 0);
        if (stale) return;
        sofar = sofar ? { ...more, t: [...sofar.t, ...more.t], values: [...sofar.values, ...more.values] } : more;
        setSeries(sofar);
        setKept(key);
        if (!more.more) return;
      }
    };
    goOn(kept === key ? series : null).catch(() => stale || (setSeries(null), setKept("")));
    return () => {
      stale = true;
    };
  }, [key, count, news && 0]);
  return kept === key ? series : null;
}

export function PointPanel() {
  const { view } = choice.value, at = cell(), t = shownTime.value, s = stream.value;
  const layers = s?.fields.some((field) => field.level === "bottom_top") && s.levels.bottom_top;
  const has = (name: string) => !!s?.fields.some((field) => field.name === name);
  const columns = !!layers && has("temperature") && has("height");
  const series = useSeries({ ...view, minus: undefined }, at, s?.frames.length ?? 0, index.value?.news ?? 0);
  const sounding = useAsked(at && columns ? `${view.run} ${view.stream} ${view.domain} ${t} ${at}` : "",
    at && columns && t !== null ? () => askSounding(view, t, ...at) : null);
  if (!at || !s || t === null) return <><p class="hint">Click the map to see a sounding and a time series at that point.</p><StationList /></>;
  const told = sounding.answer, now = series?.values[series.t.findIndex((one) => Math.abs(one - t) < 0.02)];
  return (
    <>
      <StationPanel />
      <p class="place">{told?.place ? inDegrees(told.place) : `Point ${at[0]}, ${at[1]}`}</p>
      <h3>{title(view)}{now !== undefined && now !== null && <b class="now">{figure(now)} {series!.unit}</b>}</h3>
      {series && series.t.length > 1
        ? <Chart x={series.t} lines={[{ name: view.field, values: series.values, colour: "--line" }]} height={130} unit={series.unit} now={t} seconds
            label={`${title(view)} over time`} name={(seconds) => brief(s, seconds)} pick={(seconds) => set({ time: seconds })} />
        : <p class="hint">{series ? "One frame so far." : "Reading …"}</p>}
      {columns && <h3>Sounding</h3>}
      {sounding.error && <p class="hint">{sounding.error}</p>}
      {told && <>
        <SkewT sounding={told} />
        <p class="keys"><span class="warm">temperature</span>{told.dew && <span class="dew">dew point</span>}{told.parcel && <span class="parcel">mixed-layer parcel</span>}</p>
        <div class="beside">
          <Hodograph sounding={told} />
          <table class="numbers">
            <tbody>{told.numbers.map((n) => <tr key={n.name}><th scope="row">{n.name}</th><td>{n.value === null ? "–" : figure(n.value, 3)} {n.unit}</td></tr>)}</tbody>
          </table>
        </div>
        {told.parcels.length > 0 && <table class="parcels">
          <thead><tr><th scope="col">Parcel</th><th scope="col">CAPE</th><th scope="col">CIN</th><th scope="col">LCL</th><th scope="col">LFC</th></tr></thead>
          <tbody>{told.parcels.map((one) => <tr key={one.name}><th scope="row">{one.name}</th>
            {[one.cape, one.cin, one.lcl, one.lfc].map((value, k) => <td key={k}>{value === null ? "–" : Math.round(value)}</td>)}</tr>)}</tbody>
          <tfoot><tr><td /><td colSpan={2}>J kg⁻¹</td><td colSpan={2}>m above sea level</td></tr></tfoot>
        </table>}
      </>}
      <StationList />
    </>
  );
}
