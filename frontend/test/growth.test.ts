import assert from "node:assert/strict";
import { test } from "node:test";
import { growthOf, shortNames } from "../src/views/growth";

const DATA = {
  columns: {
    step: ["train 8", "train 9", "train 10"],
    start_ms: [0, 10, 20],
    duration_ms: [10, 10, 5],
    whole: [true, true, false],
    begin_bytes: [100, 150, 200],
    lowest_bytes: [100, 150, 200],
    peak_bytes: [500, 550, 600],
  },
};

test("growth is a line through what is least in use", () => {
  assert.deepEqual(growthOf(DATA, 50)!.trend, [100, 150, 200]);
  assert.equal(growthOf(DATA, 0)!.trend, null);
  assert.equal(growthOf(DATA, -5)!.trend, null);
  assert.equal(growthOf(DATA, null)!.trend, null);
});

test("one step, or none, does not grow", () => {
  const one = Object.fromEntries(Object.entries(DATA.columns).map(([name, cells]) => [name, cells.slice(0, 1)]));
  assert.deepEqual([growthOf({ columns: one }, 50), growthOf({ columns: {} }, null)], [null, null]);
});

test("steps are named by their numbers where the rest is alike", () => {
  assert.deepEqual(shortNames(["train 8", "train 9", "train 10"]), ["8", "9", "10"]);
  assert.deepEqual(shortNames(["train 8", "eval 9"]), ["train 8", "eval 9"]);
  assert.deepEqual(shortNames(["warm-up", "rest"]), ["warm-up", "rest"]);
});
