// Rows that lie in each other: which are to be seen, in which order. Pure: columns in, row numbers out.
import type { Column, Scalar, TableData } from "../types";
import { cellsNamed, compareCells, rowTest, type Sort } from "./rows";

/** Of n rows in preorder. `at` numbers places in the order shown, which sorting changes; `rows` gives the row at a place. */
export interface Tree {
  rows: Int32Array;
  /** Place of what it lies in, or -1. */
  parents: Int32Array;
  depths: Int32Array;
  /** The place after the last one that lies in it. */
  ends: Int32Array;
}

/** A parent that is no row before is none. */
function sound(parents: readonly Scalar[]): Int32Array {
  return Int32Array.from(parents, (parent, row) =>
    typeof parent === "number" && parent >= 0 && parent < row ? parent : -1,
  );
}

/** Row → what lies directly in it, in the given order; the last list is of the rows that lie in none. */
function childLists(parents: Int32Array): number[][] {
  const lists: number[][] = Array.from({ length: parents.length + 1 }, () => []);
  parents.forEach((parent, row) => lists[parent < 0 ? parents.length : parent]!.push(row));
  return lists;
}

/** What lies in the same row, sorted; unknown last. */
function sortLists(lists: number[][], cells: readonly Scalar[], down: boolean): void {
  for (const list of lists) if (list.length > 1) list.sort((a, b) => compareCells(cells[a], cells[b], down ? -1 : 1));
}

export function treeOf({ columns }: TableData, sort: Sort | null): Tree {
  const above = sound(columns["parent"] ?? []);
  const lists = childLists(above);
  const cells = sort && cellsNamed({ columns }, sort.column);
  if (sort && cells) sortLists(lists, cells, sort.down);
  const count = above.length;
  const tree: Tree = {
    rows: new Int32Array(count),
    parents: new Int32Array(count).fill(-1),
    depths: new Int32Array(count),
    ends: new Int32Array(count),
  };
  const placeOf = new Int32Array(count);
  const stack = [...(lists[count] ?? [])].reverse();
  for (let at = 0; stack.length; at++) {
    const row = stack.pop()!;
    tree.rows[at] = row;
    placeOf[row] = at;
    if (above[row]! >= 0) {
      tree.parents[at] = placeOf[above[row]!]!;
      tree.depths[at] = tree.depths[tree.parents[at]!]! + 1;
    }
    const inside = lists[row]!;
    for (let i = inside.length - 1; i >= 0; i--) stack.push(inside[i]!);
  }
  for (let at = count - 1; at >= 0; at--) {
    tree.ends[at] = Math.max(tree.ends[at]!, at + 1);
    const parent = tree.parents[at]!;
    if (parent >= 0) tree.ends[parent] = Math.max(tree.ends[parent]!, tree.ends[at]!);
  }
  return tree;
}

export interface Hits {
  /** Per place: the row passes, or lies in one that does, or holds one. */
  kept: Uint8Array;
  /** Per place: it holds one that passes. */
  holds: Uint8Array;
  count: number;
}

/** What a filter keeps, with all that it lies in; null without one. */
export function find(tree: Tree, data: TableData, columns: readonly Column[], filter: string): Hits | null {
  if (!filter.trim()) return null;
  const test = rowTest(filter, columns, data);
  const size = tree.rows.length;
  const hits: Hits = { kept: new Uint8Array(size), holds: new Uint8Array(size), count: 0 };
  const { kept, holds } = hits;
  let inside = 0;
  for (let at = 0; at < size; at++) {
    const passes = test(tree.rows[at]!);
    hits.count += Number(passes);
    if (passes) inside = Math.max(inside, tree.ends[at]!);
    kept[at] = Number(passes || at < inside);
    for (let up = tree.parents[at]!; passes && up >= 0 && !holds[up]; up = tree.parents[up]!) holds[up] = 1;
  }
  for (let at = 0; at < size; at++) kept[at] ||= holds[at]!;
  return hits;
}

/** `turned`: rows that a person opened or closed; `isOpen` says how a row is before. */
export function isOpenAt(tree: Tree, at: number, hits: Hits | null, turned: ReadonlyMap<number, boolean>): boolean {
  return turned.get(tree.rows[at]!) ?? (hits !== null && hits.holds[at] === 1);
}

/** Places to be seen, from the top down. */
export function visible(tree: Tree, hits: Hits | null, turned: ReadonlyMap<number, boolean>): number[] {
  const places: number[] = [];
  for (let at = 0; at < tree.rows.length;) {
    if (hits && !hits.kept[at]) {
      at = tree.ends[at]!;
      continue;
    }
    places.push(at);
    at = isOpenAt(tree, at, hits, turned) ? at + 1 : tree.ends[at]!;
  }
  return places;
}

export function hasInside(tree: Tree, at: number): boolean {
  return tree.ends[at]! > at + 1;
}

function insideOf(tree: Tree, at: number): number[] {
  const places: number[] = [];
  for (let next = at + 1; next < tree.ends[at]!; next = tree.ends[next]!) places.push(next);
  return places;
}

/** Rows to open at first, level by level from the top down, until that many rows are seen; of very many roots the first. */
export function openedFirst(tree: Tree, most: number): Map<number, boolean> {
  const opened = new Map<number, boolean>();
  let level: number[] = [];
  for (let at = 0; at < tree.rows.length; at = tree.ends[at]!) level.push(at);
  let seen = Math.min(level.length, Math.ceil(most / 2));
  while (level.length) {
    const next: number[] = [];
    for (const at of level) {
      const inside = hasInside(tree, at) && seen < most ? insideOf(tree, at) : [];
      if (!inside.length) continue;
      opened.set(tree.rows[at]!, true);
      seen += inside.length;
      next.push(...inside);
    }
    level = next;
  }
  return opened;
}

/** Turned rows that an address has room for. */
const MOST_TURNED = 500;

function turnsIn(text: string, count: number): { base: string; turns: string[] } {
  const [of, base = "", ...turns] = text.split(".");
  return Number(of) === count ? { base, turns } : { base: "", turns: [] };
}

/** What a person opened and closed, as the address has it: `57..-3.7` closed row 3 and opened row 7 of 57, beside those that are open at first; `57.all.-3` all but one. */
export function turnedOf(text: string, { rows }: Tree, first: ReadonlyMap<number, boolean>): Map<number, boolean> {
  const { base, turns } = turnsIn(text, rows.length);
  const turned = new Map(base ? Array.from(rows, (row) => [row, base === "all"] as const) : first);
  for (const turn of turns) turned.set(Math.abs(Number(turn)), !turn.startsWith("-"));
  return turned;
}

export function withTurn(text: string, { rows }: Tree, row: number, open: boolean): string {
  const { base, turns } = turnsIn(text, rows.length);
  const others = turns.filter((turn) => Math.abs(Number(turn)) !== row);
  return [rows.length, base, ...[...others, open ? row : `-${row}`].slice(-MOST_TURNED)].join(".");
}

export function turnedAll({ rows }: Tree, open: boolean): string {
  return `${rows.length}.${open ? "all" : "none"}`;
}
