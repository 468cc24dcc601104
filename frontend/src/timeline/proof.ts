// What a number of another page was made of → where to outline it: stretches of time on the tracks of a host, as
// finely as it is looked at.
import { useEffect, useRef } from "preact/hooks";
import type { Answer, ColumnName, Scalar, TableData } from "../types";
import type { Board } from "./board";
import { findOptions } from "./find";
import { around, length, type View } from "./scale";
import { keyOf, rowsOf, type Track } from "./tracks";
import type { Searching } from "./use_find";

/** The view rests for so long before it is asked for. */
const REST_MS = 150;
/** What is marked is zoomed to where it takes less than this of what is seen, and then takes so much. */
const SMALL = 0.5;
const FIT = 0.8;
/** What is asked for, in words. */
const EVENTS = "events of the number";

/** Shows what came first, where nothing is chosen. */
function show(board: Board, proof: Proof): void {
  const { view, span } = board;
  const extent = extentOf(proof);
  const isWhole = view.start === span.start && view.end === span.end;
  if (extent && isWhole && extent.end - extent.start < SMALL * length(view))
    board.look(around(extent.start, extent.end, FIT, span));
  const on = proof.stretches.map(({ host, rows }) => rows && [...rows].map((row) => board.track(keyOf(host, row))));
  const tracks = on.flatMap((some) => some ?? []).filter((track) => track !== null);
  // Where it holds for all tracks of a host, some are seen anyway.
  if (tracks.length && on.every((some) => some) && !tracks.some((track) => board.sees(track)))
    board.reveal(tracks[0]!, 0);
}

export function useProof(board: Board, { find }: Searching): void {
  const { text, match } = find;
  const latest = useRef(find);
  latest.current = find;
  useEffect(() => {
    if (match !== "row" || !text) return undefined;
    let timer = 0;
    let isShown = false;
    let waitsFor = "";
    const ask = async (): Promise<void> => {
      const wanted = asked(board.proof, board.view, board.span, board.width);
      const options = wanted && { ...findOptions(latest.current, "", 0), ...optionsOf(wanted) };
      const key = JSON.stringify(options);
      if (!wanted || !options || key === waitsFor) return;
      waitsFor = key;
      const answer = await board.asks.ask(EVENTS, (signal) => board.ask(options, signal));
      if (waitsFor === key) waitsFor = "";
      if (!answer) return;
      board.proof = proofOf(answer, wanted.window, wanted.pixel);
      board.changed();
    };
    const later = (): void => {
      if (board.proof && board.isListed && !isShown) {
        isShown = true;
        show(board, board.proof);
      }
      clearTimeout(timer);
      timer = window.setTimeout(() => void ask(), board.proof ? REST_MS : 0);
    };
    const end = board.subscribe(later);
    later();
    return () => {
      end();
      clearTimeout(timer);
      board.asks.drop(EVENTS);
      board.proof = null;
      board.changed();
    };
  }, [board, text, match]);
}

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
