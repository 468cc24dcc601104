// A table of frames in preorder → where each lies in a flame graph. Pure: columns in, spans out.
import type { ColumnName, Scalar, TableData } from "../types";

export interface FlameColumns {
  /** How wide a frame is: its own value with all that it calls. */
  value: ColumnName;
  /** What no called frame has, or "" where the table does not show it. */
  self: ColumnName | "";
}

/** Frames in preorder: a frame's callees follow it at once, so that `next` leaps over all of them. */
export interface Flame {
  names: readonly string[];
  parents: Int32Array;
  depths: Int32Array;
  /** The first frame after the last one below this one. */
  next: Int32Array;
  /** Widths in the value's unit, at least those of all callees together. */
  values: Float64Array;
  selfs: Float64Array;
  /** Left edges in the value's unit. */
  starts: Float64Array;
  /** The width of all frames without parent. */
  total: number;
  /** How many rows of frames there are. */
  rows: number;
}

/** What is looked at: one frame's span, or (null) all. */
export interface Span {
  frame: number | null;
  from: number;
  to: number;
}

function amount(cell: Scalar | undefined): number {
  return typeof cell === "number" && cell > 0 ? cell : 0;
}

/** Parents, depths and leaps. A parent that is not on the way to its frame makes that frame one without parent. */
function nested(given: readonly Scalar[], count: number): Pick<Flame, "parents" | "depths" | "next"> {
  const [parents, depths, next] = [new Int32Array(count), new Int32Array(count), new Int32Array(count).fill(count)];
  const open: number[] = [];
  const isOpen = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    const cell = given[row];
    const parent = typeof cell === "number" && isOpen[cell] ? cell : -1;
    while (open.length && open[open.length - 1] !== parent) {
      const closed = open.pop()!;
      next[closed] = row;
      isOpen[closed] = 0;
    }
    parents[row] = parent;
    depths[row] = open.length;
    open.push(row);
    isOpen[row] = 1;
  }
  return { parents, depths, next };
}

/** Down to the last row that holds a frame of some width. */
function rowsOf(depths: Int32Array, values: Float64Array): number {
  return 1 + depths.reduce((most, depth, row) => (values[row]! > 0 ? Math.max(most, depth) : most), 0);
}

/** Null where there is nothing to draw. */
export function flameOf({ columns }: TableData, { value, self }: FlameColumns): Flame | null {
  const given = columns["parent"] ?? [];
  const count = given.length;
  const tree = nested(given, count);
  const values = Float64Array.from({ length: count }, (_, row) => amount(columns[value]?.[row]));
  const below = new Float64Array(count);
  let total = 0;
  for (let row = count - 1; row >= 0; row--) {
    values[row] = Math.max(values[row]!, below[row]!);
    const parent = tree.parents[row]!;
    if (parent >= 0) below[parent]! += values[row]!;
    else total += values[row]!;
  }
  if (!total) return null;
  const selfs = Float64Array.from({ length: count }, (_, row) =>
    self ? amount(columns[self]?.[row]) : values[row]! - below[row]!,
  );
  const starts = startsOf(tree.parents, values);
  const names = (columns["name"] ?? []).map(String);
  return { ...tree, names, values, selfs, starts, total, rows: rowsOf(tree.depths, values) };
}

/** Callees side by side from their caller's left edge on, in the table's order. */
function startsOf(parents: Int32Array, values: Float64Array): Float64Array {
  const [starts, filled] = [new Float64Array(values.length), new Float64Array(values.length)];
  let end = 0;
  for (let row = 0; row < values.length; row++) {
    const parent = parents[row]!;
    starts[row] = parent < 0 ? end : filled[parent]!;
    filled[row] = starts[row]!;
    if (parent < 0) end += values[row]!;
    else filled[parent]! += values[row]!;
  }
  return starts;
}

export function spanOf(flame: Flame, frame: number | null): Span {
  if (frame === null || !(flame.values[frame]! > 0)) return { frame: null, from: 0, to: flame.total };
  return { frame, from: flame.starts[frame]!, to: flame.starts[frame]! + flame.values[frame]! };
}

interface Box {
  /** The frame, or -1: frames too narrow to be drawn, side by side. */
  frame: number;
  depth: number;
  /** Parts of what is looked at, 0 to 1. */
  left: number;
  right: number;
}

/**
 * What is wide enough to be drawn, from row `first` to `last`; what is narrower than `least` (a part of the span) is
 * left out with all below it, side by side ones as one box. Costs what is drawn, not what there is.
 */
