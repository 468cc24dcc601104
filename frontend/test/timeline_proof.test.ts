import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, extentOf, gapsOf, isOn, optionsOf, pixelsOf, proofOf } from "../src/timeline/proof";
import type { Track } from "../src/timeline/tracks";

const SPAN = { start: 0, end: 1000 };
const answer = {
  tables: {
    marks: {
      columns: {
        host: ["b", "a", "a", "a"],
        tracks: ["", "3.5-6", "3.5-6", "9"],
        start_ps: [50, 200, 100, 10],
        end_ps: [60, 300, 900, 20],
        count: [1, 2, 1, 1],
        name: [null, "Host late", "Host late", null],
      },
    },
  },
};
const track = (host: string, row: number) => ({ host, row }) as Track;

test("what is marked lies on the tracks that are told, by begin", () => {
  const { stretches } = proofOf(answer, SPAN, 1);
  assert.deepEqual(
    stretches.map(({ host, name, start, end }) => [host, name, start, end]),
    [
      ["a", "", [10], [20]],
      ["b", "", [50], [60]],
      ["a", "Host late", [100, 200], [900, 300]],
    ],
  );
  const on = (host: string, row: number) => stretches.filter((one) => isOn(one, track(host, row))).length;
  assert.deepEqual([on("a", 3), on("a", 4), on("a", 6), on("a", 9), on("b", 77), on("c", 3)], [1, 0, 1, 1, 1, 0]);
});

test("gaps of one cause on one track are one, those that are not listed none", () => {
  const columns = {
    host: ["a", "a", "a", "a"],
    track: [3, 3, 3, 4],
    start_ps: [500, 100, 300, 100],
    duration_ps: [50, 20, 10, 5],
    cause: ["sync", "sync", "input", "sync"],
  };
  assert.deepEqual(
    gapsOf({ columns }, [0, 1, 2]).map(({ rows, name, start, end }) => [[...rows!], name, start, end]),
    [
      [[3], "sync", [100, 500], [120, 550]],
      [[3], "input", [300], [310]],
    ],
  );
});

test("all of it is looked at, from the first begin to the last end", () => {
  assert.deepEqual(extentOf(proofOf(answer, SPAN, 1)), { start: 10, end: 900 });
  assert.equal(extentOf(proofOf({ tables: {} }, SPAN, 1)), null);
});

test("a view asks for more than itself, and for nothing that is here as fine as it is seen", () => {
  const view = { start: 400, end: 600 };
  const first = asked(null, view, SPAN, 100)!;
  assert.deepEqual(first, { window: { start: 300, end: 700 }, pixel: 2 });
  assert.deepEqual(optionsOf(first), { start_ps: "300", end_ps: "700", width: "200" });
  const proof = proofOf(answer, first.window, first.pixel);
  assert.equal(asked(proof, view, SPAN, 100), null);
  assert.equal(asked(proof, { start: 350, end: 450 }, SPAN, 100), null);
  assert.ok(asked(proof, { start: 390, end: 410 }, SPAN, 100), "ten times finer");
  assert.ok(asked(proof, { start: 600, end: 800 }, SPAN, 100), "beside");
  const whole = proofOf(answer, SPAN, 10);
  assert.equal(asked(whole, { start: -100, end: 1100 }, SPAN, 100), null, "nothing lies beyond the capture");
});

test("neighbours within a pixel are one; what lies beside the view is none", () => {
  const all = { start: [0, 500, 500.5, 501, 900, 2000], end: [10, 500, 501, 502, 1500, 3000] };
  assert.deepEqual(pixelsOf(all, { start: 100, end: 1100 }, 1000), [
    [400, 403],
    [800, 1002],
  ]);
});
