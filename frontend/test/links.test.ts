import assert from "node:assert/strict";
import { test } from "node:test";
import {
  copiesInTrace,
  eventsInTrace,
  inTrace,
  kernelInTrace,
  memoryInTrace,
  searchInTrace,
  stretchInTrace,
  toProof,
} from "../src/views/links";
import { FINDING } from "./answers";

const WHERE = { host: "vm:6006", track: -1, tracks: "", start_ps: 50, end_ps: 1050 };

test("evidence opens the trace with room on both sides, never before the capture's start", () => {
  const params = { start_ps: "0", end_ps: "1150", clock: "vm:6006", marks: "vm%3A6006:50-1050" };
  assert.deepEqual(inTrace(WHERE), { tool: "trace_viewer", params });
});

test("all that a finding speaks of is marked, the place looked at first", () => {
  const other = { ...WHERE, host: "b", track: 3 };
  const way = toProof({ ...FINDING, tool: "trace_viewer", evidence: [other, WHERE] }, WHERE);
  assert.deepEqual(way.params!["marks"], "vm%3A6006:50-1050,b:50-1050@3");
  const many = Array.from({ length: 500 }, (_, i) => ({ ...WHERE, start_ps: i }));
  assert.equal(inTrace(many[0]!, many).params["marks"]!.split(",").length, 64);
});

test("a stretch of all hosts is a range", () => {
  assert.deepEqual(stretchInTrace(1000, 2000).params, { start_ps: "900", end_ps: "2100", range: "1000-2000" });
});

test("a finding without a place is searched for, or leads to its page", () => {
  const named = { ...FINDING, evidence: [], tool: "trace_viewer", search: "MatMul" };
  assert.deepEqual(toProof(named, undefined), { tool: "trace_viewer", params: { search: "MatMul" } });
  assert.deepEqual(toProof({ ...named, search: "" }, undefined), { tool: "trace_viewer" });
  assert.deepEqual(toProof({ ...named, tool: "op_stats" }, undefined), { tool: "op_stats" });
  assert.deepEqual(searchInTrace("a.b").params, { search: "a.b" });
});

test("a finding of a row's number looks at its place, where what the number was made of is marked", () => {
  const finding = { ...FINDING, evidence: [WHERE], tool: "trace_viewer", search: "t.u.c?k=1", match: "row" };
  assert.deepEqual(toProof(finding, WHERE).params, {
    ...{ start_ps: "0", end_ps: "1150", clock: "vm:6006", search: "t.u.c?k=1", match: "row" },
  });
  assert.deepEqual(toProof(finding, undefined).params, { search: "t.u.c?k=1", match: "row" });
});

test("a row's name finds exactly its events; one cut in its middle those that begin and end alike", () => {
  assert.deepEqual(eventsInTrace("a/b.c").params, { search: "a/b.c", match: "exact" });
  assert.deepEqual(eventsInTrace("f(int)…[x]").params, { search: "^f\\(int\\).*\\[x\\]$", match: "regex" });
});

test("a kernel is found by its name, whole or mangled", () => {
  assert.deepEqual(kernelInTrace("gemm", "gemm").params, { search: "gemm", match: "exact" });
  const { search, match } = kernelInTrace("void a::gemm<int>(float*)", "a::gemm").params!;
  assert.equal(match, "regex");
  const found = new RegExp(search!);
  assert.ok(found.test("void a::gemm<int>(float*)"));
  assert.ok(found.test("_ZN1a4gemmIiEEvPf"));
  assert.ok(!found.test("void a::gemm<int>(float*, int)"));
  assert.ok(!found.test("_ZN1a5gemm2IiEEvPf"));
  assert.ok(new RegExp(kernelInTrace("x".repeat(300), "x").params!["search"]!).test("x".repeat(200)));
});

test("copies of a kind are found however they are spelt", () => {
  const { search } = copiesInTrace("H2D").params!;
  const found = new RegExp(search!, "i");
  for (const name of ["MemcpyH2D", "MemcpyHToD", "Memcpy HtoD (Pinned -> Device)"]) assert.ok(found.test(name), name);
  assert.ok(!found.test("MemcpyDToH"));
  assert.deepEqual(copiesInTrace("fill").params, { search: "memset" });
});

test("a stretch of memory is marked by the clock of the host whose memory it is", () => {
  const columns = { memory: ["gpu:0", "gpu:1"], host: ["a", "b"], track: [3, 7] };
  const answer = { summary: { memory: "gpu:1" }, tables: { systems: { columns } } };
  assert.deepEqual(memoryInTrace(answer, 1000, 2000).params, {
    ...{ start_ps: "900", end_ps: "2100", clock: "b", marks: "b:1000-2000@7" },
  });
  const peak = memoryInTrace(answer, 5000, 5000, 300).params;
  assert.deepEqual([peak["start_ps"], peak["end_ps"], peak["marks"]], ["4700", "5300", "b:5000-5000@7"]);
  assert.equal(memoryInTrace({ summary: {}, tables: {} }, 1000, 2000).params["range"], "1000-2000");
});
