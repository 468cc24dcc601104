import assert from "node:assert/strict";
import { test } from "node:test";
import { arranged, closedAtFirst, filterOf, whyNoFilter } from "../src/timeline/arrange";
import {
  type Choices,
  isCompact,
  isOpen,
  NONE,
  restored,
  withCompact,
  withHidden,
  withMove,
  withOnly,
  withOpen,
  withPin,
} from "../src/timeline/choices";
import { TrackList } from "../src/timeline/track_list";
import { TrackState } from "../src/timeline/track_state";
import { GAP, HEADER, LANE, layout, rowAt, rowsBetween, rowsOnScreen } from "../src/timeline/tracks";

type Cells = [host: string, group: string, track: number, lanes: number, events: number];

const table = (rows: Cells[]) => ({
  columns: {
    host: rows.map((r) => r[0]),
    process: rows.map(() => "/host:CPU"),
    process_kind: rows.map(() => "cpu"),
    group: rows.map((r) => r[1]),
    track: rows.map((r) => r[2]),
    name: rows.map((r) => `t${r[2]}`),
    kind: rows.map(() => "thread"),
    lanes: rows.map((r) => r[3]),
    events: rows.map((r) => r[4]),
  },
});

const listOf = (...pages: Cells[][]): TrackList => {
  const list = new TrackList();
  for (const page of pages) list.add(table(page));
  return list;
};

const ROWS: Cells[] = [
  ["h", "streams", 4, 2, 10],
  ["h", "streams", 2, 1, 5],
  ["h", "idle", 0, 0, 0],
  ["h", "host threads", 3, 1, 8],
  ["h", "host threads", 5, 1, 9],
];

const laid = (list: TrackList, choices: Choices, busy: ReadonlySet<string> | null = null, pinnedMax = Infinity) => {
  const closed = closedAtFirst(list.groups);
  return layout(
    arranged(list.groups, (key) => list.track(key), choices, busy),
    {
      isOpen: (key) => isOpen(choices, key, !closed.has(key)),
      isCompact: (track) => isCompact(choices, track),
    },
    pinnedMax,
  );
};
const keys = (...given: Parameters<typeof laid>) => laid(...given).rows.map((row) => row.key);

test("tracks with events are listed by host and group, page by page", () => {
  const list = listOf(ROWS.slice(0, 1), ROWS.slice(1));
  assert.deepEqual(
    list.groups.map(({ key, tracks, events }) => [key, tracks.map((t) => t.key), events]),
    [
      ["h/streams", ["h:4", "h:2"], 15],
      ["h/idle", [], 0],
      ["h/host%20threads", ["h:3", "h:5"], 17],
    ],
  );
  assert.deepEqual([list.listed, list.kept], [5, 4]);
  assert.equal(list.track("h:5")?.group, "h/host%20threads");
  assert.equal(list.track("h:0"), null);
});

test("tracks that come later with others among them keep what was chosen of them", () => {
  const state = new TrackState();
  state.add(table(ROWS));
  state.choices = withHidden(withOpen(NONE, "h/streams", false, true), "h:5");
  state.lay(Infinity);
  state.replace([table([["h", "derived", 9, 1, 3]]), table(ROWS)]);
  state.lay(Infinity);
  assert.deepEqual(
    state.layout.rows.map(({ key, open }) => [key, open]),
    [
      ["h/derived", true],
      ["h:9", true],
      ["h/streams", false],
      ["h/host%20threads", true],
      ["h:3", true],
    ],
  );
  assert.deepEqual([state.list.listed, state.list.kept], [6, 5]);
});

test("a table without groups is grouped by process", () => {
  const { group: _, ...columns } = table(ROWS).columns;
  const list = new TrackList();
  list.add({ columns });
  assert.deepEqual(
    list.groups.map(({ name }) => name),
    ["/host:CPU"],
  );
});

test("headers, then tracks with events, unless closed; hosts have headers where there are several", () => {
  const list = listOf(ROWS);
  const two = HEADER + 2 * LANE + GAP;
  const one = LANE + GAP;
  assert.deepEqual(
    laid(list, NONE).rows.map((row) => [row.key, row.level, row.top]),
    [
      ["h/streams", "group", 0],
      ["h:4", "track", HEADER],
      ["h:2", "track", two],
      ["h/host%20threads", "group", two + one],
      ["h:3", "track", two + one + HEADER],
      ["h:5", "track", two + 2 * one + HEADER],
    ],
  );
  assert.deepEqual(keys(list, withOpen(NONE, "h/streams", false, true)), [
    "h/streams",
    "h/host%20threads",
    "h:3",
    "h:5",
  ]);
  const hosts = listOf([...ROWS, ["g", "streams", 1, 1, 1]]);
  assert.deepEqual(keys(hosts, withOpen(NONE, "h/", false, true)), ["h/", "g/", "g/streams", "g:1"]);
});

test("what is hidden, or hidden with its group or host, is not there; everything comes back", () => {
  const list = listOf([...ROWS, ["g", "streams", 1, 1, 1]]);
  const hidden = withHidden(withHidden(withHidden(NONE, "h:4"), "h/host%20threads"), "g/");
  assert.deepEqual(keys(list, hidden), ["h/", "h/streams", "h:2"]);
  assert.equal(keys(list, restored(hidden)).length, 10);
  assert.deepEqual(keys(listOf(ROWS), withOnly(NONE, listOf(ROWS).groups[0]!, "h:2")), [
    "h/streams",
    "h:2",
    "h/host%20threads",
    "h:3",
    "h:5",
  ]);
});

