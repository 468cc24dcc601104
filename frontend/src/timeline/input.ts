// Mouse and keyboard → a board.
import type { Board } from "./board";
import { toTime } from "./scale";
import { hit, neighbour, RULER, type Slice } from "./scene";

/** A drag shorter than this is a click. */
const CLICK_PX = 4;
const ZOOM_STEP = 1.4;
const PAN_STEP = 0.15;
const SCROLL_STEP = 60;

export interface Actions {
  choose(slice: Slice | null): void;
  search(): void;
}

function wheelPixels(event: WheelEvent, delta: number): number {
  return event.deltaMode === WheelEvent.DOM_DELTA_LINE
    ? delta * 20
    : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
      ? delta * 300
      : delta;
}

/** Plain: scroll the tracks. Ctrl, on the ruler, or with nothing to scroll: zoom. Shift or sideways: pan. */
export function onWheel(board: Board, event: WheelEvent): void {
  event.preventDefault();
  const x = wheelPixels(event, event.deltaX);
  const y = wheelPixels(event, event.deltaY);
  const scrolls = board.layout.height > board.height - RULER;
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.offsetY < RULER ||
    (!scrolls && Math.abs(y) > Math.abs(x) && !event.shiftKey)
  ) {
    board.zoom(1.0025 ** (event.ctrlKey && Math.abs(y) < 20 ? 4 * y : y), event.offsetX / Math.max(1, board.width));
  } else if (event.shiftKey || Math.abs(x) > Math.abs(y)) board.pan((x || y) / Math.max(1, board.width));
  else board.scrollTo(board.scroll + y);
}

type Drag = { x: number; y: number; moved: boolean; pointer: number } & (
  { kind: "pan"; start: number; end: number; scroll: number } | { kind: "range"; from: number }
);

/** Pointer events of the canvas. Drag pans; from the ruler or with Shift it measures. Gives the function that ends it. */
export function followPointer(canvas: HTMLCanvasElement, board: Board, actions: Actions): () => void {
  let drag: Drag | null = null;
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const at = { x: event.offsetX, y: event.offsetY, moved: false, pointer: event.pointerId };
    const range = event.shiftKey || event.offsetY < RULER;
    drag = range
      ? { ...at, kind: "range", from: toTime(at.x, board.view, board.width) }
      : { ...at, kind: "pan", ...board.view, scroll: board.scroll };
    canvas.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const { offsetX: x, offsetY: y } = event;
    if (drag && (drag.moved || Math.hypot(x - drag.x, y - drag.y) > CLICK_PX)) {
      drag.moved = true;
      board.hover = null;
      dragged(board, drag, x, y);
    } else if (!drag) {
      board.hover = hit(board, x, y);
      canvas.style.cursor = y < RULER ? "col-resize" : board.hover ? "pointer" : "default";
      board.changed();
    }
  };
  const up = (event: PointerEvent): void => {
    if (drag && !drag.moved) {
      if (drag.kind === "range") board.range = null;
      actions.choose(hit(board, event.offsetX, event.offsetY));
    }
    drag = null;
    board.changed();
  };
  const leave = (): void => {
    board.hover = null;
    board.changed();
  };
  const zoomIn = (event: MouseEvent): void => {
    const slice = hit(board, event.offsetX, event.offsetY);
    if (!slice) return;
    board.range = null;
    board.selected = slice;
    board.fit();
  };
  const listeners = {
    pointerdown: down,
    pointermove: move,
    pointerup: up,
    pointercancel: () => (drag = null),
    pointerleave: leave,
    dblclick: zoomIn,
  };
  for (const [name, listener] of Object.entries(listeners)) canvas.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      canvas.removeEventListener(name, listener as EventListener);
  };
}

function dragged(board: Board, drag: Drag, x: number, y: number): void {
  if (drag.kind === "range") {
    const to = toTime(Math.min(Math.max(x, 0), board.width), board.view, board.width);
    board.range = { start: Math.min(drag.from, to), end: Math.max(drag.from, to) };
    board.changed();
    return;
  }
  const by = ((drag.x - x) / Math.max(1, board.width)) * (drag.end - drag.start);
  board.look({ start: drag.start + by, end: drag.end + by });
  board.scrollTo(drag.scroll + drag.y - y);
}

/** The first slice at the middle of the screen, for those who have no mouse. */
function middle(board: Board): Slice | null {
  for (let y = RULER + 12; y < board.height; y += 9) {
    for (const share of [0.5, 0.25, 0.75, 0.1, 0.9]) {
      const slice = hit(board, share * board.width, y);
      if (slice) return slice;
    }
  }
  return null;
}

function step(board: Board, actions: Actions, by: 1 | -1): void {
  const next = board.selected ? neighbour(board, board.selected, by) : middle(board);
  if (!next) return;
  actions.choose(next);
  board.jump(next);
}

export const KEYS: readonly (readonly [string, string])[] = [
  ["W S", "zoom in, out (also + −, Ctrl wheel)"],
  ["A D ← →", "move left, right (also Shift wheel, drag)"],
  ["↑ ↓", "scroll the tracks (also wheel, drag)"],
  [", .", "select the slice before, after on its lane"],
  ["Enter", "in the search: next hit; Shift Enter: the one before"],
  ["F", "zoom to the range or the selected slice"],
  ["0 Home", "show the whole capture"],
  ["Shift drag", "measure a range (also drag on the ruler)"],
  ["Esc", "drop the range, then the selection"],
  ["double click", "zoom to a slice"],
];

function escape(board: Board, actions: Actions): void {
  if (board.range) board.range = null;
  else actions.choose(null);
  board.changed();
}

/** What a key does; false when it does nothing here. */
export function onKey(board: Board, event: KeyboardEvent, actions: Actions): boolean {
  const keys: Record<string, () => void> = {
    w: () => board.zoom(1 / ZOOM_STEP),
    "+": () => board.zoom(1 / ZOOM_STEP),
    "=": () => board.zoom(1 / ZOOM_STEP),
    s: () => board.zoom(ZOOM_STEP),
    "-": () => board.zoom(ZOOM_STEP),
    a: () => board.pan(-PAN_STEP),
    arrowleft: () => board.pan(-PAN_STEP),
    d: () => board.pan(PAN_STEP),
    arrowright: () => board.pan(PAN_STEP),
    arrowup: () => board.scrollTo(board.scroll - SCROLL_STEP),
    arrowdown: () => board.scrollTo(board.scroll + SCROLL_STEP),
    pageup: () => board.scrollTo(board.scroll - board.height),
    pagedown: () => board.scrollTo(board.scroll + board.height),
    ",": () => step(board, actions, -1),
    ".": () => step(board, actions, 1),
    f: () => board.fit(),
    "0": () => board.look(board.span),
    home: () => board.look(board.span),
    "/": () => actions.search(),
    escape: () => escape(board, actions),
  };
  const act = keys[event.key.toLowerCase()];
  act?.();
  return act !== undefined;
}
