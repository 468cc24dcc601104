// Every mark: where it is, what it is called, what was noted of it.
import { formatNumber } from "../units";
import { counted } from "../units";
import { CopyButton } from "../views/copy_button";
import type { Board } from "./board";
import { useFollow } from "./follow";
import { inMarkdown, NAME_MAX, NOTE_MAX, renamed } from "./marks";
import { exactTime } from "./ruler";
import { around } from "./scale";
import type { Mark } from "./scene";

/** How much of the screen a mark takes that was gone to. */
const SHARE = 0.5;

function show(board: Board, { start, end, tracks }: Mark): void {
  board.look(around(start, Math.max(end, start + 1), SHARE, board.span));
  if (tracks[0]) board.reveal(tracks[0], 0);
}

function MarkRow({ board, mark, set }: { board: Board; mark: Mark; set: (marks: readonly Mark[]) => void }) {
  const { name = "", note = "", start, end, tracks } = mark;
  const where = tracks.length > 1 ? counted(tracks.length, "track") : (tracks[0]?.name ?? "all tracks");
  const words = (change: Pick<Mark, "name" | "note">) => set(renamed(board.marks, mark, change));
  return (
    <li class="trace-mark">
      <button type="button" class="link number" title="Show it" onClick={() => show(board, mark)}>
        {exactTime(start - board.origin)}
      </button>
      <span class="number">{formatNumber(end - start, "ps")}</span>
      <span class="soft trace-mark-where" title={tracks.map((track) => track.name).join("\n")}>
        {where}
      </span>
      <input
        value={name}
        maxLength={NAME_MAX}
        placeholder="Name"
        aria-label={`Name of the mark at ${exactTime(start - board.origin)}`}
        onChange={(event) => words({ name: event.currentTarget.value.trim() })}
      />
      <input
        class="trace-mark-note"
        value={note}
        maxLength={NOTE_MAX}
        placeholder="Note"
        aria-label={`Note on the mark at ${exactTime(start - board.origin)}`}
        onChange={(event) => words({ note: event.currentTarget.value.trim() })}
      />
      <button
        type="button"
        aria-label={`Remove ${name || "the mark"}`}
        title="Remove"
        onClick={() => set(board.marks.filter((one) => one !== mark))}
      >
        ×
      </button>
    </li>
  );
}

export function MarksPanel({ board, close }: { board: Board; close: () => void }) {
  useFollow(board, ({ marks, origin }) => [marks, origin]);
  const { marks, origin } = board;
  const set = (next: readonly Mark[]): void => {
    board.marks = next;
    board.changed();
  };
  const text = (): string =>
    inMarkdown(
      marks,
      (ps) => exactTime(ps - origin),
      (ps) => formatNumber(ps, "ps"),
    );
  return (
    <section class="trace-hits trace-marks" aria-label="Marks">
      <header>
        <h2>{counted(marks.length, "mark")}</h2>
        <span class="grow" />
        <CopyButton text={text} label="Copy as Markdown" title="The list as a table, for a report" />
        <button type="button" title="Shift M" onClick={() => set([])}>
          Remove all
        </button>
        <button type="button" onClick={close} aria-label="Close the list of marks">
          ×
        </button>
      </header>
      <div class="trace-scroll">
        {!marks.length && (
          <p class="trace-hint soft">No marks: select a slice, a range or an area, and press M to mark it.</p>
        )}
        <ol>
          {marks.map((mark, i) => (
            <MarkRow key={`${i} ${mark.start} ${mark.end}`} {...{ board, mark, set }} />
          ))}
        </ol>
      </div>
    </section>
  );
}
