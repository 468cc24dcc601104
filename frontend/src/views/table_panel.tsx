// A table of an answer as a panel of its page.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { PageProps } from "../page";
import type { Answer, ColumnName, FullNames, TableData, TableName, TableSpec } from "../types";
import { telling } from "./columns";
import { addresses, wholeOf } from "./limited";
import { eventsInTrace } from "./links";
import { Boundary, Panel } from "./panel";
import { waysOf } from "./proof";
import { rowCount, type Sort } from "./rows";
import { type Act, DataTable } from "./table";
import type { CellsLead } from "./table_parts";
import { useTableState } from "./table_state";
import { TreeTable } from "./tree";

interface Props {
  answer: Answer;
  page: PageProps;
  table: TableName;
  /** Where it is not what the table is called. */
  title?: string;
  show: readonly ColumnName[];
  /** Columns of nothing but zeros are shown, too: the page has chosen. */
  keepZeros?: boolean;
  /** Of many rows of which few matter: these come first, the rest is a scroll away. */
  sort?: Sort | null;
  /** Beside the buttons. */
  more?: ComponentChildren;
  /** As of `DataTable`. */
  full?: FullNames;
  what?: string;
  open?: (row: number, data: TableData) => void;
  can?: (row: number, data: TableData) => boolean;
  also?: readonly RowAct[];
  /** The way into the trace, where the table itself has none that is exact. */
  find?: RowAct;
  /** Ways from cells, where the table itself has none. */
  cells?: CellsLead;
  /** As of `DataTable`. */
  room?: number;
  lines?: number;
  /** The column with names, of rows that lie in each other. */
  tree?: string;
  /** Above the table. */
  above?: ComponentChildren;
  class?: string;
}

/** As of `DataTable`, of a row and its table. */
export interface RowAct {
  what: string;
  can?: (row: number, data: TableData) => boolean;
  open: (row: number, data: TableData) => void;
}

function actOf({ what, can, open }: RowAct, data: TableData): Act {
  return { what, can: (row) => can?.(row, data) ?? true, open: (row) => open(row, data) };
}

/** `Top 10 device ops` of one row → `Device op`. */
function titleFor(title: string, count: number): string {
  const [, ten, rest = title] = /^(Top 10 )?(.+)$/.exec(title) ?? [];
  const whole = ten && count < 10 ? rest.charAt(0).toUpperCase() + rest.slice(1) : title;
  return count === 1 && !whole.includes(" and ") ? whole.replace(/s$/, "") : whole;
}

/** What was chosen above is still there to be changed. */
function NoRows({ title, above }: { title: string; above: ComponentChildren }) {
  return (
    <Panel title={title} bare>
      {above}
      <p class="soft">{title}: nothing in this capture matches the selection above.</p>
    </Panel>
  );
}

function TablePanel({
  answer,
  page,
  table,
  title: called,
  show: names,
  keepZeros = false,
  sort = null,
  more,
  full,
  what,
  open,
  can,
  also = [],
  find: into,
  cells,
  room,
  lines,
  tree,
  above,
  ...look
}: Props) {
  const spec: TableSpec | undefined = page.tool.tables.find((t) => t.name === table);
  const data = answer.tables[table];
  const { state, setState } = useTableState(page.selection, page.navigate, table);
  const isWhole = keepZeros || !spec || !data;
  const show = useMemo(() => (isWhole ? names : telling(spec, data, names)), [isWhole, spec, data, names.join()]);
  if (!spec || !data || !rowCount(data))
    return above ? <NoRows title={called ?? spec?.title ?? table} above={above} /> : null;
  const title = titleFor(called ?? spec.title, rowCount(data));
  const find = (name: string): void => page.navigate(eventsInTrace(name));
  const ways = waysOf(page, spec, data);
  const trace = ways?.act ?? (into && actOf(into, data));
  const tableAct = open && actOf({ what: what ?? "", open, ...(can ? { can } : {}) }, data);
  const main = tableAct ?? trace ?? {};
  const others = tableAct && trace ? [trace] : [];
  const shared = {
    ...{ title, spec, data, show, setState, more, room, lines },
    ...addresses(page, table),
    also: [...others, ...also.map((act) => actOf(act, data))],
    ...main,
    cells: cells ?? ways?.cells,
    whole: wholeOf(spec, answer, page),
    state: { ...state, sort: state.sort ?? sort },
  };
  return (
    <Panel title={title} bare class={look.class ?? (sort ? "short" : "")}>
      {above}
      {tree ? (
        <TreeTable {...shared} label={tree} />
      ) : (
        <DataTable {...shared} {...(full ? { full } : {})} find={find} />
      )}
    </Panel>
  );
}

export function TablePart(props: Props) {
  return (
    <Boundary what={props.table}>
      <TablePanel {...props} />
    </Boundary>
  );
}
