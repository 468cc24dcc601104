// What a track, group or host can be moved among: those beside it, in the order of the screen.
import type { Board } from "./board";
import { withMove } from "./choices";
import type { Layout, Row } from "./tracks";

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
