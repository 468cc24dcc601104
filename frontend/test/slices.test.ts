import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOf, pieOf, ringPath } from "../src/views/slices";

const told = (names: string[], values: (number | null)[], total = 0, count = 0) =>
  pieOf(names, values, { total, count }).slices.map((slice) => [nameOf(slice), slice.value]);

test("largest first; what is nothing or unknown is no slice; one name is one slice", () => {
  assert.deepEqual(told(["a", "b", "c", "d", "a"], [10, 50, 0, null, 20]), [
    ["b", 50],
    ["a", 30],
  ]);
});

test("slices below one per cent are one", () => {
  assert.deepEqual(told(["a", "b", "c", "d"], [970, 9, 20, 1]), [
    ["a", 970],
    ["c", 20],
    ["Other (2)", 10],
  ]);
});

test("a rest of one is told by its name", () => {
  assert.deepEqual(told(["a", "b"], [999, 1]), [
    ["a", 999],
    ["b", 1],
  ]);
});

test("no more slices than a legend has room for", () => {
  const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
  const { slices } = pieOf(
    names,
    names.map(() => 5),
  );
  assert.equal(slices.length, 8);
  assert.equal(nameOf(slices[7]!), "Other (13)");
  assert.equal(slices[7]!.to, 1);
});

test("where the names are only the largest, the rest counts, too", () => {
  assert.deepEqual(told(["a", "b"], [60, 20], 100), [
    ["a", 60],
    ["b", 20],
    ["Other", 20],
  ]);
  assert.deepEqual(told(["a", "b"], [60, 20], 100, 7)[2], ["Other (5)", 20]);
});

test("nothing makes no slice", () => {
  assert.deepEqual(pieOf(["a"], [0]), { slices: [], total: 0 });
});

test("a category has its colour, every other name its own hue, in one pie no two the same", () => {
  const { slices } = pieOf(["MemcpyHToD", "IDLE", "fusion.1", "fusion.2", "fusion.3"], [5, 4, 3, 2, 1]);
  assert.deepEqual(
    slices.slice(0, 2).map(({ colour }) => colour),
    ["var(--copy)", "var(--idle)"],
  );
  assert.equal(new Set(slices.map(({ colour }) => colour)).size, 5);
});

test("the only slice is a whole ring, drawn in halves", () => {
  assert.equal(ringPath({ from: 0, to: 1 }, 50, 30).split("M").length, 3);
  assert.match(ringPath({ from: 0, to: 0.25 }, 50, 30), /^M0\.000 -50\.000A50 50 0 0 1 50\.000 /);
});
