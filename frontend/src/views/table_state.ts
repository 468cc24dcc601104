// What a person has set in a table ↔ params of the address: `ops.filter`, `ops.sort=-self_us`, `ops.columns=name,self_us`.
import { store, stored } from "../stored";
import type { Navigate, PageProps, Selection } from "../page";
import type { TableState } from "./table_parts";
import type { TableName } from "../types";

export function tableState(params: Selection["params"], table: string): TableState {
  const sort = params[`${table}.sort`];
  return {
    filter: params[`${table}.filter`] ?? "",
    columns: params[`${table}.columns`]?.split(",") ?? null,
    sort: sort ? { column: sort.replace(/^-/, ""), down: sort.startsWith("-") } : null,
    rows: params[`${table}.rows`] ?? "",
    open: params[`${table}.open`] ?? "",
  };
}

function sortText({ sort }: TableState): string {
  return sort ? `${sort.down ? "-" : ""}${sort.column}` : "";
}

/** Params with the table's state in them; what is not set is left out. Other rows, or another order, begin with none chosen. */
export function withTableState(params: Selection["params"], table: string, state: TableState): Selection["params"] {
  const { filter, columns, rows, open } = state;
  const old = tableState(params, table);
  const [sort, isSame] = [sortText(state), filter === old.filter && sortText(state) === sortText(old)];
  const texts = { filter, sort, columns: columns?.join() ?? "", rows: isSame ? rows : "", open };
  const rest = { ...params };
  for (const [what, text] of Object.entries(texts)) {
    if (text) rest[`${table}.${what}`] = text;
    else delete rest[`${table}.${what}`];
  }
  return rest;
}

/** Filters a table, or ends that where it is filtered so, and shows it; `shown`: the page's word for it. */
export function toggleFilter({ selection, navigate }: PageProps, table: TableName, filter: string, shown = ""): void {
  const state = tableState(selection.params, table);
  const next = withTableState(selection.params, table, { ...state, filter: state.filter === filter ? "" : filter });
  navigate({ params: { ...next, table: shown } }, "replace");
}

/** Both directions at once, for a page. Columns that were chosen are the person's from then on, until they are reset. */
export function useTableState({ tool, params }: Selection, navigate: Navigate, table: string) {
  const key = `columns:${tool}.${table}`;
  const given = tableState(params, table);
  const own = stored(key);
  const state = { ...given, columns: given.columns ?? (own ? own.split(",") : null) };
  return {
    state,
    setState: (next: TableState) => {
      if (next.columns?.join() !== state.columns?.join()) store(key, next.columns?.join() ?? "");
      navigate({ params: withTableState(params, table, next) }, "replace");
    },
  };
}
