/** What is shown, to be chosen: field, level, lines, wind, a second map. */
import { signal } from "@preact/signals";
import { choice, index, levelsOf, set, setSecond, setView, streamOf } from "./choice";
import type { Field, Level, Stream, View } from "./kinds";
import { capital } from "./words";

const sought = signal("");
export const open = signal(false); // on narrow screens

const GROUPS: [string, (field: Field) => boolean][] = [
  ["Surface and columns", (field) => field.derived && !field.level],
  ["Air", (field) => field.derived && !!field.level],
  ["As written by the model", (field) => !field.derived],
];

const matches = (field: Field, text: string): boolean =>
  text.toLowerCase().split(/\s+/).every((word) => `${field.name} ${field.long_name}`.toLowerCase().includes(word));

const groups = (stream: Stream | undefined, text = ""): [string, Field[]][] =>
  GROUPS.map(([name, of]) => [name, (stream?.fields ?? []).filter((field) => of(field) && matches(field, text))] as [string, Field[]])
    .filter(([, fields]) => fields.length);

export function Side() {
  const { view, second, contours, wind, difference, nests } = choice.value, stream = streamOf(view);
  const found = groups(stream, sought.value);
  const domains = index.value?.runs[view.run]?.streams.some((s) => s.domain > 1);
  return (
    <aside class={`side ${open.value ? "open" : ""}`} aria-label="What is shown">
      <Where view={view} change={setView} />
      <div class="group fields">
        <label class="search"><span class="visually-hidden">Search fields</span>
          <input id="search" type="search" placeholder="Search fields" value={sought.value} autocomplete="off"
            onInput={(event) => (sought.value = event.currentTarget.value)} />
        </label>
        <div class="list" role="group" aria-label="Fields" tabIndex={0}>
          {found.map(([name, fields]) => (
            <div key={name}>
              <h2>{name}</h2>
              {fields.map((field) => (
                <button key={field.name} type="button" aria-pressed={field.name === view.field} data-field={field.name} title={field.name}
                  onClick={() => { setView({ field: field.name }); open.value = false; }}>
                  {capital(field.long_name)}
                </button>
              ))}
            </div>
          ))}
          {!found.length && <p class="nothing">No field of this name.</p>}
        </div>
      </div>
      <Levels view={view} change={(level) => setView({ level })} />
      <div class="group">
        <Pick label="Contours" value={contours} none="none" stream={stream} change={(name) => set({ contours: name })} />
        <div class="row"><span id="wind">Wind</span>
          <div class="choose" role="group" aria-labelledby="wind">
            {(["off", "barbs", "flow"] as const).map((mode) => (
              <button key={mode} type="button" aria-pressed={wind === mode} onClick={() => set({ wind: mode })}>{capital(mode)}</button>
            ))}
          </div>
        </div>
        {domains && <label class="tick"><input type="checkbox" checked={nests} onChange={(event) => set({ nests: event.currentTarget.checked })} />Nests in their parent</label>}
      </div>
      <Colours view={view} />
      <div class="group">
        <label class="tick"><input type="checkbox" checked={!!second} onChange={(event) => set({ second: event.currentTarget.checked ? { ...beside(view) } : null, difference: false })} />A second map beside it</label>
        {second && <>
          <Where view={second} change={setSecond} />
          <Pick label="Field" value={second.field} stream={streamOf(second)} change={(name) => setSecond({ field: name })} />
          <Levels view={second} change={(level) => setSecond({ level })} />
          <label class="tick"><input type="checkbox" checked={difference} onChange={(event) => set({ difference: event.currentTarget.checked })} />Their difference</label>
        </>}
      </div>
    </aside>
  );
}

/** The same of another run, where there is one. */
const beside = (view: View): View => {
  const count = index.value?.runs.length ?? 1;
  return { ...view, run: (view.run + 1) % count, limits: "", colours: "" };
};

/** Run, stream and domain, where there are several. */
function Where({ view, change }: { view: View; change: (changes: Partial<View>) => void }) {
  const runs = index.value?.runs ?? [], streams = runs[view.run]?.streams ?? [];
  const nameOf = (s: Stream) => `${s.name}${streams.some((o) => o.name === s.name && o.domain > 1) ? `, domain ${s.domain}` : ""}`;
  if (runs.length < 2 && streams.length < 2) return null;
  return (
    <div class="group">
      {runs.length > 1 && <label class="row"><span>Run</span>
        <select value={`${view.run}`} onChange={(event) => change({ run: Number(event.currentTarget.value) })}>
          {runs.map((run, n) => <option key={n} value={`${n}`}>{run.name}</option>)}
        </select></label>}
      {streams.length > 1 && <label class="row"><span>Stream</span>
        <select value={`${view.stream} ${view.domain}`} onChange={(event) => {
          const [stream, domain] = event.currentTarget.value.split(" ");
          change({ stream, domain: Number(domain) });
        }}>
          {streams.map((s) => <option key={`${s.name} ${s.domain}`} value={`${s.name} ${s.domain}`}>{nameOf(s)}</option>)}
        </select></label>}
    </div>
  );
}

function Levels({ view, change }: { view: View; change: (level: string) => void }) {
  const levels = levelsOf(view);
  if (!levels.length) return null;
  const kinds = [...new Set(levels.map((level) => level.kind))];
  return (
    <div class="group">
      <label class="row"><span>Level</span>
        <select class="level" value={view.level} onChange={(event) => change(event.currentTarget.value)}>
          {kinds.map((kind) => (
            <optgroup key={kind} label={capital(kind)}>
              {levels.filter((level) => level.kind === kind).map((level: Level) => <option key={level.level} value={level.level}>{level.name}</option>)}
            </optgroup>
          ))}
        </select>
      </label>
    </div>
  );
}

function Pick({ label, value, none, stream, change }: { label: string; value: string; none?: string; stream: Stream | undefined; change: (name: string) => void }) {
  return (
    <label class="row"><span>{label}</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {none && <option value="">{none}</option>}
        {groups(stream).map(([name, fields]) => (
          <optgroup key={name} label={name}>
            {fields.map((field) => <option key={field.name} value={field.name}>{capital(field.long_name)}</option>)}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

const MAPS = ["viridis", "cividis", "magma", "YlGnBu", "BuPu", "YlOrBr", "RdBu_r", "RdYlBu_r", "PuOr_r", "BrBG"];

function Colours({ view }: { view: View }) {
  return (
    <details class="group colours">
      <summary>Colours</summary>
      <label class="row"><span>Map</span>
        <select value={view.colours} onChange={(event) => setView({ colours: event.currentTarget.value })}>
          <option value="">The field's own</option>
          {MAPS.map((name) => <option key={name} value={name}>{name.replace("_r", "")}</option>)}
        </select></label>
      <label class="row"><span>Range</span>
        <input type="text" inputMode="text" placeholder="low, high, step" value={view.limits} spellcheck={false}
          onChange={(event) => setView({ limits: event.currentTarget.value.replaceAll(" ", "") })} />
      </label>
    </details>
  );
}
