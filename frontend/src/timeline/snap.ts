// A time under the pointer → the edge nearby that was likely meant.
import { toTime } from "./scale";
import { firstAfter, laneAt, layersOf, RULER, type Scene } from "./scene";
import type { TrackSlices } from "./store";
import { rowsOnScreen, type Track } from "./tracks";

/** Pixels within which an edge attracts. */
const REACH = 7;
/** Of more slices around one point of a lane, none is meant. */
const CROWD = 40;

/** Gathers the edge nearest to a time. */
class Nearest {
  edge: number | null = null;
  constructor(
    private readonly time: number,
    private away: number,
  ) {}

  offer(edge: number): void {
    const distance = Math.abs(edge - this.time);
    if (distance > this.away || (this.edge !== null && distance === this.away)) return;
    this.away = distance;
    this.edge = edge;
  }
}

/** Edges of single events: where merged ones begin and end is no event's edge. */
function offerLane(slices: TrackSlices, depth: number, time: number, reach: number, nearest: Nearest): void {
  const at = time - slices.window.start;
  const [first, end] = firstAfter(slices, depth, at - reach);
  for (let i = first; i < Math.min(end, first + CROWD) && slices.start[i]! <= at + reach; i++) {
    if (slices.count[i] !== 1) continue;
    nearest.offer(slices.window.start + slices.start[i]!);
    nearest.offer(slices.window.start + slices.start[i]! + slices.duration[i]!);
  }
}

function offerTrack(
  scene: Scene,
  track: Track,
  depths: Iterable<number>,
  time: number,
  reach: number,
  to: Nearest,
): void {
  const slices = layersOf(scene, track.key).pop();
  if (slices) for (const depth of depths) offerLane(slices, depth, time, reach, to);
}

function offerChosen({ selected, marks = [], steps = [] }: Scene, nearest: Nearest): void {
  const known = [selected && { start: selected.start, end: selected.start + selected.duration }, ...marks, ...steps];
  for (const one of known) {
    if (!one) continue;
    nearest.offer(one.start);
    nearest.offer(one.end);
  }
}

/** The edge near a point of the canvas: of the lane under it, else of what is chosen, else of any lane on the screen. */
export function edgeAt(scene: Scene, x: number, y: number): number | null {
  if (!scene.width) return null;
  const time = toTime(x, scene.view, scene.width);
  const reach = toTime(x + REACH, scene.view, scene.width) - time;
  const nearest = new Nearest(time, reach);
  const lane = laneAt(scene, y);
  if (lane) offerTrack(scene, lane.track, [lane.depth], time, reach, nearest);
  if (nearest.edge === null) offerChosen(scene, nearest);
  if (nearest.edge !== null) return nearest.edge;
  for (const { row } of rowsOnScreen(scene.layout, scene.scroll, scene.height - RULER))
    if (row.track) offerTrack(scene, row.track, Array(row.track.lanes).keys(), time, reach, nearest);
  return nearest.edge;
}
