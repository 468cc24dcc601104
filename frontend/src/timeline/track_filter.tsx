// Which tracks are shown: a filter, only busy ones, what is hidden; in the corner above their labels.
import { useEffect, useState } from "preact/hooks";
import { decode } from "../address";
import { Popover } from "../shell/popover";
import { counted, formatNumber, grouped } from "../units";
import { whyNoFilter } from "./arrange";
import type { Board } from "./board";
import { isRestored, restored, withHidden } from "./choices";
import { useFollow } from "./follow";
import { length } from "./scale";

/** Between the last letter and the filter: a hundred thousand names are looked at. */
const DEBOUNCE_MS = 120;
/** Hidden tracks that are listed. */
const LISTED = 100;

function FilterBox({ board }: { board: Board }) {
  const { filter } = board.choices;
  const [text, setText] = useState(filter);
  useEffect(() => setText(filter), [filter]);
  const why = whyNoFilter(text);
  useEffect(() => {
    if (text === filter || why) return undefined;
    const timer = setTimeout(() => board.setChoices({ ...board.choices, filter: text }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <>
      <input
        type="text"
        class="trace-filter"
        value={text}
        placeholder="Filter tracks  T"
        aria-label="Filter tracks by words or /regular expression/"
        title="All words must be in the name of the track, group or host; or a /regular expression/"
        aria-invalid={why !== ""}
        aria-describedby={why ? "trace-filter-error" : undefined}
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" && event.key !== "Enter") return;
          if (event.key === "Escape" && text) setText("");
          else event.currentTarget.blur();
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {why && (
        <p id="trace-filter-error" class="trace-find-error" role="alert">
          {why}
        </p>
      )}
    </>
  );
}

function nameOf(board: Board, key: string): string {
  const group = board.groups.find((one) => one.key === key);
  return board.track(key)?.name ?? group?.name ?? decode(key.replace(/\/$/, ""));
}

function Hidden({ board }: { board: Board }) {
  const { hide } = board.choices;
  if (!hide.size) return null;
  return (
    <>
      <p class="soft">Hidden:</p>
      <ul>
        {[...hide].slice(0, LISTED).map((key) => (
          <li key={key}>
            <span class="name">{nameOf(board, key)}</span>
            <button type="button" onClick={() => board.setChoices(withHidden(board.choices, key, false))}>
              Show
            </button>
          </li>
        ))}
      </ul>
      {hide.size > LISTED && <p class="soft">and {grouped(hide.size - LISTED)} more</p>}
    </>
  );
}

function Options({ board }: { board: Board }) {
  const { choices } = board;
  const busy = choices.busy ? null : board.view;
  return (
    <>
      <p>
        <label>
          <input
            type="checkbox"
            checked={choices.busy !== null}
            onChange={() => board.setChoices({ ...choices, busy })}
          />{" "}
          Only tracks busy {choices.busy ? `in ${formatNumber(length(choices.busy), "ps")}` : "in this view"}
        </label>
      </p>
      <p>
        <button type="button" onClick={() => board.openAll(true)}>
          Open all groups
        </button>{" "}
        <button type="button" onClick={() => board.openAll(false)}>
          Close all
        </button>
      </p>
      <Hidden board={board} />
      <p>
        <button type="button" disabled={isRestored(choices)} onClick={() => board.setChoices(restored(choices))}>
          Reset tracks (U)
        </button>
      </p>
    </>
  );
}

export function TrackFilter({ board }: { board: Board }) {
  useFollow(board, ({ choices, layout, list }) => [choices, layout, list.kept]);
  const { layout, list, choices } = board;
  const all = list.kept === layout.shown;
  return (
    <div class="trace-corner">
      <FilterBox board={board} />
      <Popover
        label="Tracks shown"
        class="trace-shown"
        button={
          <span class={isRestored(choices) ? "soft" : ""}>
            {all ? grouped(list.kept) : `${grouped(layout.shown)} of ${grouped(list.kept)}`}
            <span class="trace-word"> tracks</span> ▾
          </span>
        }
      >
        {() => (
          <>
            <p>
              {all ? counted(list.kept, "track") : `${grouped(layout.shown)} of ${counted(list.kept, "track")}`} with
              events{layout.pinned.length > 0 && `, ${layout.pinned.length} pinned`}
            </p>
            <Options board={board} />
          </>
        )}
      </Popover>
    </div>
  );
}
