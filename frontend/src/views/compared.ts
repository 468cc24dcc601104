// Two runs' answer → what its charts draw: the steps from one to the other, and how their times lie beside each other. Pure.
import type { Scalar, TableData } from "../types";
import { titleOf } from "./category";
import { grouped } from "../units";
import { number, onlyWith, rowCount } from "./rows";

export type By = "op" | "category";

/** One part of the way from A's step to B's, in ms. */
export interface Piece {
  label: string;
  /** Whether the label is a name from a file. */
  isName: boolean;
  /** Its note, and the note in full. */
  note: string;
  noteTitle: string;
  category: string;
  base: number | null;
  next: number | null;
  change: number;
  from: number;
  to: number;
  /** What the filter of the table of ops becomes to show it; empty where nothing does. */
  filter: string;
}

export interface Waterfall {
  base: number;
  next: number;
  pieces: readonly Piece[];
  /** What the axis begins and ends at. */
  low: number;
  high: number;
}

type Part = Omit<Piece, "from" | "to">;

/** Rows that are drawn each by itself; the others are one. */
const MOST = 10;
/** Of the largest change: what is smaller is drawn with the others. */
const CRUMB = 0.02;
/** Where all lies closer together than this part of a step, the axis does not begin at 0. */
const CLOSE = 0.3;
/** What is seen of the steps themselves then, of all changes. */
const MARGIN = 0.5;

function text(cells: readonly Scalar[] | undefined, row: number): string {
  return String(cells?.[row] ?? "");
}

/** What a row's match is worth saying. */
const NOTES: readonly string[] = ["new", "gone", "renamed", "fingerprint", "shape", "split", "merged"];

/** What a row without a name of its own holds of its category. */
export const SUMS: Readonly<Record<string, string>> = { rest: "in no op", more: "smaller ops" };

function part({ columns }: TableData, row: number, by: By): Part {
  const category = text(columns["category"], row);
  const title = text(columns["title"], row) || (titleOf(category) ?? category);
  const numbers = {
    base: number(columns["base_ms"]?.[row]),
    next: number(columns["new_ms"]?.[row]),
    change: number(columns["change_ms"]?.[row]) ?? 0,
  };
  const none = { note: "", noteTitle: "", category, ...numbers };
  const filter = onlyWith("category", category);
  if (by === "category") return { ...none, label: title, isName: false, filter };
  const [name, match, was] = (["name", "match", "was"] as const).map((column) => text(columns[column], row));
  const sum = SUMS[match!];
  if (sum) return { ...none, label: title, isName: false, note: sum, filter: `match=${match} ${filter}` };
  const note = NOTES.includes(match!) ? match! : "";
  return {
    ...none,
    label: name!,
    isName: true,
    note,
    noteTitle: was ? `was ${was}` : "",
    filter: onlyWith("name", name!),
  };
}

/** The largest changes first; what is left of the whole change is one more, so that all add up. Null without steps. */
export function waterfallOf(data: TableData, by: By, base: number | null, next: number | null): Waterfall | null {
  if (base === null || next === null || !rowCount(data)) return null;
  const changes = (data.columns["change_ms"] ?? []).map((cell) => Math.abs(number(cell) ?? 0));
  const order = changes.map((_, row) => row).sort((a, b) => changes[b]! - changes[a]!);
  const least = CRUMB * (changes[order[0]!] ?? 0);
  const shown = order.slice(0, MOST).filter((row) => changes[row]! > 0 && changes[row]! >= least);
  const parts = shown.map((row) => part(data, row, by));
  const left = order.slice(shown.length).filter((row) => changes[row]! > 0).length;
  const rest = next - base - parts.reduce((sum, { change }) => sum + change, 0);
  // What rounding leaves is no part.
  if (left || Math.abs(rest) > 1e-6)
    parts.push({
      label: by === "op" ? `${grouped(left)} more, together` : "All others",
      isName: false,
      note: "",
      noteTitle: "",
      category: "rest",
      base: null,
      next: null,
      change: rest,
      filter: "",
    });
  let at = base;
  const pieces = parts.map((one) => ({ ...one, from: at, to: (at += one.change) }));
  return { base, next, pieces, ...axisOf([base, next, ...pieces.map(({ to }) => to)]) };
}

/** From 0, or where that would leave the changes too small to be seen, from just below them. */
function axisOf(values: readonly number[]): { low: number; high: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least;
  const low = span > 0 && span < CLOSE * most ? Math.max(0, least - MARGIN * span) : Math.min(0, least);
  return { low, high: most };
}

/** Where a value lies on an axis, in %. */
export function placeOn({ low, high }: { low: number; high: number }, value: number): number {
  return high > low ? Math.min(100, Math.max(0, (100 * (value - low)) / (high - low))) : 0;
}

