import assert from "node:assert/strict";
import { test } from "node:test";
import { NONE, withCompact, withHidden, withMove, withOpen, withPin } from "../src/timeline/choices";
import { NO_FIND } from "../src/timeline/find";
import { inMarkdown, renamed, toggled } from "../src/timeline/marks";
import {
  choicesOf,
  keysOf,
  keysText,
  paramsOfChoices,
  paramsOfPlace,
  type Place,
  placeOfParams,
  type Times,
} from "../src/timeline/place";
import type { Track } from "../src/timeline/tracks";

const track = (host: string, row: number): Track => ({
  key: `${encodeURIComponent(host)}:${row}`,
  host,
  row,
  name: `t${row}`,
  kind: "thread",
  lanes: 1,
  events: 1,
  group: `${encodeURIComponent(host)}/g`,
});
const TRACKS = new Map([track("a", 0), track("a", 1), track("a", 2), track("b c", 0)].map((t) => [t.key, t]));
const TIMES: Times = {
  span: { start: 0, end: 1_000_000 },
  offsets: new Map([
    ["a", 0],
    ["b c", 5000],
  ]),
  track: (key) => TRACKS.get(key) ?? null,
};
const WHOLE: Place = {
  view: TIMES.span,
  range: null,
  area: null,
  marks: [],
  compared: null,
  event: "",
  find: NO_FIND,
  choices: NONE,
  colours: "name",
};
const back = (place: Place): Place => {
  const { hasView: _, ...read } = placeOfParams(paramsOfPlace(place, TIMES), TIMES);
  return read;
};

test("the whole capture needs no words", () => {
  assert.deepEqual(paramsOfPlace(WHOLE, TIMES), {});
  assert.deepEqual(back(WHOLE), WHOLE);
  assert.equal(placeOfParams({}, TIMES).hasView, false);
});

test("a view, a range, an area, marks, an event, a search and colours are read as they were written", () => {
  const place: Place = {
    ...WHOLE,
    view: { start: 100, end: 2000 },
    range: { start: 200, end: 300 },
    area: { view: { start: 1, end: 2 }, tracks: [TRACKS.get("a:0")!, TRACKS.get("a:1")!] },
    marks: [
      { start: 6000, end: 7000, tracks: [TRACKS.get("b%20c:0")!] },
      { start: 10, end: 20, tracks: [] },
    ],
    compared: { a: { start: 10, end: 20 }, b: { start: 30, end: 45 } },
    event: "a:7",
    find: { text: "a&b=c,%", match: "regex", in: "args" },
    colours: "category",
  };
  assert.deepEqual(paramsOfPlace(place, TIMES), {
    start_ps: "100",
    end_ps: "2000",
    range: "200-300",
    area: "1-2@a:0-1",
    marks: "b%20c:1000-2000@0,:10-20",
    compare: "10-20,30-45",
    event: "a:7",
    search: "a&b=c,%",
    match: "regex",
    in: "args",
    colours: "category",
  });
  assert.deepEqual(back(place), place);
});

test("times of a host's own clock are moved to that of the timeline", () => {
  const read = placeOfParams({ clock: "b c", start_ps: "0", end_ps: "10", range: "2-4", marks: "b%20c:5-6@0" }, TIMES);
  assert.deepEqual(
    [read.view, read.range],
    [
      { start: 5000, end: 5010 },
      { start: 5002, end: 5004 },
    ],
  );
  assert.deepEqual(
    read.marks.map(({ start, end, tracks }) => [start, end, ...tracks.map(({ key }) => key)]),
    [[5005, 5006, "b%20c:0"]],
  );
});

test("a mark on several tracks is one, and one for each host in the address", () => {
  const all = [...TRACKS.values()];
  const params = paramsOfPlace({ ...WHOLE, marks: [{ start: 5010, end: 5020, tracks: all }] }, TIMES);
  assert.equal(params["marks"], "a:5010-5020@0-2,b%20c:10-20@0");
  const { marks } = placeOfParams(params, TIMES);
  assert.deepEqual(
    marks.map(({ tracks }) => tracks.map(({ key }) => key)),
    [["a:0", "a:1", "a:2"], ["b%20c:0"]],
  );
});

