// A row a step and worker → one step's workers, or each step's skew, as a table that a chart can draw.
import type { ColumnName, Scalar, TableData } from "../types";

interface Steps {
  /** Row numbers of each step of the run, in order, and what it is called. */
  rows: readonly (readonly number[])[];
  names: readonly string[];
}

const known = new WeakMap<TableData, Steps>();

/** Found once a table: several parts of a page ask for it. */
export function stepsOf(data: TableData): Steps {
  const steps = known.get(data) ?? grouped(data);
  known.set(data, steps);
  return steps;
}

function grouped({ columns }: TableData): Steps {
  const rowsOfStep = new Map<Scalar, number[]>();
  (columns["step"] ?? []).forEach((step, row) => {
    const rows = rowsOfStep.get(step);
    if (rows) rows.push(row);
    else rowsOfStep.set(step, [row]);
  });
  const rows = [...rowsOfStep.values()];
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

/** Own work of each step's fastest worker, and how much more the slowest has. */
export function skews({ columns }: TableData, { rows }: Steps): TableData {
  const known = (name: ColumnName, of: readonly number[]): number[] =>
    of.flatMap((row) => (typeof columns[name]?.[row] === "number" ? [columns[name]![row] as number] : []));
  const per = (take: (of: readonly number[]) => Scalar): Scalar[] => rows.map(take);
  const extent = (of: readonly number[]) =>
    known("work_ms", of).reduce(([low, high], v) => [Math.min(low!, v), Math.max(high!, v)], [Infinity, 0]);
  const finite = (value: number): Scalar => (Number.isFinite(value) ? value : null);
  const first = (name: ColumnName) => per((of) => columns[name]?.[of[0]!] ?? null);
  return {
    columns: {
      step: first("step"),
      name: first("name"),
      cut: first("cut"),
      start_ms: per((of) => finite(Math.min(...known("start_ms", of)))),
      duration_ms: per((of) => finite(Math.max(...known("duration_ms", of)))),
      work_ms: per((of) => finite(extent(of)[0]!)),
      skew_ms: per((of) => finite(extent(of)[1]! - extent(of)[0]!)),
    },
  };
}

const collator = new Intl.Collator("en", { numeric: true });

/** Row numbers by name, as people count (worker 2 before worker 10), or the slowest first. */
export function ordered(names: readonly string[], totals: readonly number[], by: "name" | "time"): number[] {
  const rows = names.map((_, row) => row);
  return rows.sort((a, b) => (by === "time" ? totals[b]! - totals[a]! : collator.compare(names[a]!, names[b]!)));
}
