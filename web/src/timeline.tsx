/** Time: a slider over the frames, which follows the newest until it is moved; and play. */
import { useEffect } from "preact/hooks";
import { choice, following, frames, playing, set, stream, time } from "./choice";
import { drawn } from "./pane";
import { brief, when } from "./words";

const PACE = 220; // ms a frame shows at least while playing

const at = () => (time.value === null ? 0 : frames.value.indexOf(time.value));

/** To a frame by number; the last one is followed. */
export function go(to: number): void {
  const all = frames.value, k = Math.min(Math.max(to, 0), all.length - 1);
  set({ time: k === all.length - 1 ? null : all[k] });
}
export const step = (by: number): void => {
  playing.value = false;
  go(at() + by);
};
export const play = (): void => {
  if (!playing.value && at() >= frames.value.length - 1) set({ time: frames.value[0] ?? null });
  playing.value = !playing.value;
};

function usePlaying(): void {
  const on = playing.value;
  useEffect(() => {
    if (!on) return;
    let last = performance.now();
    const turn = setInterval(() => {
      const waits = [...drawn.values()].some((one) => !one);
      if (waits || performance.now() - last < PACE) return;
      last = performance.now();
      if (at() >= frames.value.length - 1) set({ time: frames.value[0] });
      else set({ time: frames.value[at() + 1] });
    }, 40);
    return () => clearInterval(turn);
  }, [on]);
}

/** So many of the frames that their names have room. */
function marks(count: number): number[] {
  const every = [1, 2, 3, 6, 12, 24, 48, 96, 240, 480].find((n) => count / n <= 9) ?? Math.ceil(count / 9);
  return Array.from({ length: count }, (_, k) => k).filter((k) => k % every === 0);
}

export function Timeline() {
  usePlaying();
  const s = stream.value, all = frames.value, k = at();
  if (!s || !all.length) return null;
  const now = when(s, all[k]), last = Math.max(all.length - 1, 1);
  return (
    <nav class="timeline" aria-label="Time">
      <div class="buttons">
        <button type="button" class="icon" onClick={() => step(-1)} disabled={k === 0} aria-label="Previous frame" title="Previous frame (,)"><Icon name="back" /></button>
        <button type="button" class="icon main" onClick={play} disabled={all.length < 2} aria-label={playing.value ? "Pause" : "Play"} title="Play (space)"><Icon name={playing.value ? "pause" : "play"} /></button>
        <button type="button" class="icon" onClick={() => step(1)} disabled={k === all.length - 1} aria-label="Next frame" title="Next frame (.)"><Icon name="next" /></button>
      </div>
      <div class="track">
        <input type="range" min={0} max={all.length - 1} value={k} aria-label="Frame" aria-valuetext={`${now.main} ${now.rest}`}
          onInput={(event) => { playing.value = false; go(Number(event.currentTarget.value)); }} />
        <div class="marks" aria-hidden="true">
          {marks(all.length).map((m) => <span key={m} data-at={m} ref={(span) => { if (span) span.style.left = `${(100 * m) / last}%`; }}>{brief(s, all[m])}</span>)}
        </div>
      </div>
      <button type="button" class={`follow ${following.value ? "on" : ""}`} aria-pressed={following.value}
        onClick={() => { playing.value = false; set({ time: following.value ? choice.value.time ?? all[k] : null }); }} title="Shows each new frame as it comes (L)">
        <i aria-hidden="true" />Newest
      </button>
    </nav>
  );
}

const SHAPES: Record<string, string> = {
  back: "M14 6l-6 6 6 6", next: "M10 6l6 6-6 6", play: "M8 5.5v13l11-6.5z", pause: "M8 6v12M16 6v12",
  close: "M7 7l10 10M17 7L7 17", picture: "M4 8h3l2-2.5h6L17 8h3v11H4zM12 16.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z",
  pulse: "M3 12h4l3-7 4 14 3-7h4", link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1",
  pin: "M12 21s6.500-6 6.500-11a6.500 6.500 0 0 0-13 0c0 5 6.500 11 6.500 11zM12 12.300a2.300 2.300 0 1 0 0-4.600 2.300 2.300 0 0 0 0 4.600z",
  cut: "M4 19L20 5M4 19h5M20 5h-5", all: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5", menu: "M4 7h16M4 12h16M4 17h16",
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="shape" viewBox="0 0 24 24" aria-hidden="true" data-filled={name === "play" ? "" : undefined}>
      <path d={SHAPES[name]} />
    </svg>
  );
}
