// A row a step and worker → cells of steps × workers: how far each is from its step's median. Pure.
import type { ColumnName, TableData } from "../types";
import { counted, formatNumber, percent } from "../units";
import { stepsOf } from "./workers";
import { median } from "./rows";

/** What a cell can show. `work` is what workers are compared by: one that waits for the others has steps as long as theirs. */
export type Quantity = "work" | "step" | "input" | "communication" | "compute" | "peers";

export const QUANTITIES: Readonly<Record<Quantity, string>> = {
  work: "step time excluding communication",
  step: "step time",
  input: "input wait",
  communication: "communication",
  compute: "compute",
  peers: "waiting for others",
};

const COLUMNS: Readonly<Record<Exclude<Quantity, "compute">, ColumnName>> = {
  work: "work_ms",
  step: "duration_ms",
  input: "input_wait_ms",
  communication: "collective_ms",
  peers: "peer_wait_ms",
};
const COMPUTE = /^(compute_\w+|op_compute|host_compute)_ms$/;

/** Where the classes of colours begin, as parts of a step's median time: 2 % is a straggler's lag. */
export const BOUNDS = [0.02, 0.05, 0.1, 0.25] as const;

export function boundText(of: number): string {
  return `${100 * BOUNDS[of]!} %`;
}

/** Cells in the order of workers, then steps. */
export interface Heat {
  workers: readonly string[];
  steps: readonly string[];
  /** Row of the table of each cell, -1 where the worker lacks the step. */
  rows: Int32Array;
  /** In ms; NaN where unknown. */
  values: Float64Array;
  /** Of each step over its workers; NaN where nothing is known. */
  medians: Float64Array;
  /** Value minus median as a part of the step's median time; NaN where unknown. */
  deviations: Float64Array;
}

function valuesOf({ columns }: TableData, quantity: Quantity): (number | null)[] {
  const numbers = (name: string): (number | null)[] =>
    (columns[name as ColumnName] ?? []).map((cell) => (typeof cell === "number" ? cell : null));
  if (quantity !== "compute") return numbers(COLUMNS[quantity]);
  const parts = Object.keys(columns)
    .filter((name) => COMPUTE.test(name))
    .map(numbers);
  return (parts[0] ?? []).map((_, row) => parts.reduce((sum, part) => sum + (part[row] ?? 0), 0));
}

/** Quantities of which some cell has more than nothing. */
export function offered(data: TableData): Quantity[] {
  const names = Object.keys(QUANTITIES) as Quantity[];
  const isSome = (name: string): boolean =>
    (data.columns[name as ColumnName] ?? []).some((cell) => typeof cell === "number" && cell > 0);
  return names.filter((name) =>
    name === "compute" ? Object.keys(data.columns).some((of) => COMPUTE.test(of) && isSome(of)) : isSome(COLUMNS[name]),
  );
}

export function heatOf(data: TableData, quantity: Quantity): Heat {
  const { rows: ofStep, names } = stepsOf(data);
  const worker = data.columns["worker"] ?? [];
  const places = new Map<string, number>();
  for (const name of worker) if (!places.has(String(name))) places.set(String(name), places.size);
  const size = places.size * names.length;
  const [values, walls] = [valuesOf(data, quantity), valuesOf(data, "step")];
  const heat: Heat = {
    workers: [...places.keys()],
    steps: names,
    rows: new Int32Array(size).fill(-1),
    values: new Float64Array(size).fill(NaN),
    medians: new Float64Array(names.length).fill(NaN),
    deviations: new Float64Array(size).fill(NaN),
  };
  const known = (of: readonly (number | null)[], rows: readonly number[]): number[] =>
    rows.map((row) => of[row] ?? null).filter((value) => value !== null);
  ofStep.forEach((rows, step) => {
    const [middle, wall] = [median(known(values, rows)), median(known(walls, rows))];
    heat.medians[step] = middle;
    for (const row of rows) {
      const cell = places.get(String(worker[row]))! * names.length + step;
      heat.rows[cell] = row;
      heat.values[cell] = values[row] ?? NaN;
      heat.deviations[cell] = wall > 0 ? (heat.values[cell]! - middle) / wall : NaN;
    }
  });
  return heat;
}

/** -4 (much less than the median) to 4 (much more), 0 near it; null where unknown. */
export function classOf(deviation: number): number | null {
  if (Number.isNaN(deviation)) return null;
  const far = Math.abs(deviation);
  let size = 0;
  while (size < BOUNDS.length && far >= BOUNDS[size]!) size++;
  return deviation < 0 && size ? -size : size;
}

/** The CSS variable of a class. */
export function variableOf(of: number): string {
  if (!of) return "--unchanged";
  return of > 0 ? `--slower${of}` : `--faster${-of}`;
}

/** Of each worker the mean of its deviations; of one without any, less than all others'. */
export function meanDeviations({ workers, steps, deviations }: Heat): number[] {
  return workers.map((_, worker) => {
    let [sum, count] = [0, 0];
    for (let cell = worker * steps.length; cell < (worker + 1) * steps.length; cell++) {
      const one = deviations[cell]!;
      if (Number.isNaN(one)) continue;
      sum += one;
      count++;
    }
    return count ? sum / count : -Infinity;
  });
}

/** What of steps and of workers, by their places in the order shown, is looked at: from, and one past the last. */
export interface Window {
  steps: readonly [from: number, to: number];
  workers: readonly [from: number, to: number];
}

