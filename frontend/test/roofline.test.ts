// Points, roofs and axes of a roofline's chart.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableData } from "../src/types";
import {
  filterOf,
  frameOf,
  groupOf,
  inWords,
  lineOf,
  place,
  pointsOf,
  roofsOf,
  tickText,
  ticks,
  valueAt,
} from "../src/views/roofline";

const ops = {
  columns: {
    name: ["gemm", "copy", "add", "odd"],
    category: ["matmul", "copy", "elementwise", "loop fusion"],
    intensity: [100, 0, 0.25, 1],
    gflop_s: [50_000, 0, 250, 9e6],
    self_share: [0.5, 0.25, 0.2, 0.05],
    above_roof: [false, false, null, true],
  },
} as unknown as TableData;

const roofs = {
  columns: {
    device: ["A", "A", "A", "A", "A"],
    roof: ["fp32", "tf32", "bf16", "fp16", "HBM"],
    peak_gflop_s: [19_500, 156_000, 312_000, 312_000, null],
    peak_gb_s: [null, null, null, null, 1555],
  },
} as unknown as TableData;

test("what computes and moves bytes has a place", () => {
  assert.deepEqual(
    pointsOf(ops).map(({ name, x, y, group, known }) => [name, x, y, group, known]),
    [
      ["gemm", 100, 50_000, "products", true],
      ["add", 0.25, 250, "element by element", true],
      ["odd", 1, 9e6, "element by element", false],
    ],
  );
});

test("precisions of one rate are one roof, and those of no op are left out", () => {
  const found = roofsOf(roofs, new Set(["fp32"]));
  assert.deepEqual(
    found.map(({ words, main }) => [words, main]),
    [
      ["HBM 1.55 TB/s", true],
      ["FP32 19.5 TFLOP/s", false],
      ["BF16, FP16 312 TFLOP/s", true],
    ],
  );
});

test("roofs meet at the ridge", () => {
  const found = roofsOf(roofs, new Set(["fp32"]));
  const frame = frameOf(pointsOf(ops), found);
  assert.deepEqual([frame.x.low, frame.x.high], [0.1, 1000]);
  const [, , x2, y2] = lineOf(found[0]!, found, frame)!;
  const [x1, y1] = lineOf(found[2]!, found, frame)!;
  assert.deepEqual([x2, y2], [312_000 / 1555, 312_000]);
  assert.deepEqual([x1, y1], [x2, y2]);
  assert.deepEqual(lineOf(found[1]!, found, frame)!.slice(0, 2), [19_500 / 1555, 19_500]);
});

test("without points and roofs there is a frame all the same", () => {
  const frame = frameOf([], []);
  assert.ok(frame.x.low < frame.x.high && frame.y.low < frame.y.high);
});

test("places and values are each other's inverse, and what is outside stands at the edge", () => {
  const range = { low: 0.1, high: 1000 };
  assert.equal(Math.round(1e6 * valueAt(place(7, range), range)) / 1e6, 7);
  assert.deepEqual([place(0.001, range), place(1e9, range)], [0, 1]);
});

test("ticks are decades, at most so many", () => {
  assert.deepEqual(ticks({ low: 0.01, high: 1000 }, 10), [0.01, 0.1, 1, 10, 100, 1000]);
  assert.deepEqual(ticks({ low: 1, high: 1e6 }, 3), [1, 100, 10_000, 1e6]);
  assert.deepEqual(
    [tickText(0.01, ""), tickText(10_000, "gflop_s"), tickText(1000, "")],
    ["0.01", "10 TFLOP/s", "1000"],
  );
});

test("a rectangle is a filter of the table", () => {
  assert.equal(
    filterOf({ low: 0.123456, high: 100 }, { low: 1e-7, high: 1.5e8 }),
    "intensity>=0.123 intensity<=100 gflop_s>=1.00e-7 gflop_s<=1.50e8",
  );
});

test("kinds of ops by XLA's categories and PyTorch's", () => {
  const names = [
    "all-reduce",
    "convolution fusion",
    "custom-call",
    "data formatting",
    "input fusion",
    "loop fusion",
    "sort",
  ];
  assert.deepEqual(
    names.map((name) => groupOf(name)[0]),
    ["collectives", "products", "products", "data", "norms and sums", "element by element", "others"],
  );
});

test("in words", () => {
  assert.equal(
    inWords(pointsOf(ops), roofsOf(roofs, new Set())),
    "3 ops; the largest, gemm, computes 50.0 TFLOP/s at 100 FLOPs a byte; roofs: HBM 1.55 TB/s, BF16, FP16 312 TFLOP/s",
  );
});
