/** Lines over time or another number, by uPlot, in the page's colours. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

export interface Line {
  name: string;
  values: (number | null)[];
  colour: string; // a variable of the style sheet
}

interface Wishes {
  x: number[];
  lines: Line[];
  height: number;
  label: string;
  unit: string;
  name: (x: number) => string;
  now?: number; // is marked
  pick?: (x: number) => void;
  log?: boolean;
  seconds?: boolean; // x are times
}

const TIMES = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10800, 21600, 43200, 86400, 172800, 432000, 864000];

export function Chart(wishes: Wishes) {
  const host = useRef<HTMLDivElement>(null), plot = useRef<uPlot | null>(null), latest = useRef(wishes);
  latest.current = wishes;
  const { x, lines, height, log } = wishes;
  const shape = `${lines.map((line) => line.name)} ${height} ${log} ${wishes.unit}`;
  useEffect(() => {
    const style = getComputedStyle(document.documentElement), of = (name: string) => style.getPropertyValue(name).trim();
    const faint = { stroke: of("--rule"), width: 1 }, font = "11px Inter, system-ui, sans-serif";
    const axis = { stroke: of("--soft"), grid: faint, ticks: { show: false }, font, gap: 4 };
    const short = (value: number) => `${parseFloat(value.toPrecision(4))}`.replace("-", "−");
    const made = new uPlot({
      width: host.current!.clientWidth, height, legend: { show: false }, padding: [10, 20, 0, 0],
      scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
      axes: [
        { ...axis, size: 26, space: 56, ...(wishes.seconds ? { incrs: TIMES } : {}), values: (_, ticks) => ticks.map((tick) => latest.current.name(tick)) },
        { ...axis, size: 46, values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : short(tick))) },
      ],
      series: [{}, ...lines.map((line) => ({ label: line.name, stroke: of(line.colour), width: 1.8, points: { show: x.length < 30, size: 5 } }))],
      cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
      hooks: {
        draw: [(u) => {
          const { now } = latest.current;
          if (now === undefined) return;
          const at = u.valToPos(now, "x", true);
          u.ctx.save();
          u.ctx.strokeStyle = of("--accent");
          u.ctx.lineWidth = 1.5 * devicePixelRatio;
          u.ctx.beginPath();
          u.ctx.moveTo(at, u.bbox.top);
          u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
          u.ctx.stroke();
          u.ctx.restore();
        }],
      },
    }, [x, ...lines.map((line) => line.values)] as uPlot.AlignedData, host.current!);
    made.over.addEventListener("click", () => {
      const k = made.cursor.idx;
      if (k !== null && k !== undefined) latest.current.pick?.(latest.current.x[k]);
    });
    const around = host.current!; // told of once more when it is gone
    const sizes = new ResizeObserver(() => made.setSize({ width: Math.max(around.clientWidth, 50), height }));
    sizes.observe(around);
    plot.current = made;
    return () => {
      sizes.disconnect();
      made.destroy();
    };
  }, [shape]);
  useEffect(() => plot.current?.setData([x, ...lines.map((line) => line.values)] as uPlot.AlignedData), [x, lines]);
  useEffect(() => plot.current?.redraw(false), [wishes.now]);
  return <div ref={host} class="chart" role="img" aria-label={wishes.label} />;
}