const WINDOW = /^(\d{1,7})-(\d{1,7})\.(\d{1,7})-(\d{1,7})$/;

/** `3-9.0-40` as the address has it; null for all. */
export function windowOf(text: string, steps: number, workers: number): Window | null {
  const [a, b, c, d] = (WINDOW.exec(text) ?? []).slice(1).map(Number);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
  return a < b && b <= steps && c < d && d <= workers ? { steps: [a, b], workers: [c, d] } : null;
}

export function windowText({ steps, workers }: Window): string {
  return `${steps.join("-")}.${workers.join("-")}`;
}

function zoomedSide([from, to]: readonly [number, number], at: number, factor: number, all: number): [number, number] {
  const size = Math.max(1, Math.min(all, Math.round((to - from) / factor)));
  const part = (at - from + 0.5) / (to - from);
  const start = Math.round(at + 0.5 - part * size);
  const first = Math.max(0, Math.min(all - size, Math.min(at, start)));
  return [first, first + size];
}

/** Nearer (factor above 1) or farther, around a cell, which keeps its place as far as that can be; null for all. */
export function zoomedTo(
  now: Window,
  at: { step: number; worker: number },
  factor: number,
  all: { steps: number; workers: number },
): Window | null {
  const steps = zoomedSide(now.steps, at.step, factor, all.steps);
  const workers = zoomedSide(now.workers, at.worker, factor, all.workers);
  const isAll = steps[1] - steps[0] === all.steps && workers[1] - workers[0] === all.workers;
  return isAll ? null : { steps, workers };
}

/** The same window, moved just so far that a cell is in it. */
export function movedTo(now: Window, at: { step: number; worker: number }): Window {
  const side = ([from, to]: readonly [number, number], place: number): [number, number] => {
    const by = place < from ? place - from : place >= to ? place - to + 1 : 0;
    return [from + by, to + by];
  };
  return { steps: side(now.steps, at.step), workers: side(now.workers, at.worker) };
}

/** `w3, train 7: input wait 26 ms, 18 % of a step more than the step's median, 22 ms`. */
export function cellInWords(heat: Heat, cell: number, quantity: Quantity): string {
  const [worker, step] = [Math.floor(cell / heat.steps.length), cell % heat.steps.length];
  const [value, deviation] = [heat.values[cell]!, heat.deviations[cell]!];
  const where = `${heat.workers[worker]!}, ${heat.steps[step]!}`;
  if (heat.rows[cell]! < 0) return `${where}: not in this worker's capture`;
  if (Number.isNaN(value)) return `${where}: ${QUANTITIES[quantity]} unknown`;
  const far = Math.abs(deviation);
  const way = deviation < 0 ? "less" : "more";
  const than = `the step's median, ${formatNumber(heat.medians[step]!, "ms")}`;
  const about = far < 0.0005 ? `as ${than}` : `${percent(far)} of a step ${way} than ${than}`;
  return `${where}: ${QUANTITIES[quantity]} ${formatNumber(value, "ms")}, ${about}`;
}

/** The picture in words: how many cells are far from their steps' medians, and the farthest. */
export function heatInWords(heat: Heat, quantity: Quantity): string {
  const { deviations, workers, steps } = heat;
  let [slow, fast, farthest] = [0, 0, -1];
  deviations.forEach((deviation, cell) => {
    const of = classOf(deviation) ?? 0;
    if (of > 0) slow++;
    if (of < 0) fast++;
    if (of && (farthest < 0 || Math.abs(deviation) > Math.abs(deviations[farthest]!))) farthest = cell;
  });
  const counts = `${counted(slow, "cell")} ${boundText(0)} of a step or more above the step's median, ${fast} below`;
  const most = farthest < 0 ? "" : ` The farthest: ${cellInWords(heat, farthest, quantity)}.`;
  return `${workers.length} workers × ${steps.length} steps, ${QUANTITIES[quantity]}: ${counts}.${most}`;
}

export const LETTER_PX = 6.63;
const MOST_LETTERS = 28;
/** Height of a worker, at most; and of all of them, where they do not fit in that. */
const ROW_PX = 20;
const MOST_PX = 420;
/** Of the names of the steps below. */
export const AXIS_PX = 18;

/** Where what lies, in CSS px. */
export interface Layout {
  left: number;
  width: number;
  height: number;
  cell: number;
  row: number;
}

export interface Cell {
  step: number;
  worker: number;
}

export function layoutOf(width: number, workers: readonly string[], { steps, workers: shown }: Window): Layout {
  const letters = workers.reduce((most, name) => Math.max(most, name.length), 0);
  const left = Math.min(Math.min(letters, MOST_LETTERS) * LETTER_PX + 8, width / 3);
  const count = shown[1] - shown[0];
  const row = Math.min(ROW_PX, MOST_PX / count);
  const cells = Math.max(1, width - left);
  return { left, width: cells, height: row * count + AXIS_PX, cell: cells / (steps[1] - steps[0]), row };
}

/** The cell at a place; null beside them. */
export function cellAt(
  { left, width, height, cell, row }: Layout,
  { steps, workers }: Window,
  x: number,
  y: number,
): Cell | null {
  if (x < left || x >= left + width || y < 0 || y >= height - AXIS_PX) return null;
  const step = Math.min(steps[1] - 1, steps[0] + Math.floor((x - left) / cell));
  return { step, worker: Math.min(workers[1] - 1, workers[0] + Math.floor(y / row)) };
}
