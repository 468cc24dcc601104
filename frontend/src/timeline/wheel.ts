// The wheel, and two fingers on a trackpad → a board.
import type { Board } from "./board";
import { RULER } from "./scene";

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
