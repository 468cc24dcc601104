// A table → what a chart of stacked bars draws: one bar a row, or, where rows outnumber pixels, the mean of several.
import type { Column, ColumnName, Scalar, TableData, TableSpec, View } from "../types";
import { counted, formatNumber, formatValue, label, percent } from "../units";
import { categoryOf, namesOfNone, titleOf } from "./category";
import { numbers } from "./rows";

interface Part {
  column: Column;
  title: string;
  /** The CSS variable of its colour. */
  variable: string;
  /** 0 where it is unknown. */
  values: readonly number[];
  /** Over the rows that count. */
  mean: number;
}

export interface Stacked {
  unit: string;
  /** What rows are called, and in short. */
  names: readonly string[];
  labels: readonly string[];
  /** Which end of a row the capture does not hold; empty for a whole one. */
  cut: readonly string[];
  /** Those with a value in some row, from the bottom up. */
  parts: readonly Part[];
  /** Titles of those without. */
  none: readonly string[];
  totals: readonly number[];
  /** Of the rows that count: whole ones, where there are some. */
  mean: number;
  counted: number;
  /** The rows as intervals of the trace, where they have a place in time. */
  starts: readonly (number | null)[] | null;
  lengths: readonly (number | null)[];
}

/** Rows `first` to `last` in one bar: the means of their parts, and the largest of them. */
export interface Bar {
  first: number;
  last: number;
  parts: readonly number[];
  total: number;
  slowest: number;
  cut: boolean;
}

const PS_PER_MS = 1e9;

function texts(spec: TableSpec, data: TableData, name: ColumnName | ""): string[] {
  const unit = spec.columns.find((column) => column.name === name)?.unit === "ms" ? "ms" : "id";
  return (data.columns[name] ?? []).map((cell) => formatValue(cell, unit));
}

function cutText(cell: Scalar | undefined): string {
  if (typeof cell === "number") return cell ? "cut" : "";
  return cell === true ? "cut" : cell && cell !== "no" ? String(cell) : "";
}

function sumOf(columns: readonly (readonly number[])[], rows: number): number[] {
  const sums = new Array<number>(rows).fill(0);
  for (const values of columns) for (let row = 0; row < rows; row++) sums[row]! += values[row]!;
  return sums;
}

/** Null where there is nothing to draw: no row, or no value above zero. */
export function stackedOf(view: View, spec: TableSpec, data: TableData): Stacked | null {
  const columns = view.values.flatMap((name) => spec.columns.filter((column) => column.name === name));
  const all = columns.map((column) => ({ column, values: numbers(data, column.name).map((v) => v ?? 0) }));
  const seen = all.filter(({ values }) => values.some((value) => value > 0));
  if (!seen.length) return null;
  const rows = seen[0]!.values.length;
  const cut = Array.from({ length: rows }, (_, row) => cutText(data.columns["cut"]?.[row]));
  const whole = cut.flatMap((text, row) => (text ? [] : [row]));
  const counting = whole.length ? whole : cut.map((_, row) => row);
  const mean = (values: readonly number[]): number =>
    counting.reduce((sum, row) => sum + values[row]!, 0) / counting.length;
  const title = (column: Column): string => titleOf(column.name) ?? label(column);
  const totals = sumOf(
    seen.map(({ values }) => values),
    rows,
  );
  return {
    unit: seen[0]!.column.unit,
    names: texts(spec, data, data.columns["name"] ? "name" : view.label),
    labels: texts(spec, data, view.label === "name" && data.columns["step"] ? "step" : view.label),
    cut,
    parts: seen.map(({ column, values }) => ({
      column,
      title: title(column),
      variable: categoryOf(column.name),
      values,
      mean: mean(values),
    })),
    none: namesOfNone(
      columns
        .filter((column) => !seen.some((part) => part.column === column))
        .map((column) => [column.name, title(column)]),
      seen.map(({ column }) => column.name),
    ),
    totals,
    mean: mean(totals),
    counted: counting.length,
    starts: data.columns["start_ms"] ? numbers(data, "start_ms") : null,
    lengths: data.columns["duration_ms"] ? numbers(data, "duration_ms") : totals,
  };
}

