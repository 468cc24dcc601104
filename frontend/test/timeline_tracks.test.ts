import assert from "node:assert/strict";
import { test } from "node:test";
import { GAP, HEADER, joined, LANE, layout, processesOf, rowsBetween } from "../src/timeline/tracks";

const table = (rows: [host: string, plane: number, track: number, lanes: number, events: number][]) => ({
  columns: {
    host: rows.map((r) => r[0]),
    plane: rows.map((r) => r[1]),
    process: rows.map((r) => `p${r[1]}`),
    process_kind: rows.map(() => "cpu"),
    track: rows.map((r) => r[2]),
    name: rows.map((r) => `t${r[2]}`),
    kind: rows.map(() => "thread"),
    lanes: rows.map((r) => r[3]),
    events: rows.map((r) => r[4]),
  },
});

const ROWS = table([
  ["h", 0, 4, 2, 10],
  ["h", 0, 2, 1, 5],
  ["h", 1, 0, 0, 0],
  ["g", 0, 1, 3, 7],
]);

test("planes of one host and number are one process; several hosts are named", () => {
  const short = (hosts: number) =>
    processesOf(ROWS, hosts).map((p) => [p.key, p.name, p.tracks.map((t) => t.key), p.events]);
  assert.deepEqual(short(1), [
    ["h:0", "p0", ["h:4", "h:2"], 15],
    ["h:1", "p1", ["h:0"], 0],
    ["g:0", "p0", ["g:1"], 7],
  ]);
  assert.deepEqual(
    short(2).map((p) => p[1]),
    ["h p0", "h p1", "g p0"],
  );
});

test("a page of the table goes on where the one before ended", () => {
  const pages = [
    table([["h", 0, 4, 2, 10]]),
    table([
      ["h", 0, 2, 1, 5],
      ["h", 1, 0, 0, 0],
      ["g", 0, 1, 3, 7],
    ]),
  ];
  assert.deepEqual(joined(pages), ROWS);
  assert.deepEqual(joined([]), { columns: {} });
});

test("headers, then tracks with events, unless closed", () => {
  const rows = (closed: string[]) =>
    layout(processesOf(ROWS, 1), new Set(closed)).rows.map((r) => [r.track?.key ?? r.process.key, r.top]);
  const two = HEADER + 2 * LANE + GAP;
  const one = LANE + GAP;
  assert.deepEqual(rows([]), [
    ["h:0", 0],
    ["h:4", HEADER],
    ["h:2", two],
    ["h:1", two + one],
    ["g:0", two + one + HEADER],
    ["g:1", two + one + 2 * HEADER],
  ]);
  assert.deepEqual(rows(["h:0", "g:0"]), [
    ["h:0", 0],
    ["h:1", HEADER],
    ["g:0", 2 * HEADER],
  ]);
});

test("rows on the screen, of a hundred thousand", () => {
  const many = processesOf(
    table(Array.from({ length: 100_000 }, (_, i) => ["h", 0, i, 1, 1] as [string, number, number, number, number])),
    1,
  );
  const all = layout(many, new Set());
  assert.equal(all.height, HEADER + 100_000 * (LANE + GAP));
  const shown = rowsBetween(all, HEADER + 50_000 * 24, HEADER + 50_000 * 24 + 48).map((r) => r.track?.row);
  assert.deepEqual(shown, [50_000, 50_001]);
  assert.deepEqual(rowsBetween(all, -100, 0), []);
});
