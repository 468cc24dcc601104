// Slices that the server sent, by track and window; what a view still needs, and what it may need next, as requests.
import type { ColumnsAnswer } from "../columns";
import { length, panned, type View, zoomed } from "./scale";
import { bytesOf, slicesOf, type TrackSlices } from "./slices";
import { keyOf, rowsText, type Track } from "./tracks";
import type { Answer } from "../types";

export type { TrackSlices } from "./slices";

/** What is kept; what was drawn longest ago goes first. */
const MOST_BYTES = 96e6;
/** Share of the view that is asked for on each side of it. */
const MARGIN = 0.5;
const WIDTH_MAX = 8192;
/** Characters that name tracks: of one value of an address the server takes 4,096, of the whole many proxies take 8,192. */
const TRACKS_CHARS = 3500;
/** Windows begin and end at multiples of so many times the resolution, so that the same are asked for again. */
const GRID = 256;
/** How far beside the view is asked for ahead, as a share of its length. */
const BESIDE = 1.25;
/** Layers that are drawn over each other while what was asked for is on its way. */
const LAYERS_MAX = 5;

/** The longest power of two not longer than a pixel: what the server gives for this width. */
export function resolutionOf(view: View, width: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, Math.floor(length(view) / Math.max(1, Math.floor(width))))));
}

/** `a:1`, `a:2`, `a:3`, `a:5`, `b:7` → `a:1-3.5,b:7`. */
export function ranges(tracks: readonly Track[]): string {
  const hosts = new Map<string, number[]>();
  for (const { host, row } of tracks) {
    const rows = hosts.get(host);
    if (rows) rows.push(row);
    else hosts.set(host, [row]);
  }
  const parts = [...hosts].map(([host, rows]) => `${encodeURIComponent(host)}:${rowsText(rows)}`);
  return parts.sort().join(",");
}

/** As many of the tracks, the first ones, as one request may name. */
export function askable(tracks: readonly Track[]): readonly Track[] {
  let some = tracks;
  while (some.length > 1 && ranges(some).length > TRACKS_CHARS) some = some.slice(0, some.length >> 1);
  return some;
}

export interface Request {
  options: Record<string, string>;
  asked: number;
}

/** What one answer held: goes as a whole. */
interface Chunk {
  slices: Map<string, TrackSlices>;
  bytes: number;
  used: number;
}

function textBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 2 * text.length + 32, 0);
}

function covers(window: View, view: View): boolean {
  return window.start <= view.start && window.end >= view.end;
}

export class Store {
  bytes = 0;
  /** Answers so far that held tracks from end to end. */
  wholes = 0;
  private readonly chunks: Chunk[] = [];
  private readonly byTrack = new Map<string, TrackSlices[]>();
  private readonly homes = new Map<TrackSlices, Chunk>();
  private clock = 0;

