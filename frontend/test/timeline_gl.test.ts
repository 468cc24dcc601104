import assert from "node:assert/strict";
import { test } from "node:test";
import { packed, Shelf, WORDS, words } from "../src/timeline/gl/cache";
import { laneBand, lanesIn, span, type Strip } from "../src/timeline/painter";
import type { TrackSlices } from "../src/timeline/slices";
import { DIM, mixed, rgbOf, TintBox, weightOf } from "../src/timeline/tints";
import { Palette } from "../src/timeline/palette";

const TEN_MINUTES = 600e12;

/** Lanes of [start, duration]; all of one name. */
function slices(window: number, lanes: [number, number][][]): TrackSlices {
  const all = lanes.flat();
  const ends = lanes.map((_, i) => lanes.slice(0, i + 1).flat().length);
  return {
    id: 1,
    window: { start: window, end: window + TEN_MINUTES },
    resolution: 1,
    asked: 1,
    exact: true,
    lanes: [0, ...ends],
    start: Float64Array.from(all, ([start]) => start),
    duration: Float64Array.from(all, ([, duration]) => duration),
    idle: new Float64Array(all.length),
    name: new Int32Array(all.length),
    count: new Float64Array(all.length).fill(1),
    row: new Float64Array(all.length),
    names: { id: 1, text: ["a"], category: [] },
    samples: null,
  };
}

/** What the shader does with the words, in its 32-bit arithmetic: pixels of begin and end. */
function shaded(data: Uint32Array, i: number, viewStart: number, window: number, scale: number): [number, number] {
  const f = Math.fround;
  const u = (x: number): number => x >>> 0;
  type Pair = [number, number];
  const minus = ([a, b]: Pair, [c, d]: Pair): Pair => [u(a - c), u(b - d - (a < c ? 1 : 0))];
  const plus = ([a, b]: Pair, [c, d]: Pair): Pair => [u(a + c), u(b + d + (u(a + c) < a ? 1 : 0))];
  const real = (x: Pair): number => {
    if (x[1] >>> 31) return -real(minus([0, 0], x));
    return f(f(f(x[1]) * 4294967296) + f(x[0]));
  };
  const origin = Math.floor(viewStart);
  const fraction = f(viewStart - origin);
  const at = WORDS * i;
  const begin = minus([data[at]!, data[at + 1]!], words(origin - window) as Pair);
  const end = plus(begin, [data[at + 2]!, data[at + 3]!]);
  return [f(f(real(begin) - fraction) * f(scale)), f(f(real(end) - fraction) * f(scale))];
}

test("64-bit words of whole numbers, negative ones too", () => {
  assert.deepEqual(words(0), [0, 0]);
  assert.deepEqual(words(2 ** 32 + 5), [5, 1]);
  assert.deepEqual(words(-1), [0xffffffff, 0xffffffff]);
  assert.deepEqual(words(-(2 ** 32)), [0, 0xffffffff]);
});

test("a slice is six words: times, lane with weight, name", () => {
  const made = slices(0, [[[-7, 2 ** 33 + 1]], [[5, 6]]]);
  made.count[1] = 4;
  made.idle[1] = 3;
  made.name[1] = 70_000;
  assert.deepEqual(
    [...packed(made)],
    [0xfffffff9, 0xffffffff, 1, 2, 255, 0, 5, 0, 6, 0, 256 + weightOf(4, 6, 3), 70_000],
  );
});

test("a picosecond ten minutes into a capture lies where it should, at every view from ten minutes to 20 ps", () => {
  const late = TEN_MINUTES - 1000;
  for (const window of [0, 123_456_789_012_345, -5_000_000_000_000]) {
    const data = packed(
      slices(window, [
        [
          [late, 1],
          [late + 5, 0],
          [late + 10, 7],
        ],
      ]),
    );
    for (let long = 20; long < TEN_MINUTES; long *= 1.7) {
      const view = window + late - long * 0.37;
      const scale = 1920 / long;
      [0, 5, 10].forEach((offset, i) => {
        const exact = (window + late + offset - view) * scale;
        const [from] = shaded(data, i, view, window, scale);
        assert.ok(Math.abs(from - exact) < 0.01 + 2e-7 * Math.abs(exact), `${long} ${window}: ${from} is not ${exact}`);
      });
    }
  }
});

