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
export function told(quality: Quality | null): { range: string[]; others: string[] } {
  const { warnings = [], warning_codes = [] } = quality ?? {};
  const isRange = (at: number): boolean => IS_RANGE.test(warning_codes[at]?.code ?? "");
  return { range: warnings.filter((_, i) => isRange(i)), others: warnings.filter((_, i) => !isRange(i)) };
}
