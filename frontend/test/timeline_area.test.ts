import assert from "node:assert/strict";
import { test } from "node:test";
import { areaOptions, rowsOfAll, sumsOf, withCategoryTitles, withTrackNames } from "../src/timeline/area";
import type { Track } from "../src/timeline/tracks";
import type { Answer, Column, TableSpec } from "../src/types";

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

test("a table tells tracks and categories by name", () => {
  const columns: Column[] = [
    { name: "host", dtype: "text", unit: "", help: "" },
    { name: "track", dtype: "int64", unit: "", help: "" },
  ];
  const spec: TableSpec = { name: "area_gaps", title: "", help: "", columns, count: "" };
  const named = withTrackNames(spec, { columns: { host: ["h", "h"], track: [3, 9] } }, (_, row) =>
    row === 3 ? track(3) : null,
  );
  assert.deepEqual(named.data.columns["track"], ["stream 3", "9"]);
  assert.equal(named.spec.columns[1]!.dtype, "text");
  assert.deepEqual(withCategoryTitles({ columns: { category: ["a", ""] } }, (key) => key || "none").columns, {
    category: ["a", "none"],
  });
});
