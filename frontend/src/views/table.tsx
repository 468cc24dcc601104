// A table of an answer: sorted, filtered, virtual; copied as TSV, downloaded as CSV.
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { embedded } from "../embedded";
import type { FullNames, TableData } from "../types";
import { useChosen } from "./chosen";
import { ColumnPicker } from "./column_picker";
import { elastic, isEmpty, LETTER_PX, measure, PADDING_PX, sparse, wanted, type Width } from "./columns";
import { CopyButton, copyText } from "./copy_button";
import { pickRows, rowCount, toCsv, together, toTsv } from "./rows";
import { startsOf } from "./starts";
import {
  Cells,
  type CellsLead,
  ColumnWidths,
  Head,
  leastWidth,
  linesOf,
  mostWidth,
  TableBar,
  type TableState,
  type Whole,
} from "./table_parts";
import { useVirtualRows } from "./virtual";
import type { OfTable } from "./limited";
import { type Apart, apartIn } from "./apart";

/** A window that is being resized is looked at so often. */
const GRAIN_PX = 16;

function useNames(
  scroller: RefObject<HTMLElement | null>,
  widths: readonly Width[],
  data: TableData,
  /** Of the table at least, in px. */
  leastPx: number,
  lines: number,
): ReadonlyMap<string, Apart> {
  const [roomPx, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setRoom(Math.floor(element.clientWidth / GRAIN_PX) * GRAIN_PX);
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    measure();
    return () => sizes.disconnect();
  }, []);
  return useMemo(() => {
    const wide = elastic(widths);
    const othersPx = widths.reduce((sum, { column, px }) => sum + (column.name === wide ? 0 : px), 0);
    const apartBy = new Map<string, Apart>();
    for (const { column, px } of widths) {
      if (column.dtype !== "text") continue;
      const isWide = column.name === wide;
      const columnPx = isWide ? Math.max(leastPx, roomPx) - othersPx : px;
      const letters = Math.floor((columnPx - PADDING_PX) / LETTER_PX) * (isWide ? lines : 1);
      apartBy.set(column.name, apartIn(data.columns[column.name] ?? [], letters));
    }
    return apartBy;
  }, [widths, data, leastPx, lines, roomPx]);
}

export interface TableProps extends OfTable {
  /** Columns to show, in this order; empty means all. */
  show?: readonly string[];
  state: TableState;
  setState: (state: TableState) => void;
  /** Shows the row's name in the trace: by its button, a double click or Enter. */
  find?: (name: string) => void;
  /** What these do instead, in words and in deed. */
  what?: string;
  open?: (row: number) => void;
  /** Of which rows; without it of all. */
  can?: (row: number) => boolean;
  /** How wide the widest text stays at least, in px. */
  room?: number | undefined;
  /** Of how many lines the widest text is at most, where it does not fit one. */
  lines?: number | undefined;
  /** Other ways from a row, by a button alone. */
  also?: readonly Act[];
  /** Cells that lead somewhere of their own: those of the chosen row are links. */
  cells?: CellsLead | undefined;
  /** Column with short names → column with the whole ones, for titles and copies. */
  full?: FullNames;
  /** Where to see more of it. */
  more?: ComponentChildren;
  /** Where these are the largest of more rows. */
  whole?: Whole | undefined;
}

/** What can be done with a row. */
export interface Act {
  what: string;
  can: (row: number) => boolean;
  open: (row: number) => void;
}

const ROW_PX = 24;
const LINE_PX = 16;
const NARROW_PX = 1000;

function useShown({ spec, data, show = [], state: { filter, sort, columns: chosenColumns } }: TableProps) {
  const names = chosenColumns ?? show;
  const asked = useMemo(() => wanted(spec, names), [spec, names.join()]);
  const columns = useMemo(() => asked.filter((c) => !isEmpty(data.columns[c.name])), [asked, data]);
  const starts = useMemo(() => startsOf(columns, data), [columns, data]);
  const widths = useMemo(() => measure(columns, data, window.innerWidth < NARROW_PX, starts), [columns, data]);
  const quiet = useMemo(() => sparse(columns, data), [columns, data]);
  const key = [data, spec, filter, sort?.column, sort?.down];
  const rows = useMemo(() => pickRows(data, spec.columns, filter, sort), key);
  const sum = useMemo(() => (filter ? together(data, spec.columns, rows) : null), [rows]);
  return { columns, widths, quiet, rows, sum, starts, empty: asked.filter((c) => !columns.includes(c)) };
}

const COPY_HELP = "Copy the selected rows, or all, as TSV with exact values";

function copyLabel(chosen: number): string {
  return chosen > 1 ? `Copy ${chosen} rows` : "Copy";
}

