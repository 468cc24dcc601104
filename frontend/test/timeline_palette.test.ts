import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryOfName, hueOf, oklch, Palette } from "../src/timeline/palette";

const CASES: [string, string | null][] = [
  ["MemcpyH2D", "--copy"],
  ["cuMemcpyHtoDAsync_v2", "--copy"],
  ["ncclDevKernel_AllReduce_Sum_f32_RING_LL", "--collective"],
  ["all-reduce.3", "--collective"],
  ["Iterator::Root", "--input"],
  ["IteratorGetNextOp::DoCompute", "--input"],
  ["XlaCompile", "--compile"],
  ["cuLaunchKernel", "--launch"],
  ["$train.py:12 step", "--python"],
  ["MatMul", null],
  ["", null],
];

test("names that tell their category", () => {
  for (const [name, variable] of CASES) assert.equal(categoryOfName(name), variable, name);
});

test("numbers in a name do not change its hue; odd names have one", () => {
  assert.equal(hueOf("fusion.12"), hueOf("fusion.7"));
  assert.notEqual(hueOf("fusion"), hueOf("convolution"));
  for (const name of ["", "🦊", "\ud800", "שלום", "x".repeat(100_000)])
    assert.ok(hueOf(name) >= 0 && hueOf(name) < 360);
});

/** WCAG contrast of #rrggbb against black. */
function overBlack(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((i) => {
    const c = parseInt(colour.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) / 0.05;
}

test("every hue carries black text in both themes", () => {
  assert.equal(oklch(1, 0, 0), "#ffffff");
  for (const dark of [false, true]) {
    const palette = new Palette(dark, (name) => name);
    for (let i = 0; i < 300; i++) {
      const paint = palette.of(`op ${String.fromCharCode(97 + (i % 26))}${"x".repeat(i % 13)}`);
      assert.equal(paint.text, "#000000");
      assert.ok(overBlack(paint.fill) >= 4.5, paint.fill);
    }
    assert.deepEqual(palette.of("MemcpyH2D"), { fill: "--copy", text: "--copy-text" });
  }
});
