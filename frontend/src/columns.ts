// The binary form of an answer → the same answer, its numeric columns as typed arrays over the received bytes.
//
// `PPC1`, the length of a JSON header (u32), the header, then the columns that the header names, each at a multiple of 8
// from the begin of the body. All little-endian. A column with a `step` means `from + step × number`; with `high` a number
// has 16 bits more, which lie there; with `delta` it is the sum of all so far, modulo 2 to the power of its bits.
import type { ColumnOf, TableOf } from "./generated/columns";
import type { Answer, Scalar } from "./types";

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array | Float64Array;
export type Cells = readonly Scalar[] | Numbers;
interface Table {
  columns: Record<string, Cells>;
}

/** An answer whose columns may be typed arrays. Every `Answer` is one. */
export interface ColumnsAnswer extends Omit<Answer, "tables"> {
  tables: Record<string, Table>;
}

const MAGIC = 0x31435050;
const ARRAYS = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  f8: Float64Array,
} as const;

interface Packed {
  dtype: keyof typeof ARRAYS;
  at: number;
  n: number;
  from?: number;
  step?: number;
  high?: number;
  delta?: boolean;
}

type Header = Omit<Answer, "tables"> & { tables: Record<string, { columns: Record<string, Scalar[] | Packed> }> };

function unpacked(cells: Scalar[] | Packed, bytes: ArrayBuffer, body: number): Cells {
  if (Array.isArray(cells)) return cells;
  const Numbers = ARRAYS[cells.dtype];
  if (!Numbers) throw new Error(`A column has the unknown type ${String(cells.dtype)}.`);
  const at = body + cells.at;
  const size = cells.n * Numbers.BYTES_PER_ELEMENT;
  if (at + size > bytes.byteLength) throw new Error("The answer ends before its last column.");
  // Where the header's length leaves the body unaligned, an array cannot lie over it.
  const aligned = at % Numbers.BYTES_PER_ELEMENT === 0;
  const numbers = aligned ? new Numbers(bytes, at, cells.n) : new Numbers(bytes.slice(at, at + size));
  return cells.step === undefined ? numbers : stepped(numbers, cells, bytes, body);
}

function stepped(numbers: Numbers, { from = 0, step = 1, high, delta, n }: Packed, bytes: ArrayBuffer, body: number) {
  const upper = high === undefined ? null : new Uint16Array(bytes.slice(body + high, body + high + 2 * n));
  const beyond = 2 ** (8 * numbers.BYTES_PER_ELEMENT + (upper ? 16 : 0));
  const values = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const number = numbers[i]! + (upper ? upper[i]! * 2 ** 32 : 0);
    sum = delta ? sum + number : number;
    if (sum >= beyond) sum -= beyond;
    values[i] = from + step * sum;
  }
  return values;
}

/** Throws an Error that says what is wrong with the bytes. */
export function decodeColumns(bytes: ArrayBuffer): ColumnsAnswer {
  const head = new DataView(bytes);
  if (bytes.byteLength < 8 || head.getUint32(0, true) !== MAGIC)
    throw new Error("The answer is not in binary columns.");
  const length = head.getUint32(4, true);
  if (8 + length > bytes.byteLength) throw new Error("The answer ends inside its header.");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length))) as Header;
  const body = 8 + length;
  const tables: Record<string, Table> = {};
  for (const [name, { columns }] of Object.entries(header.tables)) {
    tables[name] = {
      columns: Object.fromEntries(Object.entries(columns).map(([key, cells]) => [key, unpacked(cells, bytes, body)])),
    };
  }
  return { ...header, tables };
}

const NONE: readonly Scalar[] = [];

/** A column of the trace viewer's answer; empty where the answer has none. */
export function cellsOf<Name extends TableOf<"trace_viewer">>(
  answer: ColumnsAnswer,
  table: Name,
  column: ColumnOf<"trace_viewer", Name>,
): Cells {
  return answer.tables[table]?.columns[column] ?? NONE;
}

/** Rows of a column as 64-bit floats, copied; all zero where there is no such column. */
export function floats(cells: Cells, begin: number, end: number): Float64Array {
  return cells.length ? Float64Array.from(cells.slice(begin, end) as ArrayLike<number>) : new Float64Array(end - begin);
}
