// Rows of the table of runs, as the server makes them → a table of all runs that are known. Pure.
import type { ColumnName, Run, RunRows, Scalar, TableData, TableSpec } from "../types";

type Row = { readonly [Name in ColumnName | ""]?: Scalar };

/** What came so far. `serial`: of the newest. */
export interface Rows {
  serial: number;
  spec: TableSpec | null;
  byRun: ReadonlyMap<string, Row>;
  working: boolean;
}

export const NO_ROWS: Rows = { serial: 0, spec: null, byRun: new Map(), working: true };

/** The rows with those of an answer; as they were, where it brings none. */
export function merged(old: Rows, { serial, table, columns, working }: RunRows): Rows {
  const names = columns.run ?? [];
  const spec = table ?? old.spec;
  if (!names.length) return { serial, spec, byRun: old.byRun, working };
  const byRun = new Map(old.byRun);
  const fields = Object.entries(columns);
  names.forEach((name, i) =>
    byRun.set(String(name), Object.fromEntries(fields.map(([field, cells]) => [field, cells[i] ?? null]))),
  );
  return { serial, spec, byRun, working };
}

/** A row each of the runs there are, in their order; of one that is not read yet, what its name and files say. */
export function tableOf(runs: readonly Run[], { spec, byRun }: Rows): TableData {
  const rows = runs.map(
    (run): Row => byRun.get(run.name) ?? { run: run.name, captured_ms: run.captured_ms, host_count: run.hosts.length },
  );
  const columns = spec?.columns ?? [];
  return { columns: Object.fromEntries(columns.map(({ name }) => [name, rows.map((row) => row[name] ?? null)])) };
}

/** How many of the runs are read, and how many of those cannot be. */
export function progress(runs: readonly Run[], { byRun }: Rows): { read: number; failed: number } {
  const rows = runs.flatMap(({ name }) => byRun.get(name) ?? []);
  return { read: rows.length, failed: rows.filter(({ failed }) => failed === true).length };
}

/** Names for a question, as many as fit into an address. */
export function someOf(names: readonly string[], letters = 4000, most = 100): string[] {
  let left = letters;
  return names.slice(0, most).filter((name) => (left -= encodeURIComponent(name).length + 7) >= 0);
}

/** Of two runs the one that was captured first, and the other. */
export function inOrder(runs: readonly Run[], a: string, b: string): { base: string; run: string } {
  const at = (name: string): number => runs.findIndex((run) => run.name === name);
  // Runs come newest first.
  return at(a) > at(b) ? { base: a, run: b } : { base: b, run: a };
}
