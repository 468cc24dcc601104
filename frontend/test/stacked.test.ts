import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column, ColumnName, TableSpec, View } from "../src/types";
import { barsOf, ceilingOf, rowInWords, stackedOf, stackInWords, stretchOf, ticksOf } from "../src/views/stacked";

function column(name: ColumnName, unit = "ms"): Column {
  return { name, dtype: "float64", unit, help: "", title: name };
}

const SPEC: TableSpec = {
  name: "steps",
  title: "Steps",
  help: "",
  columns: (["start_ms", "duration_ms", "op_compute_ms", "input_wait_ms", "idle_ms"] as const).map((name) =>
    column(name),
  ),
  count: "",
  key: [],
  proved: [],
};
const VIEW: View = {
  kind: "stack",
  title: "",
  table: "steps",
  label: "step",
  values: ["op_compute_ms", "input_wait_ms", "idle_ms"],
};
const DATA = {
  columns: {
    step: [7, 8, 9],
    name: ["train 7", "train 8", "train 9"],
    start_ms: [10, 15, null],
    duration_ms: [5, 7, 2],
    cut: ["", "", "end"],
    op_compute_ms: [1, 3, 2],
    input_wait_ms: [4, 4, null],
    idle_ms: [0, 0, 0],
  },
};
const STEPS = stackedOf(VIEW, SPEC, DATA)!;

test("parts without a value are named and not drawn; a cut row is in no mean", () => {
  assert.deepEqual(
    STEPS.parts.map(({ title, variable, mean }) => [title, variable, mean]),
    [
      ["Op compute", "--host", 2],
      ["Input wait", "--input", 4],
    ],
  );
  assert.deepEqual([STEPS.none, STEPS.totals, STEPS.mean], [["idle, cause unknown"], [5, 7, 2], 6]);
});

test("where every row is cut, all of them count", () => {
  const all = stackedOf(VIEW, SPEC, { columns: { ...DATA.columns, cut: ["end", "end", "end"] } })!;
  assert.equal(all.mean, 14 / 3);
});

test("nothing to draw", () => {
  assert.equal(stackedOf({ ...VIEW, values: ["idle_ms"] }, SPEC, DATA), null);
  assert.equal(stackedOf(VIEW, SPEC, { columns: {} }), null);
});

test("rows that have a place in time lead to the trace", () => {
  assert.deepEqual(stretchOf(STEPS, 1), [15e9, 22e9]);
  assert.equal(stretchOf(STEPS, 2), null);
});

test("of more rows than bars each bar has the mean of some, and knows the slowest", () => {
  const [first, second] = barsOf(STEPS, 0, 3, 2);
  assert.deepEqual(first, { first: 0, last: 0, parts: [1, 4], total: 5, slowest: 0, cut: false });
  assert.deepEqual(second, { first: 1, last: 2, parts: [2.5, 2], total: 4.5, slowest: 1, cut: false });
  assert.equal(barsOf(STEPS, 0, 3, 1000).length, 3);
  assert.equal(barsOf(STEPS, 2, 3, 1000)[0]!.cut, true);
});

test("one outlier does not flatten all others", () => {
  const calm = { totals: [10, 11, 12, 10, 11, 12, 10, 11, 12, 30] };
  const wild = { totals: [10, 11, 12, 10, 11, 12, 10, 11, 12, 3000] };
  assert.equal(ceilingOf(calm as never, 0, 10), 30 * 1.08);
  assert.equal(ceilingOf(wild as never, 0, 10), 12 * 1.5 * 1.08);
});

test("ticks are round, and start at zero", () => {
  assert.deepEqual(ticksOf(45), [0, 10, 20, 30, 40]);
  assert.deepEqual(ticksOf(2), [0, 0.5, 1, 1.5, 2]);
});

test("row and chart in words", () => {
  assert.equal(
    rowInWords(STEPS, 2),
    "train 9: 2.00 ms, cut by the capture (end): not in the mean. Op compute 2.00 ms.",
  );
  assert.equal(
    stackInWords(STEPS, "step"),
    "3 steps, 6.00 ms on average: Op compute 2.00 ms (33.3 %), Input wait 4.00 ms (66.7 %). The longest: train 8, 7.00 ms.",
  );
});
