// Keeps the address and the board in step, both ways.
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageProps } from "../page";
import { ownParams } from "../selection";
import type { Board } from "./board";
import type { Find } from "./find";
import { openEvent } from "./go";
import { paramsOfPlace, type Place, placeOfParams } from "./place";
import { keyOf } from "./tracks";

type Written = Readonly<Record<string, string>>;

function same(a: Written, b: Written): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}

/** How many may be under way: a page that is not drawn any more sees none of them. */
const MOST = 100;

/** Tells what this page wrote itself from what somebody else did: several may be under way before the first is seen. */
export class Echoes {
  private last: Written | null = null;
  private underWay: Written[] = [];

  /** What the address says, or will once it is drawn. */
  get current(): Written {
    return this.last ?? {};
  }

  wrote(params: Written): void {
    this.last = params;
    this.underWay = [...this.underWay, params].slice(-MOST);
  }

  /** Whether `params` are somebody else's, which are the current ones from now on. */
  isOthers(params: Written): boolean {
    const seen = this.underWay.findIndex((one) => same(one, params));
    if (seen >= 0) {
      this.underWay = this.underWay.slice(seen + 1);
      return false;
    }
    if (this.last && same(this.last, params)) return false;
    this.last = params;
    this.underWay = [];
    return true;
  }
}

/** Between the last change of the view and its place in the address. */
const REST_MS = 300;
/** What follows this soon belongs to the same motion: Back undoes both. */
const MOTION_MS = 1000;

type Params = Record<string, string>;

function placeOf(board: Board, find: Find): Place {
  const { view, range, area, marks, compared, choices, colours, selected } = board;
  const event = selected?.count === 1 ? keyOf(selected.track.host, selected.row) : "";
  return { view, range, area, marks, compared, choices, colours, find, event };
}

/** Words of the page that are no place of a board: they say what is asked for. */
const ASKED = ["align"];

/** What names tracks is read once all are listed: a capture may have a hundred thousand. */
function acceptTracks(board: Board, params: Params): void {
  const { area, marks, event, hasView } = placeOfParams(params, board);
  Object.assign(board, { area, marks });
  if (!event) board.choose(null);
  else if (!board.selected || event !== keyOf(board.selected.track.host, board.selected.row))
    void openEvent(board, event, !hasView);
  board.changed();
}

function accept(board: Board, params: Params, setFind: (find: Find) => void): void {
  const { view, hasView, find, choices, range, colours, compared } = placeOfParams(params, board);
  Object.assign(board, { range, colours, compared });
  board.setChoices(choices);
  board.look(hasView ? view : board.home);
  setFind(find);
  if (board.isListed) acceptTracks(board, params);
}

export function useAddress(
  { selection, navigate }: PageProps,
  board: Board,
  find: Find,
  setFind: (find: Find) => void,
): void {
  const [echoes] = useState(() => new Echoes());
  /** The search that holds: of an address that was just read, before it is drawn. */
  const held = useRef(find);
  held.current = find;
  /** An event of the address that is not selected yet: until then it stays as it is. */
  const awaited = useRef("");
  const at = useRef(-Infinity);
  const moved = useRef(false);
  const settled = useRef(false);
  useEffect(() => {
    const params = ownParams(selection.params);
    if (!echoes.isOthers(params)) return undefined;
    awaited.current = params["event"] ?? "";
    accept(board, params, (read) => {
      held.current = read;
      setFind(read);
    });
    if (board.isListed) return undefined;
    const end = board.subscribe(() => {
      if (!board.isListed) return;
      end();
      acceptTracks(board, params);
    });
    return end;
  }, [board, selection.params]);
  useEffect(() => {
    let timer = 0;
    const write = (): void => {
      if (board.isHeld || board.motion.isActive || !board.isListed) return later();
      const params = paramsOfPlace(placeOf(board, held.current), board);
      const old = echoes.current;
      for (const name of ASKED) if (old[name]) params[name] = old[name];
      if (board.selected) awaited.current = "";
      if (awaited.current && !params["event"]) params["event"] = awaited.current;
      // The text of the address, as this page writes it, is nothing to go back to.
      const isFirst = !settled.current;
      settled.current = true;
      if (same(params, old)) return;
      const now = performance.now();
      const moves = onlyView(params, old);
      const how = isFirst || (moves && moved.current && now - at.current < MOTION_MS) ? "replace" : "push";
      [at.current, moved.current] = [now, moves];
      echoes.wrote(params);
      navigate({ params }, how);
    };
    const later = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(write, REST_MS);
    };
    const end = board.subscribe(later);
    later();
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [board, find, navigate]);
}

/** Whether nothing but the view or the words of the search differ. */
function onlyView(a: Params, b: Params): boolean {
  const moving = ["start_ps", "end_ps", "search"];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (name) => moving.includes(name) || a[name] === b[name],
  );
}
