import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CATEGORIES, categoryOf } from "../src/views/category";

type Palette = Record<string, string>;

/** Theme → variable → colour, from palette.css. `npm test` runs in frontend/. */
function palettes(): Record<"light" | "dark", Palette> {
  const [light = "", dark = ""] = readFileSync("src/palette.css", "utf8").split(":root[data-theme");
  const read = (css: string): Palette =>
    Object.fromEntries([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]]));
  return { light: read(light), dark: read(dark) };
}

/** WCAG 2 relative luminance. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ["bg", "panel", "sunken", "hover", "share"];
const LETTERS = ["text", "soft", "accent", "good", "fair", "bad"];
const ON_SHARE = ["text"];

for (const [theme, palette] of Object.entries(palettes())) {
  const atLeast = (letters: string, ground: string, limit: number): void => {
    const found = contrast(palette[letters]!, palette[ground]!);
    assert.ok(found >= limit, `${theme}: --${letters} on --${ground} is ${found.toFixed(2)}, wanted ${limit}`);
  };

  test(`${theme}: text is readable on every ground`, () => {
    for (const ground of GROUNDS)
      for (const letters of ground === "share" ? ON_SHARE : LETTERS) atLeast(letters, ground, 4.5);
  });

  test(`${theme}: letters on a category's colour are readable`, () => {
    const categories = Object.keys(palette).filter((name) => `${name}-text` in palette);
    assert.equal(categories.length, 33);
    for (const category of categories) atLeast(`${category}-text`, category, 4.5);
  });
}

/** What eyes without one kind of cones see, as linear light (Machado, Oliveira, Fernandes 2009, severity 1). */
const EYES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** OKLab of a colour, as some eyes see it. */
function seen(colour: string, eye: readonly (readonly number[])[]): number[] {
  const linear = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const times = (rows: readonly (readonly number[])[], of: readonly number[]): number[] =>
    rows.map((row) => row.reduce((sum, value, i) => sum + value * of[i]!, 0));
  const rgb = times(eye, linear).map((value) => Math.min(1, Math.max(0, value)));
  const lms = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  ).map(Math.cbrt);
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    lms,
  );
}

/** How far two colours are from each other for some eyes. */
function apart(a: string, b: string, eye: readonly (readonly number[])[]): number {
  const [one, other] = [seen(a, eye), seen(b, eye)];
  return Math.hypot(...one.map((value, i) => value - other[i]!));
}

/** Those of a step, in the order of the bars, each once; and what holds several of them. */
const DRAWN = [...new Set(Object.values(CATEGORIES).map(([variable]) => variable.slice(2)))];

// Compute and Compute 32-bit were the same green side by side.
test("each category of a step has its own colour, but for work that is the host's in both", () => {
  const steps = Object.entries(CATEGORIES).filter(([name]) => !["op_compute", "skew"].includes(name));
  assert.equal(new Set(steps.map(([, [variable]]) => variable)).size, steps.length);
});

test("what may hold waits is not the colour of compute", () => {
  assert.equal(categoryOf("device_busy_share"), "--busy");
  assert.equal(categoryOf("work_ms"), "--busy");
});

for (const [theme, palette] of Object.entries(palettes()))
  for (const [eye, matrix] of Object.entries(EYES))
    test(`${theme}, ${eye}: categories are told from each other, neighbours of a bar well`, () => {
      DRAWN.forEach((name, i) =>
        DRAWN.slice(i + 1).forEach((other, j) => {
          const found = apart(palette[name]!, palette[other]!, matrix);
          const isNext = j === 0 && ![name, other].includes("busy");
          const limit = isNext ? 0.05 : 0.03;
          assert.ok(found > limit, `--${name} and --${other}: ${found.toFixed(3)}, wanted ${limit}`);
        }),
      );
    });

for (const [theme, palette] of Object.entries(palettes()))
  for (const [eye, matrix] of Object.entries(EYES))
    test(`${theme}, ${eye}: slower is told from faster, and each tone from the next`, () => {
      for (const level of [1, 2, 3, 4]) {
        const [slower, faster] = [`slower${level}`, `faster${level}`];
        const found = apart(palette[slower]!, palette[faster]!, matrix);
        assert.ok(found > (level === 1 ? 0.04 : 0.1), `--${slower} and --${faster}: ${found.toFixed(3)}`);
        for (const way of ["slower", "faster"]) {
          const before = level === 1 ? "unchanged" : `${way}${level - 1}`;
          const next = apart(palette[`${way}${level}`]!, palette[before]!, matrix);
          assert.ok(next > 0.02, `--${way}${level} and --${before}: ${next.toFixed(3)}`);
        }
      }
    });

test("both themes have the same variables", () => {
  const { light, dark } = palettes();
  assert.deepEqual(Object.keys(light), Object.keys(dark));
});