test("a filter leaves what all its words match, or an expression; a wrong one leaves all", () => {
  const list = listOf(ROWS);
  assert.deepEqual(keys(list, { ...NONE, filter: "T4" }), ["h/streams", "h:4"]);
  assert.deepEqual(keys(list, { ...NONE, filter: "t3 threads" }), ["h/host%20threads", "h:3"]);
  assert.deepEqual(keys(list, { ...NONE, filter: "/t[23]$/" }), ["h/streams", "h:2", "h/host%20threads", "h:3"]);
  assert.equal(keys(list, { ...NONE, filter: "/t[/" }).length, 6);
  assert.equal(filterOf("/(/"), null);
  assert.equal(filterOf("/")?.("a/b"), true);
  assert.equal(filterOf("/(a+)+$/")?.("a".repeat(40) + "b"), false);
  assert.match(whyNoFilter("/(/"), /Unterminated group/);
  assert.equal(whyNoFilter("(") + whyNoFilter("/h 1/"), "");
});

test("an expression that takes too long for all tracks is none any more", () => {
  let ms = 0;
  const filter = filterOf("/late/", () => (ms += 100))!;
  const kept = Array.from({ length: 2000 }, () => filter("h streams 4"));
  assert.deepEqual([kept[0], kept[1999]], [false, true]);
  assert.equal(filterOf("/late/"), null);
  assert.match(whyNoFilter("/late/"), /takes too long/);
});

test("only busy tracks, once it is known which are", () => {
  const choices = { ...NONE, busy: { start: 0, end: 9 } };
  assert.equal(keys(listOf(ROWS), choices).length, 6);
  assert.deepEqual(keys(listOf(ROWS), choices, new Set(["h:5"])), ["h/host%20threads", "h:5"]);
  assert.equal(keys(listOf(ROWS), NONE, new Set(["h:5"])).length, 6);
});

test("pinned tracks stay at the top in their order, as far as there is room", () => {
  const choices = withPin(withPin(NONE, "h:5", true), "h:4", true);
  const all = laid(listOf(ROWS), choices);
  assert.deepEqual(
    all.pinned.map(({ key, top, pinned }) => [key, top, pinned]),
    [
      ["h:5", 0, true],
      ["h:4", LANE + GAP, true],
    ],
  );
  assert.deepEqual(
    all.rows.map(({ key }) => key),
    ["h/streams", "h:2", "h/host%20threads", "h:3"],
  );
  assert.equal(all.pinnedHeight, 3 * LANE + 2 * GAP);
  const screen = rowsOnScreen(all, 10, 100).map(({ row, y }) => [row.key, y]);
  assert.deepEqual(screen, [
    ["h/streams", all.pinnedHeight - 10],
    ["h:2", all.pinnedHeight - 10 + HEADER],
    ["h:5", 0],
    ["h:4", LANE + GAP],
  ]);
  assert.equal(rowAt(all, 10, 1)?.row.key, "h:5");
  assert.equal(rowAt(all, 10, all.pinnedHeight)?.row.key, "h/streams");
  const tight = laid(listOf(ROWS), choices, null, 30);
  assert.deepEqual([tight.pinned.length, tight.rows[0]!.key, tight.rows[0]!.pinned], [1, "h:4", false]);
  assert.deepEqual(withMove(choices, "h:4", "h:5").pin, ["h:4", "h:5"]);
  assert.deepEqual(withPin(choices, "h:5", false).pin, ["h:4"]);
});

test("tracks and groups go where they are moved", () => {
  const list = listOf(ROWS);
  const moved = withMove(withMove(NONE, "h:5", "h:3"), "h/host%20threads", "h/streams");
  assert.deepEqual(keys(list, moved), ["h/host%20threads", "h:5", "h:3", "h/streams", "h:4", "h:2"]);
  assert.deepEqual(keys(list, withMove(moved, "h:5", "")), [
    "h/host%20threads",
    "h:3",
    "h:5",
    "h/streams",
    "h:4",
    "h:2",
  ]);
});

test("compact tracks have low lanes; deep ones are compact at first", () => {
  const list = listOf([
    ["h", "a", 0, 2, 1],
    ["h", "a", 1, 500, 1],
  ]);
  const lanes = (choices: Choices) =>
    laid(list, choices)
      .rows.slice(1)
      .map(({ lane, height }) => [lane, height]);
  assert.deepEqual(lanes(NONE), [
    [LANE, 2 * LANE + GAP],
    [1, 500 + GAP],
  ]);
  assert.deepEqual(lanes(withCompact(NONE, "h:0"))[0], [6, LANE + GAP]);
  assert.deepEqual(lanes(withCompact(NONE, "h/a")), [
    [6, LANE + GAP],
    [LANE, 500 * LANE + GAP],
  ]);
});

test("a hundred thousand tracks: groups after the first hundreds are closed, any row is found", () => {
  const of = (group: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, i): Cells => ["h", group, from + i, 1, 1]);
  const list = listOf(of("a", 0, 5000), of("a", 5000, 99_900), of("b", 99_900, 100_000));
  const all = laid(list, NONE);
  assert.deepEqual([...closedAtFirst(list.groups)], ["h/b"]);
  assert.deepEqual([all.rows.length, all.shown], [99_902, 100_000]);
  assert.equal(all.height, 2 * HEADER + 99_900 * (LANE + GAP));
  const top = HEADER + 50_000 * (LANE + GAP);
  assert.deepEqual(
    rowsBetween(all, top, top + 48).map((row) => row.track?.row),
    [50_000, 50_001],
  );
  assert.deepEqual(rowsBetween(all, -100, 0), []);
  assert.deepEqual(keys(list, { ...NONE, filter: "/^.* t9999[89]$/", unfold: new Set(["h/b"]) }), [
    "h/b",
    "h:99998",
    "h:99999",
  ]);
});
