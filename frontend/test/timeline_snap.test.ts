import assert from "node:assert/strict";
import { test } from "node:test";
import type { View } from "../src/timeline/scale";
import { RULER, type Scene, type Step } from "../src/timeline/scene";
import { edgeAt } from "../src/timeline/snap";
import { placeAmong, stepBeside, stepsOf, stepsOfHost } from "../src/timeline/steps";
import { stepShown, stepsListed } from "../src/timeline/steps_panel";
import { Store } from "../src/timeline/store";
import { TrackList } from "../src/timeline/track_list";
import { GAP, HEADER, LANE, layout } from "../src/timeline/tracks";
import { sliceColumns } from "./answers";

type Event = [track: number, depth: number, start: number, duration: number, count: number];

/** A scene 1000 pixels wide and 1000 ps long, of events on two tracks. */
function scene(events: Event[], more: Partial<Scene> = {}): Scene {
  const list = new TrackList();
  const tracks = [0, 1];
  list.add({
    columns: {
      host: ["h", "h"],
      process: ["p", "p"],
      track: tracks,
      name: ["t0", "t1"],
      kind: ["thread", "thread"],
      lanes: [2, 1],
      events: [9, 9],
    },
  });
  const view: View = { start: 0, end: 1000 };
  const store = new Store(view);
  store.put(
    {
      summary: { window_start_ps: 0, window_end_ps: 1000, resolution_ps: 1 },
      tables: {
        window_tracks: { columns: { host: ["h", "h"], track: tracks, shown: [9, 9], merged: [0, 0] } },
        slices: {
          columns: sliceColumns(
            events.map(([track, depth, start, duration, count]) => [track, depth, start, duration, 0, count]),
          ),
        },
        names: { columns: { name: ["x"] } },
      },
    } as unknown as Parameters<Store["put"]>[0],
    1,
  );
  const groups = list.groups.map((group) => ({ group, tracks: group.tracks }));
  return {
    width: 1000,
    height: 400,
    view,
    origin: 0,
    layout: layout(
      { pinned: [], hosts: [{ host: "h", key: "h/", groups }], isMany: false },
      { isOpen: () => true, isCompact: () => false },
    ),
    scroll: 0,
    store,
    hover: null,
    selected: null,
    range: null,
    ...more,
  };
}

const LANE_Y = (lane: number): number => RULER + HEADER + GAP / 2 + lane * LANE + 5;
const EVENTS: Event[] = [
  [0, 0, 100, 200, 1],
  [0, 1, 105, 50, 1],
  [1, 0, 400, 50, 7],
  [1, 0, 600, 0, 1],
];

test("the edge of the lane under the pointer, before any other", () => {
  assert.equal(edgeAt(scene(EVENTS), 102, LANE_Y(0)), 100);
  assert.equal(edgeAt(scene(EVENTS), 102, LANE_Y(1)), 105);
  assert.equal(edgeAt(scene(EVENTS), 298, LANE_Y(0)), 300);
});

test("on the ruler the nearest edge of any lane", () => {
  assert.equal(edgeAt(scene(EVENTS), 104, 5), 105);
  assert.equal(edgeAt(scene(EVENTS), 596, 5), 600);
  assert.equal(edgeAt(scene(EVENTS), 200, 5), null);
});

test("merged slices have no edges", () => {
  assert.equal(edgeAt(scene(EVENTS), 401, 5), null);
});

test("edges of what is chosen attract before those of lanes that are not under the pointer", () => {
  const steps = [{ host: "h", number: 1, name: "", start: 101, end: 500 }];
  assert.equal(edgeAt(scene(EVENTS, { steps }), 104, 5), 101);
  assert.equal(edgeAt(scene(EVENTS, { marks: [{ start: 500, end: 700, tracks: [] }] }), 697, 5), 700);
});

const step = (number: number, start: number, end: number): Step => ({ host: "h", number, name: "", start, end });
const STEPS = [step(1, 0, 10), step(2, 10, 20), step(3, 30, 40)];

test("steps of an answer, by their begin", () => {
  const columns = { host: ["h", "h"], number: [2, 1], name: ["b", "a"], start_ps: [10, 0], duration_ps: [10, 10] };
  assert.deepEqual(
    stepsOf({ tables: { steps: { columns } } }).map(({ number, end }) => [number, end]),
    [
      [1, 10],
      [2, 20],
    ],
  );
  assert.deepEqual(stepsOf({ tables: {} }), []);
});

test("the step beside the one that is marked, or looked at, or beside a gap", () => {
  assert.equal(placeAmong(STEPS, { start: 10, end: 20 }), 1);
  assert.equal(placeAmong(STEPS, { start: 31, end: 33 }), 2);
  assert.equal(placeAmong(STEPS, { start: 22, end: 28 }), 1.5);
  const beside = (view: View, by: 1 | -1) => stepBeside(STEPS, view, by)?.number;
  assert.deepEqual([beside({ start: 10, end: 20 }, 1), beside({ start: 10, end: 20 }, -1)], [3, 1]);
  assert.deepEqual([beside({ start: 22, end: 28 }, 1), beside({ start: 22, end: 28 }, -1)], [3, 2]);
  assert.deepEqual([beside({ start: 30, end: 40 }, 1), beside({ start: 0, end: 10 }, -1)], [undefined, undefined]);
});

test("of several steps on the screen the first or the last is gone to", () => {
  const all = { start: 0, end: 1000 };
  assert.equal(stepBeside(STEPS, all, 1), STEPS[0]);
  assert.equal(stepBeside(STEPS, all, -1), STEPS[STEPS.length - 1]);
});

test("steps of one host only, of the chosen one where it has some", () => {
  const [a, b] = ["a", "b"].map((host) => ({ host, number: 1, name: "", start: 0, end: 10 }));
  assert.deepEqual(stepsOfHost([a!, b!], undefined), [a]);
  assert.deepEqual(stepsOfHost([a!, b!], "b"), [b]);
  assert.deepEqual(stepsOfHost([a!, b!], "c"), [a]);
});

test("steps are listed in order of time or the longest first, and by number and name", () => {
  const steps = [3, 9, 5].map((long, i) => ({ host: "a", number: i, name: `train ${i}`, start: i, end: i + long }));
  const numbers = (text: string, longest: boolean) => stepsListed(steps, text, longest).map(({ number }) => number);
  assert.deepEqual(numbers("", false), [0, 1, 2]);
  assert.deepEqual(numbers("", true), [1, 2, 0]);
  assert.deepEqual(numbers(" Train 2", true), [2]);
});

test("the step that is shown is the marked one, or the one that fills the screen", () => {
  const steps = [0, 10, 20].map((start, number) => ({ host: "a", number, name: "", start, end: start + 10 }));
  const whole = { start: 0, end: 30 };
  assert.equal(stepShown(steps, { range: null, view: whole }), -1);
  assert.equal(stepShown(steps, { range: { start: 20, end: 30 }, view: whole }), 2);
  assert.equal(stepShown(steps, { range: { start: 20, end: 25 }, view: { start: 10, end: 20 } }), -1);
  assert.equal(stepShown(steps, { range: null, view: { start: 9, end: 21 } }), 1);
});
