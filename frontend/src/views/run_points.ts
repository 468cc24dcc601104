// The table of runs → step time in order of capture, as points of a picture. Pure.
import type { Scalar, TableData } from "../types";
import { number } from "./rows";

export const WIDTH = 1000;
export const HEIGHT = 64;
const MARGIN = 6;
/** Beyond such a ratio of the longest to the shortest step the scale is logarithmic: both are seen. */
const MOST_RATIO = 20;

export interface Point {
  row: number;
  x: number;
  y: number;
  verdict: string;
}

interface Points {
  points: Point[];
  /** Of each folder with several runs the line through them in time. */
  lines: string;
  /** When the first one was captured, and the last. */
  from: number;
  to: number;
  low: number;
  high: number;
  isLog: boolean;
  /** How high a step time lies. */
  heightOf: (ms: number) => number;
}

function folderOf(name: Scalar | undefined): string {
  const text = String(name ?? "");
  return text.slice(0, Math.max(0, text.lastIndexOf("/")));
}

/** Whether runs lie apart evenly, or as their captures do in time. */
export type Across = "order" | "time";

/** Of the rows that have a step time; null where these are fewer than two. */
export function pointsOf({ columns }: TableData, rows: readonly number[], by: Across = "order"): Points | null {
  const { run = [], step_time_ms = [], captured_ms = [], change_verdict = [] } = columns;
  const known = rows.filter((row) => (number(step_time_ms[row]) ?? 0) > 0 && number(captured_ms[row]) !== null);
  if (known.length < 2) return null;
  const ms = (row: number): number => number(step_time_ms[row])!;
  const at = (row: number): number => number(captured_ms[row])!;
  const [low, high] = [
    known.reduce((a, row) => Math.min(a, ms(row)), Infinity),
    known.reduce((a, row) => Math.max(a, ms(row)), 0),
  ];
  const isLog = high > MOST_RATIO * low;
  const heightOf = (value: number): number => {
    const part = isLog ? Math.log(value / low) / Math.log(high / low) : value / high;
    return HEIGHT - MARGIN - Math.min(1, Math.max(0, part)) * (HEIGHT - 2 * MARGIN);
  };
  // Captures come in bursts, with days between them: by their dates most would lie on one place.
  const order = [...known].sort((a, b) => at(a) - at(b));
  const [from, to] = [at(order[0]!), at(order.at(-1)!)];
  const part = (row: number, i: number): number =>
    by === "time" && to > from ? (at(row) - from) / (to - from) : i / (order.length - 1);
  const across = new Map(order.map((row, i) => [row, MARGIN + part(row, i) * (WIDTH - 2 * MARGIN)]));
  const points = known.map((row) => ({
    row,
    x: across.get(row)!,
    y: heightOf(ms(row)),
    verdict: String(change_verdict[row] ?? ""),
  }));
  return {
    from,
    to,
    points,
    lines: linesOf(points, (row) => folderOf(run[row])),
    low,
    high,
    isLog,
    heightOf,
  };
}

function linesOf(points: readonly Point[], folder: (row: number) => string): string {
  const byFolder = new Map<string, Point[]>();
  for (const point of points) {
    const name = folder(point.row);
    const others = byFolder.get(name);
    if (others) others.push(point);
    else byFolder.set(name, [point]);
  }
  return [...byFolder.values()]
    .filter((some) => some.length > 1)
    .map(
      (some) =>
        `M${[...some]
          .sort((a, b) => a.x - b.x)
          .map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
          .join("L")}`,
    )
    .join("");
}

/** Points of a verdict as one path of dots. */
export function dots(points: readonly Point[], is: (verdict: string) => boolean): string {
  return points
    .filter(({ verdict }) => is(verdict))
    .map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`)
    .join("");
}

/** The nearest point to a place of the picture, as it is stretched. */
export function nearest(
  points: readonly Point[],
  x: number,
  y: number,
  stretchX: number,
  stretchY: number,
): Point | null {
  let best: Point | null = null;
  let least = Infinity;
  for (const point of points) {
    const apart = ((point.x - x) * stretchX) ** 2 + ((point.y - y) * stretchY) ** 2;
    if (apart < least) [best, least] = [point, apart];
  }
  return best;
}
