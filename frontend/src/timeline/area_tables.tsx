// The tables of an area: by name, by category, its gaps, its stacks from without and from within.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageProps } from "../page";
import type { Answer, ColumnName, TableData, TableName, TableSpec } from "../types";
import { grouped } from "../units";
import { titleOf } from "../views/category";
import { rangeOf } from "../views/chosen";
import { FlameGraph, type FlameState } from "../views/flame_view";
import { pickRows, rowCount } from "../views/rows";
import { DataTable } from "../views/table";
import type { TableState } from "../views/table_parts";
import { TreeTable } from "../views/tree";
import { areaOptions, readableGaps, rowsOfAll, withCategoryTitles } from "./area";
import type { Board } from "./board";
import type { Ways } from "./slice_panel";
import { sameName } from "./find";
import { around } from "./scale";
import type { Area, Highlight, Mark } from "./scene";
import { gapsOf } from "./proof";
import { keyOf } from "./tracks";

export interface AreaProps {
  page: PageProps;
  board: Board;
  answer: Answer;
  area: Area;
  ways: Ways;
  /** Searches for all events of a name. */
  find: (name: string) => void;
}

const PLAIN: TableState = { filter: "", sort: null, columns: null, rows: "", open: "" };
/** How much of the screen a gap takes that was gone to. */
const GAP_SHARE = 0.5;

/** Row numbers that are chosen in a table, as it is sorted and filtered. */
function chosenRows(spec: TableSpec, data: TableData, { filter, sort, rows }: TableState): number[] {
  if (!rows) return [];
  const shown = pickRows(data, spec.columns, filter, sort);
  const range = rangeOf(rows, data, shown);
  return range ? shown.slice(Math.min(range.from, range.to), Math.max(range.from, range.to) + 1) : [];
}

function useTable(props: AreaProps, name: TableName) {
  const { page, board, answer, area } = props;
  const [state, setState] = useState(PLAIN);
  const spec = page.tool.tables.find((table) => table.name === name);
  const data = answer.tables[name];
  const options = areaOptions(area);
  const all = rowsOfAll(answer, name);
  const count = data ? rowCount(data) : 0;
  return {
    ...{ spec, data, state, setState, count },
    csv: board.url({ ...options, format: "csv", table: name }),
    json: board.url(options),
    more:
      all !== null && all > count ? (
        <span class="soft">
          the largest {grouped(count)} of {grouped(all)}
        </span>
      ) : null,
  };
}

function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="soft trace-hint">{children}</p>;
}

/** The names of chosen rows stay bright, the rest is dimmed. */
function useBright(board: Board, names: readonly string[]): void {
  const key = names.join("\n");
  useEffect(() => {
    if (!names.length) return undefined;
    const before = board.highlight;
    const bright: Highlight = { matches: (name) => names.some((one) => sameName(one, name)) };
    board.highlight = bright;
    board.changed();
    return () => {
      if (board.highlight !== bright) return;
      board.highlight = before;
      board.changed();
    };
  }, [board, key]);
}

export function ByName(props: AreaProps) {
  const { spec, data, ...table } = useTable(props, "area_names");
  const { board, ways, find } = props;
  const names = data?.columns["name"] ?? [];
  const chosen = spec && data ? chosenRows(spec, data, table.state).map((row) => String(names[row])) : [];
  useBright(board, chosen);
  const titled = useMemo(() => data && withCategoryTitles(data, (key) => titleOf(key) ?? ""), [data]);
  if (!spec || !titled || !table.count) return <Nothing>Nothing ran here.</Nothing>;
  const at = (name: ColumnName, row: number) => titled.columns[name]?.[row];
  return (
    <DataTable
      {...{ ...table, spec, data: titled, title: "By name" }}
      show={["name", "category", "count", "total_ps", "self_ps", "share", "max_ps"]}
      what="Go to longest ▸"
      open={(row) => ways.open({ host: String(at("host", row)), row: Number(at("row", row)) })}
      also={[{ what: "Find all ▸", can: () => true, open: (row) => find(String(at("name", row))) }]}
    />
  );
}

