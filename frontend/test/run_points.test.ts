import assert from "node:assert/strict";
import { test } from "node:test";
import { dots, HEIGHT, nearest, pointsOf, WIDTH } from "../src/views/run_points";

const data = (...rows: [name: string, ms: number | null, at: number | null, verdict?: string][]) => ({
  columns: {
    run: rows.map(([name]) => name),
    step_time_ms: rows.map(([, ms]) => ms),
    captured_ms: rows.map(([, , at]) => at),
    change_verdict: rows.map(([, , , verdict]) => verdict ?? null),
  },
});
const all = (count: number): number[] => Array.from({ length: count }, (_, row) => row);

test("in order of capture, evenly, whatever lies between; rows without a step time are left out", () => {
  const found = pointsOf(data(["f/c", 10, 9e12], ["f/b", null, 3], ["f/a", 20, 1], ["g/x", 15, 2]), all(4))!;
  assert.deepEqual(
    found.points.map(({ row, x }) => [row, Math.round(x)]),
    [
      [0, WIDTH - 6],
      [2, 6],
      [3, WIDTH / 2],
    ],
  );
  assert.deepEqual([found.low, found.high, found.isLog, found.from, found.to], [10, 20, false, 1, 9e12]);
});

test("by time, as far apart as they were captured; all of one moment in order", () => {
  const days = data(["f/a", 10, 0], ["f/b", 10, 1], ["f/c", 10, 10]);
  const x = (rows: typeof days): number[] => pointsOf(rows, all(3), "time")!.points.map((point) => Math.round(point.x));
  assert.deepEqual(x(days), [6, 6 + Math.round((WIDTH - 12) / 10), WIDTH - 6]);
  assert.deepEqual(x(data(["f/a", 10, 5], ["f/b", 10, 5], ["f/c", 10, 5])), [6, WIDTH / 2, WIDTH - 6]);
});

test("from zero up; logarithmic where the longest is more than 20 times the shortest", () => {
  const linear = pointsOf(data(["a", 1, 1], ["b", 20, 2]), all(2))!;
  assert.equal(linear.isLog, false);
  assert.equal(linear.heightOf(20), 6);
  assert.equal(linear.heightOf(10), HEIGHT / 2);
  const log = pointsOf(data(["a", 1, 1], ["b", 20.1, 2]), all(2))!;
  assert.equal(log.isLog, true);
  assert.equal(log.heightOf(1), HEIGHT - 6);
  assert.equal(log.heightOf(1000), 6);
});

test("lines join runs of one folder; one run is no picture", () => {
  const found = pointsOf(data(["f/b", 10, 3], ["g/x", 10, 2], ["f/a", 10, 1]), all(3))!;
  assert.equal(found.lines, "M6.0 6.0L994.0 6.0");
  assert.equal(pointsOf(data(["a", 1, 1]), [0]), null);
  assert.equal(pointsOf(data(["a", 1, 1], ["b", 0, 2]), all(2)), null);
});

test("dots by verdict, and the nearest one as the picture is stretched", () => {
  const { points } = pointsOf(data(["a", 10, 1, "noise"], ["b", 20, 2, "slower"]), all(2))!;
  assert.equal(
    dots(points, (verdict) => verdict === "slower"),
    "M994.0 6.0h0",
  );
  assert.equal(nearest(points, 400, 0, 1, 1)?.row, 0);
  assert.equal(nearest(points, 600, 0, 1, 1)?.row, 1);
  assert.equal(nearest(points, 520, HEIGHT, 0.01, 100)?.row, 0);
  assert.equal(nearest([], 0, 0, 1, 1), null);
});
