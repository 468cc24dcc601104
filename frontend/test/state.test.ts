import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, isLate, ownParams, runsIn, runsText } from "../src/selection";
import { rangeOf, rangeText } from "../src/views/chosen";
import { tableState, withTableState } from "../src/views/table_state";

const old = { run: "a", hosts: ["h1"], tool: "op_stats", params: { "ops.filter": "conv" } };

/** What `old` had set, while another tool is open. */
const away = { "op_stats~ops.filter": "conv" };

test("a change of tool keeps run and hosts, and puts the page's params away", () => {
  assert.deepEqual(changed(old, { tool: "overview" }), { run: "a", hosts: ["h1"], tool: "overview", params: away });
  assert.deepEqual(changed(old, { tool: "trace_viewer", params: { t: "1" } }).params, { ...away, t: "1" });
});

test("a page that is opened again is as it was left, in the same link; a link into it has its own words", () => {
  const left = changed(old, { tool: "overview" });
  assert.deepEqual(changed(left, { tool: "op_stats" }), old);
  assert.deepEqual(changed(left, { params: { split: "op" } }).params, { ...away, split: "op" });
  assert.deepEqual(changed(left, { tool: "op_stats", params: { "ops.filter": "relu" } }).params, {
    "ops.filter": "relu",
  });
  assert.deepEqual(ownParams(left.params), {});
  const both = changed(changed(left, { params: { split: "op" } }), { tool: "op_stats" });
  assert.deepEqual(changed(both, { tool: "overview" }).params, { ...away, split: "op" });
  assert.deepEqual(changed(left, { run: "b" }).params, away);
});

test("what was arranged in the trace outlives a link into it: marks with a name, pins, the order", () => {
  const trace = {
    run: "a",
    hosts: [],
    tool: "trace_viewer",
    params: { marks: "h:1-2;Mark 1;why,h:3-4", pin: "h:7", search: "x" },
  };
  const left = changed(trace, { tool: "overview" });
  assert.deepEqual(changed(left, { tool: "trace_viewer" }).params, trace.params);
  assert.deepEqual(changed(left, { tool: "trace_viewer", params: { search: "y", marks: "h:8-9" } }).params, {
    search: "y",
    marks: "h:1-2;Mark 1;why,h:8-9",
    pin: "h:7",
  });
  // Places are of one run.
  assert.deepEqual(changed(left, { run: "b" }).params, { "trace_viewer~search": "x" });
});

test("a change of run drops hosts and keeps tool and params", () => {
  assert.deepEqual(changed(old, { run: "b" }), {
    run: "b",
    hosts: [],
    tool: "op_stats",
    params: { "ops.filter": "conv" },
  });
  assert.deepEqual(changed(old, { run: "a" }), old);
});

test("where all runs are shown, one that is chosen opens; the pinned baseline stays", () => {
  const all = { run: "", hosts: [], tool: "runs", params: { "runs.filter": "conv", baseline: "c" } };
  const params = { baseline: "c", "runs~runs.filter": "conv" };
  assert.deepEqual(changed(all, { run: "b" }), { run: "b", hosts: [], tool: "overview", params });
  assert.equal(changed(all, { run: "b", tool: "compare" }).tool, "compare");
  assert.deepEqual(changed(old, { tool: "runs" }), { run: "a", hosts: ["h1"], tool: "runs", params: away });
});

test("a place in one run is none in another", () => {
  const trace = {
    ...old,
    params: { start_ps: "1", end_ps: "2", range: "1-2", bars: "3-9", search: "conv", steps_from: "calls" },
  };
  assert.deepEqual(changed(trace, { run: "b" }).params, { search: "conv", steps_from: "calls" });
  const memory = { ...old, tool: "memory_profile", params: { memory: "GPU_0_bfc", start_ms: "3", free: "true" } };
  assert.deepEqual(changed(memory, { run: "b" }).params, { free: "true" });
});

test("how steps are found outlives every change but one of itself", () => {
  const chosen = { ...old, params: { steps_from: "/^step/", "ops.filter": "conv" } };
  assert.deepEqual(changed(chosen, { tool: "overview" }).params, { ...away, steps_from: "/^step/" });
  assert.deepEqual(changed(chosen, { tool: "trace_viewer", params: { t: "1" } }).params, {
    ...away,
    steps_from: "/^step/",
    t: "1",
  });
  assert.deepEqual(changed(chosen, { params: { steps_from: "" } }).params, {});
  assert.deepEqual(ownParams(chosen.params), { "ops.filter": "conv" });
});

