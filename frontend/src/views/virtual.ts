// Rows of one height, or of measured ones, of which only the visible ones exist.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

type Rows = Virtualizer<HTMLElement, HTMLElement>;

/** `paddingStart`: height of what stays at the top, such as a table's head, so that scrolling to a row clears it. */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  heightPx: number,
  headPx = 0,
): Rows {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const options = {
    count,
    overscan: 8,
    scrollPaddingStart: headPx,
    getScrollElement: () => scroller.current,
    estimateSize: () => heightPx,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(0),
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), []);
  useLayoutEffect(() => rows._willUpdate());
  return rows;
}
