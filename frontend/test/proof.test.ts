import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageProps } from "../src/page";
import type { Column, ColumnName, Scalar, TableSpec } from "../src/types";
import { cellInTrace, cellText, digestOf } from "../src/views/proof";

const column = (name: ColumnName): Column => ({ name, dtype: "float64", unit: "ms", help: "", title: "" });
const SPEC: TableSpec = {
  name: "steps",
  title: "",
  help: "",
  count: "",
  columns: (["host", "step", "idle_ms", "input_wait_ms", "duration_ms"] as const).map(column),
  key: ["host", "step", "steps_from"],
  proved: ["duration_ms", "input_wait_ms"],
};

function page(params: Record<string, string> = {}): PageProps {
  return { tool: { name: "overview" }, selection: { params } } as unknown as PageProps;
}

function text(host: Scalar, col: string | null = null, params: Record<string, string> = {}): string | null {
  const data = { columns: { host: [host], step: [7], duration_ms: [1] } };
  return cellText(page(params), { spec: SPEC, data, row: 0, column: col });
}

test("a cell is told by its table, its column, and what tells its row from others", () => {
  assert.equal(text("vm/1"), "overview.steps.duration_ms?host=vm%2F1&step=7");
  assert.equal(text("a", "input_wait_ms"), "overview.steps.input_wait_ms?host=a&step=7");
});

test("a column that nothing proves leads to the row's main number; a table without any nowhere", () => {
  assert.equal(text("a", "idle_ms"), "overview.steps.duration_ms?host=a&step=7");
  const none = { spec: { ...SPEC, proved: [] }, data: { columns: {} }, row: 0, column: null };
  assert.equal(cellText(page(), none), null);
  assert.equal(cellInTrace(page(), none), null);
});

test("what a row lacks is left out; what the table lacks is the page's own word", () => {
  assert.equal(text(null), "overview.steps.duration_ms?step=7");
  assert.equal(
    text(null, null, { steps_from: "/^train/" }),
    "overview.steps.duration_ms?step=7&steps_from=%2F%5Etrain%2F",
  );
  assert.equal(text(null, null, { host: "not the row's" }), "overview.steps.duration_ms?step=7");
});

test("a long text is its beginning and a digest of all of it", () => {
  // FNV-1a's own examples.
  assert.deepEqual([digestOf(""), digestOf("a"), digestOf("foobar")], ["811c9dc5", "e40c292c", "bf9cf968"]);
  const long = "x".repeat(101);
  assert.equal(text(long), `overview.steps.duration_ms?host=${"x".repeat(100)}%E2%80%A6${digestOf(long)}&step=7`);
  const face = "x".repeat(99) + "😀" + "y";
  assert.equal(text(face), `overview.steps.duration_ms?host=${"x".repeat(99)}%E2%80%A6${digestOf(face)}&step=7`);
});

test("the way into the trace looks at the row's own time", () => {
  const cell = { spec: SPEC, data: { columns: { host: ["a"], step: [7] } }, row: 0, column: null };
  const search = "overview.steps.duration_ms?host=a&step=7";
  assert.deepEqual(cellInTrace(page(), cell)?.params, { search, match: "row" });
  assert.deepEqual(cellInTrace(page(), cell, [1000, 2000])?.params, {
    ...{ start_ps: "900", end_ps: "2100", search, match: "row" },
  });
});
