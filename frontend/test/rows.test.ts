import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column } from "../src/types";
import { onlyWith, pickRows, together, toTsv } from "../src/views/rows";

const columns: Column[] = [
  { name: "name", dtype: "text", unit: "", help: "", title: "Name" },
  { name: "self_us", dtype: "float64", unit: "us", help: "", title: "Self" },
  { name: "self_share", dtype: "float64", unit: "share", help: "", title: "Self %" },
  { name: "occurrences", dtype: "int64", unit: "count", help: "", title: "Occurrences" },
];
const data = {
  columns: {
    name: ["MatMul", "Conv2D", "conv_grad", "Idle\there"],
    self_us: [2000, 500, null, 2000],
    self_share: [0.4, 0.1, null, 0.4],
    occurrences: [10, 20, 5, 1],
  },
};
const pick = (filter: string) => pickRows(data, columns, filter, null);

test("words match text in any case; all must hold; a dash turns one round", () => {
  assert.deepEqual(pick(""), [0, 1, 2, 3]);
  assert.deepEqual(pick("conv"), [1, 2]);
  assert.deepEqual(pick("conv grad"), [2]);
  assert.deepEqual(pick("-conv"), [0, 3]);
  assert.deepEqual(pick("nothing"), []);
});

test("comparisons, with units, on the start of a column's name; unknown never passes", () => {
  assert.deepEqual(pick("self_us>=2000"), [0, 3]);
  assert.deepEqual(pick("self>1ms"), [0, 3]);
  assert.deepEqual(pick("self_share<20%"), [1]);
  assert.deepEqual(pick("occ>=10 conv"), [1]);
  assert.deepEqual(pick("occurrences=5"), [2]);
});

test("a comparison with no such column is a word", () => {
  assert.deepEqual(pick("a>1"), []);
});

test("sorting is stable and keeps unknown last in both directions", () => {
  const by = (column: string, down: boolean) => pickRows(data, columns, "", { column, down });
  assert.deepEqual(by("self_us", true), [0, 3, 1, 2]);
  assert.deepEqual(by("self_us", false), [1, 0, 3, 2]);
  assert.deepEqual(by("name", false), [1, 3, 0, 2]);
});

test("copies hold exact values, one line a row", () => {
  assert.equal(
    toTsv(data, columns, [3, 2]),
    "name\tself_us\tself_share\toccurrences\nIdle here\t2000\t0.4\t1\nconv_grad\t\t\t5",
  );
});

test("quotes keep blanks in a word; a column's name and `=` ask for its whole text", () => {
  assert.deepEqual(pick("name=MatMul"), [0]);
  assert.deepEqual(pick("name!=MatMul self>1ms"), [3]);
  assert.deepEqual(pick("name=Mat"), []);
  assert.deepEqual(pick('"idle\there"'), [3]);
  assert.deepEqual(pick('-"idle\there" self>1ms'), [0]);
  assert.deepEqual(pick('"open'), []);
});

test("rows tell what they take together, where a column adds up", () => {
  assert.deepEqual(together(data, columns, [0, 1, 2]), { value: 2500, unit: "us" });
  assert.equal(together(data, [columns[0]!], [0]), null);
});

test("a name picked elsewhere becomes a filter that finds it", () => {
  assert.equal(onlyWith("name", "MatMul"), "name=MatMul");
  assert.deepEqual(pick(onlyWith("name", "Idle\there")), [3]);
  assert.deepEqual(pick(onlyWith("name", 'conv"x')), [1, 2]);
  assert.ok(onlyWith("name", "x".repeat(100_000)).length < 400);
});
