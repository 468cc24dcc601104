import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableData } from "../src/types";
import { changeInWords, named, toneOf } from "../src/views/change";
import { repeatsOf } from "../src/views/compared";

test("a tone is of the change's part of the time", () => {
  assert.equal(toneOf(100, 101), "--unchanged");
  assert.equal(toneOf(100, 98), "--faster1");
  assert.equal(toneOf(98, 100), "--slower1");
  assert.equal(toneOf(100, 90), "--faster2");
  assert.equal(toneOf(70, 100), "--slower3");
  assert.equal(toneOf(0, 0.001), "--slower4");
  assert.equal(toneOf(5, 0), "--faster4");
  assert.equal(toneOf(0, 0), "--unchanged");
});

const TREE: TableData = {
  columns: {
    name: ["Op compute", "a", "b", ""],
    match: ["same", "new", "gone", "more"],
    base_ms: [4, 0, 2, 1],
    new_ms: [5, 3, 0, 1],
  },
};

test("what is new, gone or several is said without colour", () => {
  assert.deepEqual(named(TREE).columns["name"], ["Op compute", "a (new)", "b (gone)", "(smaller ones)"]);
});

test("both times and the change in words", () => {
  assert.equal(changeInWords(TREE, 0), "A 4.00 ms, B 5.00 ms: +1.00 ms (+25.0 %)");
  assert.equal(changeInWords(TREE, 1), "A 0, B 3.00 ms: +3.00 ms");
  assert.equal(changeInWords(TREE, 2), "A 2.00 ms, B 0: -2.00 ms (-100 %)");
  assert.equal(changeInWords(TREE, 3), "A 1.00 ms, B 1.00 ms: the same");
});

test("repeats are listed where a side has several runs", () => {
  const columns = { side: ["new", "base", "base", "base"], capture: ["n", "b", "c", "c"], duration_ms: [9, 5, 6, 8] };
  assert.deepEqual(
    repeatsOf({ columns }).map(({ which, run, count, least, most, mean }) => [which, run, count, least, most, mean]),
    [
      ["base", "b", 1, 5, 5, 5],
      ["base", "c", 2, 6, 8, 7],
      ["new", "n", 1, 9, 9, 9],
    ],
  );
  assert.deepEqual(repeatsOf({ columns: { side: ["new", "base"], capture: ["n", "b"], duration_ms: [9, 5] } }), []);
});
