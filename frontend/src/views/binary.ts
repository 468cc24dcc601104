// A tool whose bytes are of memory: shown in KiB, MiB, GiB.
import type { Column, ToolSpec } from "../types";

function memory(column: Column): Column {
  return column.unit === "bytes" ? { ...column, unit: "memory" } : column;
}

export function inBinary(tool: ToolSpec): ToolSpec {
  return {
    ...tool,
    summary: tool.summary.map(memory),
    tables: tool.tables.map((spec) => ({ ...spec, columns: spec.columns.map(memory) })),
  };
}
