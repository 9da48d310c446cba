/** Stations on the map. */
import type { Camera, Size } from "./camera";
import { toScreen } from "./camera";
import type { Stations } from "./kinds";
import type { inks } from "./lines";

const FEW = 40; // of which the names are shown

/** The station nearest to a point of the plane [km], not farther than so many km. */
export function nearest(all: Stations[], x: number, y: number, within: number): [string, number] | null {
  let best: [string, number] | null = null, far = within;
  for (const of of all) {
    of.names.forEach((_, n) => {
      const away = Math.hypot(of.x[n] - x, of.y[n] - y);
      if (away <= far) [best, far] = [[of.stream, n], away];
    });
  }
  return best;
}

/** Diamonds, one for each place: streams may have the same stations. */
export function drawStations(
  ctx: CanvasRenderingContext2D, c: Camera, size: Size, all: Stations[], chosen: [string, number] | null, ink: ReturnType<typeof inks>,
): void {
  const seen = new Set<string>();
  for (const { stream, names, x, y } of all) {
    names.forEach((name, n) => {
      const key = `${x[n]} ${y[n]}`, on = chosen?.[0] === stream && chosen[1] === n;
      if (seen.has(key) && !on) return;
      seen.add(key);
      const [sx, sy] = toScreen(c, size, x[n], y[n]), half = on ? 7 : 5;
      ctx.beginPath();
      ctx.moveTo(sx, sy - half);
      ctx.lineTo(sx + half, sy);
      ctx.lineTo(sx, sy + half);
      ctx.lineTo(sx - half, sy);
      ctx.closePath();
      ctx.fillStyle = on ? ink.ink : ink.halo;
      ctx.fill();
      ctx.lineWidth = 1.6;
      ctx.strokeStyle = on ? ink.halo : ink.ink;
      ctx.stroke();
      if (names.length > FEW && !on) return;
      ctx.font = "500 11px Inter, system-ui, sans-serif";
      ctx.textAlign = "left";
      ctx.textBaseline = "middle";
      ctx.lineWidth = 3;
      ctx.strokeStyle = ink.halo;
      ctx.strokeText(name, sx + half + 4, sy);
      ctx.fillStyle = ink.ink;
      ctx.fillText(name, sx + half + 4, sy);
    });
  }
}
