// Which rows of a table to show, in which order. Pure: columns in, row numbers out.
import type { Answer, Column, ColumnName, Scalar, TableData, TableName } from "../types";
import { PatternError, patternOf } from "../timeline/pattern";
import { isNumeric, label } from "../units";

export interface Sort {
  column: string;
  down: boolean;
}

type Test = (row: number) => boolean;
type Compare = (value: number) => boolean;

const COMPARISON = /^([a-z_][\w.]*?)(<=|>=|<|>|!=|=)(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*(%|[a-zµ]*)$/i;
/** What one of it is in seconds or bytes. */
const FACTORS: Readonly<Record<string, number>> = {
  ps: 1e-12,
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  bytes: 1,
  memory: 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  share: 1,
  "%": 0.01,
};

function compare(operator: string, limit: number): Compare {
  switch (operator) {
    case "<":
      return (value) => value < limit;
    case "<=":
      return (value) => value <= limit;
    case ">":
      return (value) => value > limit;
    case ">=":
      return (value) => value >= limit;
    case "!=":
      return (value) => value !== limit;
    default:
      return (value) => value === limit;
  }
}

/** The column meant: its name, or the start of its name or label. */
function findColumn(columns: readonly Column[], word: string): Column | undefined {
  const wanted = word.toLowerCase();
  const starts = (c: Column): boolean =>
    c.name.startsWith(wanted) || label(c).toLowerCase().replaceAll(" ", "_").startsWith(wanted);
  return columns.find((c) => c.name === wanted) ?? columns.find((c) => isNumeric(c) && starts(c));
}

/** A limit typed with a unit, in the column's own. */
function inUnitOf(column: Column, value: number, unit: string): number {
  const from = FACTORS[unit.toLowerCase()];
  const to = FACTORS[column.unit];
  return unit && from !== undefined && to !== undefined ? (value * from) / to : value;
}

function comparison(word: string, columns: readonly Column[], data: TableData): Test | null {
  const match = COMPARISON.exec(word);
  if (!match) return null;
  const [, name = "", operator = "", number = "", unit = ""] = match;
  const column = findColumn(columns, name);
  if (!column) return null;
  const test = compare(operator, inUnitOf(column, Number(number), unit));
  const cells = data.columns[column.name] ?? [];
  return (row) => typeof cells[row] === "number" && test(cells[row]);
}

/** `name="a b"`, `type!=MatMul`: the whole text of a column named in full. */
function equality(word: string, columns: readonly Column[], data: TableData): Test | null {
  const [, name = "", operator, wanted = ""] = /^([a-z_]\w*)(!=|=)(.*)$/is.exec(word) ?? [];
  const column = columns.find((c) => c.name === name && !isNumeric(c));
  if (!column) return null;
  const cells = cellsNamed(data, name) ?? [];
  const text = unquoted(wanted);
  return (row) => (String(cells[row] ?? "") === text) === (operator === "=");
}

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1).replace(/"$/, "") : word;
}

/** The filter that keeps the rows whose column has just that text; a very long one by its beginning. */
export function onlyWith(column: string, text: string): string {
  if (text.length > MOST_LETTERS || text.includes('"')) return `"${text.slice(0, MOST_LETTERS).split('"')[0]}"`;
  return `${column}=${/^\S+$/.test(text) ? text : `"${text}"`}`;
}

/** What an address has room for. */
const MOST_LETTERS = 300;

function contains(word: string, columns: readonly Column[], data: TableData): Test {
  const wanted = word.toLowerCase();
  const texts = columns.filter((c) => !isNumeric(c)).map((c) => data.columns[c.name] ?? []);
  return (row) =>
    texts.some((cells) =>
      String(cells[row] ?? "")
        .toLowerCase()
        .includes(wanted),
    );
}

/** `/conv.*grad/` in any text, `name~^conv` in a column's: an expression as the trace's search takes it. */
const PATTERN = /^(?:\/(.+)\/|([a-z_]\w*)(!?~)(.*))$/is;

function pattern(word: string, columns: readonly Column[], data: TableData): Test | null {
  const [, anywhere, name, sign, ofColumn = ""] = PATTERN.exec(word) ?? [];
  const text = anywhere ?? unquoted(ofColumn);
  const searched = columns.filter((c) => !isNumeric(c) && (name === undefined || c.name === name));
  if (!text || !searched.length) return null;
  try {
    const matches = patternOf(text);
    const cells = searched.map((c) => data.columns[c.name] ?? []);
    return (row) => cells.some((one) => matches(String(one[row] ?? ""))) === (sign !== "!~");
  } catch (error) {
    if (error instanceof PatternError) return () => false;
    throw error;
  }
}

