// A table's filter and sort order ↔ params of the address: `ops.filter`, `ops.sort=-self_us`, `ops.columns=name,self_us`.
import type { Navigate, Selection } from "../page";
import type { TableState } from "./table_parts";

export function tableState(params: Selection["params"], table: string): TableState {
  const sort = params[`${table}.sort`];
  return {
    filter: params[`${table}.filter`] ?? "",
    columns: params[`${table}.columns`]?.split(",") ?? null,
    sort: sort ? { column: sort.replace(/^-/, ""), down: sort.startsWith("-") } : null,
  };
}

/** Params with the table's state in them; what is not set is left out. */
export function withTableState(
  params: Selection["params"],
  table: string,
  { filter, sort, columns }: TableState,
): Selection["params"] {
  const rest = { ...params };
  for (const what of ["filter", "sort", "columns"]) delete rest[`${table}.${what}`];
  if (filter) rest[`${table}.filter`] = filter;
  if (sort) rest[`${table}.sort`] = `${sort.down ? "-" : ""}${sort.column}`;
  if (columns) rest[`${table}.columns`] = columns.join();
  return rest;
}

/** Both directions at once, for a page. */
export function useTableState(selection: Selection, navigate: Navigate, table: string) {
  return {
    state: tableState(selection.params, table),
    setState: (state: TableState) => navigate({ params: withTableState(selection.params, table, state) }, "replace"),
  };
}
