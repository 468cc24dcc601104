import assert from "node:assert/strict";
import { test } from "node:test";
import { areaOf, busyOf, drawsFree, pointsOf, stretchAt, windowAround } from "../src/views/area";

// Before the window 100; from 10 to 12 ms four events between 80 and 300 that leave 200; at 20 ms one that leaves 150.
const DATA = {
  columns: {
    start_ms: [0, 10, 20],
    duration_ms: [0, 2, 0],
    events: [0, 4, 1],
    min_bytes: [100, 80, 150],
    max_bytes: [100, 300, 150],
    last_bytes: [100, 200, 150],
    stack_bytes: [10, 10, 10],
    heap_bytes: [90, 290, 140],
    free_bytes: [null, 700, 850],
    fragmentation_share: [null, 0.5, 0.25],
  },
};
const AREA = areaOf(DATA)!;

test("a stretch is its range, then the level that it leaves, until the next and to the window's end", () => {
  const { x, least, most } = pointsOf(AREA, 30);
  assert.deepEqual(x, [0, 10, 12, 20, 30]);
  assert.deepEqual(most, [100, 300, 200, 150, 150]);
  assert.deepEqual(least, [100, 80, 200, 150, 150]);
});

test("all memory stands above what is in use, also where it is not told", () => {
  const { all, stack, fragmentation } = pointsOf(AREA, 30);
  assert.deepEqual(all, [1000, 1000, 1000, 1000, 1000]);
  assert.deepEqual(stack, [10, 10, 10, 10, 10]);
  assert.deepEqual(fragmentation, [null, 0.5, 0.5, 0.25, 0.25]);
});

test("memory without a limit has nothing free", () => {
  const none = areaOf({ columns: { ...DATA.columns, free_bytes: [null, null, null] } })!;
  assert.deepEqual([none.hasFree, drawsFree(none, ""), pointsOf(none, 30).all[0]], [false, false, null]);
});

test("free memory is drawn where use is no line at the bottom, or as chosen", () => {
  assert.deepEqual([drawsFree(AREA, ""), drawsFree(AREA, "false")], [true, false]);
  const vast = areaOf({ columns: { ...DATA.columns, free_bytes: [1e6, 1e6, 1e6] } })!;
  assert.deepEqual([drawsFree(vast, ""), drawsFree(vast, "true")], [false, true]);
});

test("the stretch at a time, or the one before", () => {
  assert.deepEqual(
    [-5, 0, 9.9, 10, 11, 15, 25].map((x) => stretchAt(AREA, x)),
    [0, 0, 0, 1, 1, 1, 2],
  );
});

test("nothing to draw", () => {
  assert.equal(areaOf({ columns: {} }), null);
  assert.equal(areaOf({ columns: { start_ms: [], duration_ms: [], max_bytes: [] } }), null);
});

test("a window narrows around a place and stays within all", () => {
  assert.deepEqual(windowAround([0, 100], 50, 2, [0, 100]), [25, 75]);
  assert.deepEqual(windowAround([0, 100], 0, 4, [0, 100]), [0, 25]);
  assert.deepEqual(windowAround([90, 100], 95, 0.5, [0, 100]), [80, 100]);
  assert.deepEqual(windowAround([25, 75], 50, 0.1, [0, 100]), [0, 100]);
});

test("where nearly all events fall is a stretch of its own, unless it is much of all", () => {
  const of = (starts: number[], events: number[]) =>
    areaOf({
      columns: {
        start_ms: starts,
        duration_ms: starts.map(() => 1),
        max_bytes: starts.map(() => 1),
        events,
      },
    })!;
  assert.deepEqual(busyOf(of([0, 900, 950], [1, 60, 39]), [0, 1000]), [900 - 2.55, 951 + 2.55]);
  assert.equal(busyOf(of([0, 500, 950], [50, 10, 40]), [0, 1000]), null);
  assert.equal(busyOf(of([0, 900], [0, 5]), [0, 1000]), null);
});
