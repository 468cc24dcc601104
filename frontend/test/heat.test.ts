import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BOUNDS,
  cellAt,
  cellInWords,
  classOf,
  heatInWords,
  heatOf,
  layoutOf,
  meanDeviations,
  movedTo,
  offered,
  variableOf,
  windowOf,
  windowText,
  zoomedTo,
} from "../src/views/heat";

/** Three workers, two steps of 100 ms; w2 lacks the second, and works 20 ms longer in the first. */
const DATA = {
  columns: {
    step: [1, 1, 1, 2, 2],
    name: ["train 1", "train 1", "train 1", "train 2", "train 2"],
    worker: ["w0", "w1", "w2", "w0", "w1"],
    duration_ms: [100, 100, 100, 100, 100],
    work_ms: [60, 62, 80, 61, null],
    input_wait_ms: [0, 0, 20, 0, 0],
    compute_16bit_ms: [50, 50, 40, 50, 50],
    compute_32bit_ms: [5, 5, 5, 5, 5],
    collective_ms: [0, 0, 0, 0, 0],
  },
};

test("a cell is how far its value is from its step's median, as a part of the step", () => {
  const heat = heatOf(DATA, "work");
  assert.deepEqual(
    [heat.workers, heat.steps],
    [
      ["w0", "w1", "w2"],
      ["train 1", "train 2"],
    ],
  );
  assert.deepEqual([...heat.rows], [0, 3, 1, 4, 2, -1]);
  assert.deepEqual([...heat.values], [60, 61, 62, NaN, 80, NaN]);
  assert.deepEqual([...heat.medians], [62, 61]);
  assert.deepEqual([...heat.deviations], [-0.02, 0, 0, NaN, 0.18, NaN]);
  assert.deepEqual(meanDeviations(heat), [-0.01, 0, 0.18]);
});

test("compute is that of all precisions; only what some step has is offered", () => {
  assert.deepEqual([...heatOf(DATA, "compute").values], [55, 55, 55, 55, 45, NaN]);
  assert.deepEqual(offered(DATA), ["work", "step", "input", "compute"]);
});

test("classes begin at their bounds, in both directions", () => {
  assert.deepEqual(
    BOUNDS.flatMap((bound) => [classOf(bound * 0.99), classOf(bound), classOf(-bound * 0.99), classOf(-bound)]),
    [0, 1, 0, -1, 1, 2, -1, -2, 2, 3, -2, -3, 3, 4, -3, -4],
  );
  assert.equal(classOf(NaN), null);
  assert.deepEqual([-4, 0, 4].map(variableOf), ["--faster4", "--unchanged", "--slower4"]);
});

test("cells and the picture in words", () => {
  const heat = heatOf(DATA, "input");
  assert.equal(
    cellInWords(heat, 4, "input"),
    "w2, train 1: input wait 20.0 ms, 20.0 % of a step more than the step's median, 0",
  );
  assert.equal(cellInWords(heat, 0, "input"), "w0, train 1: input wait 0, as the step's median, 0");
  assert.equal(cellInWords(heat, 5, "input"), "w2, train 2: not in this worker's capture");
  assert.equal(cellInWords(heatOf(DATA, "work"), 3, "work"), "w1, train 2: step time excluding communication unknown");
  assert.equal(
    heatInWords(heat, "input"),
    "3 workers × 2 steps, input wait: 1 cell 2 % of a step or more above the step's median, 0 below. " +
      "The farthest: w2, train 1: input wait 20.0 ms, 20.0 % of a step more than the step's median, 0.",
  );
});

test("a window of the address is read only where it fits", () => {
  const window = { steps: [3, 9], workers: [0, 40] } as const;
  assert.equal(windowText(window), "3-9.0-40");
  assert.deepEqual(windowOf("3-9.0-40", 9, 40), window);
  for (const text of ["", "3-9", "3-10.0-40", "3-9.0-41", "9-9.0-40", "9-3.0-40", "a-b.c-d"])
    assert.equal(windowOf(text, 9, 40), null);
});

test("zooming keeps the cell where it is, as far as there is room", () => {
  const all = { steps: 8, workers: 100 };
  const whole = { steps: [0, 8], workers: [0, 100] } as const;
  assert.deepEqual(zoomedTo(whole, { step: 0, worker: 99 }, 2, all), { steps: [0, 4], workers: [50, 100] });
  assert.deepEqual(zoomedTo(whole, { step: 4, worker: 50 }, 4, all), { steps: [3, 5], workers: [38, 63] });
  assert.deepEqual(zoomedTo({ steps: [3, 4], workers: [7, 8] }, { step: 3, worker: 7 }, 2, all), {
    steps: [3, 4],
    workers: [7, 8],
  });
  assert.equal(zoomedTo({ steps: [0, 4], workers: [50, 100] }, { step: 2, worker: 60 }, 0.5, all), null);
});

test("the window follows the cell that the keys go to", () => {
  const window = { steps: [2, 4], workers: [10, 20] } as const;
  assert.deepEqual(movedTo(window, { step: 4, worker: 9 }), { steps: [3, 5], workers: [9, 19] });
  assert.deepEqual(movedTo(window, { step: 3, worker: 19 }), { steps: [2, 4], workers: [10, 20] });
});

test("the cell under the pointer, and nothing beside the cells", () => {
  const window = { steps: [2, 4], workers: [10, 20] } as const;
  const layout = layoutOf(500, ["w"], window);
  assert.deepEqual([layout.row, layout.height], [20, 218]);
  assert.deepEqual(cellAt(layout, window, layout.left, 0), { step: 2, worker: 10 });
  assert.deepEqual(cellAt(layout, window, 499, 199), { step: 3, worker: 19 });
  assert.equal(cellAt(layout, window, layout.left - 1, 0), null);
  assert.equal(cellAt(layout, window, 499, 200), null);
  const many = { steps: [0, 20], workers: [0, 1000] } as const;
  assert.equal(layoutOf(1400, ["w"], many).height, 438);
});
