import assert from "node:assert/strict";
import { test } from "node:test";
import { Motion } from "../src/timeline/motion";
import { length, type View } from "../src/timeline/scale";

const SPAN = { start: 0, end: 1e12 };
const VIEW = { start: 4e11, end: 5e11 };

/** Frames of 16 ms from `from` to `to`. */
function run(motion: Motion, view: View, from: number, to: number): View[] {
  const views: View[] = [];
  for (let now = from; now <= to; now += 16) views.push((view = motion.advance(view, SPAN, now)));
  return views;
}

test("a tap gives one step, gliding, and then it is over", () => {
  const motion = new Motion();
  motion.press("in", 0, 0.25);
  motion.release("in");
  const views = run(motion, VIEW, 16, 1000);
  const lengths = views.map(length);
  assert.ok(lengths.every((long, i) => i === 0 || long <= lengths[i - 1]! + 1));
  assert.ok(lengths[0]! < length(VIEW) && lengths[0]! > lengths[3]!);
  assert.ok(Math.abs(length(VIEW) / lengths[lengths.length - 1]! - 1.35) < 1e-6);
  assert.equal(motion.isActive, false);
  const still = VIEW.start + 0.25 * length(VIEW);
  for (const view of views) assert.ok(Math.abs(view.start + 0.25 * length(view) - still) < 10);
});

test("a held key goes on, faster and faster, until it is released", () => {
  const motion = new Motion();
  motion.press("right", 0, 0.5);
  const views = run(motion, VIEW, 16, 1600).map(({ start }) => start);
  const speed = (at: number): number => views[at + 1]! - views[at]!;
  assert.ok(speed(40) > speed(15) && speed(70) > speed(40));
  motion.release("right");
  run(motion, VIEW, 1616, 2600);
  assert.equal(motion.isActive, false);
});

test("repeats of a key that is held change nothing; both ends of the capture hold", () => {
  const motion = new Motion();
  for (let i = 0; i < 50; i++) motion.press("left", 0, 0.5);
  motion.release("left");
  const last = run(motion, VIEW, 16, 2000).pop()!;
  assert.ok(Math.abs(last.start - (VIEW.start - 0.12 * length(VIEW))) < 1e6);
  motion.panBy(-100, 3000);
  assert.deepEqual(run(motion, VIEW, 3016, 4000).pop(), { start: 0, end: 1e11 });
});

test("what is under the pointer stays there, from ten minutes to picoseconds and back", () => {
  const span = { start: 0, end: 600e12 };
  const motion = new Motion();
  const at = 300e12 + 1;
  const share = at / span.end;
  let [view, now]: [View, number] = [span, 0];
  const turn = (factor: number): void => {
    motion.zoomBy(factor, share, now);
    for (let i = 0; i < 60; i++) {
      view = motion.advance(view, span, (now += 16));
      assert.ok(Math.abs(((at - view.start) / length(view)) * 1200 - share * 1200) < 1, JSON.stringify(view));
    }
  };
  for (let i = 0; i < 14; i++) turn(0.1);
  assert.ok(length(view) < 300);
  for (let i = 0; i < 14; i++) turn(10);
  assert.deepEqual(view, span);
});

test("without gliding everything happens in the next frame", () => {
  const motion = new Motion(false);
  motion.zoomBy(0.5, 0, 0);
  const next = motion.advance(VIEW, SPAN, 1);
  assert.ok(Math.abs(next.end - 4.5e11) < 10 && next.start === VIEW.start);
  assert.equal(motion.isActive, false);
});
