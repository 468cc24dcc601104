// The answer about one event → its facts in groups, its relatives, its stack, and the arrows to draw. Pure.
import type { Answer, ColumnName, Scalar, TableName } from "../types";
import { exactValue, formatNumber } from "../units";
import { titleOf } from "../views/category";
import { exactTime } from "./ruler";
import type { Arrow } from "./scene";

export interface Fact {
  group: string;
  key: string;
  value: string;
}

/** An event by its place; times are the board's. */
export interface Place {
  host: string;
  track: number;
  depth: number;
  start: number;
  duration: number;
  row: number;
  name: string;
}

/** A relative: what it is to the event, and a sentence of it. */
export interface Link extends Place {
  kind: string;
  text: string;
}

/** One that encloses the event, outermost first; without a row there is nowhere to go. */
export interface Frame {
  name: string;
  row: number | null;
  duration: number | null;
  /** A frame of Python, or an event of the trace. */
  kind: string;
}

export interface Related {
  /** Why it began only then: one sentence, or empty. */
  why: string;
  /** Which host came last to a collective: one sentence, or empty. */
  last: string;
  facts: Fact[];
  links: Link[];
  stack: Frame[];
}

type CellAt = (name: ColumnName, row: number) => Scalar | undefined;

/** Rows of a table, each read by `make`; none where the answer lacks the table. */
export function rowsOf<Row>(answer: Answer, table: TableName, make: (at: CellAt, row: number) => Row): Row[] {
  const columns = answer.tables[table]?.columns ?? {};
  const [first] = Object.values(columns);
  const at: CellAt = (name, row) => columns[name]?.[row];
  return Array.from({ length: first?.length ?? 0 }, (_, row) => make(at, row));
}

export function placeOfRow(at: CellAt, row: number): Place {
  const number = (name: ColumnName): number => Number(at(name, row) ?? 0);
  return {
    host: String(at("host", row) ?? ""),
    track: number("track"),
    depth: number("depth"),
    start: number("start_ps"),
    duration: number("duration_ps"),
    row: number("row"),
    name: String(at("name", row) ?? ""),
  };
}

function factsOf(answer: Answer): Fact[] {
  const text = (at: CellAt, name: ColumnName, row: number): string => String(at(name, row) ?? "");
  return rowsOf(answer, "event", (at, row) => ({
    group: text(at, "group", row),
    key: text(at, "key", row),
    value: text(at, "value", row),
  }));
}

export function relatedOf(answer: Answer): Related {
  const known = (cell: Scalar | undefined): number | null =>
    typeof cell === "number" && Number.isFinite(cell) ? cell : null;
  const facts = factsOf(answer);
  return {
    last: facts.find(({ group, key }) => group === "event" && key === "came_last")?.value ?? "",
    // Warnings about hosts have no evidence.
    why: answer.findings.find(({ evidence }) => evidence.length)?.title ?? "",
    facts,
    links: rowsOf(answer, "links", (at, row) => ({
      ...placeOfRow(at, row),
      kind: String(at("kind", row) ?? ""),
      text: String(at("text", row) ?? ""),
    })),
    stack: rowsOf(answer, "stack", (at, row) => {
      const place = known(at("row", row));
      return {
        name: String(at("name", row) ?? ""),
        row: place !== null && place >= 0 ? place : null,
        duration: known(at("duration_ps", row)),
        kind: String(at("kind", row) ?? ""),
      };
    }),
  };
}

/** Where an event lies, as its own facts say. */
export function placeOfFacts(facts: readonly Fact[]): Place {
  const of = (key: string): string => facts.find((f) => f.group === "event" && f.key === key)?.value ?? "";
  return {
    host: of("host"),
    track: Number(of("track")),
    depth: Number(of("depth")),
    start: Number(of("start_ps")),
    duration: Number(of("duration_ps")),
    row: Number(of("row")),
    name: of("name"),
  };
}

/** Shown elsewhere: in the head of the panel, or as links. */
const SHOWN_ELSEWHERE = ["name", "host", "process", "track", "track_name", "row", "depth", "came_last"];
const LINKED = ["parent", "launch", "kernel"];

const TITLES: Readonly<Record<string, string>> = {
  event: "Event",
  derived: "Made of",
  stat: "Stats",
  kind: "Stats of its event type",
};
/** Facts of the timeline that go together. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "Op and step": ["op", "op_type", "module", "step", "step_known_by", "full_name"],
  Launch: ["launch_delay_ps", "grid", "block", "registers", "shared_bytes", "occupancy_percent", "achieved_percent"],
  Copy: ["source", "destination", "bytes", "gb_s"],
};

interface FactGroup {
  title: string;
  facts: Fact[];
}

function titleFor({ group, key }: Fact): string {
  const section = Object.keys(SECTIONS).find((title) => SECTIONS[title]!.includes(key));
  return (group === "event" && section) || (TITLES[group] ?? wordsOf(group));
}

/** `regs:48 grid:15,1,1` of a stat named `…_details` → a group of its own. */
function parts({ group, key, value }: Fact): Fact[] | null {
  if (!/_details$/i.test(key)) return null;
  const pairs = [...value.matchAll(/(\S+?)[:=](\S*)/g)].map(([, name, text]) => ({ group, key: name!, value: text! }));
  return pairs.length > 1 ? pairs : null;
}

