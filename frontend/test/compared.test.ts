import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableData } from "../src/types";
import { lanesOf, placeOn, textOn, ticksOf, waterfallOf } from "../src/views/compared";

const OPS: TableData = {
  columns: {
    name: ["relu", "map", "", "gelu", "tiny"],
    match: ["same", "new", "rest", "renamed", "same"],
    was: ["", "", "", "elu", ""],
    category: ["op_compute", "input_wait", "python", "op_compute", "op_compute"],
    change_ms: [-2, 10, 1, 3, 0.001],
    base_ms: [4, 0, 1, 2, 1],
    new_ms: [2, 10, 2, 5, 1.001],
  },
};

test("parts begin where the one before ends, the largest first, and end at B's step", () => {
  const { pieces, low, high } = waterfallOf(OPS, "op", 20, 32.001)!;
  assert.deepEqual(
    pieces.map(({ label, note, from, to }) => [label, note, from, Number(to.toFixed(6))]),
    [
      ["map", "new", 20, 30],
      ["gelu", "renamed", 30, 33],
      ["relu", "", 33, 31],
      ["Python", "in no op", 31, 32],
      ["1 more, together", "", 32, 32.001],
    ],
  );
  assert.deepEqual([low, high], [0, 33]);
});

test("a part leads to its rows", () => {
  const { pieces } = waterfallOf(OPS, "op", 20, 32.001)!;
  assert.deepEqual(
    pieces.map(({ filter, noteTitle }) => [filter, noteTitle]),
    [
      ["name=map", ""],
      ["name=gelu", "was elu"],
      ["name=relu", ""],
      ["match=rest category=python", ""],
      ["", ""],
    ],
  );
});

test("ten parts are drawn, the others are one, and all add up", () => {
  const changes = Array.from({ length: 30 }, (_, i) => (i % 2 ? -1 : 1) * (1 + i / 100));
  const columns = { name: changes.map((_, i) => `op${i}`), match: changes.map(() => "same"), change_ms: changes };
  const next = 100 + changes.reduce((sum, one) => sum + one, 0);
  const { pieces } = waterfallOf({ columns }, "op", 100, next)!;
  assert.equal(pieces.length, 11);
  assert.equal(pieces[10]!.label, "20 more, together");
  assert.ok(Math.abs(pieces[10]!.to - next) < 1e-9);
});

test("changes of a long step are drawn on an axis that begins just below them", () => {
  const columns = { category: ["input_wait"], title: ["Input wait"], change_ms: [2], base_ms: [5], new_ms: [7] };
  const drawn = waterfallOf({ columns }, "category", 100, 102)!;
  assert.deepEqual([drawn.low, drawn.high], [99, 102]);
  assert.deepEqual(
    drawn.pieces.map(({ label }) => label),
    ["Input wait"],
  );
});

test("without steps there is no way, without changes no part", () => {
  assert.equal(waterfallOf(OPS, "op", null, null), null);
  const columns = { name: ["a"], match: ["same"], change_ms: [0], base_ms: [5], new_ms: [5] };
  const same = waterfallOf({ columns }, "op", 5, 5)!;
  assert.deepEqual([same.pieces, same.low, same.high], [[], 0, 5]);
});

test("two sides lie on one axis, and heights are shares of each", () => {
  const columns = { side: ["base", "base", "new", "new", "new", "new"], duration_ms: [10, 10, 20, 20, 30, 30] };
  const drawn = lanesOf({ columns }, [5])!;
  assert.ok(drawn.low < 5 && drawn.high > 30);
  assert.deepEqual(
    drawn.lanes.map(({ which, count, least, most, bins }) => [which, count, least, most, bins.filter(Boolean)]),
    [
      ["base", 2, 10, 10, [1]],
      ["new", 4, 20, 30, [0.5, 0.5]],
    ],
  );
  assert.equal(placeOn(drawn, drawn.high), 100);
  assert.equal(lanesOf({ columns: {} }, []), null);
});

test("a side without steps is empty, and steps of one length have an axis", () => {
  const drawn = lanesOf({ columns: { side: ["base"], duration_ms: [10] } }, [])!;
  assert.ok(drawn.low < 10 && drawn.high > 10);
  assert.deepEqual(
    drawn.lanes.map(({ count, bins }) => [count, Math.max(...bins)]),
    [
      [1, 1],
      [0, 0],
    ],
  );
});

test("ticks are round", () => {
  assert.deepEqual(ticksOf(12.3, 31.9), [15, 20, 25, 30]);
  assert.deepEqual(ticksOf(0.11, 0.42), [0.2, 0.3, 0.4]);
});

test("values that lie close together are told apart", () => {
  assert.equal(textOn({ high: 32 }, 15, 5), "15 ms");
  assert.equal(textOn({ high: 17.56 }, 17.52, 0.02), "17.52 ms");
  assert.equal(textOn({ high: 0.32 }, 0.3, 0.1), "300 µs");
  assert.equal(textOn({ high: 2400 }, 1500, 500), "1.5 s");
  assert.equal(textOn({ high: 0 }, 0, 1), "0 ns");
});

test("what lies beyond an axis is drawn at its end", () => {
  assert.equal(placeOn({ low: 10, high: 20 }, 5), 0);
  assert.equal(placeOn({ low: 10, high: 20 }, 30), 100);
  assert.equal(placeOn({ low: 10, high: 20 }, 15), 50);
  assert.equal(placeOn({ low: 0, high: 0 }, 5), 0);
});
