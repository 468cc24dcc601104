import assert from "node:assert/strict";
import { test } from "node:test";
import { findAll } from "../src/shell/search";
import type { Answer, ToolSpec } from "../src/types";

const tool = (name: string, title: string, columns: object[] = []) =>
  ({
    name,
    title,
    question: `What of ${title}?`,
    summary: [],
    tables: [{ title: "T", columns }],
  }) as unknown as ToolSpec;
const column = { name: "wait_share", title: "Wait %", unit: "share", help: "Time that only waits." };
const tools = [tool("op_stats", "Ops", [column, column]), tool("kernel_stats", "GPU kernels")];
const finding = { title: "Steps wait for `Map`", action: "Prefetch.", tool: "input_pipeline", evidence: [] };
const ops = {
  tool: "op_stats",
  findings: [finding, finding],
  tables: {
    ops: { columns: { name: ["conv 1", "MatMul", "MatMul", null, ...Array.from({ length: 30 }, (_, i) => `op${i}`)] } },
  },
} as unknown as Answer;
const search = (text: string) => findAll(text, tools, [ops]);

test("a row is found on its page, filtered by its whole name; the same name once", () => {
  assert.deepEqual(
    search("matmul").map(({ group, title, way }) => [group, title, way]),
    [["Ops", "MatMul", { tool: "op_stats", params: { "ops.filter": "name=MatMul" } }]],
  );
  assert.deepEqual(search("1 conv")[0]?.way.params, { "ops.filter": 'name="conv 1"' });
});

test("pages, findings and numbers are groups of their own, in one order, each thing once", () => {
  assert.deepEqual(
    search("wait").map(({ group, title, column: of }) => [group, title, of]),
    [
      ["Findings", "Steps wait for Map", undefined],
      ["What numbers mean", "Wait %", "wait_share"],
    ],
  );
  assert.deepEqual(search("kernels")[0]?.way, { tool: "kernel_stats" });
});

test("nothing finds nothing; a group has at most 8", () => {
  assert.deepEqual(search("  "), []);
  assert.equal(search("op").filter(({ group }) => group === "Ops").length, 8);
});
