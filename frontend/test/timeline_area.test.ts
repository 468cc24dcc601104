import assert from "node:assert/strict";
import { test } from "node:test";
import { areaOptions, readableGaps, rowsOfAll, sumsOf, withCategoryTitles } from "../src/timeline/area";
import type { Track } from "../src/timeline/tracks";
import type { ColumnName, Answer, Column, TableSpec } from "../src/types";

const track = (row: number): Track => ({
  ...{ key: `h:${row}`, host: "h", row, name: `stream ${row}`, kind: "stream", lanes: 1, events: 1, group: "h/g" },
});

test("an area is asked for by whole picoseconds, and by its tracks where some are chosen", () => {
  const view = { start: 10.7, end: 20.2 };
  assert.deepEqual(areaOptions({ view, tracks: [] }), { area: "true", start_ps: "10", end_ps: "21" });
  assert.equal(areaOptions({ view, tracks: [track(3), track(4)] })["tracks"], "h:3-4");
  assert.equal(areaOptions({ view: { start: 5, end: 5 }, tracks: [] })["end_ps"], "6");
});

test("the sums of an area in words", () => {
  const summary = { area_events: 1200, area_tracks: 2, area_busy_ps: 1e9, area_names_rows: 7 };
  const answer = { summary } as unknown as Answer;
  assert.deepEqual(sumsOf(answer, { view: { start: 0, end: 1e9 }, tracks: [] }), [
    "1,200 events on 2 tracks",
    "busy 1.00 ms of 2 × 1.00 ms, 50.0 %",
  ]);
  assert.deepEqual([rowsOfAll(answer, "area_names"), rowsOfAll(answer, "area_flame")], [7, null]);
});

test("gaps tell their tracks by name, their begin as the ruler does, and why in plain words", () => {
  const column = (name: ColumnName, dtype: string): Column => ({ name, dtype, unit: "", help: "", title: "" });
  const columns = [
    column("host", "text"),
    column("track", "int64"),
    column("start_ps", "int64"),
    column("text", "text"),
  ];
  const spec: TableSpec = { name: "area_gaps", title: "", help: "", columns, count: "", key: [], proved: [] };
  const data = { columns: { host: ["h", "h"], track: [3, 9], start_ps: [1500, 1700], text: ["`x` ran", "no work"] } };
  const read = readableGaps(spec, data, 1000, (_, row) => (row === 3 ? track(3) : null));
  assert.deepEqual(read.data.columns["track"], ["stream 3", "9"]);
  assert.deepEqual(read.data.columns["start_ps"], [500, 700]);
  assert.deepEqual(read.data.columns["why"], ["x ran", "no work"]);
  assert.deepEqual(
    read.spec.columns.map(({ name, dtype }) => [name, dtype]),
    [
      ["host", "text"],
      ["track", "text"],
      ["start_ps", "int64"],
      ["why", "text"],
    ],
  );
});

test("gaps of several devices or hosts tell of which", () => {
  const spec: TableSpec = { name: "area_gaps", title: "", help: "", count: "", key: [], proved: [], columns: [] };
  const data = { columns: { host: ["h", "h"], track: [1, 2], start_ps: [0, 0], text: ["", ""] } };
  const of = (second: Partial<Track>) =>
    readableGaps(spec, data, 0, (_, row) => (row === 2 ? { ...track(2), ...second } : track(1))).data.columns["track"];
  assert.deepEqual(of({}), ["stream 1", "stream 2"]);
  assert.deepEqual(of({ group: "h/gpu1%20streams" }), ["g · stream 1", "gpu1 streams · stream 2"]);
  assert.deepEqual(of({ host: "i" }), ["h · stream 1", "i · stream 2"]);
});

test("categories are called as everywhere", () => {
  assert.deepEqual(withCategoryTitles({ columns: { category: ["a", ""] } }, (key) => key || "none").columns, {
    category: ["a", "none"],
  });
});
