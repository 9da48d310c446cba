/** How the run is: how far, how fast, and what its output costs it. */
import { Chart } from "./chart";
import { useAsked } from "./asked";
import { choice, index } from "./choice";
import { figure } from "./numbers";
import { askHealth } from "./server";

const size = (bytes: number): string =>
  bytes >= 1e9 ? `${figure(bytes / 1e9, 3)} GB` : bytes >= 1e6 ? `${figure(bytes / 1e6, 3)} MB` : `${figure(bytes / 1e3, 3)} kB`;
const took = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? "–" : seconds >= 1 ? `${figure(seconds, 3)} s` : `${figure(seconds * 1e3, 3)} ms`;

export function HealthPanel({ beat }: { beat: number }) {
  const { run } = choice.value.view;
  const { answer, error } = useAsked(`${run} ${index.value?.news} ${beat}`, () => askHealth(run));
  if (error) return <p class="hint">{error}</p>;
  if (!answer) return <p class="hint">Reading …</p>;
  const { report, streams } = answer;
  return (
    <>
      {!report && <p class="hint">What output costs is told when the run has ended.</p>}
      <table class="parcels">
        <thead><tr><th scope="col">Stream</th><th scope="col">Engine</th><th scope="col">Frames</th></tr></thead>
        <tbody>{Object.entries<any>(streams).map(([name, one]) => <tr key={name}><th scope="row">{name}</th><td>{one.engine ?? "–"}</td><td>{one.frames}</td></tr>)}</tbody>
      </table>
      {report?.streams.map((one: any) => (
        <div key={one.name}>
          <h3>{one.name}</h3>
          <table class="numbers"><tbody>
            <tr><th scope="row">Written</th><td>{size(one.stored_bytes)} by {one.engine}, {one.placement}</td></tr>
            <tr><th scope="row">Perceived, median</th><td>{took(one.perceived_median)}</td></tr>
            <tr><th scope="row">Drain, median</th><td>{took(one.drain_median)}</td></tr>
            <tr><th scope="row">Waits for room</th><td>{one.waits}{one.waits ? `, ${took(one.waited)}` : ""}</td></tr>
            <tr><th scope="row">Staging memory, largest</th><td>{size(one.staging_peak)}</td></tr>
            <tr><th scope="row">Of the run's time</th><td>{figure(100 * one.share, 2)} %</td></tr>
            {one.failed + one.skipped > 0 && <tr><th scope="row">Frames lost</th><td>{one.failed} failed, {one.skipped} skipped</td></tr>}
          </tbody></table>
          {one.timeline?.length > 1 && <Chart x={one.timeline.map((_: unknown, k: number) => k)} height={120} unit="ms" label={`Perceived and drain time of ${one.name}`} log
            lines={[
              { name: "drain", values: one.timeline.map((f: any) => 1e3 * (f.drain_ended - f.begun) || null), colour: "--line" },
              { name: "perceived", values: one.timeline.map((f: any) => 1e3 * f.perceived || null), colour: "--warm" },
            ]} name={(k) => `${k}`} />}
          {one.timeline?.length > 1 && <p class="keys"><span class="drain">drain</span><span class="perceived">perceived</span><i>ms, frame by frame</i></p>}
        </div>
      ))}
    </>
  );
}
