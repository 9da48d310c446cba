/** The colour bar of a scale. */
import type { Scale } from "./kinds";
import { short } from "./numbers";

const WIDTH = 300, HEIGHT = 10, TIP = 12;

/** Which levels are named: as many as have room. */
export function named(scale: Scale, most: number): number[] {
  const inside = scale.ticks.filter((tick) => tick >= scale.levels[0] && tick <= scale.levels[scale.levels.length - 1]);
  const every = Math.max(1, Math.ceil(inside.length / most));
  const zero = inside.findIndex((tick) => Math.abs(tick) < 1e-12);
  return inside.filter((_, n) => (n - Math.max(zero, 0)) % every === 0);
}

/** Where a level is along the bar, 0 to 1: bands have the same width, whatever their range. */
export function along(scale: Scale, value: number): number {
  const { levels } = scale, last = levels.length - 1;
  const above = Math.min(Math.max(levels.findIndex((level) => level > value), 1), last);
  const k = value >= levels[last] ? last : above;
  return (k - 1 + (value - levels[k - 1]) / (levels[k] - levels[k - 1])) / last;
}

export function Bar({ scale, label }: { scale: Scale; label: string }) {
  const bands = scale.colours.length;
  const tips = [scale.under !== scale.colours[0] && scale.under, scale.over !== scale.colours[bands - 1] && scale.over];
  const left = tips[0] ? TIP : 0, right = tips[1] ? TIP : 0, wide = WIDTH - left - right;
  const names = named(scale, 8);
  return (
    <figure class="bar">
      <figcaption>
        <span>{label}</span>
        {scale.unit && <span class="unit">{scale.unit}</span>}
      </figcaption>
      <svg viewBox={`-14 0 ${WIDTH + 28} ${HEIGHT + 17}`} role="img"
        aria-label={`Colours from ${short(scale.levels[0])} to ${short(scale.levels[bands])} ${scale.unit}`}>
        {tips[0] && <path d={`M${TIP + 0.4} 0L0 ${HEIGHT / 2}L${TIP + 0.4} ${HEIGHT}Z`} fill={tips[0]} />}
        {scale.colours.map((colour, n) => (
          <rect key={n} x={left + (n * wide) / bands} width={wide / bands + 0.4} height={HEIGHT} fill={colour} />
        ))}
        {tips[1] && <path d={`M${WIDTH - TIP} 0L${WIDTH} ${HEIGHT / 2}L${WIDTH - TIP} ${HEIGHT}Z`} fill={tips[1]} />}
        {names.map((tick) => (
          <text key={tick} x={left + along(scale, tick) * wide} y={HEIGHT + 13} text-anchor="middle">
            {short(tick)}
          </text>
        ))}
      </svg>
    </figure>
  );
}
