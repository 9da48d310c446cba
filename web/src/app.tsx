/** The page. */
import { useEffect, useState } from "preact/hooks";
import { camera } from "./camera";
import { choice, fieldOf, index, levelsOf, type Panel, set, setView, stream, streamOf, time, timeOf } from "./choice";
import { HealthPanel } from "./health_panel";
import type { View } from "./kinds";
import { beat, connected, runState, trouble } from "./live";
import { figure, span } from "./numbers";
import { maps, Pane } from "./pane";
import { picture, save } from "./picture";
import { PointPanel } from "./point_panel";
import { scaleOf } from "./scales";
import { SectionPanel } from "./section_panel";
import { open, Side } from "./side";
import { go, Icon, play, step, Timeline } from "./timeline";
import { capital, runName, title, when } from "./words";

/** The maps: the first, the second, their difference. */
function views(): View[] {
  const { view, second, difference } = choice.value;
  return !second ? [view] : !difference ? [view, second] : [view, second, { ...view, limits: "", colours: "", minus: second }];
}

async function savePicture(): Promise<void> {
  const parts = views().flatMap((view, n) => {
    const map = maps.get(n), own = streamOf(view), t = timeOf(view);
    if (!map || !own || t === null) return [];
    const at = when(own, t);
    return [{ canvases: map.pictures(), title: title(view), when: `${at.main}  ${at.rest}`, run: runName(view), scale: scaleOf(view) }];
  });
  if (parts.length) save(await picture(parts), `${runName(choice.value.view)}-${choice.value.view.field}-${time.value}.png`);
}

const PANELS: [Exclude<Panel, "">, string, string][] = [["point", "Point", "pin"], ["section", "Section", "cut"], ["health", "Run", "pulse"]];

function Bar() {
  const [said, setSaid] = useState("");
  const { panel, view } = choice.value, map = !(stream.value && stream.value.grid.ny < 2);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setSaid("Link copied");
    } catch {
      setSaid("Copy the link from the address bar");
    }
    setTimeout(() => setSaid(""), 2500);
  };
  return (
    <header class="top">
      <button type="button" class="icon menu" aria-label="What is shown" aria-expanded={open.value} onClick={() => (open.value = !open.value)}><Icon name="menu" /></button>
      <h1><img src="static/icon.svg" alt="" width={22} height={22} />{runName(view) || "Squall"}</h1>
      <Status />
      <span class="said" role="status">{said}</span>
      <div class="tools">
        {PANELS.map(([name, label, icon]) => (
          <button key={name} type="button" aria-label={label} aria-pressed={panel === name} onClick={() => set({ panel: panel === name ? "" : name })}><Icon name={icon} /><span>{label}</span></button>
        ))}
        <i class="gap" />
        {map && <button type="button" class="icon" aria-label="Show all of the map" title="Show all (0)" onClick={() => (camera.value = null)}><Icon name="all" /></button>}
        <button type="button" class="icon" aria-label="Copy a link to this view" title="Copy a link" onClick={copy}><Icon name="link" /></button>
        {map && <button type="button" class="icon" aria-label="Save as PNG" title="Save as PNG (S)" onClick={savePicture}><Icon name="picture" /></button>}
      </div>
    </header>
  );
}

function Status() {
  const s = stream.value;
  const text = trouble.value || (!connected.value ? "Connecting …" : s ? `${s.frames.length} frame${s.frames.length === 1 ? "" : "s"}` : "");
  const { word, seconds, duration, seconds_left, speed } = runState.value;
  const goes = word === "running" && seconds !== undefined && duration !== undefined;
  return (
    <p class={`status ${trouble.value || !connected.value ? "bad" : ""}`} role="status">
      {word && <span class={`state ${word}`}>{capital(word)}</span>}
      {goes && <span class="far">{span(seconds)} of {span(duration)}</span>}
      {goes && seconds_left !== null && seconds_left !== undefined && <span class="far">{span(Math.round(seconds_left))} left, {figure(speed ?? 0, 2)} × real time</span>}
      <span>{text}</span>
    </p>
  );
}

const NAMES = { point: "Point", section: "Section", health: "Run" };

function Drawer({ flat }: { flat: boolean }) {
  const { view } = choice.value, panel = choice.value.panel || (flat ? "section" : ""), s = stream.value;
  if (!panel) return null;
  const t = timeOf(view), at = flat && panel === "section" && s && t !== null ? when(s, t) : null;
  return (
    <aside class={`drawer ${panel}`} aria-label={NAMES[panel]}>
      <header>
        {at ? <div><h2>{title({ ...view, level: "" })}</h2><p class="hint"><time>{at.main}</time> {at.rest}</p></div> : <h2>{NAMES[panel]}</h2>}
        {!at && <button type="button" class="icon" aria-label="Close" onClick={() => set({ panel: "" })}><Icon name="close" /></button>}
      </header>
      <div class="content" tabIndex={0} role="group" aria-label={NAMES[panel]}>
        {panel === "point" ? <PointPanel /> : panel === "section" ? <SectionPanel /> : <HealthPanel beat={beat.value} />}
      </div>
    </aside>
  );
}

/** Keys that do the same wherever the focus is, but for where one writes. */
function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return set({ panel: "" });
  if (target.matches("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
  const onButton = target.matches("button, summary, input");
  const { view } = choice.value, levels = levelsOf(view), k = levels.findIndex((level) => level.level === view.level);
  const keys: Record<string, () => void> = {
    " ": play, ",": () => step(-1), ".": () => step(1), l: () => set({ time: null }), s: () => void savePicture(),
    "[": () => levels[k - 1] && setView({ level: levels[k - 1].level }), "]": () => levels[k + 1] && setView({ level: levels[k + 1].level }),
    "/": () => { open.value = true; document.getElementById("search")?.focus(); },
    Home: () => go(0), End: () => set({ time: null }),
  };
  if (!keys[event.key] || (onButton && event.key === " ")) return;
  event.preventDefault();
  keys[event.key]();
}

export function App() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const field = fieldOf(choice.value.view);
  useEffect(() => {
    document.title = field ? `${title(choice.value.view)} · ${runName(choice.value.view)}` : "Squall";
  });
  const shown = views(), flat = stream.value && stream.value.grid.ny < 2;
  const none = index.value && !index.value.runs.some((run) => run.streams.length);
  return (
    <div class={`page ${choice.value.panel ? "with-drawer" : ""} ${flat ? "flat" : ""}`}>
      <Bar />
      <Side />
      <main>
        {none && <div class="waiting"><h2>No frame yet</h2><p>{index.value!.runs[0].trouble || "The first frame appears here as soon as the run has published it."}</p></div>}
        {field && <div class={`panes n${shown.length}`}>{shown.map((view, n) => <Pane key={n} view={view} number={n} several={shown.length > 1 || index.value!.runs.length > 1} />)}</div>}
      </main>
      <Drawer flat={!!flat} />
      <Timeline />
    </div>
  );
}
