// A row a step and worker → one step's workers, or each worker's mean, as a table that a chart can draw.
import type { Scalar, TableData } from "../types";

export interface Steps {
  /** Row numbers of each step of the run, in order, and what it is called. */
  rows: readonly (readonly number[])[];
  names: readonly string[];
}

export function stepsOf({ columns }: TableData): Steps {
  const found = new Map<Scalar, number[]>();
  (columns["step"] ?? []).forEach((step, row) => found.set(step, [...(found.get(step) ?? []), row]));
  const rows = [...found.values()];
  const names = columns["name"] ?? columns["step"] ?? [];
  return { rows, names: rows.map(([first]) => String(names[first!] ?? "")) };
}

/** Rows in this order, without what all of them share. */
export function picked({ columns }: TableData, rows: readonly number[]): TableData {
  const { name: _name, ...rest } = columns;
  return {
    columns: Object.fromEntries(Object.entries(rest).map(([key, cells]) => [key, rows.map((row) => cells[row]!)])),
  };
}

function mean(cells: readonly Scalar[], rows: readonly number[]): Scalar {
  const known = rows.map((row) => cells[row]).filter((cell): cell is number => typeof cell === "number");
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

/** One row a worker: means of its times over its whole steps, or over all where none is whole; no place in time. */
export function means({ columns }: TableData): TableData {
  const byWorker = new Map<Scalar, number[]>();
  const { worker = [], cut = [], start_ms: _start, name: _name, ...rest } = columns;
  worker.forEach((one, row) => {
    const rows = byWorker.get(one);
    if (rows) rows.push(row);
    else byWorker.set(one, [row]);
  });
  const groups = [...byWorker.values()].map((rows) => {
    const whole = rows.filter((row) => !cut[row]);
    return whole.length ? whole : rows;
  });
  const cells = (key: string, values: readonly Scalar[]): Scalar[] =>
    groups.map((rows) => (key.endsWith("_ms") ? mean(values, rows) : (values[rows[0]!] ?? null)));
  return {
    columns: {
      worker: [...byWorker.keys()],
      ...Object.fromEntries(Object.entries(rest).map(([key, values]) => [key, cells(key, values)])),
    },
  };
}

/** Row numbers by name, as people count (worker 2 before worker 10), or the slowest first. */
export function ordered(names: readonly string[], totals: readonly number[], by: "name" | "time"): number[] {
  const rows = names.map((_, row) => row);
  const collator = new Intl.Collator("en", { numeric: true });
  return rows.sort((a, b) => (by === "time" ? totals[b]! - totals[a]! : collator.compare(names[a]!, names[b]!)));
}
