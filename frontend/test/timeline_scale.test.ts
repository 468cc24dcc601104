import assert from "node:assert/strict";
import { test } from "node:test";
import { exactTime, niceStep, ruler } from "../src/timeline/ruler";
import { around, clamped, closest, CLOSEST_PS, panned, toTime, toX, zoomed } from "../src/timeline/scale";

const SPAN = { start: 0, end: 1000 };

test("time to pixels and back", () => {
  const view = { start: 100, end: 300 };
  assert.deepEqual(
    [100, 150, 300, 400].map((t) => toX(t, view, 400)),
    [0, 100, 400, 600],
  );
  assert.deepEqual(
    [0, 100, 400].map((x) => toTime(x, view, 400)),
    [100, 150, 300],
  );
});

test("zoom keeps what is under the pointer, and stays in the span", () => {
  assert.deepEqual(zoomed({ start: 0, end: 1000 }, 0.5, 0.25, SPAN), { start: 125, end: 625 });
  assert.deepEqual(zoomed({ start: 125, end: 625 }, 2, 0.25, SPAN), { start: 0, end: 1000 });
  assert.deepEqual(zoomed({ start: 0, end: 500 }, 100, 0.5, SPAN), SPAN);
  assert.deepEqual(zoomed({ start: 900, end: 1000 }, 2, 0, SPAN), { start: 800, end: 1000 });
});

test("no closer than a few picoseconds, ten minutes into a capture, without jitter", () => {
  const tenMinutes = { start: 0, end: 600e12 };
  let view = { start: 0, end: 600e12 };
  for (let i = 0; i < 200; i++) view = zoomed(view, 0.5, 0.9, tenMinutes);
  assert.ok(Math.abs(view.end - view.start - closest(tenMinutes)) < 0.2);
  assert.ok(view.start > 500e12);
  const ps = 1000 / closest(tenMinutes);
  assert.ok(ps > 3);
  const xs = [0, 1, 2, 3].map((time) => toX(Math.ceil(view.start) + time, view, 1000));
  xs.slice(1).forEach((x, i) => assert.ok(Math.abs(x - xs[i]! - ps) < 0.1, String(xs)));
  assert.equal(closest({ start: 0, end: 10e12 }), CLOSEST_PS);
});

test("pan stops at the ends; a jump centres", () => {
  assert.deepEqual(panned({ start: 100, end: 200 }, 0.5, SPAN), { start: 150, end: 250 });
  assert.deepEqual(panned({ start: 100, end: 200 }, -5, SPAN), { start: 0, end: 100 });
  assert.deepEqual(panned({ start: 100, end: 200 }, 50, SPAN), { start: 900, end: 1000 });
  assert.deepEqual(around(500, 520, 0.2, SPAN), { start: 460, end: 560 });
  assert.deepEqual(clamped({ start: -50, end: 5000 }, SPAN), SPAN);
});

test("steps are 1, 2, 5 times a power of ten, and never below a picosecond", () => {
  assert.deepEqual([0.01, 1, 1.5, 3, 7, 10, 110, 4e11].map(niceStep), [1, 1, 2, 5, 10, 10, 200, 5e11]);
});

test("exact times", () => {
  const cases: [number, string][] = [
    [0, "0 ps"],
    [999, "999 ps"],
    [1000, "1 ns"],
    [1500, "1.5 ns"],
    [311_124_692, "311.124692 µs"],
    [1_260_038_475_000, "1.260038475 s"],
    [-2500, "-2.5 ns"],
  ];
  for (const [time, text] of cases) assert.equal(exactTime(time), text);
});

const labels = (start: number, end: number, origin = 0) => {
  const { base, ticks } = ruler({ start, end }, 600, 110, origin);
  return [base, ...ticks.map((t) => t.label)];
};

test("ticks are whole times where these fit", () => {
  assert.deepEqual(labels(0, 489e9), ["", "0 ms", "100 ms", "200 ms", "300 ms", "400 ms"]);
  assert.deepEqual(labels(202.1e9, 203.3e9), ["", "202.5 ms", "203.0 ms"]);
  assert.deepEqual(labels(5e9, 25e9, 5e9), ["", "0 ms", "5 ms", "10 ms", "15 ms", "20 ms"]);
});

test("and count from a round time where they do not", () => {
  assert.deepEqual(labels(123_456_789_000, 123_456_789_050), [
    "123.456789 ms",
    "+0 ps",
    "+10 ps",
    "+20 ps",
    "+30 ps",
    "+40 ps",
    "+50 ps",
  ]);
});
