// Slices that the server sent, by track; what a view still needs, as the options of one request.
import type { Answer } from "../types";
import { length, type View } from "./scale";
import { keyOf, type Track } from "./tracks";

/** One track in one window. Rows go by lane, then start; `start` counts from the window's. */
export interface TrackSlices {
  window: View;
  /** What is shorter was merged, unless nothing was. */
  resolution: number;
  /** The resolution that was asked for; the server may give a coarser one. */
  asked: number;
  exact: boolean;
  /** First row of each lane, and the end. */
  lanes: number[];
  start: Float64Array;
  duration: Float64Array;
  idle: Float64Array;
  name: Int32Array;
  count: Float64Array;
  row: Float64Array;
  names: readonly string[];
}

/** Tracks that are kept; those that were shown longest ago go first. */
const KEPT = 1000;
/** Share of the view that is asked for on each side of it. */
const MARGIN = 0.5;
const WIDTH_MAX = 8192;

/** The longest power of two not longer than a pixel: what the server gives for this width. */
export function resolutionOf(view: View, width: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, Math.floor(length(view) / Math.max(1, Math.floor(width))))));
}

function numbers(answer: Answer, name: string): number[] {
  return (answer.tables["slices"]?.columns[name] ?? []) as number[];
}

/** The answer's slices, split by track. `asked` is the resolution that was asked for. */
export function slicesOf(answer: Answer, asked: number): [string, TrackSlices][] {
  const tracks = answer.tables["window_tracks"]?.columns ?? {};
  const names = (answer.tables["names"]?.columns["name"] ?? []) as string[];
  const { window_start_ps, window_end_ps, resolution_ps } = answer.summary as Record<string, number>;
  const of = numbers(answer, "track");
  const depth = numbers(answer, "depth");
  const found: [string, TrackSlices][] = [];
  let at = 0;
  (tracks["host"] ?? []).forEach((host, i) => {
    const begin = at;
    while (of[at] === i) at++;
    const lanes = [0];
    for (let row = begin; row < at; row++) while (lanes.length <= depth[row]!) lanes.push(row - begin);
    lanes.push(at - begin);
    const cut = (name: string): number[] => numbers(answer, name).slice(begin, at);
    found.push([
      keyOf(String(host), Number(tracks["track"]![i])),
      {
        window: { start: window_start_ps!, end: window_end_ps! },
        resolution: resolution_ps!,
        asked,
        exact: tracks["merged"]![i] === 0,
        lanes,
        start: Float64Array.from(cut("start_ps")),
        duration: Float64Array.from(cut("duration_ps")),
        idle: Float64Array.from(cut("idle_ps")),
        name: Int32Array.from(cut("name")),
        count: Float64Array.from(cut("count")),
        row: Float64Array.from(cut("row")),
        names,
      },
    ]);
  });
  return found;
}

/** `a:1`, `a:2`, `a:3`, `b:7` → `a:1-3,b:7`. */
export function ranges(tracks: readonly Track[]): string {
  const sorted = [...tracks].sort((a, b) => (a.host === b.host ? a.row - b.row : a.host < b.host ? -1 : 1));
  const parts: { host: string; first: number; last: number }[] = [];
  for (const { host, row } of sorted) {
    const before = parts[parts.length - 1];
    if (before?.host === host && before.last === row - 1) before.last = row;
    else if (before?.host !== host || before.last !== row) parts.push({ host, first: row, last: row });
  }
  return parts.map((p) => `${keyOf(p.host, p.first)}${p.last > p.first ? `-${p.last}` : ""}`).join(",");
}

export interface Request {
  options: Record<string, string>;
  asked: number;
}

export class Store {
  /** The whole capture, coarse: what is drawn where nothing finer is there yet. */
  readonly whole = new Map<string, TrackSlices>();
  private readonly finer = new Map<string, TrackSlices>();

  constructor(private readonly span: View) {}

  put(answer: Answer, asked: number): void {
    for (const [key, slices] of slicesOf(answer, asked)) {
      const all = slices.window.start <= this.span.start && slices.window.end >= this.span.end;
      const into = all ? this.whole : this.finer;
      into.delete(key);
      into.set(key, slices);
      for (const old of into.keys()) {
        if (into.size <= KEPT) break;
        into.delete(old);
      }
    }
  }

  /** What there is to draw of a track in a view, the best last. */
  layers(key: string, view: View): TrackSlices[] {
    const whole = this.whole.get(key);
    const finer = this.finer.get(key);
    if (!finer || (whole && whole.asked <= finer.asked)) return whole ? [whole] : [];
    const covers = finer.window.start <= view.start && finer.window.end >= view.end;
    return !whole || covers ? [finer] : [whole, finer];
  }

  /** Whether a view of a track can be drawn as finely as the screen is. */
  private has(key: string, view: View, resolution: number): boolean {
    return [this.whole.get(key), this.finer.get(key)].some(
      (s) =>
        s &&
        s.window.start <= Math.max(view.start, this.span.start) &&
        s.window.end >= Math.min(view.end, this.span.end) &&
        (s.exact || s.asked <= resolution),
    );
  }

  /** One request for all that the view lacks of these tracks; null when nothing is missing. */
  missing(tracks: readonly Track[], view: View, width: number): Request | null {
    const wanted = resolutionOf(view, width);
    const lacking = tracks.filter((track) => track.events && !this.has(track.key, view, wanted));
    if (!lacking.length || width < 1) return null;
    const margin = MARGIN * length(view);
    const start = Math.floor(Math.max(view.start - margin, this.span.start));
    const end = Math.max(start + 1, Math.ceil(Math.min(view.end + margin, this.span.end)));
    const pixels = Math.min(WIDTH_MAX, Math.ceil((width * (end - start)) / length(view)));
    const options = { start_ps: String(start), end_ps: String(end), width: String(pixels), tracks: ranges(lacking) };
    return { options, asked: Math.min(wanted, resolutionOf({ start, end }, pixels)) };
  }
}
