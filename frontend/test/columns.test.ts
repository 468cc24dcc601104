import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeColumns, floats, type Cells } from "../src/columns";

/** Magic, length, header padded with blanks, body. */
function packed(tables: object, body: number[], pad = true): ArrayBuffer {
  let header = JSON.stringify({ tool: "t", summary: { n: 1 }, tables });
  while (pad && (header.length + 8) % 8) header += " ";
  const bytes = [0x50, 0x50, 0x43, 0x31, header.length & 255, header.length >> 8, 0, 0];
  return Uint8Array.from([...bytes, ...new TextEncoder().encode(header), ...body]).buffer;
}

const TABLES = {
  slices: {
    columns: {
      small: { dtype: "u1", at: 0, n: 3 },
      wide: { dtype: "i4", at: 8, n: 2 },
      stepped: { dtype: "u2", at: 16, n: 2, from: 10, step: 1000 },
      real: { dtype: "f8", at: 24, n: 1 },
      text: ["a", null],
    },
  },
};
const BODY = [
  1, 2, 255, 0, 0, 0, 0, 0, 255, 255, 255, 255, 2, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f,
];

test("numeric columns become arrays, texts stay lists", () => {
  for (const pad of [true, false]) {
    const answer = decodeColumns(packed(TABLES, BODY, pad));
    const { columns } = answer.tables["slices"]!;
    assert.deepEqual(Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, [...cells]])), {
      small: [1, 2, 255],
      wide: [-1, 2],
      stepped: [1010, 512_010],
      real: [1.5],
      text: ["a", null],
    });
    assert.equal(answer.tool, "t");
    assert.deepEqual(answer.summary, { n: 1 });
  }
});

test("numbers may be sums of those before, and have more bits elsewhere", () => {
  const column = (more: object, body: number[]): number[] => {
    const cells = { dtype: "u1", at: 0, n: 3, from: -5, step: 10, ...more };
    return [...decodeColumns(packed({ t: { columns: { x: cells } } }, body)).tables["t"]!.columns["x"]!] as number[];
  };
  assert.deepEqual(column({ delta: true }, [250, 4, 3]), [2495, 2535, 5]);
  const wide = [1, 0, 0, 0, 255, 255, 255, 255, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 255, 255, 0, 0];
  const numbers = [2 * 2 ** 32 + 1, 2 * 2 ** 32, 2 * 2 ** 32 + 2].map((number) => 10 * number - 5);
  assert.deepEqual(column({ dtype: "u4", high: 16, delta: true }, wide), numbers);
});

test("what is no such answer is refused", () => {
  const whole = packed(TABLES, BODY);
  assert.throws(() => decodeColumns(new ArrayBuffer(0)), /not in binary columns/);
  assert.throws(() => decodeColumns(new TextEncoder().encode('{"tool": 1}').buffer), /not in binary columns/);
  assert.throws(() => decodeColumns(whole.slice(0, 20)), /inside its header/);
  assert.throws(() => decodeColumns(whole.slice(0, -8)), /before its last column/);
  assert.throws(
    () => decodeColumns(packed({ a: { columns: { b: { dtype: "x9", at: 0, n: 1 } } } }, [])),
    /unknown type x9/,
  );
});

test("rows are copied as floats", () => {
  const cells: Cells = Uint8Array.of(5, 6, 7);
  assert.deepEqual([...floats(cells, 1, 3)], [6, 7]);
  assert.deepEqual([...floats([5, 6, 7], 0, 2)], [5, 6]);
  assert.deepEqual([...floats([], 0, 2)], [0, 0]);
});
