/** How the run is: how far, how fast, and what its output costs it. */
import { Chart } from "./chart";
import { useAsked } from "./asked";
import { choice, index } from "./choice";
import { runState, samples } from "./live";
import { figure, span } from "./numbers";
import { askHealth } from "./server";

const size = (bytes: number): string =>
  bytes >= 1e9 ? `${figure(bytes / 1e9, 3)} GB` : bytes >= 1e6 ? `${figure(bytes / 1e6, 3)} MB` : `${figure(bytes / 1e3, 3)} kB`;
const took = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? "–" : seconds >= 1 ? `${figure(seconds, 3)} s` : `${figure(seconds * 1e3, 3)} ms`;

const loads = (all: number[]): string => {
  const [least, most] = [Math.min(...all), Math.max(...all)].map((one) => figure(100 * one, 3));
  return all.length === 1 || least === most ? `${most} %` : `${least} to ${most} %, rank ${all.indexOf(Math.min(...all))} waits most`;
};

/** A column for each rank, from the first on the left. */
function Loads({ of: all }: { of: number[] }) {
  const wide = 100 / all.length, path = all.map((load, rank) => `M${(rank + 0.5) * wide} 100V${100 - 100 * load}`).join("");
  return (
    <svg class="loads" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={`Load of ${all.length} ranks: ${loads(all)}`}>
      <path d={path} stroke-width={Math.max(1, Math.min(24, 250 / all.length))} />
    </svg>
  );
}

/** What the run says of itself at this moment. */
function Now() {
  const { word, why, ranks, threads, seconds, duration, speed, steps_per_second, seconds_left, courant, max_w, load, staging, staging_peak, staging_limit, domains, streams } = runState.value;
  if (!word) return null;
  const several = (domains ?? []).length > 1 ? domains! : [];
  const rows: [string, string | undefined][] = [
    ["State", why ? `${word}: ${why}` : word],
    ["Model time", seconds === undefined ? undefined : `${span(seconds)}${duration ? ` of ${span(duration)}` : ""}`],
    ["Speed", speed ? `${figure(speed, 3)} × real time${steps_per_second === undefined ? "" : `, ${figure(steps_per_second, 3)} steps/s`}` : undefined],
    ["Time left", word === "running" && seconds_left ? span(Math.round(seconds_left)) : undefined],
    ["Courant number", courant === undefined ? undefined : figure(courant, 3)],
    ["Largest |w|", max_w === undefined ? undefined : `${figure(max_w, 3)} m s⁻¹`],
    ["Ranks, threads", ranks === undefined ? undefined : `${ranks}, ${threads}`],
    ["Load of the ranks", load && loads(load)],
    ["Staging memory", staging && staging_peak && `${size(Math.max(...staging))} now, ${size(Math.max(...staging_peak))} at most so far, limit ${size(staging_limit ?? 0)}`],
    ...several.map((one): [string, string] => [`Domain ${one.domain}${one.name ? `, ${one.name}` : ""}`, `${one.nx} × ${one.ny} × ${one.nz}, ${figure(one.dx / 1000, 4)} km${one.parent ? `, in domain ${one.parent}` : ""}`]),
    ...(streams ?? []).map((one): [string, string] => [`${one.name}, perceived`, `${took(one.perceived_last)} last frame, ${took(one.perceived_total)} in total`]),
  ];
  const all = samples.value;
  return (
    <>
      <table class="numbers"><tbody>
        {rows.filter(([, value]) => value).map(([name, value]) => <tr key={name}><th scope="row">{name}</th><td>{value}</td></tr>)}
      </tbody></table>
      {load && load.length > 1 && <>
        <h3>Load by rank</h3>
        <Loads of={load} />
        <p class="hint">Share of the time in which a rank did not wait for others; full height is 100 %.</p>
      </>}
      {all.length > 1 && <>
        <h3>Courant number</h3>
        <Chart x={all.map((one) => one.seconds)} height={110} unit="" label="Courant number over model time" seconds
          lines={[{ name: "courant", values: all.map((one) => one.courant), colour: "--line" }]} name={span} />
      </>}
    </>
  );
}

export function HealthPanel({ beat }: { beat: number }) {
  const { run } = choice.value.view;
  const { answer, error } = useAsked(`${run} ${index.value?.news} ${beat}`, () => askHealth(run));
  if (error) return <p class="hint">{error}</p>;
  if (!answer) return <p class="hint">Reading …</p>;
  const { report, streams, log } = answer;
  return (
    <>
      <Now />
      {!report && <p class="hint">{answer.hint || "The cost of output is shown when the run has ended."}</p>}
      <table class="parcels">
        <thead><tr><th scope="col">Stream</th><th scope="col">Engine</th><th scope="col">Frames</th><th scope="col">Last</th></tr></thead>
        <tbody>{Object.entries<any>(streams).map(([name, one]) => <tr key={name}><th scope="row">{name}</th><td>{one.engine ?? "–"}</td><td>{one.frames}</td><td>{one.last?.slice(5, 16).replace("T", " ") ?? "–"}</td></tr>)}</tbody>
      </table>
      {report?.streams.map((one: any) => (
        <div key={one.name}>
          <h3>{one.name}</h3>
          <table class="numbers"><tbody>
            <tr><th scope="row">Written</th><td>{size(one.stored_bytes)} by {one.engine}, {one.placement}</td></tr>
            <tr><th scope="row">Perceived, median</th><td>{took(one.perceived_median)}</td></tr>
            <tr><th scope="row">Drain, median</th><td>{took(one.drain_median)}</td></tr>
            <tr><th scope="row">Waits for staging memory</th><td>{one.waits}{one.waits ? `, ${took(one.waited)}` : ""}</td></tr>
            <tr><th scope="row">Peak staging memory</th><td>{size(one.staging_peak)}</td></tr>
            <tr><th scope="row">Share of the run's time</th><td>{figure(100 * one.share, 2)} %</td></tr>
            {one.failed + one.skipped > 0 && <tr><th scope="row">Frames lost</th><td>{one.failed} failed, {one.skipped} skipped</td></tr>}
          </tbody></table>
          {one.timeline?.length > 1 && <Chart x={one.timeline.map((_: unknown, k: number) => k)} height={120} unit="ms" label={`Perceived and drain time of ${one.name}`} log
            lines={[
              { name: "drain", values: one.timeline.map((f: any) => 1e3 * (f.drain_ended - f.begun) || null), colour: "--line" },
              { name: "perceived", values: one.timeline.map((f: any) => 1e3 * f.perceived || null), colour: "--warm" },
            ]} name={(k) => `${k}`} />}
          {one.timeline?.length > 1 && <p class="keys"><span class="drain">drain</span><span class="perceived">perceived</span><i>ms per frame</i></p>}
        </div>
      ))}
      {log.length > 0 && <>
        <h3>Messages</h3>
        <pre class="log" tabIndex={0} aria-label="The last lines of the run's log">{log.slice(-60).join("\n")}</pre>
      </>}
    </>
  );
}
