// How the names of each column are told apart, where the column is too narrow for them.
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { TableData } from "../types";
import { type Apart, apartIn } from "./apart";
import { elastic, LETTER_PX, PADDING_PX, type Width } from "./columns";

/** A window that is being resized is looked at so often. */
const GRAIN_PX = 16;

export function useNames(
  scroller: RefObject<HTMLElement | null>,
  widths: readonly Width[],
  data: TableData,
  /** Of the table at least, in px. */
  leastPx: number,
  lines: number,
): ReadonlyMap<string, Apart> {
  const [roomPx, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setRoom(Math.floor(element.clientWidth / GRAIN_PX) * GRAIN_PX);
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    measure();
    return () => sizes.disconnect();
  }, []);
  return useMemo(() => {
    const wide = elastic(widths);
    const othersPx = widths.reduce((sum, { column, px }) => sum + (column.name === wide ? 0 : px), 0);
    const told = new Map<string, Apart>();
    for (const { column, px } of widths) {
      if (column.dtype !== "text") continue;
      const isWide = column.name === wide;
      const columnPx = isWide ? Math.max(leastPx, roomPx) - othersPx : px;
      const letters = Math.floor((columnPx - PADDING_PX) / LETTER_PX) * (isWide ? lines : 1);
      told.set(column.name, apartIn(data.columns[column.name] ?? [], letters));
    }
    return told;
  }, [widths, data, leastPx, lines, roomPx]);
}
