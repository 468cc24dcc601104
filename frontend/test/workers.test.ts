import assert from "node:assert/strict";
import { test } from "node:test";
import { ordered, picked, skews, stepsOf } from "../src/views/workers";

const DATA = {
  columns: {
    step: [1, 1, 2, 2],
    name: ["train 1", "train 1", "train 2", "train 2"],
    worker: ["w10", "w2", "w10", "w2"],
    cut: ["", "", "", "end"],
    start_ms: [0, 1, 5, 6],
    duration_ms: [4, 6, 8, 2],
    work_ms: [3, 5, 1, null],
  },
};

test("the rows of each step, by name of the step", () => {
  const steps = stepsOf(DATA);
  assert.deepEqual(steps, {
    rows: [
      [0, 1],
      [2, 3],
    ],
    names: ["train 1", "train 2"],
  });
  const { worker, duration_ms, name } = picked(DATA, steps.rows[1]!).columns;
  assert.deepEqual([worker, duration_ms, name], [["w10", "w2"], [8, 2], undefined]);
});

test("a step's skew is of the workers' own work, over all that they take", () => {
  const { work_ms, skew_ms, start_ms, duration_ms } = skews(DATA, stepsOf(DATA)).columns;
  assert.deepEqual(
    { work_ms, skew_ms, start_ms, duration_ms },
    { work_ms: [3, 1], skew_ms: [2, 0], start_ms: [0, 5], duration_ms: [6, 8] },
  );
});

test("workers by name as people count, or the slowest first", () => {
  assert.deepEqual(ordered(["w10", "w2", "w1"], [5, 7, 6], "name"), [2, 1, 0]);
  assert.deepEqual(ordered(["w10", "w2", "w1"], [5, 7, 6], "time"), [1, 2, 0]);
});
