// Names of answers that no tool declares do not compile: `tsc` wants an error under each mark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../src/columns";
import type { ColumnOf } from "../src/generated/columns";
import type { Answer, View } from "../src/types";

const OPS: readonly ColumnOf<"op_stats", "ops">[] = ["name", "self_us"];
// @ts-expect-error: of another table of that tool.
const WRONG_TABLE: readonly ColumnOf<"op_stats", "ops">[] = ["forward_us"];
// @ts-expect-error: misspelt.
const MISSPELT: View = { kind: "table", title: "", table: "durations", label: "from_usx", values: [] };

export function wrong({ summary, tables }: Answer): unknown[] {
  return [
    // @ts-expect-error: misspelt.
    tables["durations"]?.columns["from_usx"],
    // @ts-expect-error: no tool's table.
    tables["duration"],
    // @ts-expect-error: no tool's figure.
    summary["step_time_us"],
    // @ts-expect-error: of another table of the trace viewer.
    cellsOf({ tables: {} } as never, "slices", "low"),
  ];
}

test("names that are declared compile, and are only types", () => {
  const right = ({ summary, tables }: Answer) => [summary["step_time_ms"], tables["durations"]?.columns["from_us"]];
  assert.deepEqual(right({ summary: { step_time_ms: 1 }, tables: {} } as Answer), [1, undefined]);
  assert.equal(OPS.length + WRONG_TABLE.length + MISSPELT.label.length, 11);
});
