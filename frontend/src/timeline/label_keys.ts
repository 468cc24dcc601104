// Keys on the labels of tracks: they are a tree of which one item has the focus.
import type { Board } from "./board";
import { withCompact, withHidden } from "./choices";
import { pinToggled } from "./keys";
import { moveBy } from "./siblings";
import type { MenuPlace } from "./track_menu";
import { topOf, type Row } from "./tracks";

function labelOf(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.trace-row[data-key="${CSS.escape(key)}"]`);
}

/** Brings a row onto the screen and its label into focus, as soon as that is there. */
function focusRow(board: Board, row: Row | undefined): void {
  if (!row) return;
  const y = topOf(board.layout, row, board.scroll) - board.layout.pinnedHeight;
  if (!row.pinned && y < 0) board.scrollTo(row.top);
  else if (!row.pinned && y + row.height > board.room)
    board.scrollTo(Math.min(row.top, row.top + row.height - board.room));
  let tries = 5;
  const focus = (): void => {
    const label = labelOf(row.key);
    if (label) label.focus({ preventScroll: true });
    else if (tries--) requestAnimationFrame(focus);
  };
  focus();
}

/** Does what the key says of the row in focus. */
export function onLabelKey(
  board: Board,
  event: KeyboardEvent,
  setFocus: (key: string) => void,
  menu: (place: MenuPlace) => void,
): void {
  const label = (event.target as HTMLElement).closest<HTMLElement>(".trace-row");
  const rows = [...board.layout.pinned, ...board.layout.rows];
  const at = rows.findIndex(({ key }) => key === label?.dataset["key"]);
  const row = rows[at];
  if (!label || !row || event.ctrlKey || event.metaKey) return;
  const isHeader = row.level !== "track";
  const go = (to: number): void => {
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (next) setFocus(next.key);
    focusRow(board, next);
  };
  const openMenu = (): void => {
    const { left, top } = label.getBoundingClientRect();
    menu({ row, x: left + 20, y: top + 20 });
  };
  const toggle = (open: boolean | null): void => {
    if (isHeader && row.open !== open) board.toggle(row.key);
    else if (open === false && !isHeader) go(rows.findIndex(({ key }) => key === row.track?.group));
  };
  const move = (by: 1 | -1): void => {
    moveBy(board, row, by);
    focusRow(
      board,
      board.layout.rows.find(({ key }) => key === row.key),
    );
  };
  const keys: Record<string, () => void> = {
    ArrowUp: () => (event.altKey ? move(-1) : go(at - 1)),
    ArrowDown: () => (event.altKey ? move(1) : go(at + 1)),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    ArrowRight: () => toggle(true),
    ArrowLeft: () => toggle(false),
    Enter: () => (isHeader ? toggle(null) : openMenu()),
    " ": () => (isHeader ? toggle(null) : openMenu()),
    ContextMenu: openMenu,
    p: () => !isHeader && board.setChoices(pinToggled(board.choices, row.key)),
    c: () => row.level !== "host" && board.setChoices(withCompact(board.choices, row.key)),
    h: () => {
      board.setChoices(withHidden(board.choices, row.key));
      focusRow(board, board.layout.rows[Math.min(at, board.layout.rows.length - 1)]);
    },
  };
  if (event.key === "F10" && event.shiftKey) keys["F10"] = openMenu;
  const act = keys[event.key];
  if (!act || (event.altKey && !event.key.startsWith("Arrow"))) return;
  act();
  event.preventDefault();
  event.stopPropagation();
}
