// The relatives of an event, and what encloses it: lists that one goes along, by pointer or by arrow keys.
import { formatNumber } from "../units";
import { Name } from "../views/name";
import { Words } from "../views/words";
import type { Board } from "./board";
import { type Frame, kindInWords, type Link, type Place } from "./related";
import { exactTime } from "./ruler";

/** So many of one kind the server lists. */
const LISTED = 100;

/** Up and down go from button to button. */
function walk(event: KeyboardEvent): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const list = event.currentTarget as HTMLElement;
  const buttons = [...list.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + by];
  if (!by || !next) return;
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}

interface LinksProps {
  board: Board;
  /** The event's: others are named. */
  host: string;
  links: readonly Link[];
  /** Shown already. */
  why: string;
  go: (place: Place) => void;
  /** The link under the pointer or the focus, or none: its arrow is drawn, too. */
  point: (link: Link | null) => void;
}

export function LinkList({ board, host, links, why, go, point }: LinksProps) {
  if (!links.length) return null;
  const isFull = links.filter(({ kind }) => kind === "kernel").length >= LISTED;
  return (
    <section aria-label="Related">
      <h3>Related</h3>
      <ol class="trace-links" onKeyDown={walk} onPointerLeave={() => point(null)}>
        {links.map((link, i) => (
          <li key={i}>
            <button
              type="button"
              title={`${link.text || link.name}\n${exactTime(link.start - board.origin)}, ${formatNumber(link.duration, "ps")}`}
              onClick={() => go(link)}
              onPointerEnter={() => point(link)}
              onFocus={() => point(link)}
              onBlur={() => point(null)}
            >
              <span class="soft">{kindInWords(link.kind)}</span>
              <Name text={`${link.host === host ? "" : `${link.host} · `}${link.name || "(no name)"}`} />
              <span class="number">{formatNumber(link.duration, "ps")}</span>
            </button>
            {link.text && link.text !== why && (
              <p class="soft">
                <Words text={link.text} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {isFull && <p class="soft">No more than {LISTED} launches are listed; an area over them sums all.</p>}
    </section>
  );
}

interface StackProps {
  host: string;
  stack: readonly Frame[];
  open: (event: { host: string; row: number }) => void;
}

/** Outermost first; what has a slice of its own leads to it. */
export function StackList({ host, stack, open }: StackProps) {
  if (!stack.length) return null;
  return (
    <section aria-label="Stack">
      <h3>Stack, outermost first</h3>
      <ol class="trace-stack" onKeyDown={walk}>
        {stack.map(({ name, row, duration }, i) => (
          <li key={i} style={{ "--deep": i }}>
            {row === null ? (
              <Name text={name} />
            ) : (
              <button type="button" onClick={() => open({ host, row })}>
                <Name text={name} />
                {duration !== null && <span class="number soft">{formatNumber(duration, "ps")}</span>}
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
