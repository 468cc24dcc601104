// What must be known before the picture is believed: damage, clocks that are not aligned, what could not be had.
import { useState } from "preact/hooks";
import type { Finding } from "../types";
import { counted } from "../units";
import { Words } from "../views/words";
import type { ApiError } from "../api";
import { Failure } from "../views/states";
import type { Board } from "./board";
import { useFollow } from "./follow";

/** Of one title one, the gravest first. */
export function notesOf(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  const rank = ({ severity }: Finding): number => ["warning", "note", "info"].indexOf(severity);
  return findings.filter(({ title }) => !seen.has(title) && seen.add(title)).sort((a, b) => rank(a) - rank(b));
}

function Note({ finding: { title, detail, action } }: { finding: Finding }) {
  const more = [detail, action].filter(Boolean);
  if (!more.length) return <Words text={title} />;
  return (
    <details>
      <summary>
        <Words text={title} />
      </summary>
      {more.map((text) => (
        <p key={text}>
          <Words text={text} />
        </p>
      ))}
    </details>
  );
}

/** Notes shown at once; the others are a press away, and all of them can be put away. */
const SHOWN = 2;

export function TraceNotes({ findings }: { findings: readonly Finding[] }) {
  const [isAway, setAway] = useState(false);
  const [all, setAll] = useState(false);
  const notes = notesOf(findings);
  if (isAway || !notes.length) return null;
  const shown = all ? notes : notes.slice(0, SHOWN);
  return (
    <ul class="trace-notes" aria-label="Notes on this capture">
      {shown.map((finding, i) => (
        <li key={finding.title} class={finding.severity}>
          <Note finding={finding} />
          {i === shown.length - 1 && shown.length < notes.length && (
            <button type="button" class="link" onClick={() => setAll(true)}>
              {counted(notes.length - shown.length, "more note")}
            </button>
          )}
          {i === 0 && (
            <button type="button" aria-label="Dismiss the notes" title="Dismiss" onClick={() => setAway(true)}>
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Errors of one cause are one: a server that is away fails everything. */
export function grouped(error: ApiError | null, failed: ReadonlyMap<string, ApiError>): [ApiError, string[]][] {
  const all: [string, ApiError][] = [
    ...(error ? [["events on the screen", error] as [string, ApiError]] : []),
    ...failed,
  ];
  const groups = new Map<string, [ApiError, string[]]>();
  for (const [what, why] of all) {
    const key = `${why.kind} ${why.message}`;
    const group = groups.get(key);
    if (group) group[1].push(what);
    else groups.set(key, [why, [what]]);
  }
  return [...groups.values()];
}

export function TraceErrors({ board }: { board: Board }) {
  useFollow(board, ({ error, asks }) => [error, asks.failed]);
  return grouped(board.error, board.asks.failed).map(([error, missing]) => (
    <Failure key={error.message} error={error} missing={missing} again={() => board.again()} />
  ));
}
