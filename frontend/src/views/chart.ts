// A table → what a line chart draws: x from the first row on, one line a column, at most two units.
import type { Column, ColumnName, TableData, TableSpec, View } from "../types";
import { counted, exactValue, formatNumber, formatValue, label } from "../units";
import { numbers } from "./rows";

export interface Line {
  column: Column;
  values: readonly (number | null)[];
}

export interface Chart {
  x: Column;
  /** Begin of each row; times count from the first. */
  starts: readonly number[];
  /** End of each row, where rows last; their lines are level. Else null, and lines join the rows. */
  ends: readonly number[] | null;
  /** Their numbers in the table. */
  rows: readonly number[];
  /** What was taken from all times. */
  origin: number;
  lines: readonly Line[];
  /** The lines' units: of the axis on the left, and of the one on the right. */
  units: readonly string[];
}

/** ps in one of a unit of time. */
const PS: Readonly<Record<string, number>> = { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12 };

/** Null where there is nothing to draw: no row, or no value is known. Columns of a third unit are left to the table. */
export function chartOf(view: View, spec: TableSpec, data: TableData): Chart | null {
  const x = spec.columns.find((column) => column.name === view.label);
  if (!x) return null;
  const begins = numbers(data, x.name);
  const rows = begins.flatMap((begin, row) => (begin === null ? [] : [row]));
  const known = view.values
    .flatMap((name) => spec.columns.filter((column) => column.name === name))
    .map((column) => ({ column, all: numbers(data, column.name) }))
    .map(({ column, all }) => ({ column, values: rows.map((row) => all[row] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null));
  const units = [...new Set(known.map(({ column }) => column.unit))].slice(0, 2);
  const lines = known.filter(({ column }) => units.includes(column.unit));
  if (!lines.length) return null;
  const origin = x.unit in PS ? begins[rows[0]!]! : 0;
  const starts = rows.map((row) => begins[row]! - origin);
  const lengths = numbers(data, x.name.replace(/^start_/, "duration_") as ColumnName);
  const lasts = x.name.startsWith("start_") && rows.every((row) => typeof lengths[row] === "number");
  const ends = lasts ? starts.map((start, i) => start + lengths[rows[i]!]!) : null;
  return { x, starts, ends, rows, origin, lines, units };
}

/** Columns of points for uPlot: a level line needs its end, too. */
export function points({ starts, ends, lines }: Chart): [number[], ...(number | null)[][]] {
  if (!ends) return [[...starts], ...lines.map(({ values }) => [...values])];
  const last = starts.length - 1;
  return [[...starts, ends[last]!], ...lines.map(({ values }) => [...values, values[last] ?? null])];
}

/** The row that holds x, or that is nearest to it. */
export function rowAt({ starts, ends }: Chart, x: number): number {
  const after = starts.findIndex((start) => start > x);
  const row = Math.max(0, after < 0 ? starts.length - 1 : after - 1);
  const next = starts[row + 1];
  return !ends && next !== undefined && next - x < x - starts[row]! ? row + 1 : row;
}

export function middle({ starts, ends }: Chart, row: number): number {
  return ends ? (starts[row]! + ends[row]!) / 2 : starts[row]!;
}

/** Where a key moves the cursor from a row (null: from nowhere); null for keys that do not move it. */
export function moved(key: string, row: number | null, count: number): number | null {
  const last = count - 1;
  const far = Math.max(1, Math.round(count / 10));
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -far, PageDown: far };
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = steps[key];
  if (step === undefined) return null;
  return row === null ? (step > 0 ? 0 : last) : Math.min(last, Math.max(0, row + step));
}

/** The row as an interval of the trace; null where rows have no length in time. */
export function intervalOf({ x, starts, ends, origin }: Chart, row: number): [start_ps: number, end_ps: number] | null {
  const ps = PS[x.unit];
  if (!ends || ps === undefined) return null;
  return [Math.floor((starts[row]! + origin) * ps), Math.ceil((ends[row]! + origin) * ps)];
}

/** `20 ms`, not `20.0 ms`: ticks are round. */
export function tickText(value: number, unit: string): string {
  return formatNumber(value, unit).replace(/(\.\d*?)0+(?!\d)/, (_, kept: string) => (kept === "." ? "" : kept));
}

/** `at 1.20 s for 8.39 ms`, or the row's x by its name. */
export function placeOf({ x, starts, ends }: Chart, row: number): string {
  const start = formatNumber(starts[row]!, x.unit);
  return ends ? `at ${start} for ${formatNumber(ends[row]! - starts[row]!, x.unit)}` : `${label(x)} ${start}`;
}

/** Its label; a share's values say `%` themselves. */
export function lineName({ column }: Line): string {
  return label(column).replace(/ %$/, "");
}

export function lineValue({ column, values }: Line, row: number): string {
  return formatValue(values[row], column.unit);
}

export function exactLineValue({ column, values }: Line, row: number): string {
  return `${column.help}\n${exactValue(values[row], column.unit)}`;
}

interface Extent {
  low: number;
  high: number;
  mean: number;
  unknown: number;
}

/** Of the known values; the mean by the rows' lengths where they have one. */
export function extent({ values }: Line, { starts, ends }: Chart): Extent {
  let [low, high, sum, weight, unknown] = [Infinity, -Infinity, 0, 0, 0];
  values.forEach((value, row) => {
    if (value === null) return void unknown++;
    const part = ends ? ends[row]! - starts[row]! : 1;
    low = Math.min(low, value);
    high = Math.max(high, value);
    sum += value * part;
    weight += part;
  });
  return { low, high, mean: sum / (weight || 1), unknown };
}

/** The chart in words. */
export function inWords(chart: Chart): string {
  const { x, starts, ends, lines } = chart;
  const reach = (ends ?? starts)[starts.length - 1]! - starts[0]!;
  const sentences = lines.map((line) => {
    const { low, high, mean, unknown } = extent(line, chart);
    const [from, to, average] = [low, high, mean].map((value) => formatNumber(value, line.column.unit));
    const gaps = unknown ? `, unknown in ${counted(unknown, "row")}` : "";
    return `${lineName(line)}: ${from} to ${to}, ${average} on average${gaps}.`;
  });
  return [`${counted(starts.length, "row")} over ${formatNumber(reach, x.unit)}.`, ...sentences].join(" ");
}
