import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

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
    assert.equal(categories.length, 23);
    for (const category of categories) atLeast(`${category}-text`, category, 4.5);
  });
}

test("both themes have the same variables", () => {
  const { light, dark } = palettes();
  assert.deepEqual(Object.keys(light), Object.keys(dark));
});
