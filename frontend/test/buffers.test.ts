import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, curveOf, liveAtPeak, pointsOf } from "../src/views/buffers";

const SUMMARY = { parameter_bytes: 10, output_bytes: 5, constant_bytes: 0, peak_event: 1 };
const CURVE = {
  columns: {
    event: [-1, 0, 1, 2],
    place: [null, 3, 4, 3],
    instruction: ["", "a", "b", "a"],
    change: ["held", "alloc", "alloc", "free"],
    live_bytes: [15, 25, 45, 35],
    logical_bytes: [15, 23, 43, 35],
    op: ["", "f/a", "f/b", "f/a"],
  },
};

test("a curve stands on what is held throughout, and knows its peak", () => {
  const curve = curveOf({ summary: SUMMARY, tables: { curve: CURVE } })!;
  assert.deepEqual(curve.held, [
    ["parameter", 10],
    ["output", 15],
    ["constant", 15],
  ]);
  assert.deepEqual([curve.peak, curve.isPadded, curve.places], [2, true, [null, 3, 4, 3]]);
});

test("each level holds until the next event, the last one, too", () => {
  const curve = curveOf({ summary: SUMMARY, tables: { curve: CURVE } })!;
  assert.deepEqual(pointsOf(curve), [
    [-1, 0, 1, 2, 3],
    [15, 25, 45, 35, 35],
    [15, 15, 15, 15, 15],
    [15, 15, 15, 15, 15],
    [10, 10, 10, 10, 10],
    [15, 23, 43, 35, 35],
  ]);
});

test("where the peak's event is not among the rows, the highest is it", () => {
  const curve = curveOf({ summary: { ...SUMMARY, peak_event: null }, tables: { curve: CURVE } })!;
  assert.equal(curve.peak, 2);
});

test("without events there is no curve", () => {
  assert.equal(curveOf({ summary: SUMMARY, tables: {} }), null);
  assert.equal(curveOf({ summary: SUMMARY, tables: { curve: { columns: { event: [] } } } }), null);
});

const BUFFERS = {
  columns: {
    instruction: ["b", "w", "a", "gone"],
    kind: ["temporary", "parameter", "temporary", "temporary"],
    bytes: [20, 10, 10, 99],
    logical_bytes: [20, 10, 8, 99],
    at_peak: [true, true, true, false],
    first_place: [4, 0, 3, 1],
    last_place: [5, 9, 6, 2],
    op: ["f/b", "w", "f/a", ""],
    shape: ["f32[5]", "", "", ""],
    saves: ["", "", "", ""],
  },
};

test("what is live at the peak is in order of size, or of the program", () => {
  assert.deepEqual(
    liveAtPeak(BUFFERS, "size").map(({ name, bytes }) => [name, bytes]),
    [
      ["b", 20],
      ["w", 10],
      ["a", 10],
    ],
  );
  assert.deepEqual(
    liveAtPeak(BUFFERS, "program").map(({ name, first, last, logical }) => [name, first, last, logical]),
    [
      ["w", 0, 9, 10],
      ["a", 3, 6, 8],
      ["b", 4, 5, 20],
    ],
  );
});

test("an unknown kind has a colour", () => {
  assert.deepEqual([colourOf("temporary"), colourOf("?")], ["--memory-heap", "--unknown"]);
});
