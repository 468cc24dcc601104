// Which columns a table has, and how wide they are: sampled once from the data, so that rows coming into view never move anything.
import type { Column, ColumnName, Scalar, TableData, TableSpec } from "../types";
import { formatCell, isNumeric, label } from "../units";
import { rowCount } from "./rows";
import type { Starts } from "./starts";

export const LETTER_PX = 7.3;
/** Of a head's, which are bold and not of one width. */
const HEAD_PX = 6.9;
const WIDE_LETTERS = /[A-Zmw]/g;
const WIDER = 0.4;
export const PADDING_PX = 16;
const SORT_MARK_PX = 14;
const SAMPLES = 300;
/** Of a text that shares the row with a longer one; and of the longest. */
const MOST_LETTERS = 24;
const ELASTIC_LETTERS = 60;

/** What a row was called elsewhere: never as wide as what it is called. */
const SECOND: ReadonlySet<string> = new Set(["was"]);

export interface Width {
  column: Column;
  px: number;
}

/** The columns of these names, in this order; no name means all. */
export function wanted({ columns }: TableSpec, show: readonly string[]): Column[] {
  return show.length ? show.flatMap((name) => columns.filter((c) => c.name === name)) : columns;
}

/** Nothing known in any row. */
export function isEmpty(cells: readonly Scalar[] = []): boolean {
  return cells.length > 0 && cells.every((cell) => cell === null || cell === "");
}

/** So many rows, and so large a part of them, make a wall. */
const WALL_ROWS = 3;
const WALL = 0.75;

/** Part of a column's known cells that are zero. */
function zeros(cells: readonly Scalar[] = []): number {
  let [known, zero] = [0, 0];
  for (const cell of cells) {
    if (cell === null || cell === "") continue;
    known++;
    if (cell === 0) zero++;
  }
  return known ? zero / known : 0;
}

/** Whether a column holds something, and that is zero everywhere. */
function isZero(cells: readonly Scalar[] = []): boolean {
  return cells.every((cell) => cell === null || cell === "" || cell === 0) && cells.includes(0);
}

/** Those of the names, all where there is none, that hold more than zeros. */
export function telling(spec: TableSpec, data: TableData, names: readonly ColumnName[]): readonly ColumnName[] {
  if (rowCount(data) < WALL_ROWS) return names;
  const all = names.length ? names : spec.columns.map(({ name }) => name);
  return all.filter((name) => !isZero(data.columns[name]));
}

/** Names of columns with so many zeros that what is none is seen only among empty cells. */
export function sparse(columns: readonly Column[], data: TableData): ReadonlySet<string> {
  if (rowCount(data) < WALL_ROWS) return new Set();
  const parts = columns.map(({ name }) => [name, zeros(data.columns[name])] as const);
  return new Set(parts.flatMap(([name, part]) => (part >= WALL && part < 1 ? [name] : [])));
}

function longest(column: Column, data: TableData, count: number, starts?: Starts): number {
  const write = starts?.get(column.name);
  const cells = data.columns[column.name] ?? [];
  const step = Math.max(1, Math.floor(count / SAMPLES));
  let most = 0;
  for (let row = 0; row < count; row += step) {
    const cell = cells[row];
    const text = write && typeof cell === "number" ? write(cell) : formatCell(cell, column);
    most = Math.max(most, text.length);
  }
  return Math.min(most, ELASTIC_LETTERS);
}

function headPx(text: string): number {
  return (text.length + WIDER * (text.match(WIDE_LETTERS)?.length ?? 0)) * HEAD_PX;
}

/** A column's width from its label and a sample of its cells. In a narrow window only one text is wide, the first longest. */
export function measure(columns: readonly Column[], data: TableData, isNarrow = false, starts?: Starts): Width[] {
  const count = rowCount(data);
  const measured = columns.map((column) => ({ column, letters: longest(column, data, count, starts) }));
  const texts = measured.filter(({ column }) => !isNumeric(column) && !SECOND.has(column.name));
  const most = Math.max(0, ...texts.map(({ letters }) => letters));
  const first = texts.find(({ letters }) => letters === most)?.column;
  return measured.map(({ column, letters }) => {
    const isShared = letters < most || SECOND.has(column.name) || (isNarrow && column !== first);
    const head = headPx(label(column)) + SORT_MARK_PX;
    const body = (isShared ? Math.min(letters, MOST_LETTERS) : letters) * LETTER_PX;
    return { column, px: Math.ceil(Math.max(head, body, 40) + PADDING_PX) };
  });
}

/** The column that takes what room is left: the widest text. */
export function elastic(widths: readonly Width[]): ColumnName | "" {
  const texts = widths.filter(({ column }) => !isNumeric(column));
  return texts.reduce<Width | null>((best, one) => (best && best.px >= one.px ? best : one), null)?.column.name ?? "";
}