  constructor(
    private readonly span: View,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /** Takes an answer; gives how many tracks it held. */
  put(answer: ColumnsAnswer, asked: number): number {
    const slices = slicesOf(answer, asked);
    if (!slices.size) return 0;
    const [first] = slices.values();
    const chunk: Chunk = { slices, bytes: textBytes(first!.names.text), used: ++this.clock };
    for (const [key, made] of slices) {
      chunk.bytes += bytesOf(made);
      this.homes.set(made, chunk);
      const same = (old: TrackSlices): boolean =>
        old.asked === asked && old.window.start === made.window.start && old.window.end === made.window.end;
      const kept = (this.byTrack.get(key) ?? []).filter((old) => !same(old) || !this.forget(key, old));
      this.byTrack.set(
        key,
        [...kept, made].sort((a, b) => b.resolution - a.resolution),
      );
    }
    if (covers(first!.window, this.span)) this.wholes++;
    this.chunks.push(chunk);
    this.bytes += chunk.bytes;
    this.trim();
    return slices.size;
  }

  /** Takes a track out of the answer that held it. */
  private forget(key: string, slices: TrackSlices): true {
    const chunk = this.homes.get(slices);
    const bytes = bytesOf(slices);
    this.homes.delete(slices);
    chunk?.slices.delete(key);
    if (chunk) chunk.bytes -= bytes;
    this.bytes -= bytes;
    return true;
  }

  /** Drops what was used longest ago; never what came first, which is the whole capture, nor what came last. */
  private trim(): void {
    while (this.bytes > this.mostBytes && this.chunks.length > 2) {
      const candidates = this.chunks.slice(1, -1);
      const oldest = candidates.reduce((a, b) => (b.used < a.used ? b : a));
      this.chunks.splice(this.chunks.indexOf(oldest), 1);
      this.bytes -= oldest.bytes;
      for (const [key, slices] of oldest.slices) {
        this.homes.delete(slices);
        const left = (this.byTrack.get(key) ?? []).filter((other) => other !== slices);
        if (left.length) this.byTrack.set(key, left);
        else this.byTrack.delete(key);
      }
    }
  }

  /** A track from end to end of the capture, as coarse as it is here; null when it is not. */
  whole(key: string): TrackSlices | null {
    return this.byTrack.get(key)?.find(({ window }) => covers(window, this.span)) ?? null;
  }

  /** What there is to draw of a track in a view, coarse first, as fine as `resolution` where that is here. */
  layers(key: string, view: View, resolution = 0): TrackSlices[] {
    const all = this.byTrack.get(key);
    if (!all) return [];
    const drawn = this.drawn(all, view, resolution);
    this.clock++;
    // The coarsest is what is left to show when the view goes elsewhere.
    for (const slices of [all[0]!, ...drawn]) this.homes.get(slices)!.used = this.clock;
    return drawn;
  }

  private drawn(all: readonly TrackSlices[], view: View, resolution: number): TrackSlices[] {
    const clipped = this.clipped(view);
    const enough = all.find((s) => covers(s.window, clipped) && (s.exact || s.asked <= resolution));
    if (enough) return [enough];
    const here = all.filter(({ window }) => window.start < view.end && window.end > view.start);
    const visible = here.filter(({ window }, i) => {
      const seen = { start: Math.max(window.start, clipped.start), end: Math.min(window.end, clipped.end) };
      return !here.some((finer, j) => j > i && covers(finer.window, seen));
    });
    return visible.length > LAYERS_MAX ? [visible[0]!, ...visible.slice(1 - LAYERS_MAX)] : visible;
  }

  private clipped({ start, end }: View): View {
    return { start: Math.max(start, this.span.start), end: Math.min(end, this.span.end) };
  }

  /** Whether a view of a track can be drawn as finely as the screen is. */
  private has(key: string, view: View, resolution: number): boolean {
    const clipped = this.clipped(view);
    return (this.byTrack.get(key) ?? []).some((s) => covers(s.window, clipped) && (s.exact || s.asked <= resolution));
  }

  /** One request for what the view lacks of these tracks, of very many for the first; null when nothing is missing. */
  missing(tracks: readonly Track[], view: View, width: number): Request | null {
    const wanted = resolutionOf(view, width);
    const lacking = tracks.filter((track) => track.events && !this.has(track.key, view, wanted));
    if (!lacking.length || width < 1) return null;
    const margin = MARGIN * length(view);
    const grid = GRID * wanted;
    const start = Math.max(Math.floor((view.start - margin) / grid) * grid, Math.floor(this.span.start));
    const end = Math.min(Math.ceil((view.end + margin) / grid) * grid, Math.ceil(this.span.end));
    const window = { start, end: Math.max(end, start + 1) };
    const pixels = Math.max(1, Math.min(WIDTH_MAX, Math.floor(length(window) / wanted)));
    const options = {
      start_ps: String(window.start),
      end_ps: String(window.end),
      width: String(pixels),
      tracks: ranges(askable(lacking)),
    };
    return { options, asked: wanted };
  }

  /**
   * What the view may need next, the likeliest first: tracks above and below (`near`), what lies closer, beside, around.
   * To be asked for one at a time, while nothing is missing.
   */
  ahead(tracks: readonly Track[], near: readonly Track[], view: View, width: number): Request[] {
    const views = [
      zoomed(view, 0.5, 0.5, this.span),
      panned(view, BESIDE, this.span),
      panned(view, -BESIDE, this.span),
      zoomed(view, 3, 0.5, this.span),
    ];
    const requests = [this.missing(near, view, width), ...views.map((next) => this.missing(tracks, next, width))];
    const distinct = new Map<string, Request>();
    for (const request of requests) if (request) distinct.set(JSON.stringify(request.options), request);
    return [...distinct.values()];
  }
}

/** Tracks of one request at most. */
const TRACKS = 2000;

type Ask = (options: Record<string, string>) => Promise<Answer>;

/** Keys of the tracks with an event there. An answer may leave out tracks, which are asked for again. */
export async function busyTracks(ask: Ask, tracks: readonly Track[], view: View): Promise<ReadonlySet<string>> {
  const busy = new Set<string>();
  let left = [...tracks];
  while (left.length) {
    const now = askable(left.slice(0, TRACKS));
    const [start_ps, end_ps] = [String(Math.floor(view.start)), String(Math.ceil(view.end))];
    const answer = await ask({ start_ps, end_ps, width: "1", tracks: ranges(now) });
    const { host = [], track = [], shown = [], merged = [] } = answer.tables["window_tracks"]?.columns ?? {};
    const answered = new Set<string>();
    for (let i = 0; i < track.length; i++) {
      const key = keyOf(String(host[i]), Number(track[i]));
      answered.add(key);
      if (Number(shown[i]) + Number(merged[i]) > 0) busy.add(key);
    }
    if (!answered.size) return busy;
    left = left.filter((one) => !answered.has(one.key));
  }
  return busy;
}