test("marks have a name and a note, whatever they hold", () => {
  const marks = [
    { start: 10, end: 20, tracks: [], name: "a;b,c:1@2 %", note: "why; 50 %, <b>" },
    { start: 30, end: 40, tracks: [TRACKS.get("a:1")!], name: "Mark 1" },
    { start: 50, end: 60, tracks: [], note: "no name" },
  ];
  const params = paramsOfPlace({ ...WHOLE, marks }, TIMES);
  assert.equal(params["marks"]?.split(",")[1], "a:30-40@1;Mark%201");
  assert.deepEqual(placeOfParams(params, TIMES).marks, marks);
  const long = placeOfParams({ marks: `:1-2;${"x".repeat(1000)};${"y".repeat(1000)}` }, TIMES).marks[0]!;
  assert.deepEqual([long.name?.length, long.note?.length], [80, 500]);
});

test("a mark is set with a name that none has, found again without it, and listed for a report", () => {
  const mark = { start: 1, end: 2, tracks: [] };
  const [first] = toggled([], mark);
  assert.equal(first?.name, "Mark 1");
  const two = toggled([first!], { ...mark, end: 3 });
  assert.deepEqual(
    two.map(({ name }) => name),
    ["Mark 1", "Mark 2"],
  );
  assert.deepEqual(toggled(two, mark), [two[1]]);
  const noted = renamed(two, two[1]!, { name: "late | kernel", note: "two\nlines" });
  const text = inMarkdown(
    noted,
    (ps) => `${ps} at`,
    (ps) => `${ps} long`,
  );
  assert.equal(text.split("\n")[3], "| late \\| kernel | 1 at | 2 long |  | two lines |");
});

test("words that are none are left out", () => {
  const wrong = {
    start_ps: "9",
    end_ps: "3",
    range: "x",
    area: "5-1@a:0",
    marks: "a:1,a:2-3@77,,:",
    match: "?",
    busy: "3",
    compare: "1-2",
  };
  const read = placeOfParams(wrong, TIMES);
  assert.deepEqual(
    [read.view, read.hasView, read.range, read.area, read.compared],
    [TIMES.span, false, null, null, null],
  );
  assert.deepEqual(read.marks, [{ start: 2, end: 3, tracks: [] }]);
  assert.deepEqual([read.find, read.choices], [NO_FIND, NONE]);
  assert.equal(placeOfParams({ search: "x", regex: "true" }, TIMES).find.match, "regex");
});

test("keys of tracks are told as ranges", () => {
  assert.equal(keysText(["a:3", "a:1", "b%20c:0", "a:2", "a/x%2Cy", "a:7"]), "a/x%2Cy,a:1-3.7,b%20c:0");
  assert.deepEqual(keysOf("a/x%2Cy,a:1-3,a:7.9+11-12"), [
    ...["a/x%2Cy", "a:1", "a:2", "a:3", "a:7", "a:9", "a:11", "a:12"],
  ]);
  assert.deepEqual(keysOf(undefined), []);
  const many = Array.from({ length: 100_000 }, (_, i) => `h:${i}`);
  assert.equal(keysText(many), "h:0-99999");
  assert.equal(keysOf("h:0-99999999999").length, 200_000);
});

test("choices of tracks are read as they were written", () => {
  let choices = { ...NONE, filter: "/a|b/ x", busy: { start: 10, end: 20 } };
  choices = { ...choices, ...withPin(withPin(choices, "a:9", true), "a:2", true) } as typeof choices;
  choices = { ...choices, ...withHidden(withHidden(choices, "a:1"), "b%20c/") } as typeof choices;
  choices = { ...choices, ...withOpen(withOpen(choices, "a/g", false, true), "a/h", true, false) } as typeof choices;
  choices = {
    ...choices,
    ...withMove(withMove(withCompact(choices, "a:3"), "a:3", "a:1"), "a/g", ""),
  } as typeof choices;
  const params = paramsOfChoices(choices);
  assert.deepEqual(params, {
    filter: "/a|b/ x",
    busy: "10-20",
    pin: "a:9,a:2",
    hide: "b%20c/,a:1",
    fold: "a/g",
    unfold: "a/h",
    compact: "a:3",
    order: "a:3<a:1,a/g<",
  });
  assert.deepEqual(choicesOf(params), choices);
});