test("a table's filter and order live in params, beside those of others", () => {
  const state = {
    filter: "conv self>1ms",
    sort: { column: "self_us", down: true },
    columns: ["name"],
    rows: "",
    open: "",
  };
  const params = withTableState({ "other.filter": "x", "ops.sort": "name" }, "ops", state);
  assert.deepEqual(params, {
    "other.filter": "x",
    "ops.filter": "conv self>1ms",
    "ops.sort": "-self_us",
    "ops.columns": "name",
  });
  assert.deepEqual(tableState(params, "ops"), state);
  const none = { filter: "", sort: null, columns: null, rows: "", open: "" };
  assert.deepEqual(withTableState(params, "ops", none), { "other.filter": "x" });
});

test("chosen rows are gone with another order or filter, opened ones stay", () => {
  const params = { "ops.rows": "1-2.x", "ops.open": "9.all", "ops.columns": "name" };
  const state = tableState(params, "ops");
  assert.deepEqual(withTableState(params, "ops", { ...state, columns: ["type"] }), {
    ...params,
    "ops.columns": "type",
  });
  assert.deepEqual(withTableState(params, "ops", { ...state, filter: "conv" }), {
    "ops.filter": "conv",
    "ops.open": "9.all",
    "ops.columns": "name",
  });
  assert.deepEqual(changed({ ...old, params }, { run: "b" }).params, { "ops.columns": "name" });
});

test("rows are chosen by an address only where they hold what its sender chose", () => {
  const data = { columns: { name: ["a", "b", "c", "d"], self_us: [4, 3, 2, 1] } };
  const text = rangeText({ from: 2, to: 1 }, data, [3, 2, 1, 0]);
  assert.deepEqual(rangeOf(text, data, [3, 2, 1, 0]), { from: 2, to: 1 });
  assert.equal(rangeOf(text, data, [0, 1, 2, 3]), null);
  assert.equal(rangeOf(text, { columns: { ...data.columns, self_us: [4, 3, 5, 1] } }, [3, 2, 1, 0]), null);
  for (const odd of ["", "2-1", "9-9.x", "-1-1.x", "x"]) assert.equal(rangeOf(odd, data, [3, 2, 1, 0]), null);
});

test("what a run is compared with outlives a change of run and tool, but is never the run itself unasked", () => {
  const compared = { ...old, tool: "compare", params: { base: "b", by: "category" } };
  assert.deepEqual(changed(compared, { tool: "op_stats" }).params, { base: "b", "compare~by": "category" });
  assert.deepEqual(changed(compared, { run: "c" }).params, { base: "b", by: "category" });
  assert.deepEqual(changed(compared, { run: "b" }).params, { by: "category" });
  assert.deepEqual(changed(compared, { run: "b", tool: "trace_viewer", params: { search: "x" } }).params, {
    "compare~by": "category",
    search: "x",
  });
  assert.deepEqual(changed(compared, { run: "b", params: { base: "a" } }).params, { base: "a" });
  assert.deepEqual(changed(compared, { params: { base: "a" } }).params, { base: "a" });
});

test("names of runs are one value of the address, whatever they hold", () => {
  const names = ["a/b", "50 %", "x,y", "%2C"];
  assert.deepEqual(runsIn(runsText(names)), names);
  assert.equal(runsText(["train/1"]), "train/1");
  assert.deepEqual(runsIn("a,,a,b"), ["a", "b"]);
});

test("repeats are of one run, and outlive a change of the tool; a run is not its own base", () => {
  const compared = { ...old, tool: "compare", params: { base: "b,c", repeat: "d", both: "true", "A.search": "x" } };
  assert.deepEqual(changed(compared, { tool: "op_stats" }).params, {
    ...{ base: "b,c", repeat: "d" },
    ...{ "compare~both": "true", "compare~A.search": "x" },
  });
  assert.deepEqual(changed(compared, { run: "c" }).params, { base: "b" });
  assert.deepEqual(changed(compared, { run: "b", params: { base: "a,d", repeat: "c" } }).params, {
    base: "a,d",
    repeat: "c",
  });
});

test("a page that is left does not write its places into the next one's address", () => {
  const change = { params: { event: "h:7" } };
  assert.equal(isLate(old, old, change), false);
  assert.equal(isLate(old, { ...old, params: {} }, change), false);
  for (const other of [{ run: "b" }, { tool: "overview" }, { hosts: ["h2"] }])
    assert.equal(isLate(old, { ...old, ...other }, change), true);
  assert.equal(isLate(old, { ...old, run: "b" }, { run: "c" }), false);
  assert.equal(isLate(old, { ...old, run: "b" }, { tool: "overview" }), false);
  assert.equal(isLate(old, { ...old, run: "b" }, { hosts: [] }), false);
  // Filled in since.
  assert.equal(isLate({ ...old, run: "", tool: "" }, old, change), false);
});
