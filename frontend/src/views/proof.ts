// A cell whose number comes from events → the way to exactly those in the trace.
import type { PageProps, Selection } from "../page";
import type { Scalar, TableData, TableSpec } from "../types";
import { around, stretchInTrace } from "./links";
import type { Act } from "./table";
import type { CellsLead } from "./table_parts";
import { cellsNamed } from "./rows";

/** A longer text is replaced by its beginning and a number that is made of all of it. */
const TEXT_MAX = 100;

/** FNV-1a of the UTF-16 units, as the server makes it, too. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

function valueText(value: Scalar): string {
  const text = String(value);
  if (text.length <= TEXT_MAX) return text;
  // Half a character is left out.
  return `${text.slice(0, TEXT_MAX).replace(/[\uD800-\uDBFF]$/, "")}…${digestOf(text)}`;
}

/** Half characters, which no address holds, are what the server reads them as. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}

interface Cell {
  spec: TableSpec;
  data: TableData;
  row: number;
  /** Column of the number; null for the row's main one. */
  column: string | null;
}

type Page = Pick<PageProps, "tool" | "selection">;

/** `tool.table.column?key=value&…`: what the server finds the events of; null where it knows none. */
export function cellText({ tool, selection }: Page, { spec, data, row, column }: Cell): string | null {
  const proved = spec.proved.find((name) => name === column) ?? spec.proved[0];
  if (proved === undefined) return null;
  const valueOf = (name: string): Scalar | undefined =>
    spec.columns.some((one) => one.name === name) ? cellsNamed(data, name)?.[row] : selection.params[name];
  const words = spec.key.flatMap((name) => {
    const value = valueOf(name) ?? null;
    return value === null ? [] : [`${name}=${encoded(valueText(value))}`];
  });
  return `${tool.name}.${spec.name}.${proved}${words.length ? `?${words.join("&")}` : ""}`;
}

type Stretch = readonly [start_ps: number, end_ps: number];

/** The way to the events of a cell, looking at a stretch of time where the row has one; null where none are known. */
export function cellInTrace(page: Page, cell: Cell, stretch: Stretch | null = null): Partial<Selection> | null {
  const search = cellText(page, cell);
  if (search === null) return null;
  return { tool: "trace_viewer", params: { ...(stretch ? around(...stretch) : {}), search, match: "row" } };
}

const PS_PER_MS = 1e9;

/** The row's own time, where its table has one. */
export function stretchOfRow({ columns }: TableData, row: number): Stretch | null {
  const [start, length] = [columns["start_ms"]?.[row], columns["duration_ms"]?.[row]];
  if (typeof start !== "number" || typeof length !== "number") return null;
  return [Math.floor(start * PS_PER_MS), Math.ceil((start + length) * PS_PER_MS)];
}

interface Ways {
  /** From a row. */
  act: Act;
  /** From its cells. */
  cells: CellsLead;
}

/** Ways of a table's rows into the trace; null where nothing is known of what their numbers come from. */
export function waysOf(page: PageProps, spec: TableSpec, data: TableData): Ways | null {
  const [main] = spec.proved;
  if (main === undefined) return null;
  const open = (row: number, column: string | null): void => {
    const way = cellInTrace(page, { spec, data, row, column }, stretchOfRow(data, row));
    if (way) page.navigate(way);
  };
  const isThere = (row: number): boolean => (data.columns[main]?.[row] ?? null) !== null;
  return {
    act: { what: "Show in trace ▸", can: isThere, open: (row) => open(row, null) },
    cells: { columns: spec.proved, what: "Show the counted events in the trace", open },
  };
}

/** Leads from a row of a chart into the trace: to the events that a column's number comes from, else to its time. */
export interface Opener {
  (at: Pick<Cell, "data" | "row" | "column">, stretch: Stretch | null): void;
  /** Also from rows that have no place in time. */
  always: boolean;
}

export function openerOf(page: PageProps, spec: TableSpec): Opener {
  const open = (at: Pick<Cell, "data" | "row" | "column">, stretch: Stretch | null): void => {
    const way = cellInTrace(page, { spec, ...at }, stretch) ?? (stretch && stretchInTrace(...stretch));
    if (way) page.navigate(way);
  };
  return Object.assign(open, { always: spec.proved.length > 0 });
}

/** The same from rows that an answer does not hold as they are: to their time alone. */
export function stretchOpener({ navigate }: Pick<PageProps, "navigate">): Opener {
  const open = (_at: unknown, stretch: Stretch | null): void => {
    if (stretch) navigate(stretchInTrace(...stretch));
  };
  return Object.assign(open, { always: false });
}
