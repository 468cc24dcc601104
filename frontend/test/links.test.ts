import assert from "node:assert/strict";
import { test } from "node:test";
import { inTrace } from "../src/views/links";

test("evidence opens the trace with room on both sides, never before the capture's start", () => {
  const where = { host: "vm", track: -1, start_ps: 50, end_ps: 1050 };
  assert.deepEqual(inTrace(where), { tool: "trace_viewer", params: { start_ps: "0", end_ps: "1150" } });
});
