import assert from "node:assert/strict";
import { test } from "node:test";
import { firstAfter, nearest, sliceAt } from "../src/timeline/scene";
import { ranges, resolutionOf, slicesOf, Store } from "../src/timeline/store";
import type { Track } from "../src/timeline/tracks";
import type { Answer } from "../src/types";

const track = (row: number, host = "h"): Track => ({
  key: `${host}:${row}`,
  host,
  row,
  name: "t",
  kind: "thread",
  lanes: 2,
  events: 9,
});

/** Rows are [track, depth, start, duration, name, count]. */
function answer(start: number, end: number, tracks: number[], rows: number[][], merged = 0): Answer {
  const column = (i: number) => rows.map((row) => row[i]!);
  return {
    tool: "trace_viewer",
    schema: 1,
    run: "r",
    hosts: ["h"],
    unknown: {},
    findings: [],
    summary: { window_start_ps: start, window_end_ps: end, resolution_ps: 8 },
    tables: {
      slices: {
        columns: {
          track: column(0),
          depth: column(1),
          start_ps: column(2),
          duration_ps: column(3),
          idle_ps: rows.map(() => 0),
          name: column(4),
          count: column(5),
          row: rows.map((_, i) => 100 + i),
        },
      },
      names: { columns: { name: ["a", "b"] } },
      window_tracks: {
        columns: {
          host: tracks.map(() => "h"),
          track: tracks,
          shown: tracks.map(() => 1),
          merged: tracks.map(() => merged),
        },
      },
    },
    quality: { events_in_file: 0, events_kept: 0, dropped: {}, warnings: [], decoder: "compiled" },
  };
}

const ROWS = [
  [0, 0, -5, 20, 0, 1],
  [0, 1, 0, 4, 1, 1],
  [0, 1, 6, 2, 0, 3],
  [2, 0, 1, 1, 1, 1],
];

test("an answer is split by track and lane; a track may have none", () => {
  const split = slicesOf(answer(1000, 1100, [7, 3, 4], ROWS), 8);
  assert.deepEqual(
    split.map(([key, slices]) => [key, slices.lanes]),
    [
      ["h:7", [0, 1, 3]],
      ["h:3", [0, 0]],
      ["h:4", [0, 1]],
    ],
  );
  assert.deepEqual(sliceAt(split[0]![1], 2, track(7), 1), {
    track: track(7),
    depth: 1,
    start: 1006,
    duration: 2,
    idle: 0,
    name: "a",
    count: 3,
    row: 102,
  });
});

test("slices are found by time", () => {
  const slices = slicesOf(answer(1000, 1100, [7], ROWS.slice(0, 3)), 8)[0]![1];
  assert.deepEqual(firstAfter(slices, 1, 5), [2, 3]);
  assert.equal(nearest(slices, track(7), 1, 1003, 0)?.row, 101);
  assert.equal(nearest(slices, track(7), 1, 1005, 0), null);
  assert.equal(nearest(slices, track(7), 1, 1004.9, 2)?.row, 101);
  assert.equal(nearest(slices, track(7), 5, 1004, 2), null);
});

test("tracks are named by ranges, hosts percent-encoded", () => {
  assert.equal(ranges([3, 1, 2, 9].map((row) => track(row))), "h:1-3,h:9");
  assert.equal(ranges([track(1, "b:80"), track(2, "a"), track(1, "b:80")]), "a:2,b%3A80:1");
});

test("the resolution is the longest power of two not above a pixel", () => {
  assert.deepEqual(
    [
      [1000, 1000],
      [1000, 300],
      [10, 1000],
      [1e15, 1000],
    ].map(([long, width]) => resolutionOf({ start: 0, end: long! }, width!)),
    [1, 2, 1, 2 ** 39],
  );
});

test("what is missing is asked for, with a margin, once", () => {
  const store = new Store({ start: 0, end: 10_000 });
  const view = { start: 4000, end: 5000 };
  const request = store.missing([track(1), track(2)], view, 100);
  assert.deepEqual(request, { options: { start_ps: "3500", end_ps: "5500", width: "200", tracks: "h:1-2" }, asked: 8 });
  store.put(answer(3500, 5500, [1], [], 5), 8);
  assert.equal(store.missing([track(1), track(2)], view, 100)?.options["tracks"], "h:2");
  assert.equal(store.missing([track(1)], { start: 4400, end: 5400 }, 100), null, "within the margin");
  assert.notEqual(store.missing([track(1)], { start: 5000, end: 6000 }, 100), null, "beyond it");
  assert.notEqual(store.missing([track(1)], { start: 4000, end: 4100 }, 100), null, "finer");
  assert.equal(store.missing([track(1)], view, 0), null, "a hidden page asks for nothing");
});

test("nothing finer is asked for where nothing was merged", () => {
  const store = new Store({ start: 0, end: 10_000 });
  store.put(answer(0, 10_000, [1], [], 0), 64);
  assert.equal(store.missing([track(1)], { start: 400, end: 420 }, 100), null);
});

test("the whole is drawn where nothing finer is", () => {
  const store = new Store({ start: 0, end: 10_000 });
  store.put(answer(0, 10_000, [1], [], 5), 64);
  store.put(answer(4000, 5000, [1], [], 5), 8);
  const asked = (start: number, end: number) => store.layers("h:1", { start, end }).map((s) => s.asked);
  assert.deepEqual(asked(4000, 4500), [8]);
  assert.deepEqual(asked(4000, 6000), [64, 8]);
  assert.deepEqual(store.layers("h:9", { start: 0, end: 1 }), []);
});
