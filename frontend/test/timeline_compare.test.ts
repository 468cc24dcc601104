import assert from "node:assert/strict";
import { test } from "node:test";
import { compareOptions, differenceInWords, sidesOf, typicalStep } from "../src/timeline/compare";
import type { Step } from "../src/timeline/scene";
import type { Track } from "../src/timeline/tracks";

const MS = 1e9;
const step = (number: number, start: number, end: number, host = "h"): Step => ({
  ...{ host, number, name: "", start: start * MS, end: end * MS },
});
const STEPS = [step(1, 0, 10), step(2, 10, 21), step(3, 21, 60), step(1, 5, 9, "b")];
const view = ({ start, end }: Step) => ({ start, end });
const track = (host: string, row: number, kind: string) => ({ host, row, kind }) as Track;
const TRACKS = [track("h", 0, "thread"), track("h", 1, "stream"), track("h", 2, "derived"), track("b", 0, "stream")];

test("two steps of one host are compared on what was measured on it", () => {
  const sides = sidesOf({ a: view(STEPS[0]!), b: view(STEPS[2]!) }, STEPS);
  assert.deepEqual(compareOptions(sides, TRACKS, true), {
    ...{ area: "true", start_ps: "0", end_ps: String(10 * MS), compare: `${21 * MS}-${60 * MS}`, tracks: "h:0-1" },
  });
  assert.equal(compareOptions(sides, TRACKS, false)["tracks"], undefined);
  const any = sidesOf({ a: { start: 0.5, end: 0.6 }, b: view(STEPS[0]!) }, STEPS);
  const { start_ps, end_ps, tracks } = compareOptions(any, TRACKS, true);
  assert.deepEqual([start_ps, end_ps, tracks], ["0", "1", undefined]);
});

test("a sentence says how much longer one is, and what changed most", () => {
  const sides = sidesOf({ a: view(STEPS[1]!), b: view(STEPS[2]!) }, STEPS);
  const columns = { category: ["input_wait", "compute", "python"], more_ps: [27 * MS, -2 * MS, 10] };
  const said = differenceInWords(sides, { columns }, (key) => key);
  assert.equal(
    said,
    "Step 3 takes 28.0 ms more than step 2. Sum over all tracks: input_wait +27.0 ms, compute −2.00 ms.",
  );
  const same = sidesOf({ a: view(STEPS[1]!), b: view(STEPS[1]!) }, STEPS);
  assert.equal(differenceInWords(same, { columns: {} }, String), "Step 2 takes as long as step 2.");
});

test("a step is compared with one of usual length of its host", () => {
  assert.equal(typicalStep(STEPS, STEPS[2]!)?.number, 2);
  assert.equal(typicalStep(STEPS, STEPS[3]!), null);
});
