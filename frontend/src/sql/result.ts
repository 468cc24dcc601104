// Rows of a query → a table as pages draw it, its bars, and the way from a row into the trace. Pure.
import type { Selection } from "../page";
import { keyOf } from "../timeline/tracks";
import type { Cells, Column, ColumnName, Scalar, TableData, TableName, TableSpec, View } from "../types";
import { isNumeric } from "../units";
import { around, inTrace, stretchInTrace } from "../views/links";
import { cellsNamed } from "../views/rows";
import type { Field, Named, Rows } from "./api";

export interface Table {
  spec: TableSpec;
  data: TableData;
}

/** Columns are headed by the names that the query gives them. `sources`: tables that it reads; what has a name of theirs keeps its help, and its unit where the server finds none. */
export function tableOf({ columns, cells }: Rows, sources: readonly Named[]): Table {
  const fields = new Map(sources.flatMap((one) => one.columns).map((field: Field) => [field.name, field]));
  const heads = columns.map((column) => {
    const field = fields.get(column.name);
    const unit = column.unit || (isNumeric({ ...column, title: "", help: "" }) && field?.unit) || "";
    return { ...column, unit, name: column.name as ColumnName, title: column.name, help: field?.help ?? "" };
  });
  return {
    spec: { name: "result" as TableName, title: "Result", help: "", columns: heads, count: "", key: [], proved: [] },
    data: { columns: Object.fromEntries(columns.map(({ name }, i) => [name, cells[i] as Cells])) },
  };
}

/** Tables whose names are in a query. */
export function namedIn(query: string, tables: readonly Named[]): Named[] {
  const words = new Set(query.toLowerCase().match(/[a-z_][\w.]*/g) ?? []);
  return tables.filter(({ name }) => words.has(name));
}

/** Columns that bars can show. */
export function drawable({ spec, data }: Table): Column[] {
  return spec.columns.filter(
    (column) => isNumeric(column) && column.unit !== "id" && cellsNamed(data, column.name)?.some((c) => Number(c) > 0),
  );
}

/** The column's bars, each called as the first text of its row that is not the same in all. */
export function barsOf({ spec: { columns }, data }: Table, column: Column): View {
  const texts = columns.filter((one) => !isNumeric(one)).map(({ name }) => name);
  const label = texts.find((name) => new Set(cellsNamed(data, name)).size > 1) ?? texts[0] ?? "";
  return { kind: "bars", title: column.name, table: "", label, values: [column.name] };
}

/** Some rows, in their order. */
export function rowsOf({ columns }: TableData, rows: readonly number[]): TableData {
  const picked = Object.entries(columns).map(([name, cells]) => [name, rows.map((row) => cells[row] ?? null)]);
  return { columns: Object.fromEntries(picked) as TableData["columns"] };
}

/** Each row as an object: what programs read. */
export function toJson({ spec, data }: Table, rows: readonly number[]): string {
  const cell = (name: string, row: number): Scalar => cellsNamed(data, name)?.[row] ?? null;
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(spec.columns.map(({ name }) => [name, cell(name, row)]))),
    null,
    1,
  );
}

const PS: Readonly<Record<string, number>> = { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12 };

/** Of a row that says when it began, and how long it took or when it ended. */
function stretchOf(data: TableData, row: number): readonly [start_ps: number, end_ps: number] | null {
  const at = (name: string): Scalar => cellsNamed(data, name)?.[row] ?? null;
  for (const [unit, ps] of Object.entries(PS)) {
    const [start, length, end] = [at(`start_${unit}`), at(`duration_${unit}`), at(`end_${unit}`)];
    if (typeof start !== "number") continue;
    const until = typeof length === "number" ? start + length : end;
    if (typeof until === "number" && until >= start) return [Math.floor(start * ps), Math.ceil(until * ps)];
  }
  return null;
}

/** What was asked. `host`: the only one of the run that is shown, if it is. */
export interface Asked {
  runs: readonly string[];
  host: string;
}

/** The row's own time, or its event, in the trace of its run; null where it has none, or its run or host is not known. */
export function wayOf(data: TableData, row: number, asked: Asked): Partial<Selection> | null {
  const at = (name: string): Scalar => cellsNamed(data, name)?.[row] ?? null;
  const text = (name: string): string => (typeof at(name) === "string" ? String(at(name)) : "");
  const run = text("run") || (asked.runs.length === 1 ? asked.runs[0]! : "");
  const host = text("host") || asked.host;
  const stretch = stretchOf(data, row);
  const [event, track] = [at("event"), at("track_id")];
  if (!run) return null;
  if (host && typeof event === "number") {
    const view = stretch ? { ...around(...stretch), clock: host } : {};
    return { run, tool: "trace_viewer", params: { ...view, event: keyOf(host, event) } };
  }
  if (!stretch) return null;
  const [start_ps, end_ps] = stretch;
  if (!host) return { run, ...stretchInTrace(start_ps, end_ps) };
  return { run, ...inTrace({ host, start_ps, end_ps, track: typeof track === "number" ? track : -1, tracks: "" }) };
}
