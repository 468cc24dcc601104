// Ways into the trace.
import type { Selection } from "../page";
import type { Answer, Evidence, Finding } from "../types";

type Way = Pick<Selection, "tool" | "params">;

/** Room on both sides of an interval, as a part of it, so that its ends are seen. */
const MARGIN = 0.1;

/** Intervals that are marked at once. */
const MARKS = 64;

/** `host:start-end@tracks`, on the host's own clock. */
function mark({ host, start_ps, end_ps, track, tracks }: Evidence): string {
  const on = tracks || (track >= 0 ? String(track) : "");
  return `${encodeURIComponent(host)}:${start_ps}-${end_ps}${on && `@${on}`}`;
}

/** The interval, and those that show the same, marked. Their times are their hosts' own; `clock` says whose the view's are. */
export function inTrace(where: Evidence, all: readonly Evidence[] = [where]): Way {
  const marks = [where, ...all.filter((other) => other !== where)].slice(0, MARKS).map(mark);
  return {
    tool: "trace_viewer",
    params: { ...around(where.start_ps, where.end_ps), clock: where.host, marks: marks.join() },
  };
}

export function around(start_ps: number, end_ps: number): { start_ps: string; end_ps: string } {
  const margin = Math.ceil((end_ps - start_ps) * MARGIN);
  return { start_ps: String(Math.max(0, start_ps - margin)), end_ps: String(end_ps + margin) };
}

/** A stretch of time of the hosts that are shown together, marked. */
export function stretchInTrace(start_ps: number, end_ps: number): Way {
  return { tool: "trace_viewer", params: { ...around(start_ps, end_ps), range: `${start_ps}-${end_ps}` } };
}

/** A stretch of the memory that is shown, marked on its track by the clock of its host; `room`: what is seen on both sides at least. */
export function memoryInTrace(
  { summary, tables }: Pick<Answer, "summary" | "tables">,
  start_ps: number,
  end_ps: number,
  room = 0,
): Way {
  const { memory = [], host = [], track = [] } = tables["systems"]?.columns ?? {};
  const row = memory.indexOf(summary["memory"] ?? null);
  const [at, on] = [host[row], track[row]];
  const where = { start_ps, end_ps, track: typeof on === "number" ? on : -1, tracks: "" };
  const way = typeof at === "string" ? inTrace({ ...where, host: at }) : stretchInTrace(start_ps, end_ps);
  if (!room) return way;
  const view = { start_ps: String(Math.max(0, start_ps - room)), end_ps: String(end_ps + room) };
  return { ...way, params: { ...way.params, ...view } };
}

/** The page that a finding names, at what it is about. */
export function toProof({ tool, search, match, evidence }: Finding, where: Evidence | undefined): Partial<Selection> {
  if (tool === "python_profile" && search) return { tool, params: { function: search } };
  if (tool !== "trace_viewer") return { tool };
  const link = search ? searchInTrace(search, match) : { tool };
  // What a row was made of is marked by itself: the place is only looked at.
  if (where && match === "row" && search) {
    const view = { ...around(where.start_ps, where.end_ps), clock: where.host };
    return { tool, params: { ...view, ...link.params } };
  }
  return where ? inTrace(where, evidence) : link;
}

/** Events by a text, which is meant as `match` says: `text` within names, `exact`, `regex`, or `row`. */
export function searchInTrace(search: string, match = "text"): Partial<Selection> {
  return { tool: "trace_viewer", params: { search, ...(match === "text" ? {} : { match }) } };
}

function matchesInTrace(expression: string): Partial<Selection> {
  return searchInTrace(expression, "regex");
}

/** A text as an expression that means it. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Events of exactly this name or op; of a name cut in its middle those that begin and end alike. */
export function eventsInTrace(name: string): Partial<Selection> {
  const [head, tail, ...more] = name.split("…");
  if (tail !== undefined && !more.length) return matchesInTrace(`^${literally(head!)}.*${literally(tail)}$`);
  return searchInTrace(name, "exact");
}

/** What an expression sees of a name. */
const SEEN = 190;

/** Runs of a kernel: events of its name, or of the same mangled, which holds the short name behind its length. */
export function kernelInTrace(name: string, short: string): Partial<Selection> {
  if (!name || name === short) return eventsInTrace(short);
  const last = short.split("::").at(-1)!;
  const end = name.length > SEEN ? "" : "$";
  return matchesInTrace(`^(?:${literally(name.slice(0, SEEN))}${end}|_Z.*${last.length}${literally(last)})`);
}

/** Copies of a kind, whichever of its spellings the events have: `MemcpyH2D`, `MemcpyHToD`, `Memcpy HtoD`; `fill` is a memset. */
export function copiesInTrace(kind: string): Partial<Selection> {
  const [, from, to] = /^(\w)2(\w)$/.exec(kind) ?? [];
  if (from && to) return matchesInTrace(`memcpy\\s*${from}(?:to|2)${to}`);
  return kind === "fill" ? searchInTrace("memset") : searchInTrace(kind);
}
