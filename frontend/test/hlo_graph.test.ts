import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableData } from "../src/types";
import { hloGraph, kindOf, movedHlo, placeHlo, shortShape } from "../src/views/hlo_graph";

/** Names with the row of the opened one that they are in; pairs of rows: who gives its result to whom. */
function graphOf(names: readonly (readonly [string, number])[], pairs: readonly (readonly [number, number])[]) {
  const opened = new Set(names.map(([, parent]) => parent));
  const nodes: TableData = {
    columns: {
      name: names.map(([name]) => name),
      parent: names.map(([, parent]) => parent),
      opcode: names.map(() => "add"),
      is_open: names.map((_, row) => opened.has(row)),
      self_share: names.map(() => 0.5),
    },
  };
  const edges: TableData = {
    columns: {
      from_row: pairs.map(([from]) => from),
      to_row: pairs.map(([, to]) => to),
      operand: pairs.map((_, i) => i),
      shape: pairs.map(() => "f32[2]{0}"),
    },
  };
  return hloGraph(nodes, edges);
}

const plain = (...names: string[]) => names.map((name) => [name, -1] as const);

test("operands stand above users, and one that is taken twice has one line", () => {
  const graph = graphOf(plain("a", "b", "c"), [
    [0, 1],
    [0, 1],
    [1, 2],
  ]);
  assert.deepEqual(
    graph.edges.map(({ from, to, operands }) => [from, to, operands]),
    [
      [0, 1, [0, 1]],
      [1, 2, [2]],
    ],
  );
  const { boxes, across, paths } = placeHlo(graph);
  assert.equal(across, false);
  assert.ok(boxes.get(0)!.y < boxes.get(1)!.y && boxes.get(1)!.y < boxes.get(2)!.y);
  assert.equal(paths.length, 2);
  assert.equal(movedHlo("ArrowUp", 1, graph, placeHlo(graph)), 0);
  assert.equal(movedHlo("ArrowDown", 1, graph, placeHlo(graph)), 2);
  assert.equal(movedHlo("x", 1, graph, placeHlo(graph)), null);
});

test("of many users the graph runs across, and they stand below one another", () => {
  const users = Array.from({ length: 8 }, (_, i) => `user${i}`);
  const graph = graphOf(
    plain("a", ...users),
    users.map((_, i) => [0, i + 1] as const),
  );
  const placement = placeHlo(graph);
  assert.equal(placement.across, true);
  assert.equal(new Set(users.map((_, i) => placement.boxes.get(i + 1)!.x)).size, 1);
  assert.equal(movedHlo("ArrowRight", 0, graph, placement), 1);
});

test("what is opened is a box around what it runs", () => {
  const graph = graphOf(
    [
      ["fusion", -1],
      ["p", 0],
      ["add", 0],
      ["user", -1],
    ],
    [
      [1, 2],
      [2, 3],
    ],
  );
  const { boxes } = placeHlo(graph);
  const [outer, inner] = [boxes.get(0)!, boxes.get(2)!];
  assert.ok(outer.x <= inner.x && outer.x + outer.width >= inner.x + inner.width);
  assert.ok(outer.y < boxes.get(1)!.y && outer.y + outer.height >= inner.y + inner.height);
  assert.ok(boxes.get(3)!.y > outer.y + outer.height);
});

test("circles, lines to what is opened and rows that are not there are left out", () => {
  const graph = graphOf(
    [
      ["a", -1],
      ["b", -1],
      ["c", 0],
    ],
    [
      [1, 1],
      [1, 0],
      [1, 2],
      [2, 1],
    ],
  );
  const { paths, boxes } = placeHlo(graph);
  assert.equal(paths.length, 2);
  assert.equal(boxes.size, 3);
  assert.equal(placeHlo(graphOf([], [])).paths.length, 0);
});

test("a hundred instructions are placed at once", () => {
  const names = Array.from({ length: 100 }, (_, i) => `n${i}`);
  const graph = graphOf(
    plain(...names),
    names.flatMap((_, i) => (i ? [[Math.floor((i - 1) / 3), i] as const, [Math.floor(i / 2), i] as const] : [])),
  );
  const begin = process.cpuUsage();
  assert.equal(placeHlo(graph).boxes.size, 100);
  // 60 ms of the processor's; a clock on the wall counts what else runs, too.
  assert.ok(process.cpuUsage(begin).user < 2_000_000);
});

test("kinds are told by opcodes", () => {
  const kinds = [
    "dot",
    "fusion",
    "all-reduce-start",
    "copy-done",
    "parameter",
    "while",
    "custom-call",
    "infeed",
    "tanh",
  ];
  assert.deepEqual(kinds.map(kindOf), [
    ...["product", "fusion", "collective", "copy", "plain", "control", "call", "input", "elementwise"],
  ]);
  assert.equal(shortShape("(f32[2,3]{1,0:T(8,128)}, u32[]{:S(2)})"), "(f32[2,3], u32[])");
});
