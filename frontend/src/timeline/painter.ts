// How the picture under the texts is painted, in device pixels: by WebGL, or in memory. Both fill the same pixels.
import { length, type View } from "./scale";
import { firstAfter } from "./scene";
import type { TrackSlices } from "./slices";
import type { Rgb, Tints } from "./tints";

/** A rectangle of device pixels; right and bottom are not in it. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Slices of one track in one window, and the box that they are seen through. */
export interface Strip {
  slices: TrackSlices;
  view: View;
  /** Device pixels of the whole view. */
  width: number;
  /** Device pixels a CSS pixel. */
  ratio: number;
  /** CSS pixels: the first lane's top, and a lane's height. */
  top: number;
  lane: number;
  box: Box;
}

export interface Painter {
  begin(width: number, height: number, background: Rgb): void;
  fill(box: Box, colour: Rgb): void;
  strip(strip: Strip, tints: Tints): void;
  end(): void;
}

/** What a border may lie off a pixel's edge and still counts as on it: drawing in 32-bit floats is no more exact. */
export const EDGE = 1 / 128;
/** Slices wider than so many CSS pixels leave the last one free, so that the next is distinct. */
export const GAP_FROM = 3;

export function barOf(lane: number): number {
  return lane > 3 ? lane - 1 : lane;
}

/** The lane's first and last row of pixels; the last is not in it. */
export function laneBand({ top, lane, ratio }: Pick<Strip, "top" | "lane" | "ratio">, depth: number): [number, number] {
  const y = top + depth * lane;
  return [Math.floor(y * ratio + 0.5), Math.floor((y + barOf(lane)) * ratio + 0.5)];
}

/** Rows of slices that a box may show, lane by lane: calls back with [first, end) of each lane. */
export function lanesIn(strip: Strip, each: (depth: number, first: number, end: number) => void): void {
  const { slices, box, ratio, view, width } = strip;
  const { lanes, start, window } = slices;
  const scale = width / length(view);
  const offset = window.start - view.start;
  const low = Math.max(0, Math.floor((box.top / ratio - strip.top) / strip.lane));
  const high = Math.min(lanes.length - 2, Math.floor((box.bottom / ratio - strip.top) / strip.lane));
  const from = (box.left - 1) / scale - offset;
  const to = (box.right + 1) / scale - offset;
  for (let depth = low; depth <= high; depth++) {
    const [first, end] = firstAfter(slices, depth, from);
    let [a, b] = [first, end];
    while (a < b) {
      const middle = (a + b) >> 1;
      if (start[middle]! <= to) a = middle + 1;
      else b = middle;
    }
    if (a > first) each(depth, first, a);
  }
}

/** Left and right pixel of a slice: all that it touches, at least one; right is not in it. */
export function span(from: number, to: number, ratio: number): [number, number] {
  const left = Math.floor(from + EDGE);
  const right = Math.max(Math.ceil(to - EDGE), left + 1);
  return right - left > GAP_FROM * ratio ? [left, right - Math.round(ratio)] : [left, right];
}