/** As a file, what the table shows: its rows, or those chosen, in its order, with its columns. */
function ShownCsv({ name, text }: { name: string; text: () => string }) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([text()], { type: "text/csv" }));
    Object.assign(document.createElement("a"), { href: url, download: `${name}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(url));
  };
  return (
    <button
      type="button"
      class="link"
      title="Download the rows and columns that are shown, or the chosen rows"
      onClick={save}
    >
      CSV of shown
    </button>
  );
}

export function Links({ csv, json }: { csv: string; json: string }) {
  if (embedded) return null;
  return (
    <span class="links">
      <a href={csv} download title="Download the whole table: all rows and columns">
        CSV
      </a>
      <a href={json} target="_blank" title="The whole answer">
        JSON
      </a>
    </span>
  );
}

/** Room for rows that are not drawn. */
export function Gap({ px }: { px: number }) {
  return px > 0 ? <tr aria-hidden="true" style={{ height: `${px}px` }} /> : null;
}

/** A button for each that a row can. */
export function Acts({ acts, row }: { acts: readonly Act[]; row: number }) {
  return acts
    .filter(({ can }) => can(row))
    .map(({ what, open }) => (
      <button key={what} type="button" onClick={() => open(row)}>
        {what}
      </button>
    ));
}

/** So many rows are all drawn at once without trouble. */
const MOST_WHOLE = 500;

/** Whether a table's rows are bounded in height, and the button that takes the bound away where some are out of sight. */
function useBound(scroller: RefObject<HTMLDivElement | null>, count: number) {
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && !isWhole) setCut(box.scrollHeight > box.clientHeight + 1);
  });
  const can = count <= MOST_WHOLE && (isCut || isWhole);
  const button = can && (
    <button type="button" class="show-all" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
      {isWhole ? "Show fewer rows" : `Show all ${count} rows`}
    </button>
  );
  return { isWhole: isWhole && count <= MOST_WHOLE, button };
}

/** What is done with a row, if anything: rows without a name are nowhere to be found. */
function actOf({ data, find, open }: TableProps): ((row: number) => void) | undefined {
  if (open || !find || !data.columns["name"]) return open;
  return (row) => {
    const name = data.columns["name"]?.[row];
    if (typeof name === "string") find(name);
  };
}

export function DataTable(props: TableProps) {
  const { title, spec, data, show = [], csv, json, state, setState, more, whole, full, also = [], cells } = props;
  const { columns, widths, quiet, rows, sum, starts, empty } = useShown(props);
  const lines = useMemo(() => linesOf(widths, data, props), [widths, data, props.lines, props.room]);
  const least = leastWidth(widths, props.room);
  const most = useMemo(() => mostWidth(widths, data), [widths, data]);
  const scroller = useRef<HTMLDivElement>(null);
  const names = useNames(scroller, widths, data, least, lines);
  const bound = useBound(scroller, rows.length);
  const virtual = useVirtualRows(scroller, rows.length, ROW_PX + ((lines - 1) * LINE_PX) / 2, ROW_PX);
  const chosen = useChosen(
    data,
    rows,
    state.rows,
    (text) => setState({ ...state, rows: text }),
    (index) => virtual.scrollToIndex(index),
  );
  const items = virtual.getVirtualItems();
  const act = actOf(props);
  const copied = columns.map((column) => spec.columns.find(({ name }) => name === full?.[column.name]) ?? column);
  const tsv = (): string => toTsv(data, copied, chosen.rows.length ? chosen.rows : rows);
  const csvOfShown = (): string => toCsv(data, copied, chosen.rows.length ? chosen.rows : rows);
  const isChosen = !!state.filter || !!state.sort || state.columns !== null || chosen.rows.length > 0;
  const open = (row: number | undefined): void => {
    if (row !== undefined && (props.can?.(row) ?? true)) act?.(row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== scroller.current || chosen.onKey(event)) return;
    const isCopy = event.key === "c" && (event.ctrlKey || event.metaKey);
    if (isCopy && chosen.rows.length && !String(getSelection())) void copyText(tsv());
    else if (event.key === "Enter") open(chosen.at);
  };
  return (
    <div class="data-table">
      <TableBar {...{ title, spec, empty, state, setState, whole, sum }} shown={rows.length} total={rowCount(data)}>
        {more}
        {act && chosen.rows.length === 1 && (props.can?.(chosen.rows[0]!) ?? true) && (
          <button type="button" onClick={() => open(chosen.at)}>
            {props.open ? props.what : "Find in trace ▸"}
          </button>
        )}
        {chosen.rows.length === 1 && <Acts acts={also} row={chosen.rows[0]!} />}
        <ColumnPicker {...{ spec, data, show, state, setState }} />
        <CopyButton text={tsv} label={copyLabel(chosen.rows.length)} title={COPY_HELP} />
        {(isChosen || !csv) && <ShownCsv name={spec.name} text={csvOfShown} />}
        {csv && <Links csv={csv} json={json} />}
      </TableBar>
      <div
        class={bound.isWhole ? "table-scroll whole" : "table-scroll"}
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label={title}
        onKeyDown={onKeyDown}
      >
        <table style={{ minWidth: `${least}px`, maxWidth: `${most}px` }} aria-rowcount={rows.length + 1}>
          <caption class="offscreen">{spec.help}</caption>
          <ColumnWidths widths={widths} />
          <Head columns={columns} sort={state.sort} setSort={(sort) => setState({ ...state, sort })} />
          <tbody>
            <Gap px={items[0]?.start ?? 0} />
            {items.map(({ index }) => (
              <tr
                key={index}
                {...(lines > 1 ? { ref: virtual.measureElement, "data-index": index } : {})}
                aria-rowindex={index + 2}
                aria-selected={chosen.rows.includes(rows[index]!)}
                onClick={(event) => chosen.onClick(event, index)}
                onDblClick={() => open(rows[index])}
              >
                <Cells
                  {...{ columns, data, full, quiet, names, lines, starts }}
                  wrapped={lines > 1 ? elastic(widths) : ""}
                  row={rows[index]!}
                  lead={chosen.rows.length === 1 && rows[index] === chosen.at ? cells : undefined}
                />
              </tr>
            ))}
            <Gap px={virtual.getTotalSize() - (items[items.length - 1]?.end ?? 0)} />
          </tbody>
        </table>
      </div>
      {bound.button}
    </div>
  );
}
