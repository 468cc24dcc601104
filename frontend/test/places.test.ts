import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOfNone } from "../src/views/category";
import { stepOf, stepsOfAll } from "../src/views/findings";

const MS = 1e9;

function place(start: number, end: number, host = "vm") {
  return { host, start_ps: start * MS, end_ps: end * MS, track: -1, tracks: "" };
}

const ONE = {
  hosts: ["vm"],
  tables: { steps: { columns: { step: [7, 8], start_ms: [10, 15], duration_ms: [5, 7] } } },
};

test("on one host a place is in the step that holds its middle", () => {
  const found = [place(10, 15), place(14, 18), place(30, 40)].map((where) => stepOf(ONE, where));
  assert.deepEqual(found, ["7", "8", null]);
});

test("places are called by their steps where each is in another one", () => {
  assert.deepEqual(stepsOfAll(ONE, [place(15, 22), place(11, 12)]), ["8", "7"]);
  assert.equal(stepsOfAll(ONE, [place(11, 12), place(13, 14)]), null);
  assert.equal(stepsOfAll(ONE, [place(11, 12), place(30, 40)]), null);
});

test("of several hosts, whose clocks differ, only a whole step of the same host is known", () => {
  const columns = { ...ONE.tables.steps.columns, host: ["a", "b"] };
  const two = { hosts: ["a", "b"], tables: { steps: { columns } } };
  assert.deepEqual(
    [place(0, 7, "b"), place(0, 7, "a"), place(15, 16, "b")].map((w) => stepOf(two, w)),
    ["8", null, null],
  );
  assert.equal(stepOf({ hosts: ["a"], tables: {} }, place(0, 7, "a")), null);
});

test("compute without time is one category, and none where another precision has some", () => {
  const none = [
    ["compute_8bit", "Compute 8-bit"],
    ["compute_other", "Compute"],
    ["idle", "Idle, cause unknown"],
  ] as const;
  assert.deepEqual(namesOfNone(none, ["copy_in"]), ["device compute", "idle, cause unknown"]);
  assert.deepEqual(namesOfNone(none, ["compute_tf32"]), ["idle, cause unknown"]);
});
