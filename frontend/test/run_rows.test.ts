import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder, merged, NO_ROWS, progress, someOf, tableOf } from "../src/shell/run_rows";
import type { Column, RunRows, TableSpec } from "../src/types";

const run = (name: string) => ({
  name,
  captured_ms: 5,
  modified_ms: 5,
  size_bytes: 1,
  kind: "trace",
  hosts: [{ name: "h", format: "xplane", size_bytes: 1, files: [] }],
});
const column = (name: Column["name"]): Column => ({ name, dtype: "text", unit: "", help: "", title: name });
const spec: TableSpec = {
  name: "runs",
  title: "Runs",
  help: "",
  columns: (["run", "step_time_ms", "captured_ms", "host_count", "failed"] as const).map(column),
  count: "",
  key: [],
  proved: [],
};
const body = (serial: number, rows: [string, number | null, boolean][], more: Partial<RunRows> = {}): RunRows => ({
  ...{ schema: 1, serial, runs: 3, read: 0, failed: 0, working: true },
  columns: {
    run: rows.map(([name]) => name),
    step_time_ms: rows.map(([, ms]) => ms),
    failed: rows.map(([, , failed]) => failed),
  },
  ...more,
});
const first = merged(NO_ROWS, body(7, [["b", 10, false]], { table: spec }));

test("rows come by and by; a row that comes again replaces itself", () => {
  const next = merged(
    first,
    body(9, [
      ["a", 20, false],
      ["b", 12, false],
    ]),
  );
  assert.deepEqual(
    [...next.byRun].map(([name, { step_time_ms }]) => [name, step_time_ms]),
    [
      ["b", 12],
      ["a", 20],
    ],
  );
  assert.deepEqual([next.serial, next.spec, next.working], [9, spec, true]);
  assert.equal(first.byRun.size, 1);
});

test("an answer without rows leaves them the same object, so that nothing is drawn again", () => {
  const next = merged(first, body(9, [], { working: false }));
  assert.equal(next.byRun, first.byRun);
  assert.deepEqual([next.serial, next.working], [9, false]);
});

test("the table has every run that is there, in its order, read or not; rows of runs that are gone are left out", () => {
  const rows = merged(first, body(9, [["gone", 1, false]]));
  assert.deepEqual(tableOf([run("a"), run("b")], rows).columns, {
    run: ["a", "b"],
    step_time_ms: [null, 10],
    captured_ms: [5, null],
    host_count: [1, null],
    failed: [null, false],
  });
});

test("how many are read and cannot be read counts runs that are there", () => {
  const rows = merged(
    first,
    body(9, [
      ["gone", 1, true],
      ["c", null, true],
    ]),
  );
  assert.deepEqual(progress([run("a"), run("b"), run("c")], rows), { read: 2, failed: 1 });
});

test("names are taken as long as they fit into an address", () => {
  assert.deepEqual(someOf(["aaa", "bbb", "ccc"], 20), ["aaa", "bbb"]);
  assert.deepEqual(someOf(["aaa", "bbb", "ccc"], 20, 1), ["aaa"]);
  assert.deepEqual(someOf(["%".repeat(10)], 36), []);
  assert.deepEqual(someOf(["%".repeat(10)], 37), ["%".repeat(10)]);
});

test("of two runs the older one is the base", () => {
  const runs = [run("new"), run("middle"), run("old")];
  assert.deepEqual(inOrder(runs, "new", "old"), { base: "old", run: "new" });
  assert.deepEqual(inOrder(runs, "old", "middle"), { base: "old", run: "middle" });
});