export function boxesOf(flame: Flame, span: Span, least: number, first = 0, last = Infinity): Box[] {
  const { starts, values, depths, next } = flame;
  const width = span.to - span.from;
  const boxes: Box[] = [];
  const fillers = new Map<number, Box>();
  for (let row = 0; row < starts.length;) {
    const left = (starts[row]! - span.from) / width;
    const right = (starts[row]! + values[row]! - span.from) / width;
    const depth = depths[row]!;
    if (right <= 1e-9 || left >= 1 - 1e-9 || depth > last) row = next[row]!;
    else if (right - left < least) {
      if (depth >= first) filler(boxes, fillers, depth, left, right, least);
      row = next[row]!;
    } else {
      if (depth >= first) boxes.push({ frame: row, depth, left: Math.max(0, left), right: Math.min(1, right) });
      row++;
    }
  }
  return boxes;
}

function filler(boxes: Box[], open: Map<number, Box>, depth: number, left: number, right: number, least: number): void {
  const before = open.get(depth);
  if (before && left - before.right < least) before.right = Math.max(before.right, right);
  else {
    const box = { frame: -1, depth, left, right };
    boxes.push(box);
    open.set(depth, box);
  }
}

/** The frame at a place: a part of the span, and a row. */
export function frameAt(flame: Flame, span: Span, x: number, depth: number): number | null {
  const at = span.from + x * (span.to - span.from);
  const { starts, values, depths, next } = flame;
  for (let row = 0; row < starts.length;) {
    const inside = at >= starts[row]! && at < starts[row]! + values[row]!;
    if (inside && depths[row] === depth) return row;
    row = inside ? row + 1 : next[row]!;
  }
  return null;
}

/** Whether a frame's name holds every word; asked once a distinct name. */
export function matcherOf(flame: Flame, text: string): ((frame: number) => boolean) | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const known = new Map<string, boolean>();
  return (frame) => {
    const name = flame.names[frame]!;
    let isMatch = known.get(name);
    if (isMatch === undefined) {
      const lower = name.toLowerCase();
      known.set(name, (isMatch = words.every((word) => lower.includes(word))));
    }
    return isMatch;
  };
}

/** How many frames match within the span, and what part of it they and what they call take; nothing is counted twice. */
export function matched(flame: Flame, span: Span, matches: (frame: number) => boolean) {
  const { starts, values, next } = flame;
  let [frames, value, covered] = [0, 0, 0];
  const [begin, end] = span.frame === null ? [0, starts.length] : [span.frame, next[span.frame]!];
  for (let row = begin; row < end; row++) {
    if (!matches(row)) continue;
    frames++;
    if (row < covered) continue;
    value += values[row]!;
    covered = next[row]!;
  }
  return { frames, value, share: value / (span.to - span.from) };
}

/** Callees of a frame (null: frames without caller), in order. */
export function callees(flame: Flame, frame: number | null): number[] {
  const children: number[] = [];
  const end = frame === null ? flame.starts.length : flame.next[frame]!;
  for (let row = frame === null ? 0 : frame + 1; row < end; row = flame.next[row]!) children.push(row);
  return children;
}

function widest(flame: Flame, frames: readonly number[]): number | null {
  return frames.reduce<number | null>(
    (best, one) => (best !== null && flame.values[best]! >= flame.values[one]! ? best : one),
    null,
  );
}

/** Where an arrow leads: the caller, the widest callee, the neighbour on either side. Null: the key leads nowhere. */
export function movedFrame(flame: Flame, key: string, frame: number | null): number | null {
  if (frame === null) return key.startsWith("Arrow") ? widest(flame, callees(flame, null)) : null;
  const parent = flame.parents[frame]! < 0 ? null : flame.parents[frame]!;
  if (key === "ArrowUp") return parent ?? frame;
  if (key === "ArrowDown") return widest(flame, callees(flame, frame)) ?? frame;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const row = callees(flame, parent);
  return row[row.indexOf(frame) + (key === "ArrowRight" ? 1 : -1)] ?? frame;
}

/** Frames from the outermost one to this one. */
export function pathTo(flame: Flame, frame: number): number[] {
  const path = [frame];
  for (let at = flame.parents[frame]!; at >= 0; at = flame.parents[at]!) path.push(at);
  return path.reverse();
}

/** The widest way down, as long as one frame has most of its caller: where to look first. */
export function heaviestPath(flame: Flame): number[] {
  const path: number[] = [];
  let at = widest(flame, callees(flame, null));
  while (
    at !== null &&
    flame.values[at]! >= 0.5 * (path.length ? flame.values[path[path.length - 1]!]! : flame.total)
  ) {
    path.push(at);
    at = widest(flame, callees(flame, at));
  }
  return path;
}

/** Names with the most of their own, most first. */
export function topNames(flame: Flame, most: number): { name: string; self: number }[] {
  const sums = new Map<string, number>();
  flame.names.forEach((name, row) => sums.set(name, (sums.get(name) ?? 0) + flame.selfs[row]!));
  return [...sums]
    .map(([name, self]) => ({ name, self }))
    .filter(({ self }) => self > 0)
    .sort((a, b) => b.self - a.self)
    .slice(0, most);
}