const UNITS = [
  [1000, "s"],
  [1, "ms"],
  [1e-3, "µs"],
  [1e-6, "ns"],
] as const;

/** With as many digits as tell it from what lies `apart` from it. */
export function textOn({ high }: { high: number }, value: number, apart: number): string {
  const [factor, unit] = UNITS.find(([one]) => high >= one) ?? UNITS[3];
  const digits = Math.max(0, -Math.floor(Math.log10(apart / factor) + 1e-9));
  return `${(value / factor).toFixed(Math.min(digits, 6))} ${unit}`;
}

type Which = "base" | "new";

/** One side's step times: how many lie in each of the bins, of the fullest of both sides. */
export interface Lane {
  which: Which;
  count: number;
  least: number;
  most: number;
  /** Heights from 0 to 1. */
  bins: readonly number[];
}

export interface Lanes {
  low: number;
  high: number;
  ticks: readonly number[];
  /** From one tick to the next. */
  apart: number;
  lanes: readonly Lane[];
}

const BINS = 80;
const TICKS = 6;

/** `also`: what has to be on the axis, too. Null where no side has steps. */
export function lanesOf({ columns }: TableData, also: readonly (number | null)[]): Lanes | null {
  const { side = [], duration_ms = [] } = columns;
  const of = (which: Which): number[] =>
    duration_ms.flatMap((ms, row) => (side[row] === which && typeof ms === "number" ? [ms] : []));
  const sides = [of("base"), of("new")] as const;
  const all = [...sides[0], ...sides[1], ...also.filter((value) => value !== null)];
  if (!sides[0].length && !sides[1].length) return null;
  const least = all.reduce((a, b) => Math.min(a, b));
  const most = all.reduce((a, b) => Math.max(a, b));
  const room = 0.02 * (most - least) || 0.05 * most || 1;
  const axis = { low: Math.max(0, least - room), high: most + room };
  const counts = sides.map((values) => counted(values, axis));
  const full = sides.map((values, i) => Math.max(0, ...counts[i]!) / (values.length || 1));
  const lanes = (["base", "new"] as const).map((which, i) => ({
    which,
    count: sides[i]!.length,
    least: sides[i]!.reduce((a, b) => Math.min(a, b), Infinity),
    most: sides[i]!.reduce((a, b) => Math.max(a, b), -Infinity),
    // Shares, so that a side with more steps is not the higher one.
    bins: counts[i]!.map((count) => count / (sides[i]!.length || 1) / (Math.max(...full) || 1)),
  }));
  const ticks = ticksOf(axis.low, axis.high);
  return { ...axis, ticks, apart: (ticks[1] ?? axis.high) - (ticks[0] ?? axis.low), lanes };
}

function counted(values: readonly number[], { low, high }: { low: number; high: number }): number[] {
  const bins = Array<number>(BINS).fill(0);
  for (const value of values) bins[Math.min(BINS - 1, Math.floor((BINS * (value - low)) / (high - low)))]!++;
  return bins;
}

/** Round values on an axis, a few. */
export function ticksOf(low: number, high: number): number[] {
  const raw = (high - low) / TICKS;
  const ten = 10 ** Math.floor(Math.log10(raw));
  const step = ten * ([1, 2, 5].find((one) => one * ten >= raw) ?? 10);
  const first = Math.ceil(low / step);
  const many = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(0, many) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The typical steps of one run, in ms. */
interface Repeat {
  which: Which;
  run: string;
  count: number;
  least: number;
  most: number;
  mean: number;
}

/** Runs of both sides, A's first; none where each side has one, which the histogram shows. */
export function repeatsOf({ columns }: TableData): Repeat[] {
  const { side = [], capture = [], duration_ms = [] } = columns;
  const runs = new Map<string, Repeat>();
  duration_ms.forEach((cell, row) => {
    if (typeof cell !== "number") return;
    const [which, run] = [side[row] === "base" ? "base" : "new", String(capture[row])] as const;
    const key = `${which} ${run}`;
    const old = runs.get(key) ?? { which, run, count: 0, least: Infinity, most: -Infinity, mean: 0 };
    const count = old.count + 1;
    const mean = old.mean + (cell - old.mean) / count;
    runs.set(key, { ...old, count, mean, least: Math.min(old.least, cell), most: Math.max(old.most, cell) });
  });
  const all = [...runs.values()];
  const isOne = (["base", "new"] as const).every((which) => all.filter((one) => one.which === which).length < 2);
  return isOne ? [] : all.sort((a, b) => (a.which === b.which ? 0 : a.which === "base" ? -1 : 1));
}
