// The search: a box, how many there are, one after the other, and a list.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asApiError } from "../answer";
import type { Answer } from "../types";
import { counted, formatNumber, grouped } from "../units";
import { Name } from "../views/name";
import type { Board } from "./board";
import { exactTime } from "./ruler";
import type { Slice } from "./scene";
import { keyOf } from "./tracks";

const DEBOUNCE_MS = 250;

export interface Search {
  text: string;
  regex: boolean;
}

export interface Hits {
  total: number;
  slices: Slice[];
  /** Number of the hit that is shown, -1 before the first. */
  at: number;
  error: string;
}

export interface Searching {
  hits: Hits | null;
  step(by: 1 | -1): void;
  show(at: number): void;
  more(): void;
}

const NONE: Hits = { total: 0, slices: [], at: -1, error: "" };

export function hitsOf(board: Board, answer: Answer): Slice[] {
  const c = answer.tables["hits"]?.columns ?? {};
  return (c["row"] ?? []).flatMap((row, i): Slice[] => {
    const track = board.track(keyOf(String(c["host"]![i]), Number(c["track"]![i])));
    if (!track) return [];
    return [
      {
        track,
        depth: Number(c["depth"]![i]),
        start: Number(c["start_ps"]![i]),
        duration: Number(c["duration_ps"]![i]),
        idle: 0,
        name: String(c["name"]![i]),
        count: 1,
        row: Number(row),
      },
    ];
  });
}

/** Key of a track → how many hits it has. */
function countsOf(answer: Answer): Map<string, number> {
  const c = answer.tables["hit_tracks"]?.columns ?? {};
  return new Map(
    (c["hits"] ?? []).map((hits, i) => [keyOf(String(c["host"]![i]), Number(c["track"]![i])), Number(hits)]),
  );
}

function options({ text, regex }: Search, offset: number): Record<string, string> {
  return { search: text, offset: String(offset), ...(regex ? { regex: "true" } : {}) };
}

/** The hits of a search; `choose` gets each that is stepped to. */
export function useHits(board: Board, search: Search, choose: (slice: Slice) => void): Searching {
  const [hits, setHits] = useState<Hits | null>(null);
  const latest = useRef<Hits | null>(null);
  latest.current = hits;
  useEffect(() => {
    board.search(search.regex ? "" : search.text, new Map(), new Set());
    const abort = new AbortController();
    if (!search.text) setHits(null);
    const timer = setTimeout(() => {
      if (!search.text) return;
      board.ask(options(search, 0), abort.signal).then(
        (answer) => {
          const slices = hitsOf(board, answer);
          board.search(search.regex ? "" : search.text, countsOf(answer), new Set(slices.map((slice) => slice.name)));
          setHits({ ...NONE, total: Number(answer.summary["hit_count"]), slices });
        },
        (reason: unknown) => !abort.signal.aborted && setHits({ ...NONE, error: asApiError(reason).message }),
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [board, search.text, search.regex]);

  const load = useCallback(async (): Promise<Hits | null> => {
    const old = latest.current;
    if (!old || old.slices.length >= old.total) return old;
    const answer = await board.ask(options(search, old.slices.length)).catch(() => null);
    if (!answer || latest.current !== old) return latest.current;
    const next = { ...old, slices: [...old.slices, ...hitsOf(board, answer)] };
    setHits(next);
    return next;
  }, [board, search.text, search.regex]);

  const show = useCallback(
    async (at: number) => {
      const held = at < (latest.current?.slices.length ?? 0) ? latest.current : await load();
      const slice = held?.slices[at];
      if (!held || !slice) return;
      setHits({ ...held, at });
      choose(slice);
    },
    [load, choose],
  );

  const step = useCallback(
    (by: 1 | -1) => {
      const held = latest.current;
      if (!held?.total) return;
      const at = held.at + by;
      void show(at < 0 ? held.slices.length - 1 : at >= held.total ? 0 : at);
    },
    [show],
  );

  return { hits, step, show: (at) => void show(at), more: () => void load() };
}

interface BoxProps {
  search: Search;
  change: (search: Search) => void;
  searching: Searching;
}

function count(hits: Hits | null): string {
  if (!hits || hits.error) return "";
  if (!hits.total) return "no hits";
  return hits.at < 0 ? counted(hits.total, "hit") : `${grouped(hits.at + 1)} of ${grouped(hits.total)}`;
}

export function SearchBox({ search, change, searching }: BoxProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const box = event.currentTarget as HTMLInputElement;
    if (event.key === "Enter") searching.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") box.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const none = !searching.hits?.total;
  return (
    <div class="trace-search" role="search">
      <input
        type="search"
        value={search.text}
        placeholder="Find events  /"
        aria-label="Find events by name or op"
        spellcheck={false}
        aria-invalid={Boolean(searching.hits?.error)}
        onInput={(event) => change({ ...search, text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        aria-pressed={search.regex}
        title="Regular expression"
        onClick={() => change({ ...search, regex: !search.regex })}
      >
        .*
      </button>
      <button
        type="button"
        disabled={none}
        aria-label="Hit before"
        title="Shift Enter"
        onClick={() => searching.step(-1)}
      >
        ↑
      </button>
      <button type="button" disabled={none} aria-label="Next hit" title="Enter" onClick={() => searching.step(1)}>
        ↓
      </button>
      <span class="soft" role="status">
        {count(searching.hits)}
      </span>
    </div>
  );
}

export function HitList({ board, searching, close }: { board: Board; searching: Searching; close: () => void }) {
  const { hits, show, more } = searching;
  if (!hits) return null;
  const left = hits.total - hits.slices.length;
  return (
    <section class="trace-hits" aria-label="Hits">
      <header>
        <h2>{count(hits) || "Search"}</h2>
        <span class="grow" />
        <button type="button" onClick={close} aria-label="End the search">
          ×
        </button>
      </header>
      {hits.error && <p role="alert">{hits.error}</p>}
      <ol>
        {hits.slices.map((slice, i) => (
          <li key={i}>
            <button
              type="button"
              aria-current={i === hits.at}
              onClick={() => show(i)}
              title={`${slice.name}\n${slice.track.name}`}
            >
              <span class="number">{exactTime(slice.start - board.origin)}</span>
              <Name text={slice.name} />
              <span class="number">{formatNumber(slice.duration, "ps")}</span>
            </button>
          </li>
        ))}
      </ol>
      {left > 0 && (
        <button type="button" onClick={more}>
          {grouped(left)} more
        </button>
      )}
    </section>
  );
}
