import assert from "node:assert/strict";
import { test } from "node:test";
import { type GraphNode, movedNode, NODE_HEIGHT, parentsOf, place } from "../src/views/graph";

function nodes(parents: Record<string, string | null>): GraphNode[] {
  return Object.entries(parents).map(([id, parent]) => ({ id, parent }));
}

const ZIP = nodes({ root: null, zip: "root", left: "zip", right: "zip", file: "left" });

test("what is fed stands above what feeds it; nothing overlaps", () => {
  const { nodes: placed, arrows, width, height } = place(ZIP);
  const ranks = [...placed].map(([id, { rank, order }]) => [id, rank, order]);
  assert.deepEqual(ranks, [
    ["root", 0, 0],
    ["zip", 1, 0],
    ["left", 2, 0],
    ["right", 2, 1],
    ["file", 3, 0],
  ]);
  for (const { from, to } of arrows) assert.ok(placed.get(from)!.y >= placed.get(to)!.y + NODE_HEIGHT);
  assert.equal(arrows.length, 4);
  assert.ok(placed.get("left")!.x + 304 < placed.get("right")!.x);
  for (const { x, y } of placed.values()) assert.ok(x >= 0 && y >= 0 && x < width && y < height);
});

test("a chain is straight", () => {
  const { arrows } = place(nodes({ a: null, b: "a", c: "b" }));
  assert.ok(arrows.every(({ path }) => /^M([\d.]+),[\d.]+L\1,[\d.]+$/.test(path)));
});

test("parents in a circle, unknown or their own are left out", () => {
  const circle = nodes({ a: "c", b: "a", c: "b", self: "self", lost: "nowhere" });
  const parents = parentsOf(circle);
  assert.deepEqual([...parents.values()].filter((parent) => parent === null).length, 3);
  assert.equal(place(circle).nodes.size, 5);
});

test("keys walk along the pipeline", () => {
  const placement = place(ZIP);
  const parents = parentsOf(ZIP);
  const walk = (key: string, id: string): string | null => movedNode(key, id, placement, parents);
  assert.deepEqual(
    [walk("ArrowDown", "zip"), walk("ArrowRight", "left"), walk("ArrowRight", "right"), walk("ArrowUp", "file")],
    ["left", "right", "right", "left"],
  );
  assert.deepEqual([walk("ArrowUp", "root"), walk("Enter", "root")], ["root", null]);
});

test("many branches stand below one another, and the arrows turn", () => {
  const fan = nodes({ root: null, ...Object.fromEntries(["a", "b", "c", "d", "e"].map((id) => [id, "root"])) });
  const placement = place(fan);
  const { nodes: placed, across } = placement;
  assert.ok(across && placed.get("root")!.x + 304 < placed.get("a")!.x && placed.get("a")!.y < placed.get("b")!.y);
  const walk = (key: string, id: string): string | null => movedNode(key, id, placement, parentsOf(fan));
  assert.deepEqual(
    [walk("ArrowRight", "root"), walk("ArrowDown", "a"), walk("ArrowUp", "a"), walk("ArrowLeft", "e")],
    ["a", "b", "a", "root"],
  );
});

test("two hundred nodes", () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ id: `${i}`, parent: i ? `${(i - 1) >> 1}` : null }));
  assert.equal(place(many).nodes.size, 200);
});
