// The table of all runs: rows are there at once and fill as the server reads them; sorted, filtered, virtual.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { runRowsUrl } from "../api";
import type { ColumnOf } from "../generated/columns";
import type { Column, TableData, TableSpec } from "../types";
import { exactCell, formatCell, formatTime, isNumeric } from "../units";
import { ColumnPicker } from "../views/column_picker";
import { isEmpty, wanted } from "../views/columns";
import { CopyButton } from "../views/copy_button";
import { Name } from "../views/name";
import { rowCount, toTsv } from "../views/rows";
import { Gap, Links } from "../views/table";
import { Head, TableBar, type TableState } from "../views/table_parts";
import { useVirtualRows } from "../views/virtual";
import { ROW_STEPS } from "../views/chosen";
import { SESSION } from "./run_groups";

type RunColumn = ColumnOf<"runs", "runs">;

/** What is shown at first. */
const SHOW: readonly RunColumn[] = [
  "run",
  "step_time_ms",
  "step_time_sd_ms",
  "change_share",
  "baseline_change_share",
  "first_finding",
  "device_busy_share",
  "input_wait_share",
  "peak_memory_bytes",
  "captured_ms",
  "host_count",
  "device",
  "framework",
];
/** Rows that fill move nothing: a column is as wide as its widest usual cell and its head. */
const WIDTHS: { readonly [Name in RunColumn]?: number } = {
  run: 256,
  captured_ms: 134,
  step_time_ms: 84,
  step_time_sd_ms: 108,
  change_share: 88,
  baseline_change_share: 100,
  device_busy_share: 116,
  input_wait_share: 104,
  peak_memory_bytes: 110,
  host_count: 60,
  step_count: 60,
  device: 128,
  framework: 128,
  first_finding: 256,
  findings: 256,
};
const USUAL_PX = 104;
/** Where there is room, names are whole; on a phone the step time is seen beside them. */
const WIDE_PX = 1700;
const WIDE_RUN_PX = 400;
const NARROW_PX = 600;
const NARROW_RUN_PX = 192;
const ROW_PX = 24;
/** What explains the number of a change. */
const VERDICT_OF: { readonly [Name in RunColumn]?: RunColumn } = {
  change_share: "change_verdict",
  baseline_change_share: "baseline_verdict",
};
const VERDICTS: Readonly<Record<string, string>> = {
  slower: "slower, beyond noise",
  faster: "faster, beyond noise",
  noise: "no change beyond noise",
  unknown: "not known whether more than noise: one step does not show how much steps vary",
};
const HINT = "Search names and findings: input_bound step>100ms";

export interface RunActs {
  /** The run that is open, if any; the first of two that are compared; the one that all are compared with. */
  open: string;
  chosen: string;
  baseline: string;
  href: (run: string) => string;
  go: (run: string) => void;
  choose: (run: string) => void;
  pin: (run: string) => void;
}

interface Props {
  spec: TableSpec;
  data: TableData;
  /** Row numbers, filtered and sorted. */
  rows: readonly number[];
  state: TableState;
  setState: (state: TableState) => void;
  acts: RunActs;
  /** Receives the runs that are on the screen. */
  seen: (names: readonly string[]) => void;
}

function nameOf({ columns }: TableData, row: number): string {
  return String(columns.run?.[row] ?? "");
}

function isPlain(event: MouseEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
}

function RunCell({ name, acts }: { name: string; acts: RunActs }) {
  const isBaseline = name === acts.baseline;
  const isChosen = name === acts.chosen;
  return (
    <td>
      <span class="run-cell">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Compare ${name}`}
          title={acts.chosen && !isChosen ? `Compare with ${acts.chosen}` : "Compare with another run: choose two"}
          checked={isChosen}
          onClick={(event) => event.stopPropagation()}
          onChange={() => acts.choose(name)}
        />
        <button
          type="button"
          tabIndex={-1}
          class="pin"
          aria-pressed={isBaseline}
          aria-label={`Baseline ${name}`}
          title={isBaseline ? "The baseline: press to compare with none" : "Compare all runs with this one"}
          onClick={() => acts.pin(isBaseline ? "" : name)}
        >
          {isBaseline ? "◆" : "◇"}
        </button>
        <a
          href={acts.href(name)}
          target="_top"
          tabIndex={-1}
          aria-label={name}
          aria-current={name === acts.open ? "true" : undefined}
          onClick={(event) => {
            if (!isPlain(event)) return;
            event.preventDefault();
            acts.go(name);
          }}
        >
          <Name text={name} tail={SESSION} />
        </a>
      </span>
    </td>
  );
}

function ChangeCell({ column, value, verdict }: { column: Column; value: number; verdict: string }) {
  const why = VERDICTS[verdict] ?? "not compared yet";
  return (
    <td class={`number change ${verdict}`} title={`${exactCell(value, column)}\n${why}`}>
      {verdict === "noise" ? "≈ " : ""}
      {formatCell(value, column)}
      {verdict === "unknown" ? " ?" : ""}
    </td>
  );
}

function DataCell({ column, data, row, acts }: { column: Column; data: TableData; row: number; acts: RunActs }) {
  const value = data.columns[column.name]?.[row];
  const name = column.name as RunColumn;
  if (name === "run") return <RunCell name={nameOf(data, row)} acts={acts} />;
  const isRead = data.columns.failed?.[row] !== null;
  const failed = data.columns.failed?.[row] === true;
  if (name === "first_finding") {
    const text = isRead ? String(value ?? "").replaceAll("`", "") : "…";
    return (
      <td class={failed ? "words bad" : "words"} title={isRead ? text : "Not read yet"}>
        {failed ? `Cannot be read: ${text}` : text}
      </td>
    );
  }
  const verdict = VERDICT_OF[name];
  if (verdict && typeof value === "number")
    return <ChangeCell column={column} value={value} verdict={String(data.columns[verdict]?.[row] ?? "")} />;
  if (!isRead && (value === null || value === undefined)) return <td />;
  if (name === "captured_ms" && typeof value === "number") {
    return (
      <td class="number" title={new Date(value).toISOString()}>
        {formatTime(value)}
      </td>
    );
  }
  if (!isNumeric(column)) {
    const text = formatCell(value, column);
    return (
      <td class="words" title={text || column.help}>
        {text}
      </td>
    );
  }
  const share = column.unit === "share" && typeof value === "number" ? value : null;
  return (
    <td
      class={share === null ? "number" : "number share"}
      title={value === null ? `unknown\n${column.help}` : exactCell(value, column)}
    >
      {share !== null && <b style={{ width: `${100 * Math.min(1, Math.max(0, share))}%` }} />}
      {share === null ? formatCell(value, column) : <span>{formatCell(value, column)}</span>}
    </td>
  );
}

