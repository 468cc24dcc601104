import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board } from "../src/timeline/board";
import { hintsOf } from "../src/timeline/hints";

const NOTHING = { selects: false, area: null, range: null, selected: null, steps: [] };

function said(state: Partial<Board>): string {
  return hintsOf({ ...NOTHING, ...state } as Board)
    .map(([input, what]) => `${input} ${what}`)
    .join(", ");
}

test("how to move, measure and select is said where nothing is chosen", () => {
  assert.match(said({}), /drag move.*Shift drag select an area.*drag on the ruler measure/);
  assert.doesNotMatch(said({}), /step/);
  assert.match(said({ steps: [{ host: "a", number: 0, name: "", start: 0, end: 1 }] }), /\[ \] previous, next step/);
});

test("what is chosen says what can be done with it", () => {
  const view = { start: 0, end: 1 };
  assert.match(said({ range: view }), /F zoom to the range/);
  assert.match(said({ area: { view, tracks: [] }, range: view }), /F zoom to the area/);
  assert.match(said({ selected: {} as Board["selected"] }), /← → previous, next on its lane/);
  assert.match(said({ selects: true }), /drag select an area, Shift drag move/);
});