/** What is wrong with one word of a filter; `isFound`: whether some row passes it as it is. */
function problemOf(word: string, columns: readonly Column[], isFound: boolean): string {
  const [, anywhere, , , ofColumn] = PATTERN.exec(word) ?? [];
  const expression = anywhere ?? (ofColumn && unquoted(ofColumn));
  if (expression)
    try {
      patternOf(expression);
    } catch (error) {
      if (error instanceof PatternError) return error.message;
      throw error;
    }
  if ((word.match(/"/g) ?? []).length % 2) return `A quote is not closed: ${word}`;
  const [, name = "", operator = "", value = ""] = /^([a-z_]\w*)(<=|>=|<|>|!=|=|!?~)(.*)$/is.exec(word) ?? [];
  if (isFound || !operator) return "";
  const column = findColumn(columns, name) ?? columns.find((c) => c.name === name);
  if (!column) return `No column is called ${name}.`;
  if (!value) return `A value is missing after ${name}${operator}`;
  if (!isNumeric(column)) return "";
  return COMPARISON.test(word)
    ? ""
    : `${label(column)} is compared with a number, as in ${column.name}>10, not with ${value}`;
}

/** What is wrong with a filter, as a sentence, or nothing. A word that no column has may be in a row's text. */
export function filterProblem(filter: string, columns: readonly Column[], shown: number): string {
  const words = wordsOf(filter).map((word) => word.replace(/^-(?=.)/, ""));
  return words.map((word) => problemOf(word, columns, shown > 0)).find((problem) => problem) ?? "";
}

/** Words; within quotes blanks do not end one. */
function wordsOf(text: string): string[] {
  return text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}

/** `conv self>1ms occurrences>=10 share<5% type=MatMul`: every word must hold; a leading `-` turns one round. */
function parseFilter(text: string, columns: readonly Column[], data: TableData): Test[] {
  return wordsOf(text)
    .filter((word) => word !== "-")
    .map((word) => {
      const negative = word.startsWith("-");
      const bare = negative ? word.slice(1) : word;
      const test =
        pattern(bare, columns, data) ??
        comparison(bare, columns, data) ??
        equality(bare, columns, data) ??
        contains(unquoted(bare), columns, data);
      return negative ? (row: number) => !test(row) : test;
    });
}

/** Whether a row passes the filter. */
export function rowTest(filter: string, columns: readonly Column[], data: TableData): Test {
  const tests = parseFilter(filter, columns, data);
  return (row) => tests.every((test) => test(row));
}

/** Unknown is last in both directions. */
export function compareCells(a: Scalar | undefined, b: Scalar | undefined, sign: number): number {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1;
  if (b === null || b === undefined) return -1;
  if (typeof a === "string" && typeof b === "string") return sign * (a < b ? -1 : a > b ? 1 : 0);
  return sign * (Number(a) - Number(b));
}

/** Of a name that a person typed or an address holds, which may be no column's. */
export function cellsNamed(data: TableData, name: string): readonly Scalar[] | undefined {
  return Object.hasOwn(data.columns, name) ? data.columns[name as ColumnName] : undefined;
}

export function rowCount(data: TableData): number {
  return Object.values(data.columns)[0]?.length ?? 0;
}

/** Of a table of the answer, which may lack it. */
export function rowsOf({ tables }: Answer, table: TableName): number {
  return rowCount(tables[table] ?? { columns: {} });
}

/** A cell or scalar that is a number, else null. */
export function number(value: Scalar | undefined): number | null {
  return typeof value === "number" ? value : null;
}

/** The cells of a column, null where one is no number; none of a column that is not there. */
export function numbers({ columns }: Pick<TableData, "columns">, name: ColumnName | ""): (number | null)[] {
  return (columns[name] ?? []).map(number);
}

/** A cell as text; empty where there is none. */
export function textAt({ columns }: TableData, name: ColumnName, row: number): string {
  return String(columns[name]?.[row] ?? "");
}

/** NaN of no values. */
export function median(values: ArrayLike<number>): number {
  // Typed arrays are sorted as numbers, without a call for each two.
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (!sorted.length) return NaN;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Row numbers that pass the filter, sorted; rows that compare equal keep the answer's order. */
export function pickRows(data: TableData, columns: readonly Column[], filter: string, sort: Sort | null): number[] {
  const test = rowTest(filter, columns, data);
  const rows: number[] = [];
  for (let row = 0; row < rowCount(data); row++) if (test(row)) rows.push(row);
  const cells = sort && cellsNamed(data, sort.column);
  if (sort && cells) rows.sort((a, b) => compareCells(cells[a], cells[b], sort.down ? -1 : 1));
  return rows;
}

/** Times that add up from row to row, the more useful one first. */
const ADDITIVE = ["self_us", "self_ms", "total_us", "total_ms"];

/** What the rows take together, and in which unit; null where no column gives it. */
export function together(data: TableData, columns: readonly Column[], rows: readonly number[]) {
  const column = ADDITIVE.flatMap((name) => columns.find((one) => one.name === name) ?? [])[0];
  const cells = column && data.columns[column.name];
  if (!column || !cells) return null;
  const value = rows.reduce((sum, row) => sum + (typeof cells[row] === "number" ? cells[row] : 0), 0);
  return { value, unit: column.unit };
}

/** Tab-separated, with the columns' own names and exact values, as spreadsheets take it. */
export function toTsv(data: TableData, columns: readonly Column[], rows: readonly number[]): string {
  const clean = (value: Scalar | undefined): string => String(value ?? "").replace(/[\t\r\n]+/g, " ");
  const line = (row: number): string => columns.map((c) => clean(data.columns[c.name]?.[row])).join("\t");
  return [columns.map((c) => c.name).join("\t"), ...rows.map(line)].join("\n");
}

/** What a spreadsheet takes for a formula, or drops to look at the next. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** The rows that are shown, as the server writes all: text that a spreadsheet would run is led by an apostrophe. */
export function toCsv(data: TableData, columns: readonly Column[], rows: readonly number[]): string {
  const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const cell = (value: Scalar | undefined): string =>
    quoted(typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value ?? ""));
  const line = (row: number): string => columns.map((c) => cell(data.columns[c.name]?.[row])).join(",");
  return [columns.map((c) => c.name).join(","), ...rows.map(line), ""].join("\r\n");
}
