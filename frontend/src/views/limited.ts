// Tables that are the largest rows of longer ones: how long those are, and where all rows are.
import { type PageProps, setParams } from "../page";
import type { Answer, TableData, TableSpec } from "../types";
import { grouped } from "../units";
import { given } from "./options";
import type { Whole } from "./table_parts";

/** What a browser holds and sorts without trouble. */
const MOST = 200_000;

/** What a drawing of a table gets. */
export interface OfTable {
  title: string;
  spec: TableSpec;
  data: TableData;
  /** Addresses of the same numbers; empty where no address gives them. */
  csv: string;
  json: string;
}

/** Addresses of all rows of a table, and of the whole answer. */
export function addresses(page: Pick<PageProps, "tool" | "selection" | "api">, table: string) {
  const isLimited = page.tool.options.some(({ name }) => name === "limit");
  const options = isLimited ? { ...given(page), limit: "0" } : given(page);
  return { csv: page.api.url({ ...options, format: "csv", table }), json: page.api.url(options) };
}

/** How many rows there are, where the tool reports it. */
export function wholeOf({ name, count }: TableSpec, { summary }: Answer, page: PageProps): Whole | undefined {
  const rows = summary[count || `${name}_rows`];
  if (typeof rows !== "number") return undefined;
  const limit = rows <= MOST ? "0" : String(MOST);
  return {
    count: rows,
    words: rows <= MOST ? "Show all" : `Show ${grouped(MOST)}`,
    more: () => setParams(page, { limit }),
  };
}
