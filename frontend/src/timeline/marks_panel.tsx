// Every mark: where it is, what it is called, what was noted of it.
import type { InputHTMLAttributes } from "preact";
import { useState } from "preact/hooks";
import { counted, formatNumber } from "../units";
import { CopyButton } from "../views/copy_button";
import type { Board } from "./board";
import { useFollow } from "./follow";
import { inMarkdown, isSame, NAME_MAX, NOTE_MAX, renamed } from "./marks";
import { exactTime } from "./ruler";
import { around } from "./scale";
import type { Mark } from "./scene";

/** How much of the screen a mark takes that was gone to. */
const SHARE = 0.5;

function show(board: Board, { start, end, tracks }: Mark): void {
  board.look(around(start, Math.max(end, start + 1), SHARE, board.span));
  if (tracks[0]) board.reveal(tracks[0], 0);
}

interface WordsProps {
  value: string;
  label: string;
  input: InputHTMLAttributes;
  set: (words: string) => void;
}

/** What is being typed stays while the page is drawn anew; it holds once the field is left. */
function Words({ value, label, input, set }: WordsProps) {
  const [typed, type] = useState<string | null>(null);
  return (
    <input
      {...input}
      value={typed ?? value}
      aria-label={label}
      onInput={(event) => type(event.currentTarget.value)}
      onBlur={(event) => {
        type(null);
        if (typed !== null) set(event.currentTarget.value.trim());
      }}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}

function MarkRow({ board, mark, set }: { board: Board; mark: Mark; set: (marks: readonly Mark[]) => void }) {
  const { name = "", note = "", start, end, tracks } = mark;
  const where = tracks.length > 1 ? counted(tracks.length, "track") : (tracks[0]?.name ?? "all tracks");
  const at = exactTime(start - board.origin);
  const say = (change: Pick<Mark, "name" | "note">) => set(renamed(board.marks, mark, change));
  return (
    <li class="trace-mark">
      <button type="button" class="link number" title="Show it" onClick={() => show(board, mark)}>
        {at}
      </button>
      <span class="number">{formatNumber(end - start, "ps")}</span>
      <span class="soft trace-mark-where" title={tracks.map((track) => track.name).join("\n")}>
        {where}
      </span>
      <Words
        value={name}
        label={`Name of the mark at ${at}`}
        input={{ maxLength: NAME_MAX, placeholder: "Name" }}
        set={(words) => say({ name: words })}
      />
      <Words
        value={note}
        label={`Note on the mark at ${at}`}
        input={{ maxLength: NOTE_MAX, placeholder: "Note", class: "trace-mark-note" }}
        set={(words) => say({ note: words })}
      />
      <button
        type="button"
        aria-label={`Remove ${name || "the mark"}`}
        title="Remove"
        onClick={() => set(board.marks.filter((one) => !isSame(one, mark)))}
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
