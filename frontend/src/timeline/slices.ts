// An answer of the server → what it holds of each track, as arrays that drawing can run over.
import { cellsOf, floats, type Cells, type ColumnsAnswer } from "../columns";
import type { ColumnOf } from "../generated/columns";
import type { Scalar } from "../types";
import type { View } from "./scale";
import { keyOf } from "./tracks";

/** Names of one answer; slices name them by place. */
export interface Names {
  readonly id: number;
  readonly text: readonly string[];
  /** Keys of categories of a step; empty where a name has none. */
  readonly category: readonly string[];
}

/** Values of a counter, a row a pixel in which one was given; it holds until the next. `start` counts from the window's. */
export interface Samples {
  unit: string;
  /** Of the whole capture. */
  low: number;
  high: number;
  start: Float64Array;
  least: Float64Array;
  most: Float64Array;
  last: Float64Array;
}

/** One track in one window. Rows go by lane, then start; `start` counts from the window's. */
export interface TrackSlices {
  readonly id: number;
  readonly window: View;
  /** What is shorter was merged, unless nothing was. */
  readonly resolution: number;
  /** The resolution that was asked for; the server may give a coarser one. */
  readonly asked: number;
  readonly exact: boolean;
  /** First row of each lane, and the end. */
  readonly lanes: readonly number[];
  readonly start: Float64Array;
  readonly duration: Float64Array;
  readonly idle: Float64Array;
  readonly name: Int32Array;
  readonly count: Float64Array;
  readonly row: Float64Array;
  readonly names: Names;
  readonly samples: Samples | null;
}

const SLICE_BYTES = 5 * 8 + 4;
const SAMPLE_BYTES = 4 * 8;

export function bytesOf({ start, samples }: TrackSlices): number {
  return start.length * SLICE_BYTES + (samples ? samples.start.length * SAMPLE_BYTES : 0);
}

let made = 0;

function texts(cells: Cells): readonly string[] {
  return Array.isArray(cells) ? (cells as string[]) : [];
}

/** First row of each track's: rows go by track. */
function bounds(track: Cells, count: number): number[] {
  const begins = [0];
  let at = 0;
  for (let i = 0; i < count; i++) {
    while (at < track.length && Number(track[at]) === i) at++;
    begins.push(at);
  }
  return begins;
}

function lanesOf(depth: Cells, begin: number, end: number): number[] {
  const lanes = [0];
  for (let row = begin; row < end; row++) while (lanes.length <= Number(depth[row])) lanes.push(row - begin);
  lanes.push(end - begin);
  return lanes;
}

interface Counter {
  samples: Samples;
  exact: boolean;
}

/** Key of a track → its values. */
function countersOf(answer: ColumnsAnswer): Map<string, Counter> {
  const column = (name: ColumnOf<"trace_viewer", "counter_tracks">): Cells => cellsOf(answer, "counter_tracks", name);
  const hosts = column("host");
  const rows = bounds(cellsOf(answer, "counters", "track"), hosts.length);
  const byTrack = new Map<string, Counter>();
  hosts.forEach((host: Scalar | number, i: number) => {
    const cut = (name: ColumnOf<"trace_viewer", "counters">): Float64Array =>
      floats(cellsOf(answer, "counters", name), rows[i]!, rows[i + 1]!);
    const samples = {
      unit: String(column("unit")[i] ?? ""),
      low: Number(column("low")[i] ?? 0),
      high: Number(column("high")[i] ?? 0),
      start: cut("start_ps"),
      least: cut("min"),
      most: cut("max"),
      last: cut("last"),
    };
    const exact = cut("count").every((count) => count <= 1);
    byTrack.set(keyOf(String(host), Number(column("track")[i])), { samples, exact });
  });
  return byTrack;
}

function namesOf(answer: ColumnsAnswer): Names {
  return {
    id: made++,
    text: texts(cellsOf(answer, "names", "name")),
    category: texts(cellsOf(answer, "names", "category")),
  };
}

type Shared = Pick<TrackSlices, "window" | "resolution" | "asked" | "names">;

function cutTrack(answer: ColumnsAnswer, shared: Shared, begin: number, end: number): Omit<TrackSlices, "exact"> {
  const column = (name: ColumnOf<"trace_viewer", "slices">): Cells => cellsOf(answer, "slices", name);
  const cut = (name: ColumnOf<"trace_viewer", "slices">): Float64Array => floats(column(name), begin, end);
  return {
    ...shared,
    id: made++,
    lanes: lanesOf(column("depth"), begin, end),
    start: cut("start_ps"),
    duration: cut("duration_ps"),
    idle: cut("idle_ps"),
    name: Int32Array.from(cut("name")),
    count: cut("count"),
    row: cut("row"),
    samples: null,
  };
}

/** The answer's slices and values, split by track. `asked` is the resolution that was asked for. */
export function slicesOf(answer: ColumnsAnswer, asked: number): Map<string, TrackSlices> {
  const { window_start_ps, window_end_ps, resolution_ps } = answer.summary as Record<string, number>;
  const window = { start: window_start_ps!, end: window_end_ps! };
  const shared = { window, resolution: resolution_ps!, asked, names: namesOf(answer) };
  const tracks = cellsOf(answer, "window_tracks", "track");
  const merged = cellsOf(answer, "window_tracks", "merged");
  const rows = bounds(cellsOf(answer, "slices", "track"), tracks.length);
  const byTrack = new Map<string, TrackSlices>();
  cellsOf(answer, "window_tracks", "host").forEach((host: Scalar | number, i: number) => {
    const slices = cutTrack(answer, shared, rows[i]!, rows[i + 1]!);
    byTrack.set(keyOf(String(host), Number(tracks[i])), { ...slices, exact: merged[i] === 0 });
  });
  for (const [key, { samples, exact }] of countersOf(answer)) {
    const slices = byTrack.get(key) ?? { ...cutTrack(answer, shared, 0, 0), exact: true };
    byTrack.set(key, { ...slices, samples, exact: exact && slices.exact });
  }
  return byTrack;
}
