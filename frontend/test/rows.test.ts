import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column } from "../src/types";
import { filterProblem, onlyWith, pickRows, toCsv, together, toTsv } from "../src/views/rows";

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

test("expressions as the trace takes them, in any text or a column's", () => {
  assert.deepEqual(pick("/^conv.*(2d|grad)$/"), [1, 2]);
  assert.deepEqual(pick("name~^mat"), [0]);
  assert.deepEqual(pick("name!~conv -/idle/"), [0]);
  // A malformed one matches nothing, and says why.
  assert.deepEqual(pick("/conv(/"), []);
  assert.match(filterProblem("/conv(/", columns, 0), /Not a regular expression/);
  assert.match(filterProblem("name~(?=a)", columns, 0), /not supported/);
});

test("a malformed filter says what is wrong; a word that rows hold is none", () => {
  assert.equal(filterProblem("conv self>1ms -grad name=MatMul", columns, 1), "");
  assert.match(filterProblem('name="Mat', columns, 0), /quote is not closed/);
  assert.match(filterProblem("nosuch>5", columns, 0), /No column is called nosuch/);
  assert.match(filterProblem("self_us>", columns, 0), /value is missing/);
  assert.match(filterProblem("self_us>much", columns, 0), /compared with a number/);
  assert.equal(filterProblem("vector<int>", columns, 2), "");
});

test("CSV of what is shown has its rows, order and columns; text that is a formula is disarmed", () => {
  const odd = { columns: { name: ["=1+1", 'a "b", c'], self_us: [-1, null] } };
  assert.equal(toCsv(odd, columns.slice(0, 2), [1, 0]), 'name,self_us\r\n"a ""b"", c",\r\n\'=1+1,-1\r\n');
});
