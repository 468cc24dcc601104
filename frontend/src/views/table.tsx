// A table of an answer: sorted, filtered, virtual; copied as TSV, downloaded as CSV.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Column, TableData, TableSpec } from "../types";
import { counted, exactValue, formatCell, grouped, isNumeric, label, percent } from "../units";
import { elastic, measure, type Width } from "./columns";
import { CopyButton } from "./copy_button";
import { Name } from "./name";
import { pickRows, rowCount, type Sort, toTsv } from "./rows";
import { copyText } from "../clipboard";
import { useVirtualRows } from "./virtual";

/** What a person has set; kept in the address by whoever shows the table. */
export interface TableState {
  filter: string;
  sort: Sort | null;
}

export interface TableProps {
  title: string;
  spec: TableSpec;
  data: TableData;
  /** Columns to show; empty means all. */
  show?: readonly string[];
  /** Addresses of the same numbers. */
  csv: string;
  json: string;
  state: TableState;
  setState: (state: TableState) => void;
  /** Shows the row's name in the trace: by its button, a double click or Enter. */
  find?: (name: string) => void;
}

const ROW_PX = 24;
const ELASTIC_PX = 220;
/** Up to here one sees them all: no filter, no count. */
const FEW_ROWS = 12;

/** Numbers start with the largest, text with A; a third press gives the answer's own order back. */
function nextSort(sort: Sort | null, column: Column): Sort | null {
  const first = isNumeric(column);
  if (sort?.column !== column.name) return { column: column.name, down: first };
  return sort.down === first ? { column: column.name, down: !first } : null;
}

/** The columns to show, in the order asked for. */
function wanted({ columns }: TableSpec, show: readonly string[]): Column[] {
  return show.length ? show.flatMap((name) => columns.filter((c) => c.name === name)) : columns;
}

/** Nothing known in any row. */
function isEmpty(cells: TableData["columns"][string] = []): boolean {
  return cells.length > 0 && cells.every((cell) => cell === null || cell === "");
}

function HeadCell({ column, sort, press }: { column: Column; sort: Sort | null; press: () => void }) {
  const mine = sort?.column === column.name ? sort : null;
  const direction = mine ? (mine.down ? "descending" : "ascending") : "none";
  return (
    <th scope="col" aria-label={label(column)} aria-sort={direction} class={isNumeric(column) ? "number" : ""}>
      <button type="button" aria-label={`Sort by ${label(column)}`} title={`${column.help}\n${column.name}`} onClick={press}>
        {label(column)}<i aria-hidden="true">{mine ? (mine.down ? " ▾" : " ▴") : ""}</i>
      </button>
    </th>
  );
}

function Cell({ column, value }: { column: Column; value: TableData["columns"][string][number] | undefined }) {
  if (!isNumeric(column)) return <td class="text"><Name text={formatCell(value, column)} /></td>;
  const title = exactValue(value, column.unit);
  if (column.unit !== "share" || typeof value !== "number") return <td class="number" title={title}>{formatCell(value, column)}</td>;
  const width = `${Math.min(100, Math.max(0, value * 100))}%`;
  return <td class="number share" title={title}><b style={{ width }} /><span>{percent(value)}</span></td>;
}

function Columns({ widths }: { widths: readonly Width[] }) {
  const wide = elastic(widths);
  return <colgroup>{widths.map(({ column, px }) => <col key={column.name} style={column.name === wide ? {} : { width: `${px}px` }} />)}</colgroup>;
}

interface Chosen {
  from: number;
  to: number;
}

function chosenRows(chosen: Chosen | null, rows: readonly number[]): number[] {
  if (!chosen) return [];
  return rows.slice(Math.min(chosen.from, chosen.to), Math.max(chosen.from, chosen.to) + 1);
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 };