test("a slow pan moves every slice by the same, never back: nothing trembles", () => {
  const late = TEN_MINUTES - 1000;
  const data = packed(
    slices(0, [
      [
        [late, 3],
        [late + 4, 2],
      ],
    ]),
  );
  let before = Infinity;
  for (let i = 0; i < 200; i++) {
    // An eighth of a picosecond is as fine as a 64-bit float is there.
    const view = late - 10 + i / 8;
    const [a, end] = shaded(data, 0, view, 0, 50);
    const [b] = shaded(data, 1, view, 0, 50);
    assert.ok(a < before);
    assert.ok(Math.abs(b - a - 200) < 0.01 && Math.abs(end - a - 150) < 0.01);
    before = a;
  }
});

test("whole pixels, one at least; wide slices leave a gap", () => {
  assert.deepEqual(span(10, 10, 1), [10, 11]);
  assert.deepEqual(span(10.2, 10.3, 1), [10, 11]);
  assert.deepEqual(span(9.999, 12.001, 1), [10, 12], "an edge off by less than drawing is exact counts as on it");
  assert.deepEqual(span(10, 20, 1), [10, 19]);
  assert.deepEqual(span(10, 20, 2), [10, 18]);
  assert.deepEqual(laneBand({ top: 27, lane: 18, ratio: 1.5 }, 1), [68, 93]);
});

test("only lanes and slices that the box shows", () => {
  const made = slices(0, [
    [
      [0, 10],
      [20, 10],
      [40, 10],
    ],
    [],
    [[0, 50]],
  ]);
  const strip = (box: Strip["box"]): Strip => ({
    slices: made,
    view: { start: 0, end: 100 },
    width: 100,
    ratio: 1,
    top: 0,
    lane: 18,
    box,
  });
  const seen = (box: Strip["box"]): number[][] => {
    const found: number[][] = [];
    lanesIn(strip(box), (...range) => found.push(range));
    return found;
  };
  assert.deepEqual(seen({ left: 0, right: 100, top: 0, bottom: 100 }), [
    [0, 0, 3],
    [2, 3, 4],
  ]);
  assert.deepEqual(seen({ left: 15, right: 25, top: 0, bottom: 18 }), [[0, 1, 2]]);
  assert.deepEqual(seen({ left: 60, right: 90, top: 0, bottom: 100 }), []);
});

test("colours as bytes, dimmed where not highlighted, made once", () => {
  const names = { id: 3, text: ["MemcpyH2D", "b"], category: ["", "collective"] };
  const palette = new Palette(false, (name) => ({ "--copy": "#102030", "--collective": "#abc" })[name] ?? "#000000");
  const box = new TintBox();
  const plain = box.of(names, palette, "name", null);
  assert.deepEqual([...plain.rgba.subarray(0, 4)], [16, 32, 48, 255]);
  assert.equal(box.of(names, palette, "name", null), plain);
  const lit = box.of(names, palette, "category", { matches: (name) => name === "b" });
  assert.deepEqual([...lit.rgba.subarray(0, 8)], [16, 32, 48, DIM, 0xaa, 0xbb, 0xcc, 255]);
  assert.notEqual(lit.stamp, plain.stamp);
  assert.deepEqual(rgbOf("red"), { red: 128, green: 128, blue: 128 });
  assert.equal(mixed(plain.rgba, 0, 255, rgbOf("#fff")), 0xff302010);
  assert.equal(mixed(plain.rgba, 0, 0, rgbOf("#fff")), 0xffffffff);
});

test("a shelf drops what was used longest ago, and nothing that is in use", () => {
  const dropped: string[] = [];
  const shelf = new Shelf<string>((thing) => dropped.push(thing), 25);
  ["a", "b", "c"].forEach((name, i) => shelf.put(i, name, 10, i));
  assert.equal(shelf.get(0, 9), "a");
  shelf.trim(10);
  assert.deepEqual([dropped, shelf.bytes], [["b"], 20]);
  shelf.put(9, "d", 100, 10);
  shelf.trim(11);
  assert.deepEqual([dropped, shelf.get(9, 11)], [["b", "c", "a"], "d"]);
});
