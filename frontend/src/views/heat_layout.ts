// Where the cells of a heat map lie, and which lies under the pointer. Pure.
import type { Window } from "./heat";

export const LETTER_PX = 6.63;
const MOST_LETTERS = 28;
/** Height of a worker, at most; and of all of them, where they do not fit in that. */
const ROW_PX = 20;
const MOST_PX = 420;
/** Of the names of the steps below. */
export const AXIS_PX = 18;

/** Where what lies, in CSS px. */
export interface Layout {
  left: number;
  width: number;
  height: number;
  cell: number;
  row: number;
}

export interface Cell {
  step: number;
  worker: number;
}

export function layoutOf(width: number, workers: readonly string[], { steps, workers: shown }: Window): Layout {
  const letters = workers.reduce((most, name) => Math.max(most, name.length), 0);
  const left = Math.min(Math.min(letters, MOST_LETTERS) * LETTER_PX + 8, width / 3);
  const count = shown[1] - shown[0];
  const row = Math.min(ROW_PX, MOST_PX / count);
  const cells = Math.max(1, width - left);
  return { left, width: cells, height: row * count + AXIS_PX, cell: cells / (steps[1] - steps[0]), row };
}

/** The cell at a place; null beside them. */
export function cellAt(
  { left, width, height, cell, row }: Layout,
  { steps, workers }: Window,
  x: number,
  y: number,
): Cell | null {
  if (x < left || x >= left + width || y < 0 || y >= height - AXIS_PX) return null;
  const step = Math.min(steps[1] - 1, steps[0] + Math.floor((x - left) / cell));
  return { step, worker: Math.min(workers[1] - 1, workers[0] + Math.floor(y / row)) };
}
