// The row of controls above the tracks that belong to the view itself, and what lies over the canvas.
import { useRef } from "preact/hooks";
import { formatNumber } from "../units";
import type { Board } from "./board";
import { toggleColours } from "./commands";
import { useFollow, useFrame } from "./follow";
import { exactTime } from "./ruler";
import { toX } from "./scale";

/** How much of the capture is looked at, and whether something is on its way. */
export function ViewState({ board }: { board: Board }) {
  const words = useRef<HTMLSpanElement>(null);
  useFollow(board, ({ loading }) => [loading]);
  useFrame(board, () => {
    const { view, span, origin } = board;
    const text = `${formatNumber(view.end - view.start, "ps")} of ${formatNumber(span.end - span.start, "ps")}`;
    const element = words.current;
    if (!element || element.textContent === text) return;
    element.textContent = text;
    element.title = `${exactTime(view.start - origin)} to ${exactTime(view.end - origin)}`;
  });
  return (
    <span class="trace-state soft">
      <span ref={words} />
      <span role="status">{board.loading ? " · reading…" : ""}</span>
    </span>
  );
}

export function ZoomButtons({ board }: { board: Board }) {
  useFollow(board, ({ selects, colours }) => [selects, colours]);
  const zoom = (factor: number): void => {
    board.motion.zoomBy(factor, 0.5, performance.now());
    board.changed();
  };
  return (
    <span class="trace-zoom">
      <button
        type="button"
        title="Drag selects an area (tracks and a time) and sums its events (B). Shift drag always does."
        aria-label="Select area by dragging"
        aria-pressed={board.selects}
        onClick={() => {
          board.selects = !board.selects;
          board.changed();
        }}
      >
        ▭<span class="trace-word"> Select area</span>
      </button>
      <button
        type="button"
        title="Colours by category: input, compute, copy, … (K). Otherwise by name."
        aria-label="Colour by category"
        aria-pressed={board.colours === "category"}
        onClick={() => toggleColours(board)}
      >
        ◐<span class="trace-word"> By category</span>
      </button>
      <button type="button" title="W" aria-label="Zoom in" onClick={() => zoom(1 / 2)}>
        +
      </button>
      <button type="button" title="S" aria-label="Zoom out" onClick={() => zoom(2)}>
        −
      </button>
      <button type="button" title="0" onClick={() => board.look(board.span)}>
        Whole
      </button>
    </span>
  );
}

/** A line at the edge that the pointer snaps to. */
export function Guide({ board }: { board: Board }) {
  const line = useRef<HTMLDivElement>(null);
  useFrame(board, () => {
    const { guide, view, width } = board;
    if (!line.current) return;
    line.current.hidden = guide === null;
    if (guide !== null) line.current.style.transform = `translateX(${Math.round(toX(guide, view, width))}px)`;
  });
  return <div ref={line} class="trace-guide" hidden aria-hidden="true" />;
}
