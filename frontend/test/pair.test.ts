import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board } from "../src/timeline/board";
import {
  anchorOf,
  categoryIn,
  categoryMoved,
  firstView,
  kept,
  ofSide,
  Pair,
  stepsOf,
  stepsOfRun,
  typicalOf,
  withoutPair,
  withPair,
  withSide,
} from "../src/timeline/pair";
import { clamped, type View } from "../src/timeline/scale";
import type { Step } from "../src/timeline/scene";
import type { TableData } from "../src/types";

const STEPS: TableData = {
  columns: {
    side: ["base", "base", "base", "base", "new"],
    capture: ["r1", "r1", "r1", "r2", "r3"],
    step: [0, 1, 2, 0, 0],
    number: [7, 8, 9, 1, 0],
    start_ms: [1, 3, 4, 5, 0.0000001],
    duration_ms: [2, 1, 5, 4, 3],
  },
};

test("steps come by capture, in picoseconds", () => {
  const base = stepsOf(STEPS, "base");
  assert.deepEqual([...base.keys()], ["r1", "r2"]);
  assert.deepEqual(base.get("r1")![0], { place: 0, number: 7, start: 1e9, end: 3e9 });
  assert.equal(stepsOf(STEPS, "new").get("r3")![0]!.start, 100);
  assert.equal(stepsOf({ columns: {} }, "new").size, 0);
  assert.equal(stepsOfRun(base, "r2").length, 1);
  const ranged = new Map([["r2 (steps 5-7)", base.get("r2")!]]);
  assert.deepEqual([stepsOfRun(ranged, "r2").length, stepsOfRun(ranged, "r").length], [1, 0]);
});

test("the typical step is the middle one by time", () => {
  assert.equal(typicalOf(stepsOf(STEPS, "base").get("r1")!)!.number, 7);
  assert.equal(typicalOf([]), null);
});

test("both look at once at the longer step, from their own begins", () => {
  const [a, b] = [
    { start: 1000, end: 2000 },
    { start: 7000, end: 7500 },
  ];
  assert.deepEqual(firstView(a, b), { start: 970, end: 2030 });
  assert.deepEqual(firstView(b, a), { start: 6970, end: 8030 });
  assert.deepEqual(firstView(b, null), { start: 6985, end: 7515 });
});

test("each side has its words in one address", () => {
  const params = {
    by: "category",
    "A.search": "x",
    "A.capture": "r1",
    "A.start_ps": "3",
    "B.event": "h:3",
    both: "true",
  };
  assert.deepEqual(ofSide(params, "A"), { search: "x", capture: "r1", start_ps: "3" });
  assert.deepEqual(withSide(params, "A", { search: "y" }), {
    by: "category",
    "B.event": "h:3",
    both: "true",
    "A.search": "y",
  });
  assert.deepEqual(withoutPair({ ...params, apart: "true" }), { by: "category" });
  const words = [{ search: "^f$", match: "regex" }, { search: "f" }] as const;
  assert.deepEqual(withPair({ ...params, apart: "true" }, ...words), {
    ...{ by: "category", both: "true", apart: "true", "A.capture": "r1" },
    ...{ "A.search": "^f$", "A.match": "regex", "B.search": "f", "B.match": "exact" },
  });
});

test("what is not there is said until something else is looked for", () => {
  const params = { "A.absent": "op", "A.capture": "r1" };
  assert.deepEqual(kept(params, "A"), { capture: "r1", absent: "op" });
  assert.deepEqual(kept(params, "A", { search: "overview.steps.idle_ms", match: "row" }), {
    capture: "r1",
    absent: "op",
  });
  assert.deepEqual(kept(params, "A", { search: "other" }), { capture: "r1" });
  assert.deepEqual(kept(params, "B"), {});
});

test("a category is of a step, and moves with it", () => {
  const { search, match } = categoryIn("input_wait", { number: 7, start: 1.5e9 }, "/^a b/");
  assert.equal(search, "overview.steps.input_wait_ms?step=7&start_ms=1.5&steps_from=%2F%5Ea%20b%2F");
  assert.equal(match, "row");
  const moved = categoryMoved(search, { number: 8, start: 2e9 });
  assert.equal(moved, "overview.steps.input_wait_ms?step=8&start_ms=2&steps_from=%2F%5Ea%20b%2F");
  assert.equal(categoryMoved("dense/MatMul", { number: 8, start: 2e9 }), null);
});

function step(start: number, end: number): Step {
  return { host: "h", number: 0, name: "", start, end };
}

test("times count from the step that is marked", () => {
  const steps = [step(0, 10), step(10, 30)];
  assert.equal(anchorOf({ range: { start: 10, end: 30 }, steps }, 0), 10);
  assert.equal(anchorOf({ range: { start: 10, end: 29 }, steps }, 0), 0);
  assert.equal(anchorOf({ range: null, steps }, 5), 5);
});

/** What a pair needs of a board: frames come when the test says so. */
class Fake {
  bounds: View;
  origin = 0;
  range: View | null = null;
  private readonly listeners = new Set<() => void>();
  constructor(
    readonly span: View,
    public view: View,
    readonly steps: Step[] = [],
  ) {
    this.bounds = span;
  }
  look(view: View): void {
    this.view = clamped(view, this.bounds);
  }
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  frame(): void {
    for (const listener of this.listeners) listener();
  }
}

function linked(a: Fake, b: Fake, isLinked = true): () => void {
  return new Pair([a as unknown as Board, b as unknown as Board], [100, 1000], isLinked).start();
}

test("where one looks the other looks, beyond its own ends, too", () => {
  const [a, b] = [
    new Fake({ start: 0, end: 5000 }, { start: 90, end: 300 }),
    new Fake({ start: 950, end: 1200 }, { start: 950, end: 1200 }),
  ];
  const end = linked(a, b);
  assert.deepEqual([a.origin, b.origin], [100, 1000]);
  assert.deepEqual(b.view, { start: 990, end: 1200 });
  a.look({ start: 3000, end: 4000 });
  a.frame();
  assert.deepEqual(b.view, { start: 3900, end: 4900 });
  b.look({ start: 1000, end: 1100 });
  b.frame();
  assert.deepEqual(a.view, { start: 100, end: 200 });
  end();
  a.look({ start: 0, end: 50 });
  a.frame();
  assert.deepEqual(b.view, { start: 1000, end: 1100 });
});

test("not linked, each goes its own way", () => {
  const [a, b] = [
    new Fake({ start: 0, end: 500 }, { start: 0, end: 50 }),
    new Fake({ start: 900, end: 1200 }, { start: 950, end: 1200 }),
  ];
  linked(a, b, false);
  a.look({ start: 100, end: 200 });
  a.frame();
  assert.deepEqual(b.view, { start: 950, end: 1200 });
  a.look({ start: 400, end: 900 });
  assert.deepEqual(a.view, { start: 0, end: 500 });
});

test("another step of one is aligned with the step of the other", () => {
  const [a, b] = [
    new Fake({ start: 0, end: 5000 }, { start: 100, end: 300 }, [step(400, 500)]),
    new Fake({ start: 0, end: 5000 }, { start: 1000, end: 1200 }),
  ];
  linked(a, b);
  a.range = { start: 400, end: 500 };
  a.look({ start: 390, end: 510 });
  a.frame();
  assert.deepEqual([a.origin, b.view], [400, { start: 990, end: 1110 }]);
});
