import assert from "node:assert/strict";
import { test } from "node:test";
import { firstAfter, nearest, sliceAt } from "../src/timeline/scene";
import { slicesOf } from "../src/timeline/slices";
import { askable, ranges, resolutionOf, Store } from "../src/timeline/store";
import type { Track } from "../src/timeline/tracks";
import type { ColumnsAnswer } from "../src/columns";
import { answerWith, sliceColumns } from "./answers";

const track = (row: number, host = "h"): Track => ({
  key: `${host}:${row}`,
  host,
  row,
  name: "t",
  kind: "thread",
  lanes: 2,
  events: 9,
  group: "g",
});

/** Rows are [track, depth, start, duration, name, count]. */
function answer(start: number, end: number, tracks: number[], rows: number[][], merged = 0): ColumnsAnswer {
  return answerWith({
    summary: { window_start_ps: start, window_end_ps: end, resolution_ps: 8 },
    tables: {
      slices: { columns: sliceColumns(rows, 100) },
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
  });
}

const ROWS = [
  [0, 0, -5, 20, 0, 1],
  [0, 1, 0, 4, 1, 1],
  [0, 1, 6, 2, 0, 3],
  [2, 0, 1, 1, 1, 1],
];

test("an answer is split by track and lane; a track may have none", () => {
  const split = [...slicesOf(answer(1000, 1100, [7, 3, 4], ROWS), 8)];
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
  const slices = slicesOf(answer(1000, 1100, [7], ROWS.slice(0, 3)), 8).get("h:7")!;
  assert.deepEqual(firstAfter(slices, 1, 5), [2, 3]);
  assert.equal(nearest(slices, track(7), 1, 1003, 0)?.row, 101);
  assert.equal(nearest(slices, track(7), 1, 1005, 0), null);
  assert.equal(nearest(slices, track(7), 1, 1004.9, 2)?.row, 101);
  assert.equal(nearest(slices, track(7), 5, 1004, 2), null);
});

test("tracks are named by ranges, hosts percent-encoded", () => {
  assert.equal(ranges([3, 1, 2, 9].map((row) => track(row))), "h:1-3.9");
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
  // Half a view on each side, then to multiples of 256 times the resolution.
  assert.deepEqual(request, { options: { start_ps: "2048", end_ps: "6144", width: "512", tracks: "h:1-2" }, asked: 8 });
  assert.equal(store.put(answer(2048, 6144, [1], [], 5), 8), 1);
  assert.equal(store.missing([track(1), track(2)], view, 100)?.options["tracks"], "h:2");
  assert.equal(store.missing([track(1)], { start: 4400, end: 5400 }, 100), null, "within the margin");
  assert.notEqual(store.missing([track(1)], { start: 5500, end: 6500 }, 100), null, "beyond it");
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

test("what is fine enough is drawn alone, the coarsest of it", () => {
  const store = new Store({ start: 0, end: 10_000 });
  store.put(
    { ...answer(0, 10_000, [1], [], 5), summary: { window_start_ps: 0, window_end_ps: 10_000, resolution_ps: 64 } },
    64,
  );
  store.put(answer(0, 10_000, [1], [], 5), 8);
  const asked = (resolution: number) => store.layers("h:1", { start: 0, end: 10_000 }, resolution).map((s) => s.asked);
  assert.deepEqual([asked(64), asked(32), asked(8), asked(1)], [[64], [8], [8], [8]]);
});

test("memory is bounded: what was drawn longest ago goes, the first and the last answer stay", () => {
  const rows = Array.from({ length: 1000 }, (_, i) => [0, 0, i, 1, 0, 1]);
  const store = new Store({ start: 0, end: 100_000 }, 200_000);
  store.put(answer(0, 100_000, [1], rows, 5), 128);
  for (let i = 0; i < 20; i++) {
    store.put(answer(1000 * i, 1000 * i + 1000, [1], rows, 5), 8);
    store.layers("h:1", { start: 0, end: 1000 });
    assert.ok(store.bytes <= 200_000, String(store.bytes));
  }
  const asked = (at: number) => store.layers("h:1", { start: at, end: at + 1000 }).map((s) => s.asked);
  assert.deepEqual([asked(0), asked(5000), asked(19_000)], [[8], [128], [8]]);
});

test("the same window again replaces what was there", () => {
  const store = new Store({ start: 0, end: 10_000 });
  store.put(answer(0, 10_000, [1], ROWS, 5), 8);
  const before = store.bytes;
  for (let i = 0; i < 5; i++) store.put(answer(0, 10_000, [1], ROWS.slice(0, 3), 5), 8);
  assert.ok(store.bytes < 3 * before);
  assert.equal(store.layers("h:1", { start: 0, end: 10 }).length, 1);
});

test("what may be needed next: tracks around, closer, beside, further", () => {
  const store = new Store({ start: 0, end: 1_000_000 });
  const view = { start: 400_000, end: 500_000 };
  const requests = store.ahead([track(1)], [track(2)], view, 1000);
  const views = requests.map(({ options: o }) => [o["tracks"], Number(o["start_ps"]), Number(o["end_ps"])]);
  assert.equal(requests.length, 5);
  assert.equal(views[0]![0], "h:2");
  assert.ok(requests[1]!.asked < requests[0]!.asked, "closer is finer");
  assert.ok(Number(views[2]![2]) > 575_000 && Number(views[3]![1]) < 325_000, "right and left");
  assert.ok(requests[4]!.asked > requests[0]!.asked, "further is coarser");
  store.put(answer(0, 1_000_000, [1, 2], [], 0), 64);
  assert.deepEqual(store.ahead([track(1)], [track(2)], view, 1000), [], "all is here");
});

test("values of counters, also of tracks that have no slices", () => {
  const given = answer(0, 100, [7], []);
  given.tables["counter_tracks"] = {
    columns: { host: ["h", "h"], track: [7, 9], name: ["a", "b"], unit: ["bytes", ""], low: [0, 1], high: [8, 2] },
  };
  given.tables["counters"] = {
    columns: {
      track: Uint8Array.of(0, 0, 1),
      start_ps: Int8Array.of(-5, 3, 0),
      min: Uint8Array.of(1, 2, 3),
      max: Uint8Array.of(4, 5, 6),
      last: Uint8Array.of(2, 3, 4),
      count: Uint8Array.of(1, 1, 2),
    },
  };
  const found = slicesOf(given, 8);
  assert.deepEqual([...found.keys()], ["h:7", "h:9"]);
  assert.deepEqual([...found.get("h:7")!.samples!.start], [-5, 3]);
  assert.deepEqual([found.get("h:7")!.exact, found.get("h:9")!.exact], [true, false]);
  assert.deepEqual([found.get("h:9")!.samples!.high, ...found.get("h:9")!.samples!.most], [2, 6]);
});

test("a request names as many tracks as an address holds; the rest is asked for next", () => {
  const host = "a-host-with-quite-a-long-name-0123456789.example.internal";
  const tracks = Array.from({ length: 2000 }, (_, i) => track(2 * i, host));
  const some = askable(tracks);
  assert.deepEqual([some.length, some[0]!.row], [500, 0]);
  assert.ok(ranges(some).length <= 3500);
  assert.equal(askable(tracks.slice(0, 3)).length, 3);
  assert.equal(askable([track(0, "h".repeat(5000))]).length, 1);
  const store = new Store({ start: 0, end: 1e6 });
  assert.equal(store.missing(tracks, { start: 0, end: 1e6 }, 100)?.options["tracks"], ranges(some));
});
