import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boxesOf,
  callees,
  type FlameColumns,
  flameOf,
  frameAt,
  heaviestPath,
  matched,
  matcherOf,
  movedFrame,
  pathTo,
  spanOf,
  topNames,
} from "../src/views/flame";

const COLUMNS: FlameColumns = { value: "bytes", self: "self_bytes" };
// main 100: load 60 (read 50, and 10 of its own), train 40 (step 40: read 25)
const FLAME = flameOf(
  {
    columns: {
      parent: [-1, 0, 1, 0, 3, 4],
      name: ["main", "load", "read", "train", "step", "read"],
      bytes: [100, 60, 50, 40, 40, 25],
      self_bytes: [0, 10, 50, 0, 15, 25],
    },
  },
  COLUMNS,
)!;

test("callees stand below their caller, side by side from its left edge on", () => {
  assert.deepEqual([...FLAME.starts], [0, 0, 0, 60, 60, 60]);
  assert.deepEqual([...FLAME.depths], [0, 1, 2, 1, 2, 3]);
  assert.deepEqual([...FLAME.next], [6, 3, 3, 6, 6, 6]);
  assert.deepEqual([FLAME.total, FLAME.rows], [100, 4]);
});

test("rows end where no frame has a width", () => {
  const parent = [-1, 0, 1, 0, 3];
  const flame = flameOf(
    { columns: { parent, name: [..."abcde"], bytes: [9, 9, 0, 0, 0] } },
    { value: "bytes", self: "" },
  )!;
  assert.deepEqual([Math.max(...flame.depths), flame.rows], [2, 2]);
});

test("a frame is what is looked at: its callers are as wide, its neighbours are gone", () => {
  const drawn = boxesOf(FLAME, spanOf(FLAME, 4), 0.001);
  assert.deepEqual(
    drawn.map(({ frame, left, right }) => [frame, left, right]),
    [
      [0, 0, 1],
      [3, 0, 1],
      [4, 0, 1],
      [5, 0, 0.625],
    ],
  );
});

test("what is too narrow is one box, and what it calls is left out", () => {
  const thin = flameOf(
    { columns: { parent: [-1, 0, 0, 2, 0, 0], name: [..."abcdef"], bytes: [1000, 990, 3, 3, 3, 4] } },
    { value: "bytes", self: "" },
  )!;
  const drawn = boxesOf(thin, spanOf(thin, null), 0.005);
  assert.deepEqual(
    drawn.map(({ frame, depth, left, right }) => [frame, depth, left, right]),
    [
      [0, 0, 0, 1],
      [1, 1, 0, 0.99],
      [-1, 1, 0.99, 1],
    ],
  );
  assert.deepEqual([...thin.selfs], [0, 990, 0, 3, 3, 4]);
});

test("only rows in sight are drawn", () => {
  const drawn = boxesOf(FLAME, spanOf(FLAME, null), 0.001, 1, 2);
  assert.deepEqual(
    drawn.map(({ frame }) => frame),
    [1, 2, 3, 4],
  );
});

test("the frame under the pointer", () => {
  const all = spanOf(FLAME, null);
  assert.deepEqual(
    [frameAt(FLAME, all, 0.3, 2), frameAt(FLAME, all, 0.55, 2), frameAt(FLAME, all, 0.7, 3)],
    [2, null, 5],
  );
  assert.equal(frameAt(FLAME, spanOf(FLAME, 4), 0.5, 3), 5);
});

test("a search counts nothing twice", () => {
  const share = (text: string, frame: number | null): number =>
    matched(FLAME, spanOf(FLAME, frame), matcherOf(FLAME, text)!).share;
  assert.deepEqual([share("READ", null), share("a", null), share("read", 4), share("no", null)], [0.75, 1, 0.625, 0]);
  assert.equal(matched(FLAME, spanOf(FLAME, null), matcherOf(FLAME, "read")!).frames, 2);
  assert.equal(matcherOf(FLAME, "  "), null);
});

test("keys walk along frames", () => {
  assert.deepEqual(
    [movedFrame(FLAME, "ArrowDown", null), movedFrame(FLAME, "ArrowDown", 0), movedFrame(FLAME, "ArrowRight", 1)],
    [0, 1, 3],
  );
  assert.deepEqual(
    [movedFrame(FLAME, "ArrowUp", 5), movedFrame(FLAME, "ArrowLeft", 1), movedFrame(FLAME, "x", 1)],
    [4, 1, null],
  );
});

test("where to look first", () => {
  assert.deepEqual(heaviestPath(FLAME), [0, 1, 2]);
  assert.deepEqual(topNames(FLAME, 2), [
    { name: "read", self: 75 },
    { name: "step", self: 15 },
  ]);
  assert.deepEqual(
    [pathTo(FLAME, 5), callees(FLAME, 0)],
    [
      [0, 3, 4, 5],
      [1, 3],
    ],
  );
});

test("contradictions: callees larger than their caller, parents that are no callers, sizes that are none", () => {
  const odd = flameOf(
    {
      columns: {
        parent: [-1, 0, 0, 1, 9, null],
        name: [..."abcdef"],
        bytes: [10, 8, 8, 5, -3, null],
      },
    },
    { value: "bytes", self: "" },
  )!;
  assert.deepEqual([...odd.values], [16, 8, 8, 5, 0, 0]);
  assert.deepEqual([...odd.parents], [-1, 0, 0, -1, -1, -1]);
  assert.equal(odd.total, 21);
  assert.equal(flameOf({ columns: { parent: [], name: [], bytes: [] } }, COLUMNS), null);
  assert.equal(flameOf({ columns: { parent: [-1], name: ["a"], bytes: [0] } }, COLUMNS), null);
});

test("a hundred thousand frames, and a stack as deep", () => {
  const count = 100_000;
  const rows = [...Array(count).keys()];
  const flat = flameOf(
    {
      columns: {
        parent: rows.map((row) => (row ? 0 : -1)),
        name: rows.map(String),
        bytes: rows.map((row) => (row ? 1 : count)),
      },
    },
    { value: "bytes", self: "" },
  )!;
  assert.equal(boxesOf(flat, spanOf(flat, null), 0.001).length, 2);
  const deep = flameOf(
    { columns: { parent: rows.map((row) => row - 1), name: rows.map(String), bytes: rows.map(() => 1) } },
    { value: "bytes", self: "" },
  )!;
  assert.deepEqual([deep.rows, boxesOf(deep, spanOf(deep, null), 0.001, 0, 40).length], [count, 41]);
});
