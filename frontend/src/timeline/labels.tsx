// What stays at the left: names of processes and tracks, and at the right the scroll bar of the tracks.
import { useEffect, useRef } from "preact/hooks";
import { counted, formatNumber } from "../units";
import { Name } from "../views/name";
import type { Board } from "./board";
import { RULER } from "./scene";
import { LANE, rowsBetween, type Process, type Row } from "./tracks";

function Header({ board, process, top }: { board: Board; process: Process; top: number }) {
  const open = !board.closed.has(process.key);
  const filled = process.tracks.filter((t) => t.events).length;
  return (
    <button
      type="button"
      class="trace-process"
      style={{ top: `${top}px` }}
      aria-expanded={open}
      onClick={() => board.toggle(process)}
    >
      <span aria-hidden="true">{open ? "▾" : "▸"}</span> <Name text={process.name || "(no name)"} />
      <span class="soft">
        {process.events ? `${counted(filled, "track")}, ${counted(process.events, "event")}` : "no events"}
      </span>
    </button>
  );
}

/** `tf_Compute/6145571259445704722` → `tf_Compute` and `…4722`: the pool tells more than the number, which is a hash. */
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

function Label({ row, top, hits }: { row: Row & { track: object }; top: number; hits: number }) {
  const { track } = row;
  const name = track.name || `track ${track.row}`;
  const inner = Math.max(4, Math.min(4 - top, row.height - LANE));
  return (
    <div class="trace-label" style={{ top: `${top}px`, height: `${row.height}px`, paddingTop: `${inner}px` }}>
      <TrackName name={name} title={`${name}\n${track.kind}, ${counted(track.events, "event")}`} />
      {hits > 0 && <mark title={counted(hits, "hit")}>{formatNumber(hits, "count")}</mark>}
    </div>
  );
}

export function Labels({ board }: { board: Board }) {
  const rows = rowsBetween(board.layout, board.scroll, board.scroll + Math.max(0, board.height - RULER));
  return (
    <div class="trace-labels">
      {rows.map((row) => {
        const top = row.top - board.scroll;
        return row.track ? (
          <Label key={row.track.key} row={row} top={top} hits={board.hits.get(row.track.key) ?? 0} />
        ) : (
          <Header key={row.process.key} board={board} process={row.process} top={top} />
        );
      })}
    </div>
  );
}

export function ScrollBar({ board }: { board: Board }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (bar.current && Math.abs(bar.current.scrollTop - board.scroll) > 1) bar.current.scrollTop = board.scroll;
  });
  return (
    <div
      ref={bar}
      class="trace-bar"
      tabIndex={-1}
      aria-hidden="true"
      onScroll={(event) => board.scrollTo(event.currentTarget.scrollTop)}
    >
      <div style={{ height: `${board.layout.height}px` }} />
    </div>
  );
}
