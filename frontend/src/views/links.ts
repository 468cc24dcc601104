// Ways into the trace.
import type { Selection } from "../page";
import type { Evidence, Finding } from "../types";

type Way = Pick<Selection, "tool" | "params">;

/** Room on both sides of an interval, as a part of it, so that its ends are seen. */
const MARGIN = 0.1;

/** The interval, marked. Its times are its host's own, which `clock` says. */
export function inTrace({ host, start_ps, end_ps }: Evidence): Way {
  const { tool, params } = stretchInTrace(start_ps, end_ps);
  return { tool, params: { ...params, clock: host } };
}

/** A stretch of time of the hosts that are shown together, marked. */
export function stretchInTrace(start_ps: number, end_ps: number): Way {
  const margin = Math.ceil((end_ps - start_ps) * MARGIN);
  const view = { start_ps: String(Math.max(0, start_ps - margin)), end_ps: String(end_ps + margin) };
  return { tool: "trace_viewer", params: { ...view, range: `${start_ps}-${end_ps}` } };
}

/** The page that a finding names, at what it is about. */
export function toProof({ tool, search }: Finding, where: Evidence | undefined): Partial<Selection> {
  if (tool !== "trace_viewer") return { tool };
  if (where) return inTrace(where);
  return search ? searchInTrace(search) : { tool };
}

export function searchInTrace(name: string): Partial<Selection> {
  return { tool: "trace_viewer", params: { search: name } };
}
