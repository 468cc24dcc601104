import assert from "node:assert/strict";
import { test } from "node:test";
import { asBase, baseRangeOf, choose, inWords, isOfAnyRun, ofBase, rangeOf, splitWarnings } from "../src/range";
import { changed } from "../src/selection";

const old = { run: "a", hosts: ["h"], tool: "op_stats", params: { steps: "3-7", "ops.filter": "conv" } };

test("a range holds on all pages of a run, and not in another", () => {
  assert.deepEqual(changed(old, { tool: "overview" }).params, {
    ...{ steps: "3-7", "op_stats~ops.filter": "conv" },
  });
  assert.deepEqual(changed(old, { tool: "trace_viewer", params: { search: "x" } }).params, {
    "op_stats~ops.filter": "conv",
    steps: "3-7",
    search: "x",
  });
  assert.deepEqual(changed(old, { run: "b" }).params, { "ops.filter": "conv" });
});

test("another range takes its place, and the page's own view of the time axis goes", () => {
  const trace = { ...old, tool: "trace_viewer", params: { ...old.params, start_ps: "1", end_ps: "2" } };
  assert.deepEqual(changed(trace, choose(trace, { time: "1s-2s" })).params, { time: "1s-2s", "ops.filter": "conv" });
  assert.deepEqual(changed(trace, choose(trace, {})).params, { "ops.filter": "conv" });
});

test("a range in words", () => {
  assert.deepEqual(rangeOf(old.params), { steps: "3-7" });
  assert.equal(inWords({ steps: "3-7" }), "steps 3-7");
  assert.equal(inWords({ steps: "slow" }), "slow steps");
  assert.equal(inWords({ time: "1s-2s" }), "1s-2s");
  assert.equal(inWords({}), "all steps");
});

test("what an answer is of is no fault of the capture", () => {
  const quality = {
    events_in_file: 1,
    events_kept: 1,
    dropped: {},
    warnings: ["This is of 5 of 12 steps: 3–7.", "host b is left out"],
    dropped_codes: {},
    warning_codes: [
      { code: "range_of_steps", params: {} },
      { code: "host_left_out", params: {} },
    ],
    decoder: "compiled",
    files: [],
  };
  assert.deepEqual(splitWarnings(quality), {
    range: ["This is of 5 of 12 steps: 3–7."],
    others: ["host b is left out"],
  });
  assert.deepEqual(splitWarnings(null), { range: [], others: [] });
});

test("A of a comparison has a range of its own, which goes with A", () => {
  const params = { base: "b", base_steps: "typical", ...old.params };
  assert.deepEqual(baseRangeOf(params), { base_steps: "typical" });
  assert.deepEqual(ofBase(params), { steps: "typical" });
  assert.deepEqual(asBase({ time: "1s-2s" }), { base_steps: "", base_time: "1s-2s" });
  assert.deepEqual(
    [isOfAnyRun({ steps: "slow" }), isOfAnyRun({ steps: "3-7" }), isOfAnyRun({ time: "1-2" })],
    [true, false, false],
  );
  const compare = { ...old, tool: "compare", params };
  const { "compare~ops.filter": filter, ...left } = changed(compare, { tool: "overview" }).params;
  assert.deepEqual(left, { base: "b", base_steps: "typical", steps: "3-7" });
  assert.equal(filter, params["ops.filter"]);
  // Another run is B; A itself as B is compared with nothing.
  assert.deepEqual(changed(compare, { run: "c" }).params["base_steps"], "typical");
  assert.deepEqual(changed(compare, { run: "b" }).params["base_steps"], undefined);
});
