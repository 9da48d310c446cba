/** A sounding as a skew-T: temperature slanted over the logarithm of pressure. */
import type { Sounding } from "./kinds";

const WIDTH = 330, HEIGHT = 380, LEFT = 34, RIGHT = 40, TOP = 8, BOTTOM = 22;
const LOWEST = 1050, HIGHEST = 100, COLD = -40, WARM = 45, SLANT = 0.92;

const inner = { width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM };
const up = (p: number) => (Math.log(LOWEST / p) / Math.log(LOWEST / HIGHEST)) * inner.height;
const x = (t: number, p: number) => LEFT + ((t - COLD) / (WARM - COLD)) * inner.width + SLANT * up(p) * (inner.width / inner.height);
const y = (p: number) => TOP + inner.height - up(p);

function path(values: (number | null)[], p: number[]): string {
  let text = "", pen = "M";
  values.forEach((value, k) => {
    if (value === null || p[k] < HIGHEST) pen = "M";
    else {
      text += `${pen}${x(value, p[k]).toFixed(1)} ${y(p[k]).toFixed(1)}`;
      pen = "L";
    }
  });
  return text;
}

const PRESSURES = [1000, 850, 700, 500, 400, 300, 200, 100];
const COLUMN = Array.from({ length: 40 }, (_, k) => LOWEST * (HIGHEST / LOWEST) ** (k / 39));

function dryAdiabat(theta: number, kappa: number): string {
  return path(COLUMN.map((p) => theta * (p / 1000) ** kappa - 273.15), COLUMN);
}

export function SkewT({ sounding }: { sounding: Sounding }) {
  const { p, t, dew, parcel, adiabats, u, v } = sounding;
  const isotherms = Array.from({ length: 17 }, (_, k) => -120 + 10 * k);
  const barbs: number[] = [];
  p.forEach((value, k) => {
    if (value >= HIGHEST && (!barbs.length || Math.abs(y(value) - y(p[barbs[barbs.length - 1]])) > 17)) barbs.push(k);
  });
  return (
    <svg class="skewt" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Skew-T: temperature and dew point over pressure">
      <clipPath id="inside"><rect x={LEFT} y={TOP} width={inner.width} height={inner.height} /></clipPath>
      <g clip-path="url(#inside)">
        {isotherms.map((value) => <path key={value} class={value === 0 ? "zero" : "isotherm"} d={path([value, value], [LOWEST, HIGHEST])} />)}
        {Array.from({ length: 15 }, (_, k) => 250 + 15 * k).map((theta) => <path key={theta} class="dry" d={dryAdiabat(theta, adiabats.kappa)} />)}
        {adiabats.moist.map((line, n) => <path key={n} class="moist" d={path(line, adiabats.p)} />)}
        {PRESSURES.map((value) => <path key={value} class="isobar" d={`M${LEFT} ${y(value)}H${WIDTH - RIGHT}`} />)}
        {parcel && <path class="parcel" d={path(parcel, p)} />}
        {dew && <path class="dew" d={path(dew, p)} />}
        <path class="warm" d={path(t, p)} />
      </g>
      <rect class="frame" x={LEFT} y={TOP} width={inner.width} height={inner.height} />
      {PRESSURES.map((value) => <text key={value} x={LEFT - 5} y={y(value) + 3.5} text-anchor="end">{value}</text>)}
      {[-30, -20, -10, 0, 10, 20, 30, 40].map((value) => <text key={value} x={x(value, LOWEST)} y={HEIGHT - 8} text-anchor="middle">{`${value}`.replace("-", "−")}</text>)}
      {barbs.map((k) => <Barb key={k} x={WIDTH - RIGHT + 20} y={y(p[k])} u={u[k]} v={v[k]} southern={(sounding.place?.latitude ?? 1) < 0} />)}
    </svg>
  );
}

/** As on the map: half a barb 2.5 m/s, a barb 5, a flag 25. */
function Barb({ x, y, u, v, southern }: { x: number; y: number; u: number; v: number; southern: boolean }) {
  let halves = Math.round((2 * Math.hypot(u, v)) / 5), at = -18, text = "M0 0H-18";
  if (!halves) return <circle class="barb" cx={x} cy={y} r={1.8} />;
  const side = southern ? 1 : -1;
  for (; halves >= 10; halves -= 10, at += 5) text += `M${at} 0V${7 * side}L${at + 4} 0`;
  for (; halves >= 2; halves -= 2, at += 3) text += `M${at} 0l-2.400 ${7 * side}`;
  if (halves) text += `M${at === -18 ? at + 3 : at} 0l-1.200 ${3.6 * side}`;
  return <path class="barb" d={text} transform={`translate(${x} ${y}) rotate(${(Math.atan2(-v, u) * 180) / Math.PI})`} />;
}

const ROUND = 150, LAYERS: [number, string][] = [[1, "0–1 km"], [3, "1–3 km"], [6, "3–6 km"], [10, "6–10 km"]];

/** The wind's end points with height, to 10 km above the ground. */
export function Hodograph({ sounding }: { sounding: Sounding }) {
  const { u, v, z } = sounding, ground = z[0];
  const low = z.map((_, k) => k).filter((k) => z[k] - ground <= 10000);
  const reach = Math.max(10, ...low.map((k) => Math.hypot(u[k], v[k])));
  const every = [5, 10, 20, 40].find((step) => reach / step <= 4) ?? 50, scale = (ROUND / 2 - 10) / (Math.ceil(reach / every) * every);
  const middle = ROUND / 2, rings = Array.from({ length: Math.ceil(reach / every) }, (_, k) => (k + 1) * every);
  let begin = 0;
  return (
    <figure class="hodograph">
      <svg viewBox={`0 0 ${ROUND} ${ROUND}`} role="img" aria-label="Hodograph: the wind with height">
        {rings.map((ring) => <circle key={ring} class="isobar" cx={middle} cy={middle} r={ring * scale} />)}
        <path class="isobar" d={`M${middle} 8V${ROUND - 8}M8 ${middle}H${ROUND - 8}`} />
        {rings.map((ring) => <text key={ring} x={middle + 2} y={middle + ring * scale - 2}>{ring}</text>)}
        {LAYERS.map(([top], n) => {
          const from = begin, part = low.filter((k) => k >= from && z[k] - ground <= top * 1000);
          if (part.length) begin = part[part.length - 1];
          return <polyline key={n} class={`layer${n}`} points={part.map((k) => `${middle + u[k] * scale},${middle - v[k] * scale}`).join(" ")} />;
        })}
      </svg>
      <figcaption>{LAYERS.map(([, name], n) => <span key={n} class={`layer${n}`}>{name}</span>)}</figcaption>
    </figure>
  );
}
