import assert from "node:assert/strict";
import { test } from "node:test";
import { hloText, MOST_LETTERS, pieces } from "../src/views/hlo_text";

const TEXT = `HloModule jit_f

%fused (p: f32[2]) -> f32[2] {
  %p = f32[2]{0} parameter(0)
  ROOT %n = f32[2]{0} negate(%p)
}

ENTRY %main (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  ROOT %fusion.1 = f32[2]{0} fusion(%x), kind=kLoop, calls=%fused, metadata={op_name="jit(f)/%p"}
}
`;

test("instructions and computations are found by their names", () => {
  const { lines, places } = hloText(TEXT);
  assert.equal(lines.length, 11);
  assert.deepEqual(Object.fromEntries(places), { fused: 2, p: 3, n: 4, main: 7, x: 8, "fusion.1": 9 });
});

test("names in a line lead to their lines, and what it comes from is no name", () => {
  const { lines, places } = hloText(TEXT);
  const found = pieces(lines[9]!, places);
  assert.deepEqual(
    found.flatMap(({ name }) => name || []),
    ["fusion.1", "x", "fused"],
  );
  assert.equal(found.map(({ text }) => text).join(""), lines[9]);
  assert.deepEqual(
    found.filter(({ isSoft }) => isSoft).map(({ text }) => text),
    [', metadata={op_name="jit(f)/%p"}'],
  );
});

test("a line of a megabyte is cut", () => {
  const line = `  %a = f32[2]{0} constant(${"1".repeat(1e6)})`;
  const { longest, places } = hloText(line);
  assert.equal(longest, MOST_LETTERS);
  const shown = pieces(line, places).reduce((sum, { text }) => sum + text.length, 0);
  assert.equal(shown, MOST_LETTERS + 2);
});
