/** Moves the camera by pointer, wheel, fingers and keys; tells of clicks and of lines that are drawn. */
import { camera, type Camera, type Size, toPlane, within, zoomed } from "./camera";
import type { Grid } from "./kinds";

export interface Told {
  grid(): Grid | undefined;
  camera(): Camera | null;
  size(): Size;
  lines(): boolean; // whether a line is being drawn
  hover(at: { x: number; y: number } | null): void;
  pick(x: number, y: number): void;
  line(points: [number, number, number, number], done: boolean): void;
}

const STILL = 5; // pixels: a click moves less

export function listen(host: HTMLElement, told: Told): () => void {
  const stop = new AbortController(), on = { signal: stop.signal };
  const fingers = new Map<number, { x: number; y: number }>();
  let from: { x: number; y: number; plane: [number, number] } | null = null;
  let moved = false;

  const at = (event: PointerEvent | WheelEvent) => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const plane = (p: { x: number; y: number }) => toPlane(told.camera()!, told.size(), p.x, p.y);
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { far: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  host.addEventListener("pointerdown", (event) => {
    if (!told.camera() || event.button > 0) return;
    host.setPointerCapture(event.pointerId);
    const p = at(event);
    fingers.set(event.pointerId, p);
    if (fingers.size === 1) [from, moved] = [{ ...p, plane: plane(p) }, false];
  }, on);

  host.addEventListener("pointermove", (event) => {
    const p = at(event), c = told.camera(), grid = told.grid();
    if (!c || !grid) return;
    if (event.pointerType !== "touch") told.hover(p);
    const before = fingers.get(event.pointerId);
    if (!before || !from) return;
    if (fingers.size === 2) {
      const old = spread();
      fingers.set(event.pointerId, p);
      const now = spread();
      camera.value = shifted(zoomed(c, grid, told.size(), now.far / Math.max(old.far, 1), now), grid, now.x - old.x, now.y - old.y);
      moved = true;
      return;
    }
    fingers.set(event.pointerId, p);
    moved ||= Math.hypot(p.x - from.x, p.y - from.y) > STILL;
    if (!moved) return;
    if (told.lines()) told.line([...from.plane, ...plane(p)], false);
    else camera.value = shifted(c, grid, p.x - before.x, p.y - before.y);
  }, on);

  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || fingers.size) return;
    const p = at(event);
    if (event.type === "pointerup" && from && told.camera()) {
      if (told.lines() && moved) told.line([...from.plane, ...plane(p)], true);
      else if (!moved) told.pick(...plane(p));
    }
    from = null;
  };
  host.addEventListener("pointerup", up, on);
  host.addEventListener("pointercancel", up, on);
  host.addEventListener("pointerleave", () => told.hover(null), on);

  host.addEventListener("wheel", (event) => {
    const c = told.camera(), grid = told.grid();
    if (!c || !grid) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 18 : 1);
    camera.value = zoomed(c, grid, told.size(), Math.exp(-Math.max(-120, Math.min(120, pixels)) * 0.0022), at(event));
  }, { ...on, passive: false });

  host.addEventListener("keydown", (event) => {
    const c = told.camera(), grid = told.grid();
    if (!c || !grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const far = 60, moves: Record<string, () => Camera | null> = {
      ArrowLeft: () => shifted(c, grid, far, 0), ArrowRight: () => shifted(c, grid, -far, 0),
      ArrowUp: () => shifted(c, grid, 0, far), ArrowDown: () => shifted(c, grid, 0, -far),
      "+": () => zoomed(c, grid, told.size(), 1.5), "=": () => zoomed(c, grid, told.size(), 1.5),
      "-": () => zoomed(c, grid, told.size(), 1 / 1.5), "0": () => null,
    };
    if (event.key === "Enter") told.pick(c.x, c.y);
    else if (moves[event.key]) camera.value = moves[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, on);

  return () => stop.abort();
}

const shifted = (c: Camera, grid: Grid, dx: number, dy: number): Camera =>
  within({ ...c, x: c.x - dx / c.k, y: c.y + dy / c.k }, grid);
