// A table of an answer as a panel of its page.
import type { ComponentChildren } from "preact";
import type { PageProps } from "../page";
import type { Answer, TableSpec } from "../types";
import { Boundary } from "./boundary";
import { searchInTrace } from "./links";
import { given } from "./options";
import { Panel } from "./panel";
import { rowCount, type Sort } from "./rows";
import { DataTable } from "./table";
import { useTableState } from "./table_state";

interface Props {
  answer: Answer;
  page: PageProps;
  table: string;
  show: readonly string[];
  /** Of many rows of which few matter: these come first, the rest is a scroll away. */
  sort?: Sort | null;
  /** Beside the buttons. */
  more?: ComponentChildren;
  class?: string;
}

/** `Top 10 device ops` of one row → `Device op`. */
function titleFor(title: string, count: number): string {
  const [, ten, rest = title] = /^(Top 10 )?(.+)$/.exec(title) ?? [];
  const whole = ten && count < 10 ? rest.charAt(0).toUpperCase() + rest.slice(1) : title;
  return count === 1 ? whole.replace(/s$/, "") : whole;
}

function TablePanel({ answer, page, table, show, sort = null, more, ...look }: Props) {
  const spec: TableSpec | undefined = page.tool.tables.find((t) => t.name === table);
  const data = answer.tables[table];
  const { state, setState } = useTableState(page.selection, page.navigate, table);
  if (!spec || !data || !rowCount(data)) return null;
  const title = titleFor(spec.title, rowCount(data));
  return (
    <Panel title={title} bare class={`shrinks ${look.class ?? (sort ? "short" : "")}`}>
      <DataTable
        title={title}
        spec={spec}
        data={data}
        show={show}
        csv={page.api.url({ ...given(page), format: "csv", table })}
        json={page.api.url(given(page))}
        find={(name) => page.navigate(searchInTrace(name))}
        setState={setState}
        state={{ ...state, sort: state.sort ?? sort }}
        more={more}
      />
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
