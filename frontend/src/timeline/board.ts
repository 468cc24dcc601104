// The state of one timeline: what is looked at, what is chosen, what is being asked for. The canvas and the parts of the
// page around it follow it.
import type { ApiError } from "../api";
import { asApiError } from "../answer";
import type { Api } from "../page";
import type { Answer, TableData } from "../types";
import { around, clamped, overlaps, panned, zoomed, type View } from "./scale";
import { RULER, type Scene, type Slice } from "./scene";
import { resolutionOf, Store, type Request } from "./store";
import { GAP, joined, LANE, layout, processesOf, rowsBetween, type Layout, type Process, type Track } from "./tracks";

/** Between the last change of the view and the request for it. */
const DEBOUNCE_MS = 70;
/** More tracks than this begin closed. */
const OPEN_MAX = 300;
/** How much of the width a slice takes that was jumped to; what is shorter than the least is shown as if it were as long. */
const JUMP_SHARE = 0.2;
const JUMP_LEAST_PS = 200_000;

let made = 0;

export class Board implements Scene {
  readonly id = made++;
  width = 0;
  height = 0;
  view: View;
  scroll = 0;
  hover: Slice | null = null;
  selected: Slice | null = null;
  range: View | null = null;
  needle = "";
  found: ReadonlySet<string> = new Set();
  /** Key of a track → how many hits the search has on it. */
  hits: ReadonlyMap<string, number> = new Map();
  layout: Layout;
  processes: Process[];
  loading = false;
  error: ApiError | null = null;
  readonly span: View;
  readonly origin: number;
  readonly store: Store;
  readonly closed = new Set<string>();
  readonly hostCount: number;
  /** What is added to times that count from a host's own start. */
  readonly offsets: ReadonlyMap<string, number>;
  private readonly originNs: string | null;
  private readonly pages: TableData[];
  private readonly listeners = new Set<() => void>();
  private readonly life = new AbortController();
  private flight: { key: string; abort: AbortController } | null = null;
  private timer = 0;
  private frame = 0;

  constructor(
    private readonly api: Api,
    first: Answer,
    width: number,
  ) {
    const summary = first.summary;
    this.span = { start: Number(summary["span_start_ps"] ?? 0), end: Number(summary["span_end_ps"] ?? 1) };
    this.origin = this.span.start;
    this.originNs = summary["origin_ns"] === null ? null : String(summary["origin_ns"]);
    this.hostCount = first.hosts.length;
    const { host = [], offset_ps = [] } = first.tables["hosts"]?.columns ?? {};
    this.offsets = new Map(host.map((name, i) => [String(name), Number(offset_ps[i])]));
    this.view = this.span;
    this.store = new Store(this.span);
    this.store.put(first, resolutionOf(this.span, width));
    this.pages = first.tables["tracks"] ? [first.tables["tracks"]] : [];
    this.processes = processesOf(joined(this.pages), this.hostCount);
    this.close();
    this.layout = layout(this.processes, this.closed);
    void this.listTracks(Number(summary["track_count"] ?? 0));
  }

  /** Calls back, at most once a frame, after anything changed. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  dispose(): void {
    this.life.abort();
    this.flight?.abort.abort();
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.listeners.clear();
  }

  /** Asks with the clock that all times of this timeline are of. */
  ask(options: Record<string, string>, signal: AbortSignal = this.life.signal): Promise<Answer> {
    return this.api.data(
      this.originNs === null || this.hostCount < 2 ? options : { ...options, origin_ns: this.originNs },
      signal,
    );
  }

