// A label dragged up or down → its row moved among its siblings.
import type { Board } from "./board";
import { RULER } from "./scene";
import { moveBefore, siblings } from "./siblings";
import { topOf, type Row } from "./tracks";

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
