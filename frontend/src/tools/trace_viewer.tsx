// The trace: every event on one time axis, asked for as the view moves.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import type { PageProps } from "../page";
import { ownParams } from "../selection";
import { Board } from "../timeline/board";
import { Canvas, useBoard } from "../timeline/canvas";
import { Details, factsOf, sliceOf } from "../timeline/details";
import { HitList, SearchBox, useHits, type Search } from "../timeline/hits";
import { KEYS, onKey, type Actions } from "../timeline/input";
import { Labels, ScrollBar } from "../timeline/labels";
import { exactTime } from "../timeline/ruler";
import type { View } from "../timeline/scale";
import type { Slice } from "../timeline/scene";
import { Tooltip } from "../timeline/tooltip";
import { keyOf } from "../timeline/tracks";
import type { Answer } from "../types";
import { formatNumber, grouped } from "../units";
import { Failure, Shown } from "../views/states";

export const keys = KEYS;

/** Between the last change of the view and its place in the address. */
const ADDRESS_MS = 300;
/** Keys that scroll a list that has the focus. */
const SCROLLS = /^(Arrow|Page|Home)/;

type Params = Record<string, string>;

function viewOf(start: string | undefined, end: string | undefined, offset: number): View | null {
  const view = { start: Number(start ?? NaN) + offset, end: Number(end ?? NaN) + offset };
  return view.end > view.start ? view : null;
}

/** What the address says to show and to mark. `clock` is the host of whose own time they are, if of one. */
function placesOf(params: Params, board: Board): { view: View | null; range: View | null } {
  const offset = board.offsets.get(params["clock"] ?? "") ?? 0;
  const [, from, to] = /^(-?\d+)-(-?\d+)$/.exec(params["range"] ?? "") ?? [];
  return { view: viewOf(params["start_ps"], params["end_ps"], offset), range: viewOf(from, to, offset) };
}

/** What the address says of a page; what is as it is without saying is left out. */
function paramsOf(board: Board, search: Search): Params {
  const params: Params = {};
  if (board.view.start !== board.span.start || board.view.end !== board.span.end) {
    params["start_ps"] = String(Math.floor(board.view.start));
    params["end_ps"] = String(Math.ceil(board.view.end));
  }
  if (board.range) params["range"] = `${Math.round(board.range.start)}-${Math.round(board.range.end)}`;
  if (board.selected?.count === 1) params["event"] = keyOf(board.selected.track.host, board.selected.row);
  if (search.text) params["search"] = search.text;
  if (search.text && search.regex) params["regex"] = "true";
  return params;
}

function same(a: Params, b: Params): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}

/** Keeps the address and the board in step, both ways. */
function useAddress(
  { selection, navigate }: PageProps,
  board: Board,
  search: Search,
  setSearch: (search: Search) => void,
  open: (event: string, jump: boolean) => void,
): void {
  const written = useRef<Params>({});
  useEffect(() => {
    const params = ownParams(selection.params);
    if (same(params, written.current)) return;
    written.current = params;
    const { view, range } = placesOf(params, board);
    board.range = range;
    board.look(view ?? board.span);
    setSearch({ text: params["search"] ?? "", regex: params["regex"] === "true" });
    if (params["event"]) open(params["event"], view === null);
  }, [board, selection.params]);
  useEffect(() => {
    let timer = 0;
    const write = (): void => {
      const params = paramsOf(board, search);
      if (same(params, written.current)) return;
      written.current = params;
      navigate({ params }, "replace");
    };
    const later = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(write, ADDRESS_MS);
    };
    const end = board.subscribe(later);
    later();
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [board, search, navigate]);
}

function useKeys(board: Board, actions: Actions): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target?.closest("input, textarea, select, dialog, [role=listbox], .top-bar")) return;
      if (target?.closest(".trace-drawer") && SCROLLS.test(event.key)) return;
      if (onKey(board, event, actions)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [board, actions]);
}

function State({ board }: { board: Board }) {
  const { start, end } = board.view;
  return (
    <span class="trace-state soft" title={`${exactTime(start - board.origin)} to ${exactTime(end - board.origin)}`}>
      {formatNumber(end - start, "ps")} of {formatNumber(board.span.end - board.span.start, "ps")}
      <span role="status">{board.loading ? " · reading…" : ""}</span>
    </span>
  );
}

