// Ways into the trace.
import type { Selection } from "../page";
import type { Evidence } from "../types";

/** Room on both sides of an interval, as a part of it, so that its ends are seen. */
const MARGIN = 0.1;

export function inTrace({ start_ps, end_ps }: Evidence): Partial<Selection> {
  const margin = Math.ceil((end_ps - start_ps) * MARGIN);
  const params = { start_ps: String(Math.max(0, start_ps - margin)), end_ps: String(end_ps + margin) };
  return { tool: "trace_viewer", params };
}

export function searchInTrace(name: string): Partial<Selection> {
  return { tool: "trace_viewer", params: { search: name } };
}
