import assert from "node:assert/strict";
import { test } from "node:test";
import { fitting, type Ctx } from "../src/timeline/texts";

/** Every letter is 10 wide. */
const ctx = { measureText: (text: string) => ({ width: 10 * [...text].length }) } as unknown as Ctx;

test("a name is whole, or cut in the middle, or its begin, or nothing", () => {
  const name = "winogradForwardFilter4x4";
  const cases: [number, string][] = [
    [240, name],
    [239, "winogradForwar…ilter4x4"],
    [130, "winograd…r4x4"],
    [70, "winogr…"],
    [30, "wi…"],
    [20, ""],
    [-5, ""],
  ];
  for (const [room, shown] of cases) assert.equal(fitting(ctx, name, room), shown, String(room));
});

test("what a kernel returns goes first", () => {
  assert.equal(fitting(ctx, "void scale<float>", 170), "void scale<float>");
  assert.equal(fitting(ctx, "void scale<float>", 165), "scale<float>");
  assert.equal(fitting(ctx, "void scale<float>", 60), "scale…");
  assert.equal(fitting(ctx, "void ", 20), "");
});

test("no letter is cut in two, whatever its alphabet", () => {
  assert.equal(fitting(ctx, "🦊🦊🦊🦊🦊🦊", 50), "🦊🦊🦊🦊…");
  assert.equal(fitting(ctx, "שלוםשלום", 50), "שלום…");
});
