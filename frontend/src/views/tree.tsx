// A table whose rows lie in each other: opened and closed, sorted among equals, searched with all that a row lies in.
import { useMemo, useRef } from "preact/hooks";
import type { Keys } from "../page";
import type { Column, TableData } from "../types";
import { formatCell, isNumeric } from "../units";
import { ColumnPicker } from "./column_picker";
import { isEmpty, measure, sparse, wanted } from "./columns";
import { CopyButton, copyText } from "./copy_button";
import { Name } from "./name";
import { hasInside } from "./nested";
import { rowCount, toTsv } from "./rows";
import { Acts, Gap, Links, type TableProps } from "./table";
import { Cells, type CellsLead, ColumnWidths, Head, leastWidth, TableBar } from "./table_parts";
import { keyOf, type TreeView, useTree } from "./use_tree";
import { useVirtualRows } from "./virtual";

interface Props extends Omit<TableProps, "find" | "full"> {
  /** The column with a row's own name. */
  label: string;
}

/** For the help of a page that has a tree. */
export const KEYS: Keys = [
  ["→ ←", "in a tree: expand and go in, collapse and go out", "[role=treegrid]"],
  ["*", "in a tree: expand all", "[role=treegrid]"],
];

const ROW_PX = 24;
const INDENT_PX = 16;
/** What a column of names needs for rows that lie deeper. */
const DEEPER_PX = 80;
/** Bars of what lies in each other are compared; on a small screen names need the room. */
const SHARE_PX = 240;
const SHARE_OF_SCREEN = 0.16;
/** Shown by how rows are indented. */
const STRUCTURE = ["parent", "depth"];

/** The names' column first. */
function useColumns({ spec, data, label, show = [], state: { columns: chosen } }: Props) {
  const names = chosen ?? show;
  return useMemo(() => {
    const asked = wanted(spec, names).filter(({ name }) => name !== label && !STRUCTURE.includes(name));
    const name = spec.columns.find((column) => column.name === label)!;
    const columns = [name, ...asked.filter((column) => !isEmpty(data.columns[column.name]))];
    const widths = measure(columns, data);
    widths[0]!.px += DEEPER_PX;
    const shares = widths.filter(({ column }) => column.unit === "share");
    const bar = Math.min(SHARE_PX, SHARE_OF_SCREEN * window.innerWidth) / shares.length;
    for (const width of shares) width.px = Math.max(width.px, bar);
    return {
      columns,
      widths,
      quiet: sparse(columns, data),
      empty: asked.filter((column) => !columns.includes(column)),
    };
  }, [spec, data, label, names.join()]);
}

interface NameCellProps {
  view: TreeView;
  place: number;
  text: string;
}

function NameCell({ view, place, text }: NameCellProps) {
  const isOpen = view.isOpen(place);
  const inside = hasInside(view.tree, place);
  return (
    <td class="text tree-name" style={{ "--indent": `${INDENT_PX * view.tree.depths[place]!}px` }}>
      <span>
        <button
          type="button"
          tabIndex={-1}
          class="turn"
          hidden={!inside}
          aria-label={isOpen ? "Collapse" : "Expand"}
          onClick={() => view.turn(place, !isOpen)}
        >
          {isOpen ? "▾" : "▸"}
        </button>
        <Name text={text} />
      </span>
    </td>
  );
}

interface BodyProps {
  view: TreeView;
  columns: readonly Column[];
  quiet: ReadonlySet<string>;
  data: TableData;
  id: (row: number) => string;
  virtual: ReturnType<typeof useVirtualRows>;
  open: ((row: number) => void) | undefined;
  cells: CellsLead | undefined;
}

function Body({ view, columns, quiet, data, id, virtual, open, cells }: BodyProps) {
  const { tree, places, cursor, setCursor } = view;
  const items = virtual.getVirtualItems();
  const [name, ...others] = columns;
  return (
    <tbody>
      <Gap px={items[0]?.start ?? 0} />
      {items.map(({ index }) => {
        const place = places[index]!;
        const row = tree.rows[place]!;
        return (
          <tr
            key={row}
            id={id(row)}
            aria-rowindex={index + 2}
            aria-level={tree.depths[place]! + 1}
            aria-expanded={hasInside(tree, place) ? view.isOpen(place) : undefined}
            aria-selected={row === cursor}
            onClick={() => setCursor(place)}
            onDblClick={() => open?.(row)}
          >
            <NameCell view={view} place={place} text={formatCell(data.columns[name!.name]?.[row], name!)} />
            <Cells columns={others} data={data} row={row} quiet={quiet} lead={row === cursor ? cells : undefined} />
          </tr>
        );
      })}
      <Gap px={virtual.getTotalSize() - (items[items.length - 1]?.end ?? 0)} />
    </tbody>
  );
}

export function TreeTable(props: Props) {
  const {
    title,
    spec,
    data,
    label,
    show = [],
    csv,
    json,
    state,
    setState,
    open,
    what,
    more,
    whole,
    also = [],
    cells,
  } = props;
  const { columns, widths, quiet, empty } = useColumns(props);
  // A path would be found again at everything that lies in it.
  const searched = useMemo(() => spec.columns.filter((c) => isNumeric(c) || c.name === label), [spec, label]);
  const view = useTree(data, searched, state, setState);
  const { cursor } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(scroller, view.places.length, ROW_PX, ROW_PX);
  const id = (row: number): string => `${spec.name}-${row}`;
  const tsv = (): string =>
    toTsv(
      data,
      spec.columns,
      view.places.map((place) => view.tree.rows[place]!),
    );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const withMeta = event.ctrlKey || event.metaKey || event.altKey;
    if (withMeta && event.key === "c" && cursor !== null && !String(getSelection()))
      void copyText(toTsv(data, spec.columns, [cursor]));
    if (withMeta) return;
    const act = keyOf(event.key, view, (index) => virtual.scrollToIndex(index));
    if (act) event.preventDefault();
    if (event.key === "Enter" && cursor !== null) open?.(cursor);
    else act?.();
  };
  const total = rowCount(data);
  return (
    <div class="data-table">
      <TableBar {...{ title, spec, empty, state, setState, whole }} shown={view.hits?.count ?? total} total={total}>
        {more}
        {cursor !== null && open && (
          <button type="button" onClick={() => open(cursor)}>
            {what}
          </button>
        )}
        {cursor !== null && <Acts acts={also} row={cursor} />}
        <button type="button" title="Expand all rows (*)" onClick={() => view.turnAll(true)}>
          Expand all
        </button>
        <button type="button" title="Collapse all rows" onClick={() => view.turnAll(false)}>
          Collapse all
        </button>
        <ColumnPicker {...{ spec, data, show, state, setState }} hidden={STRUCTURE} />
        <CopyButton text={tsv} label="Copy" title="Copy the visible rows as TSV with exact values" />
        <Links csv={csv} json={json} />
      </TableBar>
      <div class="table-scroll" ref={scroller}>
        <table
          role="treegrid"
          tabIndex={0}
          aria-label={title}
          aria-rowcount={view.places.length + 1}
          aria-activedescendant={cursor === null ? undefined : id(cursor)}
          style={{ minWidth: `${leastWidth(widths)}px` }}
          onKeyDown={onKeyDown}
        >
          <caption class="offscreen">{spec.help}</caption>
          <ColumnWidths widths={widths} />
          <Head columns={columns} sort={state.sort} setSort={(sort) => setState({ ...state, sort })} />
          <Body {...{ view, columns, quiet, data, id, virtual, open, cells }} />
        </table>
      </div>
    </div>
  );
}