/** What called it, as keys of facts, and what parts the frames, innermost first. The first that is there is shown. */
const STACKS = [
  ["python_stack", " ← "],
  ["Call stack", ";"],
] as const;

/** The frames that called an event, innermost first; none where unknown. */
export function callersOf({ facts }: Pick<Related, "facts">): string[] {
  for (const [key, between] of STACKS) {
    const fact = facts.find((each) => each.key === key);
    if (fact) return fact.value.split(between).filter(Boolean);
  }
  return [];
}

/** Facts by group, in the answer's order; what is shown elsewhere in the panel is left out. */
export function groupsOf({ facts, links }: Related): FactGroup[] {
  const groups = new Map<string, Fact[]>();
  const add = (title: string, ...more: Fact[]): void => {
    groups.set(title, [...(groups.get(title) ?? []), ...more]);
  };
  const isLinked = (key: string): boolean => links.length > 0 && LINKED.includes(key);
  const details: [string, Fact[]][] = [];
  for (const fact of facts) {
    if (fact.group === "event" && (SHOWN_ELSEWHERE.includes(fact.key) || isLinked(fact.key))) continue;
    if (STACKS.some(([key]) => key === fact.key)) continue;
    const inside = parts(fact);
    if (inside) details.push([wordsOf(fact.key), inside]);
    else add(titleFor(fact), fact);
  }
  for (const [title, inside] of details) add(title, ...inside);
  return [...groups].map(([title, all]) => ({ title, facts: all }));
}

/** `memcpy_details` → `Memcpy details`. */
function wordsOf(key: string): string {
  const words = key.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How a key's end gives the unit of a number. */
const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/(^|_)ps$/, "ps"],
  [/(^|_)ns$/, "ns"],
  [/(^|_)us$/, "us"],
  [/(^|_)ms$/, "ms"],
  [/(^|_)bytes$/, "bytes"],
  [/(^|_)gb_s$/, "gb_s"],
  [/(^|_)gflop_s$/, "gflop_s"],
  [/(^|_)share$/, "share"],
  [/(^|_)percent$/, "percent"],
];

/** What is read of a fact, and its exact value where that is more. A start counts from the capture's. */
export function shownFact({ group, key, value }: Fact, origin: number): { name: string; text: string; exact: string } {
  if (group === "event" && key === "category") return { name: key, text: titleOf(value) ?? value, exact: "" };
  const number = Number(value);
  const [end, unit] = UNITS.find(([tail]) => tail.test(key)) ?? [];
  if (!unit || !end || value.trim() === "" || !Number.isFinite(number))
    return { name: named(key), text: value, exact: "" };
  const name = NAMED[key] ?? (named(key.replace(end, "")) || named(key));
  if (group === "event" && key === "start_ps")
    return { name, text: exactTime(number - origin), exact: exactValue(number - origin, "ps") };
  return { name, text: formatNumber(number, unit), exact: exactValue(number, unit) };
}

/** Keys whose own words do not explain them, or are too long. */
const NAMED: Readonly<Record<string, string>> = { gb_s: "bandwidth", step_known_by: "known by", bytes: "size" };

function named(key: string): string {
  return NAMED[key] ?? key.replaceAll("_", " ").trim();
}

/** Relatives that come before the event, and after it. */
const BEFORE = ["launch", "producer", "waits_for"];
const AFTER = ["kernel", "consumer"];

/** An arrow leaves where the first ends, or, where the second began before that, where the first begins. */
function arrow(first: Place, second: Place, kind: string, keyOf: (host: string, row: number) => string): Arrow {
  const end = first.start + first.duration;
  return {
    from: {
      track: keyOf(first.host, first.track),
      depth: first.depth,
      time: end <= second.start ? end : first.start,
    },
    to: { track: keyOf(second.host, second.track), depth: second.depth, time: second.start },
    kind,
  };
}

export function arrowsOf(
  event: Place,
  links: readonly Link[],
  keyOf: (host: string, row: number) => string,
  shown: Link | null = null,
): Arrow[] {
  return links.flatMap((link) => {
    if (AFTER.includes(link.kind)) return [arrow(event, link, link.kind, keyOf)];
    if (BEFORE.includes(link.kind)) return [arrow(link, event, link.kind, keyOf)];
    if (link !== shown || link.kind === "parent" || link.kind === "step") return [];
    return [link.start <= event.start ? arrow(link, event, link.kind, keyOf) : arrow(event, link, link.kind, keyOf)];
  });
}

/** What a link's kind is called in the list. */
const KINDS: Readonly<Record<string, string>> = {
  launch: "launched by",
  kernel: "launches",
  producer: "needs",
  consumer: "feeds",
  previous: "previous",
  next: "next",
  parent: "inside",
  step: "in step",
  module: "in module",
  peer: "together with",
  waits_for: "waits for",
  under: "made of",
};

export function kindInWords(kind: string): string {
  return KINDS[kind] ?? named(kind);
}
