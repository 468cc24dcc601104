// All hits of a search: by name, by track, and each, a page at a time.
import { useEffect, useRef } from "preact/hooks";
import { formatNumber, grouped } from "../units";
import { Name } from "../views/name";
import { Words } from "../views/words";
import type { Board } from "./board";
import type { Where } from "./find";
import { countOf } from "./find_box";
import { exactTime } from "./ruler";
import type { Searching } from "./use_find";

/** Names and tracks that are listed before the hits themselves. */
const LISTED = 200;

const PLACES: readonly (readonly [Where, string])[] = [
  ["names", "in names and ops"],
  ["args", "in arguments"],
  ["all", "in names and arguments"],
  ["path", "on the critical path"],
];

function WhereSelect({ searching: { find, change } }: { searching: Searching }) {
  return (
    <select
      aria-label="Search in"
      value={find.in}
      onChange={(event) => change({ ...find, in: event.currentTarget.value as Where })}
    >
      {PLACES.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Only what lies in the selected area, or, while none is, in the range. */
function Within({ board, searching: { within, setWithin } }: { board: Board; searching: Searching }) {
  const marked = board.area?.view ?? board.range;
  if (!marked && !within) return null;
  return (
    <label title="Only events that overlap the selected time">
      <input
        type="checkbox"
        checked={within !== null}
        onChange={(event) => setWithin(event.currentTarget.checked ? marked : null)}
      />{" "}
      selected time
    </label>
  );
}

function ByName({ searching }: { searching: Searching }) {
  const { page, find, change } = searching;
  const names = page?.names ?? [];
  if (names.length < 2) return null;
  return (
    <details>
      <summary>
        By name <span class="soft">{grouped(names.length)}</span>
      </summary>
      <ul>
        {names.slice(0, LISTED).map(({ name, hits, total }) => (
          <li key={name}>
            <button
              type="button"
              title={`Only events with this name\n${name}`}
              onClick={() => change({ ...find, text: name, match: "exact" })}
            >
              <Name text={name} />
              <span class="number">{grouped(hits)} ×</span>
              <span class="number">{formatNumber(total, "ps")}</span>
            </button>
          </li>
        ))}
        {names.length > LISTED && <li class="soft">{grouped(names.length - LISTED)} more names</li>}
      </ul>
    </details>
  );
}

function ByTrack({ board, searching }: { board: Board; searching: Searching }) {
  const { page, only, setOnly } = searching;
  const tracks = page?.tracks ?? [];
  if (tracks.length < 2 && !only) return null;
  return (
    <details open={only !== ""}>
      <summary>
        By track <span class="soft">{grouped(tracks.length)}</span>
      </summary>
      <ul>
        {tracks.slice(0, LISTED).map(({ key, hits }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={only === key}
              title={only === key ? "On all tracks" : "Only on this track"}
              onClick={() => setOnly(only === key ? "" : key)}
            >
              <Name text={placeInWords(board, key)} />
              <span class="number">{grouped(hits)} ×</span>
            </button>
          </li>
        ))}
        {tracks.length > LISTED && <li class="soft">{grouped(tracks.length - LISTED)} more tracks</li>}
      </ul>
    </details>
  );
}

/** Tracks of several hosts, and streams of several devices, have the same names. */
function placeInWords(board: Board, key: string): string {
  const { groups, hostCount } = board;
  const one = board.track(key);
  if (!one) return key;
  const group = groups.find((each) => each.key === one.group);
  const isOne = groups.filter(({ host }) => host === one.host).length < 2;
  return [hostCount > 1 ? one.host : "", isOne ? "" : group?.name, one.name].filter(Boolean).join(" · ");
}

function Pager({ searching }: { searching: Searching }) {
  const { page, size, turn } = searching;
  if (!page || page.total <= size || !size) return null;
  const last = Math.min(page.first + size, page.total);
  return (
    <nav class="trace-pager" aria-label="Pages of hits">
      <button
        type="button"
        disabled={page.first === 0}
        aria-label="Previous page"
        onClick={() => turn(page.first - size)}
      >
        ‹
      </button>
      <span class="soft">
        {grouped(page.first + 1)}–{grouped(last)} of {grouped(page.total)}
      </span>
      <button type="button" disabled={last >= page.total} aria-label="Next page" onClick={() => turn(last)}>
        ›
      </button>
    </nav>
  );
}

function Hits({ board, searching }: { board: Board; searching: Searching }) {
  const { page, at, show } = searching;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, page]);
  return (
    <ol ref={list} start={(page?.first ?? 0) + 1}>
      {page?.hits.map((hit, i) => (
        <li key={i}>
          <button
            type="button"
            aria-current={page.first + i === at}
            onClick={() => show(page.first + i)}
            title={hit.name}
          >
            <span class="number">{exactTime(hit.start - board.origin)}</span>
            <Name text={hit.name || (hit.row < 0 ? "(time range)" : "(no name)")} />
            <span class="number">{formatNumber(hit.duration, "ps")}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

export function FindPanel({ board, searching, close }: { board: Board; searching: Searching; close: () => void }) {
  const { error, find, page, again } = searching;
  return (
    <section class="trace-hits" aria-label="Hits">
      <header>
        <h2>{countOf(searching) || "Find"}</h2>
        <span class="grow" />
        <Pager searching={searching} />
        <button type="button" onClick={close} aria-label="Close search">
          ×
        </button>
      </header>
      <div class="trace-scroll">
        {page?.hitText && !error && (
          <p class="trace-summary">
            <Words text={page.hitText} />
          </p>
        )}
        <p class="trace-choose">
          {find.match !== "row" && <WhereSelect searching={searching} />}
          <Within board={board} searching={searching} />
        </p>
        {error ? (
          <p class="trace-hint soft">
            No search: see the message in the search box.{" "}
            <button type="button" class="link" onClick={again}>
              Try again
            </button>
          </p>
        ) : (
          <>
            <ByName searching={searching} />
            <ByTrack board={board} searching={searching} />
            <Hits board={board} searching={searching} />
          </>
        )}
      </div>
    </section>
  );
}