export function DataTable({ title, spec, data, show = [], csv, json, state, setState, find }: TableProps) {
  const asked = useMemo(() => wanted(spec, show), [spec, show.join()]);
  const columns = useMemo(() => asked.filter((c) => !isEmpty(data.columns[c.name])), [asked, data]);
  const empty = asked.filter((c) => !columns.includes(c));
  const widths = useMemo(() => measure(columns, data), [columns, data]);
  const { filter, sort } = state;
  const rows = useMemo(() => pickRows(data, spec.columns, filter, sort), [data, spec, filter, sort?.column, sort?.down]);
  const [chosen, choose] = useState<Chosen | null>(null);
  useEffect(() => choose(null), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(scroller, rows.length, ROW_PX, ROW_PX);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items[items.length - 1]?.end ?? 0);
  const picked = chosenRows(chosen, rows);
  const tsv = (): string => toTsv(data, columns, picked.length ? picked : rows);
  const total = rowCount(data);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const to = Math.min(rows.length - 1, Math.max(0, (chosen?.to ?? -1) + step));
      choose({ from: event.shiftKey && chosen ? chosen.from : to, to });
      virtual.scrollToIndex(to);
    } else if (event.key === "c" && (event.ctrlKey || event.metaKey) && picked.length && !String(getSelection())) {
      event.preventDefault();
      void copyText(tsv());
    } else if (event.key === "Enter" && chosen && event.target === scroller.current) open(rows[chosen.to]);
  };
  const open = (row: number | undefined): void => {
    const name = row === undefined ? null : data.columns["name"]?.[row];
    if (typeof name === "string") find?.(name);
  };
  const onRow = (event: MouseEvent, index: number): void => {
    choose(event.shiftKey && chosen ? { from: chosen.from, to: index } : { from: index, to: index });
  };
  const minWidth = widths.reduce((sum, { column, px }) => sum + (column.name === elastic(widths) ? Math.min(px, ELASTIC_PX) : px), 0);
  return (
    <div class="data-table">
      <div class="table-bar">
        <h2 title={spec.help}>{title}</h2>
        {total > FEW_ROWS && (
          <input type="search" class="table-filter" spellcheck={false} aria-label={`Filter ${title}`} value={filter}
            placeholder="Filter: conv self>1ms" title={FILTER_HELP} onInput={(event) => setState({ ...state, filter: event.currentTarget.value })} />
        )}
        <span class="soft" role="status">{rows.length < total ? `${grouped(rows.length)} of ${grouped(total)} rows` : total > FEW_ROWS ? `${grouped(total)} rows` : ""}</span>
        {empty.length > 0 && <span class="soft" title={empty.map((c) => `${label(c)}: ${c.help}`).join("\n")}>{counted(empty.length, "empty column")} hidden</span>}
        <span class="grow" />
        {find && picked.length === 1 && <button type="button" onClick={() => open(picked[0])}>Find in trace ▸</button>}
        <CopyButton text={tsv} label={picked.length > 1 ? `Copy ${picked.length} rows` : "Copy"} title="Copy rows as TSV, with exact values: the chosen ones, or all" />
        <a href={csv} download title="Download this table">CSV</a>
        <a href={json} target="_blank" title="The whole answer">JSON</a>
      </div>
      <div class="table-scroll" ref={scroller} tabIndex={0} role="region" aria-label={title} onKeyDown={onKeyDown}>
        <table style={{ minWidth: `${minWidth}px` }} aria-rowcount={rows.length + 1}>
          <caption class="offscreen">{spec.help}</caption>
          <Columns widths={widths} />
          <thead><tr aria-rowindex={1}>{columns.map((c) => <HeadCell key={c.name} column={c} sort={sort} press={() => setState({ ...state, sort: nextSort(sort, c) })} />)}</tr></thead>
          <tbody>
            {before > 0 && <tr aria-hidden="true" style={{ height: `${before}px` }} />}
            {items.map(({ index }) => (
              <tr key={index} aria-rowindex={index + 2} aria-selected={picked.includes(rows[index]!)}
                onClick={(event) => onRow(event, index)} onDblClick={() => open(rows[index])}>
                {columns.map((c) => <Cell key={c.name} column={c} value={data.columns[c.name]?.[rows[index]!]} />)}
              </tr>
            ))}
            {after > 0 && <tr aria-hidden="true" style={{ height: `${after}px` }} />}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const FILTER_HELP = [
  "Words must be in a row's text; -word must not.",
  "Comparisons with a column's name or its beginning: self_us>100  self>1.5ms  occ>=10  self_share<5%",
].join("\n");
