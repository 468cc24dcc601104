import assert from "node:assert/strict";
import { test } from "node:test";
import { inTrace, toProof } from "../src/views/links";

test("evidence opens the trace with room on both sides, never before the capture's start", () => {
  const where = { host: "vm", track: -1, start_ps: 50, end_ps: 1050 };
  const params = { start_ps: "0", end_ps: "1150", range: "50-1050", clock: "vm" };
  assert.deepEqual(inTrace(where), { tool: "trace_viewer", params });
});

test("a finding without a place is searched for, or leads to its page", () => {
  const finding = { title: "", severity: "info", share: null, detail: "", action: "", evidence: [] } as const;
  const named = { ...finding, evidence: [], tool: "trace_viewer", search: "MatMul" };
  assert.deepEqual(toProof(named, undefined), { tool: "trace_viewer", params: { search: "MatMul" } });
  assert.deepEqual(toProof({ ...named, search: "" }, undefined), { tool: "trace_viewer" });
  assert.deepEqual(toProof({ ...named, tool: "op_stats" }, undefined), { tool: "op_stats" });
});
