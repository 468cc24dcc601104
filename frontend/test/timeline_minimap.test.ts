import assert from "node:assert/strict";
import { test } from "node:test";
import { addBusy, busyOf } from "../src/timeline/minimap_data";
import type { TrackSlices } from "../src/timeline/slices";
import type { Group, Track } from "../src/timeline/tracks";

const SPAN = { start: 100, end: 200 };

/** Slices of one lane: [start, duration, idle]; a second lane is as busy as can be. */
function slices(...rows: [number, number, number][]): TrackSlices {
  const all = [...rows, [0, 100, 0] as const];
  return {
    id: 1,
    window: SPAN,
    resolution: 1,
    asked: 1,
    exact: true,
    lanes: [0, rows.length, all.length],
    start: Float64Array.from(all, (row) => row[0]),
    duration: Float64Array.from(all, (row) => row[1]),
    idle: Float64Array.from(all, (row) => row[2]),
    name: new Int32Array(all.length),
    count: new Float64Array(all.length),
    row: new Float64Array(all.length),
    names: { id: 1, text: [], category: [] },
    samples: null,
  };
}

test("busy shares of pixels, from the outermost lane alone", () => {
  const into = new Float64Array(10);
  addBusy(into, slices([-5, 10, 0], [15, 20, 10], [95, 50, 0], [50, 0, 0]), SPAN);
  assert.deepEqual([...into], [0.5, 0.25, 0.5, 0.25, 0, 0, 0, 0, 0, 0.5]);
});

test("devices by their streams, hosts by their threads, each against its busiest pixel", () => {
  const track = (key: string, kind: string): Track => ({
    key,
    host: "h",
    row: 0,
    name: key,
    kind,
    lanes: 1,
    events: 1,
    group: "g",
  });
  const group = (kind: string, ...tracks: Track[]): Group => ({
    key: kind,
    host: "h",
    name: kind,
    process: kind,
    kind,
    tracks,
    events: 1,
  });
  const groups = [group("gpu", track("a", "stream"), track("b", "derived")), group("cpu", track("c", "thread"))];
  const held: Record<string, TrackSlices> = {
    a: slices([0, 50, 25]),
    b: slices([0, 100, 0]),
    c: slices([50, 50, 0]),
  };
  const { device, host } = busyOf(groups, (key) => held[key] ?? null, SPAN, 2);
  assert.deepEqual([...device], [1, 0]);
  assert.deepEqual([...host], [0, 1]);
  assert.deepEqual([...busyOf(groups, () => null, SPAN, 2).device], [0, 0]);
});