export function ByCategory(props: AreaProps) {
  const { spec, data, ...table } = useTable(props, "area_categories");
  const titled = useMemo(() => data && withCategoryTitles(data, (key) => titleOf(key) ?? "unknown category"), [data]);
  if (!spec || !titled || !table.count) return <Nothing>Nothing ran here.</Nothing>;
  return <DataTable {...{ ...table, spec, data: titled, title: "By category" }} />;
}

/** The gaps that are listed, as the table is filtered, are outlined on their tracks. */
function useOutlined(
  board: Board,
  named: { spec: TableSpec; data: TableData } | null | undefined,
  data: TableData | undefined,
  filter: string,
): void {
  useEffect(() => {
    if (!named || !data) return undefined;
    board.gaps = gapsOf(data, pickRows(named.data, named.spec.columns, filter, null));
    board.changed();
    return () => {
      board.gaps = [];
      board.changed();
    };
  }, [board, named, data, filter]);
}

export function Gaps(props: AreaProps) {
  const { spec, data, ...table } = useTable(props, "area_gaps");
  const { board, ways } = props;
  /** The mark of the gap that was gone to: the next takes its place, others stay. */
  const shown = useRef<Mark | null>(null);
  const named = useMemo(
    () => spec && data && readableGaps(spec, data, board.origin, (host, row) => board.track(keyOf(host, row))),
    [spec, data, board],
  );
  useOutlined(board, named, data, table.state.filter);
  if (!named || !table.count) return <Nothing>No idle gaps here, or no stream among the tracks.</Nothing>;
  const at = (name: ColumnName, row: number) => data!.columns[name]?.[row];
  const zoom = (row: number): void => {
    const start = Number(at("start_ps", row));
    const end = start + Number(at("duration_ps", row));
    const track = board.track(keyOf(String(at("host", row)), Number(at("track", row))));
    const mark = { start, end, tracks: track ? [track] : [] };
    board.marks = [...board.marks.filter((one) => one !== shown.current), mark];
    shown.current = mark;
    if (track) board.reveal(track, 0);
    board.look(around(start, end, GAP_SHARE, board.span));
  };
  const setState = (next: TableState): void => {
    table.setState(next);
    const rows = next.rows !== table.state.rows ? chosenRows(named.spec, named.data, next) : [];
    if (rows.length === 1) zoom(rows[0]!);
  };
  return (
    <DataTable
      {...{ ...table, ...named, setState, title: "Idle gaps" }}
      show={["track", "start_ps", "duration_ps", "cause", "why"]}
      what="Zoom to gap"
      open={zoom}
      also={[
        {
          what: "Go to cause ▸",
          can: (row) => Number(at("host_row", row) ?? -1) >= 0,
          open: (row) => ways.open({ host: String(at("host", row)), row: Number(at("host_row", row)) }),
        },
      ]}
    />
  );
}

export function Flame(props: AreaProps) {
  const { spec, data, ...table } = useTable(props, "area_flame");
  const [state, setState] = useState<FlameState>({ at: null, find: "" });
  if (!spec || !data || !table.count) return <Nothing>Nothing ran here.</Nothing>;
  const { csv, json } = table;
  return (
    <FlameGraph
      {...{ spec, data, csv, json, state, setState }}
      title="Flame graph"
      value="total_ps"
      self="self_ps"
      most={10_000}
    />
  );
}

export function BottomUp(props: AreaProps) {
  const { spec, data, ...table } = useTable(props, "area_bottom_up");
  if (!spec || !data || !table.count) return <Nothing>Nothing ran here.</Nothing>;
  return (
    <TreeTable
      {...{ ...table, spec, data, title: "Bottom-up: names by self time, with their callers" }}
      state={{ ...table.state, sort: table.state.sort ?? { column: "self_ps", down: true } }}
      label="name"
      show={["self_ps", "total_ps", "count"]}
      what="Find all ▸"
      open={(row) => props.find(String(data.columns["name"]?.[row]))}
    />
  );
}
