// What stays at the left: names of hosts, groups and tracks, those on the screen only; at the right the scroll bar.
import { useRef, useState } from "preact/hooks";
import { counted, formatNumber } from "../units";
import { Name } from "../views/name";
import type { Board } from "./board";
import { useFollow, useFrame } from "./follow";
import { LabelDrag, onLabelKey } from "./label_input";
import { RULER } from "./scene";
import { type MenuPlace, TrackMenu } from "./track_menu";
import { LANE, type Row, rowsBetween } from "./tracks";

/** Labels are made for so many pixels more than are seen, and again after so many are scrolled. */
const BLOCK = 400;

/** `tf_Compute/6145571259445704722` → `tf_Compute` and `…4722`: the pool says more than the number, which is a hash. */
const THREAD_ID = /^(.+)\/-?(\d+)$/;
const ID_DIGITS = 4;

function TrackName({ name, title }: { name: string; title: string }) {
  const [, pool, id] = THREAD_ID.exec(name) ?? [];
  if (!pool || !id) return <Name text={name} title={title} />;
  return (
    <>
      <Name text={pool} title={title} />
      <span class="soft trace-id" title={title}>
        {id.length > ID_DIGITS + 1 ? `…${id.slice(-ID_DIGITS)}` : id}
      </span>
    </>
  );
}

function Header({ row }: { row: Row }) {
  const { group, host, open, shown } = row;
  // Events are counted of the whole group.
  const isWhole = !group || shown === group.tracks.length;
  const process = group && group.process !== group.name ? group.process : "";
  return (
    <>
      <span aria-hidden="true">{open ? "▾" : "▸"}</span> <Name text={group?.name ?? host} />
      {process && <span class="soft trace-process">{process}</span>}
      <span class="soft">
        {isWhole ? counted(shown, "track") : `${shown} of ${counted(group.tracks.length, "track")}`}
        {isWhole && group && `, ${counted(group.events, "event")}`}
      </span>
    </>
  );
}

function TrackLabel({ row, hits }: { row: Row; hits: number }) {
  const { name, kind, events, host } = row.track!;
  const about = [row.pinned && `pinned, of ${host}`, row.lane < LANE && "compact: C for full height"].filter(Boolean);
  const title = [name, `${kind}, ${counted(events, "event")}`, ...about].join("\n");
  return (
    <span class="trace-label">
      {row.pinned && (
        <span class="trace-pin" role="img" aria-label="pinned">
          ▴
        </span>
      )}
      <TrackName name={name} title={title} />
      {hits > 0 && <mark title={counted(hits, "hit")}>{formatNumber(hits, "count")}</mark>}
    </span>
  );
}

interface RowProps {
  board: Board;
  row: Row;
  top: number;
  isFocus: boolean;
  drag: LabelDrag;
  menu: (place: MenuPlace) => void;
}

const LEVELS = { host: 1, group: 2, track: 3 } as const;

function Label({ board, row, top, isFocus, drag, menu }: RowProps) {
  const isHeader = row.level !== "track";
  const openMenu = (x: number, y: number): void => menu({ row, x, y });
  return (
    <div
      role="treeitem"
      class={`trace-row ${row.level}${drag.key === row.key ? " dragged" : ""}${drag.before === row.key ? " drop" : ""}`}
      style={{ top: `${top}px`, height: `${row.height}px` }}
      data-key={row.key}
      tabIndex={isFocus ? 0 : -1}
      aria-level={LEVELS[row.level]}
      aria-expanded={isHeader ? row.open : undefined}
      onClick={() => isHeader && !drag.wasMoved && board.toggle(row.key)}
      onContextMenu={(event) => {
        event.preventDefault();
        openMenu(event.clientX, event.clientY);
      }}
      onPointerDown={(event) => drag.down(event, row)}
    >
      {isHeader ? <Header row={row} /> : <TrackLabel row={row} hits={board.hits.get(row.key) ?? 0} />}
      <button
        type="button"
        class="trace-more"
        tabIndex={-1}
        aria-label="Menu of the track"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          openMenu(left, bottom);
        }}
      >
        ⋮
      </button>
    </div>
  );
}

/** Rows whose labels there are now, and where their page begins. */
function window(board: Board): { base: number; rows: Row[] } {
  const base = Math.max(0, Math.floor(board.scroll / BLOCK) * BLOCK - BLOCK);
  return { base, rows: rowsBetween(board.layout, base, base + board.room + 3 * BLOCK) };
}

export function Labels({ board }: { board: Board }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState("");
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [, again] = useState(0);
  const [drag] = useState(() => new LabelDrag(board, () => again((n) => n + 1)));
  const { base, rows } = window(board);
  const { layout } = board;
  useFollow(board, () => [window(board).base, board.layout, board.hits, board.room]);
  const scroll = (): void => {
    if (scroller.current) scroller.current.scrollTop = board.scroll - base;
  };
  useFrame(board, scroll);
  const all = [...layout.pinned, ...rows];
  const focused = all.some((row) => row.key === focus) ? focus : all[0]?.key;
  const row = (one: Row, top: number) => (
    <Label key={one.key} {...{ board, drag }} row={one} top={top} isFocus={one.key === focused} menu={setMenu} />
  );
  const tree = (
    <div
      class="trace-labels"
      role="tree"
      aria-label="Tracks"
      onKeyDown={(event) => onLabelKey(board, event, setFocus, setMenu)}
      onFocusIn={(event) =>
        setFocus((event.target as HTMLElement).closest<HTMLElement>("[data-key]")?.dataset["key"] ?? "")
      }
    >
      {layout.pinned.length > 0 && (
        <div class="trace-pinned" style={{ height: `${layout.pinnedHeight}px` }}>
          {layout.pinned.map((one) => row(one, one.top))}
        </div>
      )}
      <div class="trace-scrolled" role="group" ref={scroller} tabIndex={-1} style={{ top: `${layout.pinnedHeight}px` }}>
        <div style={{ height: `${board.room + 4 * BLOCK + LANE}px` }}>
          {rows.map((one) => row(one, one.top - base))}
        </div>
      </div>
    </div>
  );
  return (
    <>
      {tree}
      {menu && <TrackMenu board={board} place={menu} close={() => setMenu(null)} />}
    </>
  );
}

/** Browsers lay nothing out that is much higher. */
const BAR_MAX = 8e6;

export function ScrollBar({ board }: { board: Board }) {
  const bar = useRef<HTMLDivElement>(null);
  useFollow(board, ({ layout, room }) => [layout.height, room]);
  const { layout, room } = board;
  const height = Math.min(layout.height, BAR_MAX);
  const factor = height > room ? (layout.height - room) / (height - room) : 1;
  useFrame(board, () => {
    const top = board.scroll / factor;
    if (bar.current && Math.abs(bar.current.scrollTop - top) > 1) bar.current.scrollTop = top;
  });
  return (
    <div
      ref={bar}
      class="trace-bar"
      style={{ marginTop: `${RULER + layout.pinnedHeight}px` }}
      tabIndex={-1}
      aria-hidden="true"
      onScroll={(event) => {
        const top = event.currentTarget.scrollTop;
        if (Math.abs(top - board.scroll / factor) > 1) board.scrollTo(top * factor);
      }}
    >
      <div style={{ height: `${height}px` }} />
    </div>
  );
}
