// What of a run is chosen for every page: steps, or a stretch of time. Pure.
import type { Navigate, Selection } from "./page";
import type { Quality } from "./types";

/** As the server takes it; empty for all. */
export type Range = Readonly<Record<string, string>>;

const NAMES = ["steps", "time"] as const;
/** Places on the time axis that are of another range. */
const VIEW = ["start_ps", "end_ps", "start_ms", "end_ms", "bars"];

export function rangeOf(params: Selection["params"]): Range {
  return Object.fromEntries(NAMES.flatMap((name) => (params[name] ? [[name, params[name]] as const] : [])));
}

/** Before these names where the range is of A of a comparison. */
const BASE = "base_";

/** What is chosen of A apart, by the names that the server takes; empty where it is what is chosen of B. */
export function baseRangeOf(params: Selection["params"]): Range {
  return Object.fromEntries(
    NAMES.map((name) => BASE + name).flatMap((name) => (params[name] ? [[name, params[name]] as const] : [])),
  );
}

/** The same without what makes it A's. */
export function ofBase(params: Selection["params"]): Range {
  return Object.fromEntries(Object.entries(baseRangeOf(params)).map(([name, text]) => [name.slice(BASE.length), text]));
}

/** A's own range as params of the address; empty for what is chosen of B. */
export function asBase({ steps = "", time = "" }: Range): Record<string, string> {
  return { base_steps: steps, base_time: time };
}

/** Steps that another run has, too: not numbers, nor a time. */
export function isOfAnyRun({ steps = "" }: Range): boolean {
  return /^[a-z]+$/.test(steps);
}

/** What to call it in few letters. */
export function inWords({ steps, time }: Range): string {
  if (steps) return /^\d/.test(steps) ? `steps ${steps}` : `${steps} steps`;
  return time ?? "all steps";
}

/** What makes it the range of all pages; empty for all of the run. */
export function choose(selection: Selection, range: Range): Parameters<Navigate>[0] {
  const others = Object.entries(selection.params).filter(([name]) => !VIEW.includes(name));
  return { params: { ...Object.fromEntries(others), steps: "", time: "", ...range } };
}

const IS_RANGE = /^range_of_/;

/** The warnings that say what an answer is of, and all others. */
export function splitWarnings(quality: Quality | null): { range: string[]; others: string[] } {
  const { warnings = [], warning_codes = [] } = quality ?? {};
  const isRange = (at: number): boolean => IS_RANGE.test(warning_codes[at]?.code ?? "");
  return { range: warnings.filter((_, i) => isRange(i)), others: warnings.filter((_, i) => !isRange(i)) };
}
