// The coarse picture of the whole capture → how busy devices and hosts are, pixel by pixel.
import { length, type View } from "./scale";
import type { TrackSlices } from "./slices";
import type { Group } from "./tracks";

/** Busy shares, of all tracks together, by pixel; the busiest pixel is 1. */
export interface Busy {
  device: Float64Array;
  host: Float64Array;
}

/** Adds how long each pixel's outermost slices are busy, as a share of the pixel. */
export function addBusy(into: Float64Array, slices: TrackSlices, span: View): void {
  const { start, duration, idle, lanes, window } = slices;
  const scale = into.length / length(span);
  const offset = window.start - span.start;
  for (let i = 0; i < (lanes[1] ?? 0); i++) {
    const from = Math.max((start[i]! + offset) * scale, 0);
    const to = Math.min((start[i]! + duration[i]! + offset) * scale, into.length);
    const share = duration[i]! > 0 ? 1 - idle[i]! / duration[i]! : 0;
    for (let x = Math.floor(from); x < to; x++) into[x]! += share * (Math.min(to, x + 1) - Math.max(from, x));
  }
}

function scaled(values: Float64Array): Float64Array {
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? values.map((value) => value / most) : values;
}

const DEVICES = new Set(["gpu", "tpu"]);

/** What devices do is what their streams do, where they have some: other tracks of theirs say the same again. */
function counted(group: Group): Group["tracks"] {
  const streams = group.tracks.filter(({ kind }) => kind === "stream");
  return DEVICES.has(group.kind) && streams.length ? streams : group.tracks.filter(({ kind }) => kind !== "derived");
}

export function busyOf(
  groups: readonly Group[],
  whole: (key: string) => TrackSlices | null,
  span: View,
  width: number,
): Busy {
  const busy = { device: new Float64Array(width), host: new Float64Array(width) };
  for (const group of groups)
    for (const track of counted(group)) {
      const slices = whole(track.key);
      if (slices) addBusy(DEVICES.has(group.kind) ? busy.device : busy.host, slices, span);
    }
  return { device: scaled(busy.device), host: scaled(busy.host) };
}
