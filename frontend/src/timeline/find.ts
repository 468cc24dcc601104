// What is searched for ↔ options of a request; the answer ↔ hits by name, by track and one page of all. Pure.
import type { Answer } from "../types";
import { placeOfRow, rowsOf, type Place } from "./related";
import type { View } from "./scale";
import type { Highlight } from "./scene";
import { keyOf } from "./tracks";

/** `row`: what a number of another page was made of. */
export type Match = "text" | "exact" | "regex" | "row";
export type Where = "all" | "names" | "args" | "path";

export interface Find {
  text: string;
  match: Match;
  in: Where;
}

export const NO_FIND: Find = { text: "", match: "text", in: "names" };

/** Where a row begins, and how steps were found, matters less to people than what it is called. */
const NOT_SHOWN = ["start_ms", "start_ps", "steps_from"];
const UNIT = /_(?:ps|ns|us|ms|s|bytes)$/;

/** `overview.steps.idle_ms?step=7` → `idle · step 7`: which number of another page it is. */
export function rowInWords(text: string): string {
  const [, column = text, words = ""] = /^[^?]*\.([^.?]*)(?:\?(.*))?$/s.exec(text) ?? [];
  const all = [...new URLSearchParams(words)].filter(([, value]) => value);
  const identifying = all.filter(([name]) => !NOT_SHOWN.includes(name));
  // What a name is of is plain.
  const texts = (identifying.length ? identifying : all).map(([name, value]) =>
    /name$/.test(name) ? value : `${name} ${value}`,
  );
  return [column.replace(UNIT, "").replaceAll("_", " "), ...texts].join(" · ");
}

/** `only`: key of the one track to look on; `within`: the one stretch of time; `derived`: on derived tracks, too. */
export function findOptions(
  find: Find,
  only: string,
  offset: number,
  within: View | null = null,
  derived = false,
): Record<string, string> {
  const { text, match } = find;
  const window = within && { start_ps: String(Math.floor(within.start)), end_ps: String(Math.ceil(within.end)) };
  return {
    ...(window ?? {}),
    search: text,
    offset: String(offset),
    ...(match === "text" ? {} : { match }),
    ...(find.in === "names" ? {} : { in: find.in }),
    ...(only ? { tracks: only } : {}),
    ...(derived && !only && match !== "row" ? { derived: "true" } : {}),
  };
}

interface HitName {
  name: string;
  hits: number;
  total: number;
}

interface HitTrack {
  key: string;
  hits: number;
}

/** One page of the hits, and what is reported of all of them. */
export interface Page {
  total: number;
  /** What the hits add up to, in a sentence; empty but of the row of a table. */
  hitText: string;
  /** Number of the first hit on the page. */
  first: number;
  hits: Place[];
  names: HitName[];
  tracks: HitTrack[];
}

export function pageOf(answer: Answer, first: number): Page {
  return {
    total: Number(answer.summary["hit_count"] ?? 0),
    hitText: String(answer.summary["hit_text"] ?? ""),
    first,
    hits: rowsOf(answer, "hits", placeOfRow),
    names: rowsOf(answer, "hit_names", (at, row) => ({
      name: String(at("name", row) ?? ""),
      hits: Number(at("hits", row) ?? 0),
      total: Number(at("total_ps", row) ?? 0),
    })),
    tracks: rowsOf(answer, "hit_tracks", (at, row) => ({
      key: keyOf(String(at("host", row)), Number(at("track", row))),
      hits: Number(at("hits", row) ?? 0),
    })).sort((a, b) => b.hits - a.hits),
  };
}

const CUT = "…";

function ends(name: string): [head: string, tail: string] {
  const at = name.indexOf(CUT);
  return at < 0 ? [name, name] : [name.slice(0, at), name.slice(at + 1)];
}

/** Whether two names are the same, either of which may be cut in its middle. */
export function sameName(a: string, b: string): boolean {
  if (a === b) return true;
  if (!a.includes(CUT) && !b.includes(CUT)) return false;
  const [[headA, tailA], [headB, tailB]] = [ends(a), ends(b)];
  const [head, tail] = [Math.min(headA.length, headB.length), Math.min(tailA.length, tailB.length)];
  return (
    headA.slice(0, head) === headB.slice(0, head) && tailA.slice(-tail || Infinity) === tailB.slice(-tail || Infinity)
  );
}

function localMatcher({ text, match, in: where }: Find): ((name: string) => boolean) | null {
  if (where === "args" || where === "path") return null;
  const folded = text.toLowerCase();
  if (match === "text") return (name) => name.toLowerCase().includes(folded);
  if (match === "exact") return (name) => sameName(name, text);
  return null;
}

/** Names to keep bright: those that hold the text, and those that the answer found by something else. */
export function highlightOf(find: Find, page: Page | null): Highlight | null {
  // What a row is made of is outlined; others of the same names are not meant.
  if (!find.text || find.match === "row") return null;
  const local = localMatcher(find);
  if (!local && !page) return null;
  const names = [...new Set(page ? [...page.names, ...page.hits].map(({ name }) => name) : [])];
  const [found, cut] = [new Set(names), names.filter((name) => name.includes(CUT))];
  const known = new Map<string, boolean>();
  const matches = (name: string): boolean =>
    local?.(name) || found.has(name) || (name.includes(CUT) ? names : cut).some((one) => sameName(name, one));
  return {
    matches(name) {
      const before = known.get(name);
      if (before !== undefined) return before;
      const is = matches(name);
      known.set(name, is);
      return is;
    },
  };
}

/** Where one more (1) or less (-1) leads among all hits: around at both ends. */
export function stepped(at: number, by: 1 | -1, total: number): number {
  const next = at + by;
  return next < 0 ? total - 1 : next >= total ? 0 : next;
}

/** The first hit of the page that holds a hit, where pages are so long. */
export function pageStart(at: number, size: number): number {
  return size > 0 ? Math.floor(at / size) * size : 0;
}