function ZoomButtons({ board }: { board: Board }) {
  return (
    <span class="trace-zoom">
      <button type="button" title="W" aria-label="Zoom in" onClick={() => board.zoom(1 / 2)}>
        +
      </button>
      <button type="button" title="S" aria-label="Zoom out" onClick={() => board.zoom(2)}>
        −
      </button>
      <button type="button" title="0" onClick={() => board.look(board.span)}>
        Whole
      </button>
    </span>
  );
}

interface TraceProps {
  page: PageProps;
  answer: Answer;
  board: Board;
}

function Trace({ page, answer, board }: TraceProps) {
  useBoard(board);
  const [search, setSearch] = useState<Search>({ text: "", regex: false });
  const choose = useCallback(
    (slice: Slice | null) => {
      board.selected = slice;
      board.changed();
    },
    [board],
  );
  const open = useCallback(
    async (event: string, jump = true) => {
      const answer = await board.ask({ event }).catch(() => null);
      const slice = answer && sliceOf(board, factsOf(answer));
      if (!slice) return;
      choose(slice);
      if (jump) board.jump(slice);
      else board.reveal(slice.track, slice.depth);
    },
    [board, choose],
  );
  const found = useCallback(
    (slice: Slice) => {
      choose(slice);
      board.jump(slice);
    },
    [board, choose],
  );
  const searching = useHits(board, search, found);
  const actions = useMemo(
    (): Actions => ({
      choose,
      search: () => document.querySelector<HTMLInputElement>(".trace-search input")?.focus(),
    }),
    [choose],
  );
  useAddress(page, board, search, setSearch, (event, jump) => void open(event, jump));
  useKeys(board, actions);
  const drawer = board.selected || searching.hits;
  return (
    <div class="trace">
      <div class="trace-tools">
        <SearchBox search={search} change={setSearch} searching={searching} />
        <span class="grow" />
        <State board={board} />
        <ZoomButtons board={board} />
      </div>
      {answer.findings.map((finding) => (
        <p key={finding.title} class="trace-note">
          {finding.title}
        </p>
      ))}
      {board.error && <Failure error={board.error} />}
      <div class="trace-board">
        <div class="trace-corner soft">{grouped(Number(answer.summary["event_count"]))} events</div>
        <Labels board={board} />
        <div class="trace-area">
          <Canvas board={board} actions={actions} />
          <Tooltip board={board} />
        </div>
        <ScrollBar board={board} />
      </div>
      {drawer && (
        <div class="trace-drawer">
          <HitList board={board} searching={searching} close={() => setSearch({ ...search, text: "" })} />
          {!board.selected && (
            <p class="soft trace-hint">Choose a hit, or press Enter, to see all that is known of it.</p>
          )}
          {board.selected && (
            <Details
              board={board}
              slice={board.selected}
              open={(event) => void open(event)}
              close={() => choose(null)}
            />
          )}
        </div>
      )}
    </div>
  );
}

function Loaded({ page, answer, width }: { page: PageProps; answer: Answer; width: number }) {
  const [board, setBoard] = useState<Board | null>(null);
  useEffect(() => {
    const made = new Board(page.api, answer, width);
    setBoard(made);
    return () => made.dispose();
  }, [answer]);
  if (!answer.summary["event_count"])
    return (
      <section class="empty">
        <h1>No event has a time</h1>
        <p>{answer.unknown["span_start_ps"]}. See the quality mark at the top for what the file held.</p>
      </section>
    );
  return board && <Trace key={board.id} page={page} answer={answer} board={board} />;
}

export default function TraceViewer(page: PageProps) {
  const [width] = useState(() => (window.innerWidth > 400 ? Math.ceil(window.innerWidth / 100) * 100 : 1200));
  const asked = useAnswer(page.api, { width: String(width) });
  return (
    <div class="trace-page">
      <Shown asked={asked}>{(answer) => <Loaded page={page} answer={answer} width={width} />}</Shown>
    </div>
  );
}
