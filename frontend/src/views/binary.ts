// A tool whose bytes are of memory: shown in KiB, MiB, GiB.
import type { Column, ToolSpec } from "../types";

function memory<Name extends string>(column: Column<Name>): Column<Name> {
  return column.unit === "bytes" ? { ...column, unit: "memory" } : column;
}

/** `which`: names of the columns that hold memory; not all bytes do, some are copied. */
export function inBinary(tool: ToolSpec, which = /./): ToolSpec {
  const inMemory = <Name extends string>(column: Column<Name>): Column<Name> =>
    which.test(column.name) ? memory(column) : column;
  return {
    ...tool,
    summary: tool.summary.map(inMemory),
    tables: tool.tables.map((spec) => ({ ...spec, columns: spec.columns.map(inMemory) })),
  };
}
