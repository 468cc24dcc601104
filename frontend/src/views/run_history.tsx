// Step time in order of capture, or by its time: a point a run, dark where it is slower or faster than the run before it.
import { useMemo, useState } from "preact/hooks";
import type { TableData } from "../types";
import { counted, formatNumber, formatTime } from "../units";
import { type Across, dots, HEIGHT, nearest, type Point, pointsOf, WIDTH } from "./run_points";
import { number } from "./rows";
import { Switch } from "./switch";

interface Props {
  data: TableData;
  rows: readonly number[];
  /** Step time of the baseline, if there is one. */
  baseline: number | null;
  by: Across;
  setBy: (by: Across) => void;
  open: (row: number) => void;
}

const BY = [
  ["order", "order", "Runs lie apart evenly, in order of capture"],
  ["time", "time", "Runs lie as far apart as they were captured"],
] as const;

function pointText({ columns }: TableData, { row }: Point): string {
  const step = formatNumber(number(columns.step_time_ms?.[row]) ?? NaN, "ms");
  return `${String(columns.run?.[row])} · ${step} · ${formatTime(number(columns.captured_ms?.[row]) ?? 0)}`;
}

export function RunHistory({ data, rows, baseline, by, setBy, open }: Props) {
  const found = useMemo(() => pointsOf(data, rows, by), [data, rows, by]);
  const [near, setNear] = useState<Point | null>(null);
  if (!found) return null;
  const { points, lines, from, to, low, high, isLog, heightOf } = found;
  const ms = (value: number): string => formatNumber(value, "ms");
  const title = by === "time" ? "Step time, by time of capture" : "Step time, in order of capture";
  const summary = `${title.replace(",", "")}, ${counted(points.length, "run")}: from ${ms(low)} to ${ms(high)}`;
  const range = `${ms(low)} – ${ms(high)}${isLog ? ", logarithmic" : ""} · ${formatTime(from)} – ${formatTime(to)}`;
  const at = (event: MouseEvent & { currentTarget: Element }): Point | null => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const [stretchX, stretchY] = [width / WIDTH, height / HEIGHT];
    return nearest(points, (event.clientX - left) / stretchX, (event.clientY - top) / stretchY, stretchX, stretchY);
  };
  const level = baseline === null ? null : heightOf(baseline);
  return (
    <figure class="run-history" aria-label={summary}>
      <figcaption>
        <b>{title}</b>
        <Switch label="by" values={BY} value={by} choose={(value) => setBy(value === "time" ? "time" : "order")} />
        <span class="soft">{near ? pointText(data, near) : range}</span>
        <span class="legend soft" aria-hidden="true">
          <span class="slower">● slower than the run before</span>
          <span class="faster">● faster</span>
          <span>● no change beyond noise, or not known</span>
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerMove={(event) => setNear(at(event))}
        onPointerLeave={() => setNear(null)}
        onClick={(event) => {
          const point = at(event);
          if (point) open(point.row);
        }}
      >
        {level !== null && <path class="level" d={`M0 ${level}H${WIDTH}`} />}
        <path class="line" d={lines} />
        <path class="dots" d={dots(points, (verdict) => verdict !== "slower" && verdict !== "faster")} />
        <path class="dots slower" d={dots(points, (verdict) => verdict === "slower")} />
        <path class="dots faster" d={dots(points, (verdict) => verdict === "faster")} />
        {near && <path class="dots near" d={`M${near.x} ${near.y}h0`} />}
      </svg>
    </figure>
  );
}
