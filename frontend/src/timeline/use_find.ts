// The search of a board: asked for after a moment, a page at a time, hits stepped through, names highlighted.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asApiError, useAttempts, useRetry } from "../answer";
import type { ApiError } from "../api";
import type { Board } from "./board";
import { type Find, findOptions, highlightOf, type Page, pageOf, pageStart, stepped } from "./find";
import { sliceOf } from "./go";
import type { Place } from "./related";
import { around, type View } from "./scale";
import { keyOf } from "./tracks";

const DEBOUNCE_MS = 150;
/** How much of the screen a stretch takes that was gone to. */
const STRETCH_SHARE = 0.8;
/** What is asked for, in words. */
const MORE = "hits";

interface State {
  page: Page | null;
  /** Hits on a full page, known from the first. */
  size: number;
  /** Number of the hit that is shown, -1 before the first. */
  at: number;
  error: ApiError | null;
  waiting: boolean;
}

export interface Searching extends State {
  find: Find;
  change: (find: Find) => void;
  /** Key of the track that alone is searched, or empty. */
  only: string;
  setOnly: (track: string) => void;
  /** The stretch of time that alone is searched, or null. */
  within: View | null;
  setWithin: (within: View | null) => void;
  step: (by: 1 | -1) => void;
  /** Asks once more after an error. */
  again: () => void;
  show: (at: number) => void;
  /** Shows the page that holds a hit. */
  turn: (at: number) => void;
}

const NONE: State = { page: null, size: 0, at: -1, error: null, waiting: false };

/** Hits on tracks, for their labels. */
function say(board: Board, find: Find, page: Page | null): void {
  board.highlight = highlightOf(find, page);
  board.hits = new Map(page?.tracks.map(({ key, hits }) => [key, hits]) ?? []);
  board.changed();
}

/** A stretch of time that is no event is nothing to select. */
function lookAt(board: Board, { host, track, start, duration }: Place): void {
  const on = board.track(keyOf(host, track));
  board.look(around(start, start + duration, STRETCH_SHARE, board.span));
  if (on) board.reveal(on, 0);
}

export function useFind(board: Board, find: Find, change: (find: Find) => void): Searching {
  const [state, setState] = useState<State>(NONE);
  const [only, setOnly] = useState("");
  const [within, setWithin] = useState<View | null>(null);
  const latest = useRef(state);
  latest.current = state;
  /** A step that was asked for before the hits were there. */
  const early = useRef(false);
  const [attempt, again] = useAttempts();
  useRetry(state.error, again);
  const { text, match } = find;
  const where = find.in;
  useEffect(() => setOnly(""), [board, text, match, where]);
  useEffect(() => {
    say(board, find, null);
    const abort = new AbortController();
    early.current = false;
    if (!text) setState(NONE);
    else setState((old) => ({ ...old, waiting: true }));
    const settle = (next: State): void => {
      if (abort.signal.aborted) return;
      setState(next);
      say(board, find, next.page);
    };
    const timer = setTimeout(() => {
      if (!text) return;
      board.ask(findOptions(find, only, 0, within, board.hasDerived), abort.signal).then(
        (answer) => {
          const page = pageOf(answer, 0);
          settle({ ...NONE, page, size: page.hits.length });
        },
        (reason: unknown) => settle({ ...NONE, error: asApiError(reason) }),
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
      board.asks.drop(MORE);
    };
  }, [board, text, match, where, only, within, attempt]);

  /** The page that holds a hit, from here or from the server; null when the search has changed meanwhile. */
  const hold = useCallback(
    async (at: number): Promise<Page | null> => {
      const { page, size } = latest.current;
      if (!page || (at >= page.first && at < page.first + page.hits.length)) return page;
      const first = pageStart(at, size);
      const options = findOptions(find, only, first, within, board.hasDerived);
      const answer = await board.asks.ask(MORE, (signal) => board.ask(options, signal));
      if (!answer || latest.current.page !== page) return null;
      const next = { ...pageOf(answer, first), names: page.names, tracks: page.tracks };
      setState((old) => ({ ...old, page: next }));
      return next;
    },
    [board, text, match, where, only, within],
  );

  const show = useCallback(
    async (at: number) => {
      const page = await hold(at);
      const place = page?.hits[at - page.first];
      if (!place) return;
      setState((old) => ({ ...old, at }));
      const slice = sliceOf(board, place);
      if (place.row < 0) lookAt(board, place);
      if (!slice || place.row < 0) return;
      board.choose(slice);
      board.jump(slice);
    },
    [board, hold],
  );

  const step = useCallback(
    (by: 1 | -1) => {
      const { page, at } = latest.current;
      if (latest.current.waiting) early.current = true;
      else if (page?.total) void show(stepped(at, by, page.total));
    },
    [show],
  );

  useEffect(() => {
    if (state.waiting || !early.current) return;
    early.current = false;
    if (state.page?.total) void show(0);
  }, [state.waiting, state.page]);

  return {
    ...state,
    ...{ find, change, only, setOnly, within, setWithin, step, again },
    show: (at) => void show(at),
    turn: (at) => void hold(at),
  };
}