function widthOf({ name }: Column): number {
  if (name === "run" && window.innerWidth > WIDE_PX) return WIDE_RUN_PX;
  if (name === "run" && window.innerWidth < NARROW_PX) return NARROW_RUN_PX;
  return WIDTHS[name as RunColumn] ?? USUAL_PX;
}

/** The row that the keyboard is at, by its run; keys that move it, open its run, choose it, or pin it. */
function useKeyboard({ data, rows, acts }: Props, scrollTo: (index: number) => void) {
  const [at, setAt] = useState("");
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.target as Element).closest("input, button, a") || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ROW_STEPS.get(event.key);
    const index = rows.findIndex((row) => nameOf(data, row) === at);
    if (step !== undefined) {
      const to = Math.min(rows.length - 1, Math.max(0, index + step));
      if (rows[to] === undefined) return;
      setAt(nameOf(data, rows[to]));
      scrollTo(to);
    } else if (index >= 0 && event.key === "Enter") acts.go(at);
    else if (index >= 0 && event.key === " ") acts.choose(at);
    else if (index >= 0 && event.key === "b") acts.pin(at === acts.baseline ? "" : at);
    else return;
    event.preventDefault();
  };
  return { at, setAt, onKeyDown };
}

export function RunTable(props: Props) {
  const { spec, data, rows, state, setState, acts, seen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(scroller, rows.length, ROW_PX, ROW_PX);
  const { at, setAt, onKeyDown } = useKeyboard(props, (index) => virtual.scrollToIndex(index));
  const asked = useMemo(() => wanted(spec, state.columns ?? SHOW), [spec, state.columns?.join()]);
  // What no run has gives its room to others, once all are read: until then columns stay where they are.
  const isRead = !isEmpty(data.columns.failed) && !data.columns.failed!.includes(null);
  const columns = asked.filter(
    ({ name }) => (name !== "baseline_change_share" || acts.baseline) && !(isRead && isEmpty(data.columns[name])),
  );
  const items = virtual.getVirtualItems();
  const names = items.map(({ index }) => nameOf(data, rows[index] ?? -1));
  const shown = names.join("\n");
  useEffect(() => seen(names), [shown]);
  const wide = columns.some(({ name }) => name === "first_finding") ? "first_finding" : "run";
  const setSort = (sort: TableState["sort"]): void => setState({ ...state, sort });
  return (
    <div class="data-table run-table">
      <TableBar
        {...{ title: spec.title, spec, state, setState, hint: HINT }}
        empty={[]}
        shown={rows.length}
        total={rowCount(data)}
      >
        <ColumnPicker {...{ spec, data, show: SHOW.filter((name) => !isEmpty(data.columns[name])), state, setState }} />
        <CopyButton
          text={() => toTsv(data, spec.columns, rows)}
          label="Copy"
          title="Copy the rows that are shown, as TSV with exact values"
        />
        <Links csv={runRowsUrl(acts.baseline, "csv")} json={runRowsUrl(acts.baseline, "json")} />
      </TableBar>
      <div
        class="table-scroll"
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={spec.title}
        aria-activedescendant={at && names.includes(at) ? `run-${names.indexOf(at)}` : undefined}
        onKeyDown={onKeyDown}
      >
        <table
          style={{ minWidth: `${columns.reduce((sum, column) => sum + widthOf(column), 0)}px` }}
          aria-rowcount={rows.length + 1}
        >
          <caption class="offscreen">{spec.help}</caption>
          <colgroup>
            {columns.map((column) => (
              <col key={column.name} style={column.name === wide ? {} : { width: `${widthOf(column)}px` }} />
            ))}
          </colgroup>
          <Head columns={columns} sort={state.sort} setSort={setSort} />
          <tbody>
            <Gap px={items[0]?.start ?? 0} />
            {items.map(({ index }, i) => {
              const row = rows[index]!;
              const name = names[i]!;
              return (
                <tr
                  key={name}
                  id={`run-${i}`}
                  aria-rowindex={index + 2}
                  aria-selected={name === at || name === acts.chosen}
                  class={name === acts.baseline ? "baseline" : undefined}
                  onClick={() => setAt(name)}
                  onDblClick={(event) => {
                    if (!(event.target as Element).closest("input, button, a")) acts.go(name);
                  }}
                >
                  {columns.map((column) => (
                    <DataCell key={column.name} {...{ column, data, row, acts }} />
                  ))}
                </tr>
              );
            })}
            <Gap px={virtual.getTotalSize() - (items[items.length - 1]?.end ?? 0)} />
          </tbody>
        </table>
      </div>
    </div>
  );
}
