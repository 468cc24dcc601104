// What the host picker finds, and which hosts one more press leaves chosen.
import type { Cells } from "../columns";
import type { Host } from "../types";

/** Names that are chosen together travel in the address of each question: proxies take 8 KB. */
export const MOST_LETTERS = 7_500;
const LETTERS_BESIDE = "&host=".length;

/** How many hosts the choice of the slowest is of. */
export const SLOWEST = 10;

/** More groups than these are listed once a search finds fewer. */
export const MOST_GROUPS = 24;

/** Hosts whose names begin alike, up to one of these signs. */
export interface HostGroup {
  prefix: string;
  hosts: readonly string[];
}
const UP_TO_SIGN = /[^-_.:/]*[-_.:/]/g;

export function fits(names: readonly string[]): boolean {
  return names.reduce((sum, name) => sum + encodeURIComponent(name).length + LETTERS_BESIDE, 0) <= MOST_LETTERS;
}

/** Those whose names contain every word of what is typed. */
export function foundHosts<T extends Pick<Host, "name">>(hosts: readonly T[], filter: string): T[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return hosts.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** The chosen hosts with one more, or one less, in the run's order; none where all would be: that is what none means. */
export function toggled(names: readonly string[], chosen: readonly string[], host: string): string[] {
  const left = names.filter((name) => chosen.includes(name) !== (name === host));
  return left.length === names.length ? [] : left;
}

/** What the choice of all that were found chooses, null where it is not offered. */
export function allFound(names: readonly string[], found: readonly string[]): string[] | null {
  if (names.length < 2) return null;
  if (found.length === names.length) return [];
  return found.length > 1 && fits(found) ? [...found] : null;
}

/**
 * Groups of hosts by the shortest beginnings that tell some from others: `slice0-`, `slice1-` of `job-slice0-w0` … Two or
 * more hosts each, never all; a host may be in none.
 */
export function groupsOf(names: readonly string[]): HostGroup[] {
  const parts = names.map((name) => name.match(UP_TO_SIGN) ?? []);
  const deepest = parts.reduce((most, { length }) => Math.max(most, length), 0);
  for (let depth = 1; depth <= deepest; depth++) {
    const groups = new Map<string, string[]>();
    names.forEach((name, i) => {
      if (parts[i]!.length < depth) return;
      const prefix = parts[i]!.slice(0, depth).join("");
      const group = groups.get(prefix);
      if (group) group.push(name);
      else groups.set(prefix, [name]);
    });
    const some = [...groups].filter(([, { length }]) => length > 1 && length < names.length);
    if (some.length) return some.map(([prefix, hosts]) => ({ prefix, hosts }));
  }
  return [];
}

/** The chosen hosts with a group's, or without where all of them are chosen; in the run's order, none for all. */
export function withGroup(names: readonly string[], chosen: readonly string[], group: readonly string[]): string[] {
  const [old, more] = [new Set(chosen), new Set(group)];
  const isThere = group.every((host) => old.has(host));
  const left = names.filter((name) => (isThere ? old.has(name) && !more.has(name) : old.has(name) || more.has(name)));
  return left.length === names.length ? [] : left;
}

/** The hosts whose slowest worker lags most behind its steps' fastest, in the run's order; of workers by row. */
export function slowestOf(names: readonly string[], hosts: Cells, lags: Cells, most = SLOWEST): string[] {
  const lag = new Map<string, number>();
  hosts.forEach((host, row) => {
    const value = lags[row];
    if (typeof value === "number") lag.set(String(host), Math.max(lag.get(String(host)) ?? 0, value));
  });
  const known = names.filter((name) => lag.has(name)).sort((a, b) => lag.get(b)! - lag.get(a)!);
  const slowest = new Set(known.slice(0, most));
  return names.filter((name) => slowest.has(name));
}
