// Mouse, pen, wheel and fingers on the canvas → a board.
import type { Board } from "./board";
import { length, panned, toTime, toX, type View, zoomed } from "./scale";
import { hit, RULER } from "./scene";
import { edgeAt } from "./snap";
import { rowAt, rowsOnScreen, type Track } from "./tracks";

/** A drag shorter than this is a click. */
const CLICK_PX = 4;
/** An end of the range is taken within this. */
const GRAB_PX = 5;
/** A finger that rests this long selects an area when it moves then. */
const REST_MS = 400;

interface At {
  x: number;
  y: number;
}

type Drag = At & { moved: boolean; pointer: number } & (
    | { kind: "pan"; view: View; scroll: number }
    | { kind: "range"; from: number }
    | { kind: "area"; from: number; scroll: number }
  );

function timeAt(board: Board, x: number): number {
  return toTime(Math.min(Math.max(x, 0), board.width), board.view, board.width);
}

/** The time of a point, at an edge nearby unless Alt is down. */
function edgeOrTime(board: Board, { x, y }: At, free: boolean): number {
  const edge = free ? null : edgeAt(board, x, y);
  board.guide = edge;
  return edge ?? timeAt(board, x);
}

function ordered(a: number, b: number): View {
  return { start: Math.min(a, b), end: Math.max(a, b) };
}

/** Tracks between two heights of the screen. */
function tracksBetween(board: Board, a: number, b: number): Track[] {
  const [top, bottom] = [Math.min(a, b) - RULER, Math.max(a, b) - RULER];
  const { pinnedHeight } = board.layout;
  return rowsOnScreen(board.layout, board.scroll, board.height - RULER).flatMap(({ row, y }) => {
    const from = row.pinned ? y : Math.max(y, pinnedHeight);
    return row.track && from < bottom && y + row.height > top ? [row.track] : [];
  });
}

/** The other end of the range, where one of its ends is under the pointer. */
function otherEnd({ range, view, width }: Board, x: number): number | null {
  if (!range) return null;
  if (Math.abs(toX(range.start, view, width) - x) <= GRAB_PX) return range.end;
  return Math.abs(toX(range.end, view, width) - x) <= GRAB_PX ? range.start : null;
}

function begun(board: Board, event: PointerEvent): Drag {
  const [x, y] = [event.offsetX, event.offsetY];
  const at = { x, y, moved: false, pointer: event.pointerId };
  if (y < RULER) return { ...at, kind: "range", from: otherEnd(board, x) ?? edgeOrTime(board, at, event.altKey) };
  if (event.button === 0 && event.shiftKey !== board.selects)
    return { ...at, kind: "area", from: edgeOrTime(board, at, event.altKey), scroll: board.scroll };
  return { ...at, kind: "pan", view: board.view, scroll: board.scroll };
}

function moved(board: Board, drag: Drag, at: At, free: boolean): void {
  if (drag.kind === "pan") {
    board.look(panned(drag.view, (drag.x - at.x) / Math.max(1, board.width), board.bounds));
    board.scrollTo(drag.scroll + drag.y - at.y);
    return;
  }
  const view = ordered(drag.from, edgeOrTime(board, at, free));
  if (drag.kind === "range") board.range = view;
  else board.area = { view, tracks: tracksBetween(board, drag.y + drag.scroll - board.scroll, at.y) };
  board.changed();
}

function clicked(board: Board, { kind, x, y }: Drag): void {
  if (kind === "range") board.range = null;
  if (y < RULER) return board.changed();
  const at = rowAt(board.layout, board.scroll, y - RULER);
  if (at && !at.row.track) return board.toggle(at.row.key);
  const slice = hit(board, x, y);
  if (!slice) board.area = null;
  board.choose(slice);
}

/** Two fingers: what lies under each stays under it, as far as one zoom and one move can do that. */
class Pinch {
  private readonly view: View;
  private readonly scroll: number;
  constructor(
    private readonly board: Board,
    private readonly a: At,
    private readonly b: At,
  ) {
    [this.view, this.scroll] = [board.view, board.scroll];
  }

  move(a: At, b: At): void {
    const width = Math.max(1, this.board.width);
    const wide = (p: At, q: At): number => Math.max(Math.hypot(p.x - q.x, p.y - q.y), 20);
    const [before, now] = [(this.a.x + this.b.x) / 2, (a.x + b.x) / 2];
    const factor = wide(this.a, this.b) / wide(a, b);
    const next = zoomed(this.view, factor, before / width, this.board.bounds);
    this.board.look(panned(next, (before - now) / width, this.board.bounds));
    this.board.scrollTo(this.scroll + (this.a.y + this.b.y - a.y - b.y) / 2);
  }
}