/** Bars of rows [from, to), at most `most` of them. */
export function barsOf({ parts, totals, cut }: Stacked, from: number, to: number, most: number): Bar[] {
  const count = Math.max(1, Math.min(to - from, Math.floor(most)));
  return Array.from({ length: count }, (_, i) => {
    const first = from + Math.floor((i * (to - from)) / count);
    const last = from + Math.floor(((i + 1) * (to - from)) / count) - 1;
    let slowest = first;
    for (let row = first; row <= last; row++) if (totals[row]! > totals[slowest]!) slowest = row;
    const mean = (values: readonly number[]): number => {
      let sum = 0;
      for (let row = first; row <= last; row++) sum += values[row]!;
      return sum / (last - first + 1);
    };
    const heights = parts.map(({ values }) => mean(values));
    return { first, last, parts: heights, total: mean(totals), slowest, cut: first === last && cut[first] !== "" };
  });
}

/** Where a rest of slow rows would flatten all others, they are cut off above this times what nine of ten stay below. */
const OUTLIER = 3;
const ROOM = 1.08;

/** The upper end of the axis for rows [from, to). */
export function ceilingOf({ totals }: Stacked, from: number, to: number): number {
  const sorted = totals.slice(from, to).sort((a, b) => a - b);
  const most = sorted[sorted.length - 1] ?? 0;
  const usual = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0;
  return (sorted.length > 2 && usual > 0 && most > OUTLIER * usual ? 1.5 * usual : most) * ROOM || 1;
}

/** The next of 1, 2, 5, 10, 20, … */
export function roundUp(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * ten).find((size) => size >= value) ?? value;
}

/** Round values from 0 on, three to six of them. */
export function ticksOf(top: number): number[] {
  const step = roundUp(top / 5);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}

/** The row as an interval of the trace. */
export function stretchOf(
  { starts, lengths }: Pick<Stacked, "starts" | "lengths">,
  row: number,
): [start_ps: number, end_ps: number] | null {
  const [start, length] = [starts?.[row], lengths[row]];
  if (typeof start !== "number" || typeof length !== "number") return null;
  return [Math.floor(start * PS_PER_MS), Math.ceil((start + length) * PS_PER_MS)];
}

/** Why a row is in no mean. */
export function whyCut(cut: string): string {
  return cut === "last"
    ? "the last, without a successor: not in the mean"
    : `cut by the capture (${cut}): not in the mean`;
}

/** `train 7: 37.0 ms, Input wait 33.9 ms, …`. */
export function rowInWords({ names, totals, parts, unit, cut }: Stacked, row: number): string {
  const shown = parts.filter(({ values }) => values[row]! > 0);
  const partTexts = shown.map(({ title, values }) => `${title} ${formatNumber(values[row]!, unit)}`);
  const mark = cut[row] ? `, ${whyCut(cut[row])}` : "";
  return `${names[row]}: ${formatNumber(totals[row]!, unit)}${mark}. ${partTexts.join(", ")}.`;
}

/** The chart in words. */
export function stackInWords({ names, totals, parts, mean, unit }: Stacked, noun: string): string {
  const slowest = totals.reduce((best, total, row) => (total > totals[best]! ? row : best), 0);
  const shares = parts
    .filter((part) => part.mean > 0)
    .map((part) => `${part.title} ${formatNumber(part.mean, unit)} (${percent(part.mean / mean)})`);
  return `${counted(names.length, noun)}, ${formatNumber(mean, unit)} on average: ${shares.join(", ")}. The longest: ${names[slowest]}, ${formatNumber(totals[slowest]!, unit)}.`;
}
