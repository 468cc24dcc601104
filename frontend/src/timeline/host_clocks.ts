// How far the hosts' clocks differ, as the answer says it.
import type { Answer } from "../types";
import { number } from "../views/rows";

export interface Clock {
  host: string;
  /** How far it runs before the first host's, in picoseconds; null where it is unknown. */
  ahead: number | null;
  error: number | null;
  /** By what it is known, in words. */
  words: string;
}

export function clocksOf({ tables }: Pick<Answer, "tables">): Clock[] {
  const { host = [], clock = [], clock_ps = [], clock_error_ps = [] } = tables["hosts"]?.columns ?? {};
  return [...host].map((name, i) => ({
    host: String(name),
    ahead: number(clock_ps[i]),
    error: number(clock_error_ps[i]),
    words: String(clock[i] ?? ""),
  }));
}
