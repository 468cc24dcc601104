// What a number of another page was made of → where to outline it: stretches of time on the tracks of a host.
import type { Answer, ColumnName, Scalar, TableData } from "../types";
import { length, type View } from "./scale";
import { rowsOf, type Track } from "./tracks";

/** Rows that one stretch names are read up to here. */
const ROWS_MAX = 200_000;
/** What is asked for beside the view, as a share of its length; and how much finer the view may become until more is asked. */
const MARGIN = 0.5;
const FINER = 2;
const WIDTH_MAX = 8192;

/** Stretches on the same tracks of a host, by their begin. `rows` null: on all of the host. `name`: of each, if any. */
export interface Stretches {
  host: string;
  name: string;
  rows: ReadonlySet<number> | null;
  start: readonly number[];
  end: readonly number[];
}

/** What was asked for is here for a view that lies in `window` and is about as fine as `pixel`. */
export interface Proof {
  window: View;
  pixel: number;
  stretches: readonly Stretches[];
}

export function isOn({ host, rows }: Stretches, track: Track): boolean {
  return host === track.host && (!rows || rows.has(track.row));
}

interface Piece {
  host: string;
  /** Rows of tracks as text, `3.5-7`. */
  tracks: string;
  name: string;
  start: number;
  end: number;
}

function gathered(pieces: readonly Piece[]): Stretches[] {
  const byTrack = new Map<string, Stretches & { start: number[]; end: number[] }>();
  for (const { host, tracks, name, start, end } of [...pieces].sort((a, b) => a.start - b.start)) {
    const key = JSON.stringify([host, tracks, name]);
    let one = byTrack.get(key);
    if (!one) {
      one = { host, name, rows: tracks ? new Set(rowsOf(tracks, ROWS_MAX)) : null, start: [], end: [] };
      byTrack.set(key, one);
    }
    one.start.push(start);
    one.end.push(end);
  }
  return [...byTrack.values()];
}

export function proofOf({ tables }: Pick<Answer, "tables">, window: View, pixel: number): Proof {
  const { host = [], tracks = [], start_ps = [], end_ps = [], name = [] } = tables["marks"]?.columns ?? {};
  const pieces = [...start_ps].map((start, i) => ({
    host: String(host[i]),
    tracks: String(tracks[i] ?? ""),
    name: String(name[i] ?? ""),
    start: Number(start),
    end: Number(end_ps[i]),
  }));
  return { window, pixel, stretches: gathered(pieces) };
}

/** Gaps of some rows of an area's table, each on its track, named by its cause. */
export function gapsOf({ columns }: TableData, rows: readonly number[]): Stretches[] {
  const at = (name: ColumnName, row: number): Scalar => columns[name]?.[row] ?? null;
  const pieces = rows.map((row) => ({
    host: String(at("host", row)),
    tracks: String(at("track", row)),
    name: String(at("cause", row) ?? ""),
    start: Number(at("start_ps", row)),
    end: Number(at("start_ps", row)) + Number(at("duration_ps", row)),
  }));
  return gathered(pieces);
}

/** From the first begin to the last end; null where there is nothing. */
export function extentOf({ stretches }: Proof): View | null {
  const start = stretches.reduce((least, one) => Math.min(least, one.start[0] ?? Infinity), Infinity);
  const end = stretches.reduce((most, one) => one.end.reduce((a, b) => Math.max(a, b), most), -Infinity);
  return end >= start ? { start, end } : null;
}

/** What to ask for, for a view: the window with its pixel; null where `proof` holds it as finely as it is seen. */
export function asked(
  proof: Proof | null,
  view: View,
  span: View,
  width: number,
): Pick<Proof, "window" | "pixel"> | null {
  const pixel = length(view) / Math.max(width, 1);
  const has =
    proof && proof.window.start <= Math.max(view.start, span.start) && proof.window.end >= Math.min(view.end, span.end);
  if (has && proof.pixel <= FINER * pixel) return null;
  const margin = MARGIN * length(view);
  const start = Math.max(Math.floor(view.start - margin), Math.floor(span.start));
  const end = Math.min(Math.ceil(view.end + margin), Math.ceil(span.end));
  return { window: { start, end: Math.max(end, start + 1) }, pixel };
}

export function optionsOf({ window, pixel }: Pick<Proof, "window" | "pixel">): Record<string, string> {
  const width = Math.max(1, Math.min(WIDTH_MAX, Math.round(length(window) / pixel)));
  return { start_ps: String(window.start), end_ps: String(window.end), width: String(width) };
}

/** Those that overlap a view, as pixels; what lies within the pixels before is one with them. */
export function pixelsOf(
  { start, end }: Pick<Stretches, "start" | "end">,
  view: View,
  width: number,
): [left: number, right: number][] {
  const scale = width / length(view);
  const ranges: [number, number][] = [];
  for (let i = 0; i < start.length; i++) {
    if (end[i]! < view.start || start[i]! > view.end) continue;
    const left = Math.max((start[i]! - view.start) * scale, -2);
    const right = Math.max(Math.min((end[i]! - view.start) * scale, width + 2), left + 2);
    const before = ranges[ranges.length - 1];
    if (before && left < before[0] + 2) before[1] = Math.max(before[1], right);
    else ranges.push([left, right]);
  }
  return ranges;
}
