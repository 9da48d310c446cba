/** News of the runs: a frame that has come is on the page at once. */
import { signal } from "@preact/signals";
import { beginning, choice, index, read, set, settled } from "./choice";
import { outdated } from "./scales";
import { askIndex } from "./server";

export const connected = signal(true);
export const trouble = signal("");
/** Grows every few seconds, for what is looked at while it changes. */
export const beat = signal(0);

let asking = false, again = false;

async function refresh(): Promise<void> {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    const told = await askIndex();
    const first = !index.value?.runs.some((run) => run.streams.length);
    outdated(told.news);
    index.value = told;
    trouble.value = "";
    if (first && told.runs.some((run) => run.streams.length)) begin();
    else set({ view: settled(choice.value.view) });
  } catch (error) {
    trouble.value = (error as Error).message;
    setTimeout(refresh, 2000);
  } finally {
    asking = false;
    if (again) {
      again = false;
      refresh();
    }
  }
}

function begin(): void {
  const asked = read(location.hash);
  if (!asked) return set(beginning());
  set(asked);
  const { view, second } = choice.value;
  set({ view: settled(view), second: second && settled(second) });
}

export function live(): void {
  const news = new EventSource("/api/events");
  news.onmessage = refresh;
  news.onopen = () => (connected.value = true);
  news.onerror = () => {
    connected.value = false;
    // Browsers give up where the answer was a refusal.
    if (news.readyState === EventSource.CLOSED) setTimeout(live, 2000);
  };
  addEventListener("hashchange", begin);
}

export function beating(): void {
  setInterval(() => document.hidden || ++beat.value, 3000);
}
