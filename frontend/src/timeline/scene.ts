// What is on the canvas, where it is, and what lies under a point of it.
import type { Proof, Stretches } from "./proof";
import { toTime, toX, type View } from "./scale";
import { resolutionOf, type Store, type TrackSlices } from "./store";
import { GAP, type Layout, type Row, rowAt, topOf, type Track } from "./tracks";

export const RULER = 24;
/** Pixels beside a slice that still mean it. */
const REACH = 2;

/** A slice on the screen: one event, or several that were merged. */
export interface Slice {
  track: Track;
  depth: number;
  start: number;
  duration: number;
  idle: number;
  name: string;
  count: number;
  row: number;
}

/** A point of the timeline: a lane of a track at a time. `track` is its key. */
interface Spot {
  track: string;
  depth: number;
  time: number;
}

/** What led to what, drawn from one slice to another. */
export interface Arrow {
  from: Spot;
  to: Spot;
  kind: string;
}

/** A part of the time axis on some tracks; on all of them where none is named. */
export interface Area {
  view: View;
  tracks: readonly Track[];
}

/** An interval that something else speaks of, on some tracks; on all where none is named. */
export interface Mark {
  start: number;
  end: number;
  tracks: readonly Track[];
  /** What a person calls it, and notes of it. */
  name?: string;
  note?: string;
}

export interface Step {
  host: string;
  number: number;
  name: string;
  start: number;
  end: number;
}

/** Which names stay bright; another object for another choice. */
export interface Highlight {
  matches(name: string): boolean;
}

export type Colours = "name" | "category";

export interface Scene {
  width: number;
  height: number;
  view: View;
  /** Where times are counted from, on the ruler. */
  origin: number;
  layout: Layout;
  scroll: number;
  store: Store;
  hover: Slice | null;
  selected: Slice | null;
  range: View | null;
  area?: Area | null;
  marks?: readonly Mark[];
  proof?: Proof | null;
  gaps?: readonly Stretches[];
  highlight?: Highlight | null;
  arrows?: readonly Arrow[];
  steps?: readonly Step[];
  colours?: Colours;
}

/** What there is to draw of a track, coarse first. */
export function layersOf({ store, view, width }: Scene, key: string): TrackSlices[] {
  return store.layers(key, view, resolutionOf(view, width));
}

export function sliceAt(slices: TrackSlices, index: number, track: Track, depth: number): Slice {
  return {
    track,
    depth,
    start: slices.window.start + slices.start[index]!,
    duration: slices.duration[index]!,
    idle: slices.idle[index]!,
    name: slices.names.text[slices.name[index]!] ?? "",
    count: slices.count[index]!,
    row: slices.row[index]!,
  };
}

/** Index of the first slice of a lane that ends after a time (from the window's start), and the lane's end. */
export function firstAfter(slices: TrackSlices, depth: number, time: number): [number, number] {
  let low = slices.lanes[depth] ?? slices.start.length;
  const end = slices.lanes[depth + 1] ?? low;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (slices.start[middle]! + slices.duration[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return [low, end];
}

/** The slice of a lane nearest to a time, at most `reach` from it. */
export function nearest(slices: TrackSlices, track: Track, depth: number, time: number, reach: number): Slice | null {
  const at = time - slices.window.start;
  let best: Slice | null = null;
  let away = reach;
  const [first, end] = firstAfter(slices, depth, at - reach);
  for (let i = first; i < end && slices.start[i]! <= at + reach; i++) {
    const distance = Math.max(slices.start[i]! - at, at - slices.start[i]! - slices.duration[i]!, 0);
    if (distance > away || (best && distance === away)) continue;
    away = distance;
    best = sliceAt(slices, i, track, depth);
  }
  return best;
}

/** The track and depth at a height of the canvas. */
export function laneAt({ layout, scroll }: Scene, y: number): { track: Track; depth: number } | null {
  const at = y < RULER ? null : rowAt(layout, scroll, y - RULER);
  if (!at?.row.track) return null;
  const { track, lane } = at.row;
  const depth = Math.floor((y - RULER - at.y - GAP / 2) / lane);
  return depth >= 0 && depth < track.lanes ? { track, depth } : null;
}

export function hit(scene: Scene, x: number, y: number): Slice | null {
  const lane = laneAt(scene, y);
  if (!lane || !scene.width) return null;
  const time = toTime(x, scene.view, scene.width);
  const reach = toTime(x + REACH, scene.view, scene.width) - time;
  for (const slices of layersOf(scene, lane.track.key).reverse()) {
    if (time < slices.window.start || time > slices.window.end) continue;
    return nearest(slices, lane.track, lane.depth, time, reach);
  }
  return null;
}

/** The slice after (1) or before (-1) another on its lane, as far as slices are here. */
export function neighbour(scene: Scene, of: Slice, step: 1 | -1): Slice | null {
  for (const slices of layersOf(scene, of.track.key).reverse()) {
    const begin = slices.lanes[of.depth] ?? 0;
    const end = slices.lanes[of.depth + 1] ?? begin;
    for (let k = 0; k < end - begin; k++) {
      const i = step > 0 ? begin + k : end - 1 - k;
      const start = slices.window.start + slices.start[i]!;
      if (step > 0 ? start > of.start || (start === of.start && slices.row[i]! > of.row) : start < of.start)
        return sliceAt(slices, i, of.track, of.depth);
    }
  }
  return null;
}

interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a slice is on the canvas; null when its track is not on it. */
export function placeOf(scene: Scene, slice: Slice): Place | null {
  const row = scene.layout.byTrack.get(slice.track.key);
  if (!row) return null;
  const x = toX(slice.start, scene.view, scene.width);
  const end = toX(slice.start + slice.duration, scene.view, scene.width);
  const left = Math.max(x, -4);
  return {
    x: left,
    y: RULER + topOf(scene.layout, row, scene.scroll) + GAP / 2 + slice.depth * row.lane,
    height: row.lane,
    width: Math.max(Math.min(end, scene.width + 4) - left, 1),
  };
}

/** The row of a track; where it is folded away, the header above it. */
function rowOf({ layout }: Scene, track: string): Row | null {
  const header = (row: Row): boolean => row.level === "group" && !!row.group?.tracks.some(({ key }) => key === track);
  return layout.byTrack.get(track) ?? layout.rows.find(header) ?? null;
}

/** Where a point is; of a lane or a header its middle. */
export function pointOf(scene: Scene, { track, depth, time }: Spot): { x: number; y: number } | null {
  const row = rowOf(scene, track);
  if (!row) return null;
  const top = RULER + topOf(scene.layout, row, scene.scroll);
  const y = row.track ? top + GAP / 2 + (depth + 0.5) * row.lane : top + row.height / 2;
  return { x: toX(time, scene.view, scene.width), y };
}
