// Where slices and points of the timeline are on the canvas, in CSS pixels.
import { toX } from "./scale";
import { RULER, type Scene, type Slice, type Spot } from "./scene";
import { GAP, topOf, type Row } from "./tracks";

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
