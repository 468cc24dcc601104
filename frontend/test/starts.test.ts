import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column } from "../src/types";
import { startsOf } from "../src/views/starts";

const column = (name: "start_ms" | "total_ms"): Column => ({
  name,
  dtype: "float64",
  unit: "ms",
  help: "",
  title: name,
});

// Three digits wrote all of these as 1,234 ms.
test("times of begin keep as many digits as rows need to differ, in one unit", () => {
  const data = { columns: { start_ms: [1234.5678, 1234.5681, 1234.9, null] } };
  const write = startsOf([column("start_ms")], data).get("start_ms")!;
  assert.deepEqual([1234.5678, 1234.5681, 1234.9].map(write), ["1.2345678 s", "1.2345681 s", "1.2349000 s"]);
});

test("where three digits are enough, and of lengths, nothing changes", () => {
  const data = { columns: { start_ms: [1, 2], total_ms: [1234.5678, 1234.5681] } };
  assert.equal(startsOf([column("start_ms"), column("total_ms")], data).size, 0);
});
