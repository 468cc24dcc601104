// The table of memory over time → stacked areas: stack, heap, free, and fragmentation. Pure.
import type { ColumnName, TableData } from "../types";
import { numbers } from "./rows";

type Values = readonly (number | null)[];

/** By row: a stretch of time in which memory events fell. Bytes are those after the event with the most in use. */
export interface Area {
  starts: readonly number[];
  ends: readonly number[];
  events: Values;
  least: Values;
  most: readonly number[];
  last: readonly number[];
  stack: Values;
  heap: Values;
  free: Values;
  fragmentation: Values;
  hasFree: boolean;
  hasFragmentation: boolean;
}

/** Tops of the areas by point of time, in ascending order; each level holds until the next point. */
export interface Points {
  x: number[];
  stack: (number | null)[];
  /** What was in use at any rate, and at most, until the next point. */
  least: (number | null)[];
  most: (number | null)[];
  /** With what is free. */
  all: (number | null)[];
  fragmentation: (number | null)[];
}

/** Of all events so many may lie outside of the stretch that most of them fall into. */
const OUTSIDE = 0.02;
/** It is worth a look of its own where it takes less than this of what is shown. */
const DENSE = 0.2;

/** Where nearly all events fall, with some room; null where that is much of what is shown. */
export function busyOf({ starts, ends, events }: Area, [from, to]: readonly [number, number]): [number, number] | null {
  const total = events.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  if (total < 10) return null;
  const reach = (rows: readonly number[]): number => {
    let left = OUTSIDE * total;
    return rows.find((row) => (left -= events[row] ?? 0) < 0)!;
  };
  const rows = [...starts.keys()];
  const [begin, end] = [starts[reach(rows)]!, ends[reach(rows.reverse())]!];
  const room = Math.max(0.05 * (end - begin), 1e-3);
  return end - begin < DENSE * (to - from) ? [Math.max(from, begin - room), Math.min(to, end + room)] : null;
}

/** Null where nothing is known of any stretch. */
export function areaOf(data: TableData): Area | null {
  const [begins, lengths, high] = (["start_ms", "duration_ms", "max_bytes"] as const).map((name) =>
    numbers(data, name),
  );
  const rows = begins!.flatMap((begin, row) => (begin === null || high![row] == null ? [] : [row]));
  if (!rows.length || rows.length < begins!.length) return null;
  const of = (name: ColumnName): Values => {
    const all = numbers(data, name);
    return rows.map((row) => all[row] ?? null);
  };
  const [starts, most] = [begins as number[], high as number[]];
  const [free, fragmentation] = [of("free_bytes"), of("fragmentation_share")];
  return {
    starts,
    ends: starts.map((start, row) => start + Math.max(0, lengths![row] ?? 0)),
    events: of("events"),
    least: of("min_bytes"),
    most,
    last: of("last_bytes").map((last, row) => last ?? most[row]!),
    stack: of("stack_bytes"),
    heap: of("heap_bytes"),
    free,
    fragmentation,
    hasFree: free.some((value) => value !== null && value > 0),
    hasFragmentation: fragmentation.some((value) => value !== null),
  };
}

/** All memory by row; where it is not given, as much as before, else as after. */
function wholesOf({ stack, heap, free, most }: Area): Values {
  const allocated = free.map((value, row) =>
    value === null ? null : (stack[row] ?? 0) + (heap[row] ?? most[row]! - (stack[row] ?? 0)) + value,
  );
  let last = allocated.find((value) => value !== null) ?? null;
  return allocated.map((value) => (last = value ?? last));
}

/** Two points a stretch: its range, then the level that it leaves; `end` is where the window ends. */
export function pointsOf(area: Area, end: number): Points {
  const points: Points = { x: [], stack: [], least: [], most: [], all: [], fragmentation: [] };
  const wholes = wholesOf(area);
  const add = (row: number, x: number, least: number, most: number): void => {
    const [stack, whole] = [area.stack[row] ?? 0, wholes[row] ?? null];
    points.x.push(x);
    points.stack.push(Math.min(stack, least));
    points.least.push(least);
    points.most.push(most);
    points.all.push(whole === null ? null : Math.max(whole, most));
    points.fragmentation.push(area.fragmentation[row] ?? null);
  };
  area.starts.forEach((start, row) => {
    const [last, most, stop] = [area.last[row]!, area.most[row]!, area.ends[row]!];
    const isLevel = area.least[row] === last && most === last;
    add(row, start, area.least[row] ?? most, most);
    const next = area.starts[row + 1] ?? Math.max(end, stop);
    if (!isLevel && stop < next) add(row, stop, last, last);
  });
  const row = area.starts.length - 1;
  add(row, Math.max(end, area.ends[row]!), area.last[row]!, area.last[row]!);
  return points;
}

/** The stretch that x lies in, else the one before it. */
export function stretchAt({ starts }: Pick<Area, "starts">, x: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Below this share of all memory, use is a line at the bottom: the free rest is then not drawn unless asked for. */
const SMALL = 0.2;

export function drawsFree(area: Area, chosen: string): boolean {
  if (!area.hasFree) return false;
  if (chosen) return chosen === "true";
  const whole = area.starts.map((_, row) => area.most[row]! + (area.free[row] ?? 0));
  const used = area.most.reduce((a, b) => Math.max(a, b), 0);
  return used >= SMALL * whole.reduce((a, b) => Math.max(a, b), 0);
}

/** A window `factor` times as narrow around a place, within all. */
export function windowAround(
  [from, to]: readonly [number, number],
  at: number,
  factor: number,
  [least, most]: readonly [number, number],
): [from: number, to: number] {
  const width = Math.min(most - least, (to - from) / factor);
  const part = to > from ? (at - from) / (to - from) : 0.5;
  const begin = Math.max(least, Math.min(most - width, at - part * width));
  return [begin, begin + width];
}
