// Keys and drags on the labels of tracks: they are a tree of which one item has the focus, and a label moves among those
// beside it.
import type { Board } from "./board";
import { withCompact, withHidden, withMove } from "./choices";
import { pinToggled } from "./keys";
import { RULER } from "./scene";
import type { MenuPlace } from "./track_menu";
import { type Layout, type Row, topOf } from "./tracks";

const CLICK_PX = 5;
/** So near to an edge the tracks scroll along, by so much an event. */
const [EDGE_PX, EDGE_STEP] = [24, 12];

export class LabelDrag {
  /** Key of the row that is dragged, and of the one that it would stand before; empty for the end. */
  key = "";
  before: string | null = null;
  /** The press that ends now was a drag, and no click. */
  wasMoved = false;

  constructor(
    private readonly board: Board,
    private readonly changed: () => void,
  ) {}

  down(event: PointerEvent, row: Row): void {
    this.wasMoved = false;
    // With Shift a drag selects an area, on the tracks: a label is not moved by a slip.
    if (event.button !== 0 || event.shiftKey || event.pointerType === "touch") return;
    const label = event.currentTarget as HTMLElement;
    const box = label.closest(".trace-labels")!.getBoundingClientRect();
    const from = event.clientY;
    const move = (next: PointerEvent): void => {
      if (!this.key && Math.abs(next.clientY - from) < CLICK_PX) return;
      this.wasMoved = true;
      this.key = row.key;
      this.over(next.clientY - box.top, row, box.height);
    };
    const end = (): void => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", drop);
      document.removeEventListener("pointercancel", end);
      [this.key, this.before] = ["", null];
      this.changed();
    };
    const drop = (): void => {
      if (this.before !== null) moveBefore(this.board, row, this.before);
      end();
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", drop);
    document.addEventListener("pointercancel", end);
  }

  /** The pointer is `y` below the ruler. */
  private over(y: number, row: Row, height: number): void {
    const { board } = this;
    if (y < EDGE_PX) board.scrollTo(board.scroll - EDGE_STEP);
    if (y > Math.min(height, board.height - RULER) - EDGE_PX) board.scrollTo(board.scroll + EDGE_STEP);
    const next = siblings(board.layout, row).find(
      (other) => topOf(board.layout, other, board.scroll) + other.height / 2 > y,
    );
    const before = next?.key ?? "";
    if (before !== this.before) {
      this.before = before;
      this.changed();
    }
  }
}

/** Rows that stand in one order with a row. */
export function siblings({ rows, pinned }: Layout, row: Row): Row[] {
  if (row.pinned) return pinned;
  const isSibling = (other: Row): boolean =>
    other.level === row.level &&
    other.pinned === row.pinned &&
    (row.level === "host" || other.host === row.host) &&
    (row.level !== "track" || other.group?.key === row.group?.key);
  return rows.filter(isSibling);
}

/** Puts a row before another of its siblings; before none is at their end. */
export function moveBefore(board: Board, row: Row, before: string): void {
  board.setChoices(withMove(board.choices, row.key, before));
}

/** One place up (-1) or down (1). */
export function moveBy(board: Board, row: Row, by: 1 | -1): void {
  const among = siblings(board.layout, row);
  const at = among.findIndex(({ key }) => key === row.key);
  if (at < 0 || at + by < 0 || at + by >= among.length) return;
  moveBefore(board, row, among[by > 0 ? at + 2 : at - 1]?.key ?? "");
}

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
