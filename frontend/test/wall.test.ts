import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column, ColumnName, TableData, TableSpec } from "../src/types";
import { sparse, telling } from "../src/views/columns";

function column(name: ColumnName): Column {
  return { name, dtype: "float64", unit: "", help: "", title: "" };
}

/** What the columns hold, in place of names that are declared. */
function named(...names: string[]): ColumnName[] {
  return names as ColumnName[];
}

const columns = named("none", "few", "half", "unknown", "all").map(column);
const spec: TableSpec = { name: "ops", title: "", help: "", columns, count: "", key: [], proved: [] };
const data = {
  columns: {
    none: [0, 0, null, 0, 0],
    few: [0, 0, 0, 5, null],
    half: [0, 0, 3, 5, 1],
    unknown: [null, null, null, null, null],
    all: [1, 2, 3, 4, 5],
  },
} as TableData;

test("a column of zeros is left out where nobody chose it; of unknown ones the table tells", () => {
  assert.deepEqual(telling(spec, data, []), ["few", "half", "unknown", "all"]);
  assert.deepEqual(telling(spec, data, named("none", "all")), ["all"]);
  const two = { columns: { none: [0, 0], all: [1, 2] } } as TableData;
  assert.deepEqual(telling(spec, two, named("none", "all")), ["none", "all"]);
});

test("zeros are left empty where all but a few are", () => {
  assert.deepEqual([...sparse(columns, data)], ["few"]);
});
