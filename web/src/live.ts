/** News of the runs: a frame that has come is on the page at once. */
import { effect, signal } from "@preact/signals";
import { beginning, choice, index, read, set, settled } from "./choice";
import type { Index, RunState } from "./kinds";
import { outdated } from "./scales";
import { askState } from "./server";

export const connected = signal(true);
export const trouble = signal("");
/** Grows every few seconds, for what is looked at while it changes. */
export const beat = signal(0);

/** How the run of the first map is, and how it was since the page was opened. */
export const runState = signal<RunState>({});
export interface Sample {
  seconds: number; // model time
  courant: number;
  speed: number;
}
export const samples = signal<Sample[]>([]);
const MOST = 600;

async function look(): Promise<void> {
  const { run } = choice.value.view, told = await askState(run).catch(() => ({}) as RunState);
  if (run !== choice.value.view.run) return;
  runState.value = told;
  const { seconds, courant, speed } = told, last = samples.value[samples.value.length - 1];
  if (seconds === undefined || courant === undefined || speed === undefined || seconds === last?.seconds) return;
  const before = last && seconds < last.seconds ? [] : samples.value; // it has begun anew
  samples.value = [...before, { seconds, courant, speed }].slice(-MOST);
}

/** The index as it comes with news: nothing has to be asked for before the tiles of a new frame. */
function hear(event: MessageEvent<string>): void {
  const told = JSON.parse(event.data) as Index & { error?: string };
  trouble.value = told.error ?? "";
  if (told.error) return; // the server tries again
  const first = !index.value?.runs.some((run) => run.streams.length);
  outdated(told.news);
  index.value = told;
  look();
  if (first && told.runs.some((run) => run.streams.length)) begin();
  else set({ view: settled(choice.value.view) });
}

function begin(): void {
  const asked = read(location.hash);
  if (!asked) return set(beginning());
  set(asked);
  const { view, second } = choice.value;
  set({ view: settled(view), second: second && settled(second) });
}

export function live(): void {
  const news = new EventSource("api/events");
  news.onmessage = hear;
  news.onopen = () => (connected.value = true);
  news.onerror = () => {
    connected.value = false;
    // Browsers give up where the answer was a refusal.
    if (news.readyState === EventSource.CLOSED) setTimeout(live, 2000);
  };
  addEventListener("hashchange", begin);
}

export function beating(): void {
  setInterval(() => {
    if (document.hidden) return;
    ++beat.value;
    if (runState.value.word === "running") look();
  }, 2000);
  let run = choice.value.view.run;
  effect(() => {
    if (choice.value.view.run === run) return;
    run = choice.value.view.run;
    samples.value = [];
    look();
  });
}
