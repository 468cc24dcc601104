import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column, ColumnName, TableSpec, View } from "../src/types";
import { chartOf, inWords, intervalOf, moved, placeOf, points, rowAt, tickText } from "../src/views/chart";

const TITLES: Record<string, string> = { step: "Step", wait_share: "Wait %", kernels: "Kernels" };

function column(name: ColumnName, unit: string, dtype = "float64"): Column {
  return { name, dtype, unit, help: "", title: TITLES[name] ?? "" };
}

const COLUMNS = [
  column("start_ms", "ms"),
  column("duration_ms", "ms"),
  column("wait_share", "share"),
  column("kernels", "count"),
  column("memory_bytes", "bytes"),
  column("step", "id"),
];
const SPEC: TableSpec = {
  name: "activity",
  title: "Activity",
  help: "",
  columns: COLUMNS,
  count: "",
  key: [],
  proved: [],
};
const DATA = {
  columns: {
    start_ms: [2, 3, 5],
    duration_ms: [1, 2, 2],
    wait_share: [0.5, null, 1],
    kernels: [0, 1, 2],
    memory_bytes: [1, 2, 3],
    step: [7, 8, 11],
  },
};

function view(label: ColumnName, ...values: ColumnName[]): View {
  return { kind: "lines", title: "", table: "activity", label, values };
}

const BUCKETS = chartOf(view("start_ms", "wait_share", "kernels"), SPEC, DATA)!;
const STEPS = chartOf(view("step", "kernels"), SPEC, DATA)!;

test("rows with a length are level to their end, and count from the first", () => {
  assert.deepEqual(points(BUCKETS), [
    [0, 1, 3, 5],
    [0.5, null, 1, 1],
    [0, 1, 2, 2],
  ]);
  assert.deepEqual(BUCKETS.units, ["share", "count"]);
});

test("rows without a length are points", () => {
  assert.deepEqual(points(STEPS), [
    [7, 8, 11],
    [0, 1, 2],
  ]);
});

test("a third unit is left to the table, and so is a column of which nothing is known", () => {
  const chart = chartOf(view("step", "wait_share", "kernels", "memory_bytes"), SPEC, DATA)!;
  assert.deepEqual(
    chart.lines.map((line) => line.column.name),
    ["wait_share", "kernels"],
  );
  const unknown = { columns: { ...DATA.columns, wait_share: [null, null, null] } };
  const rest = chartOf(view("step", "wait_share", "memory_bytes"), SPEC, unknown)!;
  assert.deepEqual(rest.units, ["bytes"]);
});

test("nothing known, no row, or no such column is no chart", () => {
  const unknown = { columns: { start_ms: [1], duration_ms: [1], wait_share: [null] } };
  assert.equal(chartOf(view("start_ms", "wait_share"), SPEC, unknown), null);
  assert.equal(chartOf(view("start_ms", "wait_share"), SPEC, { columns: { start_ms: [], wait_share: [] } }), null);
  assert.equal(chartOf(view("age_ms", "wait_share"), SPEC, DATA), null);
});

test("the row at x holds it, or is the nearest", () => {
  assert.deepEqual(
    [-1, 0, 0.9, 1, 2.9, 4, 9].map((x) => rowAt(BUCKETS, x)),
    [0, 0, 0, 1, 1, 2, 2],
  );
  assert.deepEqual(
    [0, 7.4, 7.6, 9, 10, 99].map((x) => rowAt(STEPS, x)),
    [0, 0, 1, 1, 2, 2],
  );
});

test("keys move the cursor and stop at the ends", () => {
  const from = (row: number | null): (number | null)[] =>
    ["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "x"].map((key) => moved(key, row, 20));
  assert.deepEqual(from(null), [19, 0, 19, 0, 0, 19, null]);
  assert.deepEqual(from(1), [0, 2, 0, 3, 0, 19, null]);
  assert.deepEqual(from(19), [18, 19, 17, 19, 0, 19, null]);
});

test("a row with a length in time is an interval of the trace, in its own time", () => {
  assert.deepEqual(intervalOf(BUCKETS, 1), [3e9, 5e9]);
  assert.equal(intervalOf(STEPS, 1), null);
  assert.equal(placeOf(BUCKETS, 1), "at 1.00 ms for 2.00 ms");
  assert.equal(placeOf(STEPS, 1), "Step 8");
});

test("in words: the mean is by length, and what is unknown is said", () => {
  assert.equal(
    inWords(BUCKETS),
    "3 rows over 5.00 ms. Wait: 50.0 % to 100 %, 83.3 % on average, unknown in 1 row. " +
      "Kernels: 0 to 2, 1.20 on average.",
  );
});

test("ticks have no digits that say nothing", () => {
  const texts = [0, 20, 1200, 1250].map((value) => tickText(value, "ms"));
  assert.deepEqual(
    [...texts, tickText(0.5, "share"), tickText(100, "count")],
    ["0", "20 ms", "1.2 s", "1.25 s", "50 %", "100"],
  );
});