  changed(): void {
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        for (const listener of this.listeners) listener();
      });
    }
  }

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    const seen = this.selected && this.onScreen(this.selected.track, this.selected.depth);
    this.width = width;
    this.height = height;
    this.scrollTo(this.scroll);
    if (seen && this.selected) this.reveal(this.selected.track, this.selected.depth);
  }

  look(view: View): void {
    this.view = clamped(view, this.span);
    this.want();
  }

  zoom(factor: number, share = 0.5): void {
    this.look(zoomed(this.view, factor, share, this.span));
  }

  pan(share: number): void {
    this.look(panned(this.view, share, this.span));
  }

  scrollTo(top: number): void {
    this.scroll = Math.max(0, Math.min(top, this.layout.height - (this.height - RULER)));
    this.want();
  }

  search(text: string, hits: ReadonlyMap<string, number>, found: ReadonlySet<string>): void {
    this.needle = text.toLowerCase();
    this.hits = hits;
    this.found = found;
    this.changed();
  }

  toggle(process: Process): void {
    if (!this.closed.delete(process.key)) this.closed.add(process.key);
    this.lay();
  }

  /** Brings a track's lane onto the screen, opening its process. */
  reveal(track: Track, depth: number): void {
    const process = this.processes.find((p) => p.tracks.some((t) => t.key === track.key));
    if (process && this.closed.delete(process.key)) this.lay();
    const row = this.layout.byTrack.get(track.key);
    if (row && !this.onScreen(track, depth)) this.scrollTo(row.top + depth * LANE - (this.height - RULER) / 3);
  }

  private onScreen(track: Track, depth: number): boolean {
    const row = this.layout.byTrack.get(track.key);
    const top = row ? row.top + depth * LANE : -1;
    return top >= this.scroll && top + LANE + GAP <= this.scroll + this.height - RULER;
  }

  /** Brings a slice onto the screen, large enough to be seen. */
  jump(slice: Slice): void {
    const end = slice.start + Math.max(slice.duration, JUMP_LEAST_PS);
    const share = (end - slice.start) / (this.view.end - this.view.start);
    const visible = overlaps(this.view, slice.start, slice.start + Math.max(slice.duration, 1));
    if (!visible || share < 0.005 || share > 1) this.look(around(slice.start, end, JUMP_SHARE, this.span));
    this.reveal(slice.track, slice.depth);
  }

  /** Zoom to the range, or to the selected slice. */
  fit(): void {
    if (this.range) this.look(this.range);
    else if (this.selected)
      this.look(around(this.selected.start, this.selected.start + this.selected.duration, 0.8, this.span));
  }

  track(key: string): Track | null {
    for (const process of this.processes) {
      const found = process.tracks.find((t) => t.key === key);
      if (found) return found;
    }
    return null;
  }

  /** Ask, after a moment of rest, for what the screen lacks. */
  want(): void {
    this.changed();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.request(), DEBOUNCE_MS);
  }

  private tracksWanted(): Track[] {
    const room = this.height - RULER;
    return rowsBetween(this.layout, this.scroll - room / 2, this.scroll + 1.5 * room).flatMap((row) =>
      row.track ? [row.track] : [],
    );
  }

  private request(): void {
    const request =
      this.width > 0 && this.height > 0 ? this.store.missing(this.tracksWanted(), this.view, this.width) : null;
    const key = request ? JSON.stringify(request.options) : "";
    if (key === (this.flight?.key ?? "")) return;
    this.flight?.abort.abort();
    this.flight = request && { key, abort: new AbortController() };
    this.loading = request !== null;
    this.changed();
    if (request) void this.receive(request, this.flight!.abort.signal);
  }

  private async receive(request: Request, signal: AbortSignal): Promise<void> {
    try {
      const answer = await this.ask(request.options, signal);
      if (signal.aborted) return;
      this.store.put(answer, request.asked);
      this.error = null;
      this.flight = null;
      this.loading = false;
      if (answer.tables["window_tracks"]?.columns["track"]?.length) this.want();
    } catch (reason) {
      if (signal.aborted) return;
      this.error = asApiError(reason);
      this.loading = false;
      this.changed();
    }
  }

  /** The rest of the tracks, where one answer did not hold them all. */
  private async listTracks(count: number): Promise<void> {
    let listed = this.pages[0]?.columns["track"]?.length ?? 0;
    while (listed > 0 && listed < count && !this.life.signal.aborted) {
      const answer = await this.ask({ tracks_from: String(listed) }).catch(() => null);
      const page = answer?.tables["tracks"];
      const more = page?.columns["track"]?.length ?? 0;
      if (!page || !more) return;
      this.pages.push(page);
      listed += more;
      this.processes = processesOf(joined(this.pages), this.hostCount);
      this.lay();
    }
  }

  private close(): void {
    let open = 0;
    for (const process of this.processes) {
      open += process.tracks.length;
      if (open > OPEN_MAX && process !== this.processes[0]) this.closed.add(process.key);
    }
  }

  private lay(): void {
    this.layout = layout(this.processes, this.closed);
    this.scrollTo(this.scroll);
  }
}
