// What a query gave: its rows as a table, as bars, as files; or why there are none.
import { useMemo } from "preact/hooks";
import type { ApiError } from "../api";
import { type PageProps, setParams } from "../page";
import { counted, grouped } from "../units";
import { Bars } from "../views/bars";
import { Explain } from "../views/findings";
import { Boundary } from "../views/panel";
import { pickRows, rowCount } from "../views/rows";
import { Select } from "../views/select";
import { DataTable } from "../views/table";
import { tableState, withTableState } from "../views/table_state";
import type { Named, Rows } from "./api";
import { type Asked, barsOf, drawable, namedIn, rowsOf, type Table, tableOf, toJson, wayOf } from "./result";

/** DuckDB's words show the line and the place in it. */
export function Refused({ error, again }: { error: ApiError; again: () => void }) {
  const isOfQuery = error.kind === "bad_argument" || error.kind === "not_found";
  return (
    <section class="panel failure" role="alert">
      <h2>{isOfQuery ? "The query cannot be answered" : "No answer"}</h2>
      <pre class="sql-error">{error.message}</pre>
      {!isOfQuery && (
        <p>
          <button type="button" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </section>
  );
}

function saveJson(table: Table, rows: readonly number[]): void {
  const url = URL.createObjectURL(new Blob([toJson(table, rows)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: "result.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}

function LeftOut({ hosts }: { hosts: Rows["left_out"] }) {
  if (!hosts.length) return null;
  return (
    <details class="sql-left-out">
      <summary class="bad">
        {counted(hosts.length, "host")} left out:{" "}
        {hosts
          .map(({ host }) => host)
          .slice(0, 3)
          .join(", ")}
        {hosts.length > 3 && " …"}
      </summary>
      <ul>
        {hosts.map(({ host, why }) => (
          <li key={host}>
            <code>{host}</code>: {why}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The plan of a query is a drawing in letters. */
function Plan({ table: { data } }: { table: Table }) {
  const cells = Object.values(data.columns).at(-1) ?? [];
  return <pre class="sql-error">{cells.join("\n")}</pre>;
}

interface TableProps {
  page: PageProps;
  table: Table;
  asked: Asked;
}

function ResultTable({ page, table, asked }: TableProps) {
  const { selection, navigate } = page;
  const { spec, data } = table;
  const state = tableState(selection.params, "result");
  const setState = (next: typeof state): void =>
    navigate({ params: withTableState(selection.params, "result", next) }, "replace");
  const key = [data, state.filter, state.sort?.column, state.sort?.down];
  const rows = useMemo(() => pickRows(data, spec.columns, state.filter, state.sort), key);
  const bars = drawable(table);
  const chosen = bars.find(({ name }) => name === selection.params["bars_of"]);
  const open = (row: number): void => {
    const way = wayOf(data, row, asked);
    if (way) navigate(way);
  };
  const can = (row: number): boolean => wayOf(data, row, asked) !== null;
  const starts = spec.columns.filter(({ name }) => /^start_[pnum]?s$/.test(name)).map(({ name }) => name);
  const more = (
    <>
      {bars.length > 0 && (
        <Select
          name="Bars"
          help="Draw the first text of each row with a bar for one of its numbers"
          value={chosen?.name ?? ""}
          offers={[["", "none"], ...bars.map(({ name }) => [name, name] as const)]}
          choose={(name) => setParams(page, { bars_of: name })}
        />
      )}
      <button
        type="button"
        class="link"
        title="Download the rows that are shown, with exact values, as a list of objects"
        onClick={() => saveJson(table, rows)}
      >
        JSON of shown
      </button>
    </>
  );
  return (
    <Explain.Provider value={null}>
      {chosen && <Bars view={barsOf(table, chosen)} spec={spec} data={rowsOf(data, rows)} />}
      <DataTable
        {...{ title: spec.title, spec, data, state, setState, open, can, more }}
        csv=""
        json=""
        what="Show in trace ▸"
        cells={can(0) ? { columns: starts, what: "Show it in the trace", open } : undefined}
      />
    </Explain.Provider>
  );
}

export interface Result {
  rows: Rows;
  query: string;
  asked: Asked;
  seconds: number;
}

interface Props {
  page: PageProps;
  result: Result;
  tables: readonly Named[];
}

export function Shown({ page, result: { rows, query, asked, seconds }, tables }: Props) {
  const table = useMemo(() => tableOf(rows, namedIn(query, tables)), [rows, tables]);
  const count = rowCount(table.data);
  const isPlan = rows.columns.some(({ name }) => name === "explain_value");
  return (
    <Boundary what="The result">
      <section class="panel sql-result" aria-label="Result">
        <p class="sql-outcome">
          <span role="status" data-rows={count}>
            {rows.is_cut
              ? `${grouped(count)} rows are shown, there are more: ask for fewer, or for their sums.`
              : count
                ? counted(count, "row")
                : `No row. The columns are ${rows.columns.map(({ name }) => name).join(", ")}.`}
          </span>{" "}
          <span class="soft">{seconds.toFixed(seconds < 10 ? 2 : 0)} s</span>
        </p>
        <LeftOut hosts={rows.left_out} />
        {isPlan && <Plan table={table} />}
        {count > 0 && !isPlan && <ResultTable {...{ page, table, asked }} />}
      </section>
    </Boundary>
  );
}