/** Follows the pointers of a canvas. */
class Pointers {
  private drag: Drag | null = null;
  private pinch: Pinch | null = null;
  private readonly fingers = new Map<number, At>();
  private rest = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly board: Board,
  ) {}

  down(event: PointerEvent): void {
    if (event.button > 1) return;
    if (event.button === 1) event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    const [first, second] = [...this.fingers.values()];
    clearTimeout(this.rest);
    this.board.isHeld = true;
    this.pinch = first && second ? new Pinch(this.board, first, second) : null;
    this.drag = this.pinch ? null : begun(this.board, event);
    if (event.pointerType === "touch" && this.drag?.kind === "pan")
      this.rest = window.setTimeout(() => this.held(), REST_MS);
  }

  private held(): void {
    const { drag, board } = this;
    if (drag?.kind !== "pan" || drag.moved) return;
    this.drag = { ...drag, kind: "area", from: edgeOrTime(board, drag, false) };
    board.changed();
  }

  move(event: PointerEvent): void {
    const at = { x: event.offsetX, y: event.offsetY };
    const { board, drag } = this;
    board.pointer = board.width ? Math.min(Math.max(at.x / board.width, 0), 1) : null;
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, at);
    const [first, second] = [...this.fingers.values()];
    if (this.pinch && first && second) this.pinch.move(first, second);
    else if (drag && (drag.moved || Math.hypot(at.x - drag.x, at.y - drag.y) > CLICK_PX)) {
      drag.moved = true;
      board.hover = null;
      moved(board, drag, at, event.altKey);
    } else if (!drag && !this.pinch) this.hover(at, event.altKey);
  }

  private hover(at: At, free: boolean): void {
    const { board, canvas } = this;
    board.hover = hit(board, at.x, at.y);
    board.guide = at.y < RULER && !free ? edgeAt(board, at.x, at.y) : null;
    canvas.style.cursor =
      at.y < RULER
        ? otherEnd(board, at.x) === null
          ? "col-resize"
          : "ew-resize"
        : board.hover
          ? "pointer"
          : board.selects
            ? "crosshair"
            : "default";
    board.changed();
  }

  up(event: PointerEvent): void {
    const { drag, board } = this;
    this.fingers.delete(event.pointerId);
    clearTimeout(this.rest);
    if (drag && !drag.moved && event.button !== 1) clicked(board, drag);
    if (drag?.moved && drag.kind === "area" && board.area && !length(board.area.view)) board.area = null;
    // The finger that is left of a pinch does nothing until it is lifted, too.
    if (!this.fingers.size) this.pinch = null;
    this.end();
  }

  end(): void {
    clearTimeout(this.rest);
    this.drag = null;
    this.board.isHeld = this.fingers.size > 0;
    this.board.guide = null;
    this.board.changed();
  }

  leave(): void {
    if (this.drag) return;
    [this.board.hover, this.board.guide, this.board.pointer] = [null, null, null];
    this.board.changed();
  }

  zoomIn(event: MouseEvent): void {
    const slice = hit(this.board, event.offsetX, event.offsetY);
    if (!slice) return;
    [this.board.range, this.board.area] = [null, null];
    this.board.choose(slice);
    this.board.fit();
  }
}

/** Drag moves; from the ruler it measures, with Shift it selects an area. Gives the function that ends it. */
export function followPointer(canvas: HTMLCanvasElement, board: Board): () => void {
  const pointers = new Pointers(canvas, board);
  const listeners = {
    pointerdown: (event: PointerEvent) => pointers.down(event),
    pointermove: (event: PointerEvent) => pointers.move(event),
    pointerup: (event: PointerEvent) => pointers.up(event),
    pointercancel: (event: PointerEvent) => {
      pointers.up(new PointerEvent("pointerup", { pointerId: event.pointerId, button: 1 }));
    },
    pointerleave: () => pointers.leave(),
    dblclick: (event: MouseEvent) => pointers.zoomIn(event),
  };
  for (const [name, listener] of Object.entries(listeners)) canvas.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      canvas.removeEventListener(name, listener as EventListener);
  };
}

const LINE_PX = 20;
const PAGE_PX = 300;
/** Zoom a pixel of the wheel gives, as a power. */
const ZOOM = 1.0025;
/** A pinch on a trackpad comes as a wheel with Ctrl and small steps. */
const PINCH_PX = 20;
const PINCH = 4;

function pixels(event: WheelEvent, delta: number): number {
  if (event.deltaMode === WheelEvent.DOM_DELTA_LINE) return delta * LINE_PX;
  return event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? delta * PAGE_PX : delta;
}

/** Plain: scroll the tracks. Ctrl, on the ruler, or with nothing to scroll: zoom. Shift or sideways: pan. */
export function onWheel(board: Board, event: WheelEvent): void {
  event.preventDefault();
  const [x, y] = [pixels(event, event.deltaX), pixels(event, event.deltaY)];
  const now = performance.now();
  const isSideways = event.shiftKey || Math.abs(x) > Math.abs(y);
  const scrolls = board.layout.height > board.room;
  if (event.ctrlKey || event.metaKey || event.offsetY < RULER || (!scrolls && !isSideways)) {
    const power = event.ctrlKey && Math.abs(y) < PINCH_PX ? PINCH * y : y;
    board.motion.zoomBy(ZOOM ** power, event.offsetX / Math.max(1, board.width), now);
  } else if (isSideways) board.motion.panBy((x || y) / Math.max(1, board.width), now);
  else board.scrollTo(board.scroll + y);
  board.changed();
}
