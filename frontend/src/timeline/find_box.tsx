// The box to find events by: what to look for, how, and how many there are.
import { counted, grouped } from "../units";
import { type Match, NO_FIND, rowInWords } from "./find";
import type { Searching } from "./use_find";

export function countOf({ page, at, error }: Searching): string {
  if (!page || error) return "";
  if (!page.total) return "no hits";
  return at < 0 ? counted(page.total, "hit") : `${grouped(at + 1)} of ${grouped(page.total)}`;
}

const HOW: readonly (readonly [Match, string, string])[] = [
  ["regex", ".*", "Regular expression"],
  ["exact", "=", "Whole name"],
];

export function FindBox({ searching }: { searching: Searching }) {
  const { find, change, page, error, step, waiting } = searching;
  const onKeyDown = (event: KeyboardEvent): void => {
    const box = event.currentTarget as HTMLInputElement;
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") box.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const none = !page?.total;
  const isRow = find.match === "row";
  return (
    <div class="trace-search" role="search">
      {isRow && (
        <button
          type="button"
          class="trace-row-of"
          title={`${rowInWords(find.text)}\nClick to clear the highlight`}
          aria-label="Clear highlight"
          onClick={() => change(NO_FIND)}
        >
          <span>{rowInWords(find.text)}</span> ×
        </button>
      )}
      <input
        type="search"
        value={isRow ? "" : find.text}
        placeholder="Find events  /"
        aria-label="Find events by name, op or argument"
        spellcheck={false}
        aria-invalid={Boolean(error)}
        aria-describedby={error ? "trace-find-error" : undefined}
        onInput={(event) => {
          const text = event.currentTarget.value;
          change(isRow ? { ...NO_FIND, text } : { ...find, text });
        }}
        onKeyDown={onKeyDown}
      />
      {HOW.map(([match, sign, help]) => (
        <button
          key={match}
          type="button"
          aria-pressed={find.match === match}
          aria-label={help}
          title={help}
          onClick={() =>
            change(isRow ? { ...NO_FIND, match } : { ...find, match: find.match === match ? "text" : match })
          }
        >
          {sign}
        </button>
      ))}
      <button type="button" disabled={none} aria-label="Previous hit" title="Shift Enter, N" onClick={() => step(-1)}>
        ↑
      </button>
      <button type="button" disabled={none} aria-label="Next hit" title="Enter, n" onClick={() => step(1)}>
        ↓
      </button>
      <span class="soft" role="status" aria-busy={waiting}>
        {countOf(searching)}
      </span>
      {error && (
        <p id="trace-find-error" class="trace-find-error" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}
