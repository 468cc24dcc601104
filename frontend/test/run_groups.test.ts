import assert from "node:assert/strict";
import { test } from "node:test";
import { groupRuns, runBefore } from "../src/shell/run_groups";

const run = (name: string, ...hosts: string[]) => ({
  name,
  captured_ms: 0,
  modified_ms: 0,
  size_bytes: 0,
  kind: "trace",
  hosts: hosts.map((host) => ({ name: host, format: "xplane", size_bytes: 1, files: [] })),
});
const runs = [run("b/2026_02", "vm1"), run("top", "vm2"), run("a/2026_01", "vm1"), run("b/2026_01", "gpu7")];
const shown = (filter: string) =>
  groupRuns(runs, filter).map((line) => ("group" in line ? `[${line.group}]` : line.short));

test("grouped by folder, groups in the order of their newest run", () => {
  assert.deepEqual(shown(""), ["[b]", "2026_02", "2026_01", "top", "a/2026_01"]);
});

test("all words must match the name or a host", () => {
  assert.deepEqual(shown("b 2026"), ["[b]", "2026_02", "2026_01"]);
  assert.deepEqual(shown("GPU7"), ["b/2026_01"]);
  assert.deepEqual(shown("nothing"), []);
});

test("the run before one is the newest older one of its folder", () => {
  assert.equal(runBefore(runs, "b/2026_02")?.name, "b/2026_01");
  assert.equal(runBefore(runs, "b/2026_01"), undefined);
  assert.equal(runBefore(runs, "top"), undefined);
  assert.equal(runBefore(runs, "gone"), undefined);
});
