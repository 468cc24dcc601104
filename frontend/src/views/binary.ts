// A tool whose bytes are of memory: shown in KiB, MiB, GiB.
import type { Column, ToolSpec } from "../types";

function memory(column: Column): Column {
  return column.unit === "bytes" ? { ...column, unit: "memory" } : column;
}

/** `which`: names of the columns that hold memory; not all bytes do, some are copied. */
export function inBinary(tool: ToolSpec, which = /./): ToolSpec {
  const told = (column: Column): Column => (which.test(column.name) ? memory(column) : column);
  return {
    ...tool,
    summary: tool.summary.map(told),
    tables: tool.tables.map((spec) => ({ ...spec, columns: spec.columns.map(told) })),
  };
}
