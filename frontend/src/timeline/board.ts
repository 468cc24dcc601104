// The state of one timeline: what is looked at, what is chosen, which tracks there are. The canvas and the parts of the
// page around it follow it.
import type { ApiError } from "../api";
import type { ColumnsAnswer } from "../columns";
import { Asks } from "../asks";
import type { Api } from "../page";
import type { Answer } from "../types";
import type { Choices } from "./choices";
import { type Clock, clocksOf } from "./host_clocks";
import type { Compared } from "./compare";
import { Feed } from "./feed";
import { Motion } from "./motion";
import type { Proof, Stretches } from "./proof";
import { around, clamped, overlaps, panned, type View, zoomed } from "./scale";
import {
  type Area,
  type Arrow,
  type Colours,
  type Highlight,
  type Mark,
  RULER,
  type Scene,
  type Slice,
  type Step,
} from "./scene";
import { busyTracks, resolutionOf, Store } from "./store";
import { detectionOf, type StepDetection, stepsOf } from "./steps";
import type { TrackList } from "./track_list";
import { TrackState } from "./track_state";
import { GAP, type Group, type Layout, rowsBetween, topOf, type Track } from "./tracks";

/** How much of the width a slice takes that was jumped to; what is shorter than the least is shown as if it were as long. */
const JUMP_SHARE = 0.2;
const JUMP_LEAST_PS = 200_000;
/** What is zoomed to fills this much of the width. */
const FIT_SHARE = 0.8;
/** Pinned tracks stay at the top as long as they leave this much of the height. */
const PINNED_SHARE = 0.5;
/** So many screens above and below, tracks are asked for ahead. */
const NEAR_SHARE = 1;
/** Steps take the server a while, and the first screen goes before. */
const STEPS_MS = 300;

/** What is asked for, worded for a message that it is not there. */
const [STEPS, TRACKS, DERIVED, BUSY] = ["steps", "tracks", "derived tracks", "tracks with events in the range"];
/** The event that is to be selected. */
export const EVENT = "event";

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
  area: Area | null = null;
  marks: readonly Mark[] = [];
  /** Two stretches of time that are compared. */
  compared: Compared | null = null;
  /** What the number of another page that is searched for was made of. */
  proof: Proof | null = null;
  /** Idle gaps of the area, while these are listed. */
  gaps: readonly Stretches[] = [];
  highlight: Highlight | null = null;
  arrows: readonly Arrow[] = [];
  colours: Colours = "name";
  steps: readonly Step[] = [];
  clocks: readonly Clock[] = [];
  /** How the steps were found; null where there are none, or it is unknown. */
  stepDetection: StepDetection | null = null;
  /** The server has answered with the steps, or that there are none. */
  stepsKnown = false;
  /** Key of a track → how many hits the search has on it. */
  hits: ReadonlyMap<string, number> = new Map();
  /** Where the pointer is, as a share of the width: what zooms by key stays there. */
  pointer: number | null = null;
  /** The edge that the pointer snaps to. */
  guide: number | null = null;
  /** The pointer drags: what it changes is not what it will leave. */
  isHeld = false;
  /** Some tracks are derived: a search finds what is on them, too. */
  hasDerived = false;
  /** A drag of the pointer selects an area, and does not move the view. */
  selects = false;
  /** The capture, from its begin to its end. */
  readonly span: View;
  /** What is shown at first: all, or the window of what is chosen for every page. */
  readonly home: View;
  /** What the view stays within; more than the capture where it follows another one's. */
  bounds: View;
  /** Where times are counted from. */
  origin: number;
  readonly store: Store;
  readonly trackCount: number;
  readonly hostCount: number;
  /** What is added to times that count from a host's own start. */
  readonly offsets: ReadonlyMap<string, number>;
  /** What is asked for beside the slices, until it is answered. */
  readonly asks = new Asks(() => this.changed());
  readonly motion = new Motion(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  private readonly tracks = new TrackState();
  private readonly originNs: string | null;
  /** How the hosts' clocks were corrected. */
  private readonly shifts: string;
  private readonly feed: Feed;
  private readonly listeners = new Set<() => void>();
  private readonly life = new AbortController();
  private frame = 0;
  private listing = true;

  constructor(
    private readonly api: Api,
    first: ColumnsAnswer,
    width: number,
    /** What is chosen for every page: what numbers of other pages were made of is of that. */
    private readonly chosen: Record<string, string> = {},
  ) {
    const summary = first.summary;
    this.span = { start: Number(summary["span_start_ps"] ?? 0), end: Number(summary["span_end_ps"] ?? 1) };
    this.bounds = this.span;
    this.origin = this.span.start;
    this.originNs = summary["origin_ns"] === null ? null : String(summary["origin_ns"]);
    this.shifts = String(summary["shifts"] ?? "");
    this.hostCount = first.hosts.length;
    this.trackCount = Number(summary["track_count"] ?? 0);
    const { host = [], offset_ps = [] } = first.tables["hosts"]?.columns ?? {};
    this.offsets = new Map([...host].map((name, i) => [String(name), Number(offset_ps[i])]));
    const { window_start_ps, window_end_ps } = summary;
    const window = { start: Number(window_start_ps ?? 0), end: Number(window_end_ps ?? 0) };
    this.home = window.end > window.start ? window : this.span;
    this.view = this.home;
    this.store = new Store(this.span);
    // What a report holds is for the widest screen.
    const finest = Number(summary["resolution_ps"] ?? Infinity);
    this.store.put(first, Math.min(finest, resolutionOf(this.home, width)));
    this.feed = this.feeding();
    this.tracks.add(first.tables["tracks"]);
    this.lay();
    void this.listTracks();
    setTimeout(() => void this.listSteps(), STEPS_MS);
  }

  get list(): TrackList {
    return this.tracks.list;
  }

  get choices(): Choices {
    return this.tracks.choices;
  }

  get layout(): Layout {
    return this.tracks.layout;
  }

  get groups(): readonly Group[] {
    return this.tracks.list.groups;
  }

  /** All tracks are known: what names one finds it. */
  get isListed(): boolean {
    return !this.listing || this.asks.isStuck(DERIVED);
  }

  get loading(): boolean {
    return this.feed.loading;
  }

  get error(): ApiError | null {
    return this.feed.error;
  }

  /** Height of the rows that scroll, on the screen. */
  get room(): number {
    return Math.max(0, this.height - RULER - this.layout.pinnedHeight);
  }

  /** Calls back, at most once a frame, after anything changed. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  dispose(): void {
    this.life.abort();
    this.asks.dispose();
    this.feed.dispose();
    cancelAnimationFrame(this.frame);
    this.listeners.clear();
  }

  /** Options with the clock that all times of this timeline are of. */
  options(options: Record<string, string>): Record<string, string> {
    if (this.originNs === null || this.hostCount < 2) return options;
    return { ...options, origin_ns: this.originNs, ...(this.shifts ? { shifts: this.shifts } : {}) };
  }

  ask(options: Record<string, string>, signal: AbortSignal = this.life.signal): Promise<Answer> {
    return this.api.data(this.options({ ...(options["match"] === "row" ? this.chosen : {}), ...options }), signal);
  }

  /** Address of the same answer. */
  url(options: Record<string, string>): string {
    return this.api.url(this.options(options));
  }

  /** Draws again with the next frame; what moves goes on then. */
  changed(): void {
    if (this.life.signal.aborted) return;
    this.frame ||= requestAnimationFrame((now) => {
      this.frame = 0;
      if (this.motion.isActive) {
        this.hover = null;
        this.look(this.motion.advance(this.view, this.bounds, now));
      }
      for (const listener of this.listeners) listener();
    });
  }

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    const seen = this.selected && this.onScreen(this.selected.track, this.selected.depth);
    this.width = width;
    this.height = height;
    if (this.choices.pin.length) this.lay();
    this.scrollTo(this.scroll);
    if (seen && this.selected) this.reveal(this.selected.track, this.selected.depth);
  }

  look(view: View): void {
    this.view = clamped(view, this.bounds);
    this.want();
  }

  zoom(factor: number, share = 0.5): void {
    this.look(zoomed(this.view, factor, share, this.bounds));
  }

  pan(share: number): void {
    this.look(panned(this.view, share, this.bounds));
  }

  scrollTo(top: number): void {
    this.scroll = Math.max(0, Math.min(top, this.layout.height - this.room));
    this.want();
  }

  choose(slice: Slice | null): void {
    this.asks.drop(EVENT);
    this.selected = slice;
    this.changed();
  }

  /** Other tracks, or others of them open; a change of what "busy" is about asks which are. */
  setChoices(choices: Choices): void {
    const { tracks } = this;
    const { busy } = choices;
    const isOther = busy?.start !== tracks.choices.busy?.start || busy?.end !== tracks.choices.busy?.end;
    tracks.choices = choices;
    if (isOther) tracks.busy = null;
    if (isOther) this.asks.drop(BUSY);
    if (isOther && busy) void this.findBusy(busy);
    this.lay();
  }

  toggle(key: string): void {
    this.setChoices(this.tracks.withOpen(key, !this.tracks.isOpen(key)));
  }

  /** Opens or closes all groups. */
  openAll(open: boolean): void {
    this.setChoices(this.tracks.withAllOpen(open));
  }

  /** Brings a track's lane onto the screen, whatever hides it. */
  reveal(track: Track, depth: number): void {
    if (!this.layout.byTrack.has(track.key)) this.setChoices(this.tracks.withShown(track));
    const row = this.layout.byTrack.get(track.key);
    if (!row || row.pinned || this.onScreen(track, depth)) return;
    this.scrollTo(row.top + depth * row.lane - this.room / 3);
  }

  /** Whether a track's first lane is on the screen. */
  sees(track: Track): boolean {
    return this.onScreen(track, 0);
  }

  private onScreen(track: Track, depth: number): boolean {
    const row = this.layout.byTrack.get(track.key);
    if (!row) return false;
    const y = topOf(this.layout, row, this.scroll) + depth * row.lane;
    return y >= (row.pinned ? 0 : this.layout.pinnedHeight) && y + row.lane + GAP <= this.height - RULER;
  }

  /** Brings a slice onto the screen, large enough to be seen. */
  jump(slice: Slice): void {
    // What the pointer was over is not there any more.
    this.hover = null;
    const end = slice.start + Math.max(slice.duration, JUMP_LEAST_PS);
    const share = (end - slice.start) / (this.view.end - this.view.start);
    const visible = overlaps(this.view, slice.start, slice.start + Math.max(slice.duration, 1));
    if (!visible || share < 0.005 || share > 1) this.look(around(slice.start, end, JUMP_SHARE, this.span));
    this.reveal(slice.track, slice.depth);
  }

  /** Zoom to the area, the range, or the selected slice. */
  fit(): void {
    const { area, range, selected } = this;
    const view = area?.view ?? range;
    if (view) this.look(area ? around(view.start, view.end, FIT_SHARE, this.span) : view);
    else if (selected) this.look(around(selected.start, selected.start + selected.duration, FIT_SHARE, this.span));
  }

  track(key: string): Track | null {
    return this.list.track(key);
  }

  /** Ask again, now, for all that could not be had. */
  again(): void {
    this.asks.again();
    if (this.error) this.feed.again();
  }

  /** Ask, soon, for what the screen lacks. */
  want(): void {
    this.changed();
    this.feed.want();
  }

  private feeding(): Feed {
    const isShown = (): boolean =>
      this.width > 0 && this.height > 0 && overlaps(this.view, this.span.start, this.span.end);
    return new Feed({
      missing: () => (isShown() ? this.store.missing(this.tracksWithin(0), this.view, this.width) : null),
      ahead: () => {
        const [tracks, near] = [this.tracksWithin(0), this.tracksWithin(NEAR_SHARE)];
        return isShown() ? this.store.ahead(tracks, near, this.view, this.width) : [];
      },
      view: () => this.view,
      ask: ({ options }, signal) => this.api.columns(this.options(options), signal),
      receive: (answer, { asked }) => this.store.put(answer, asked),
      changed: () => this.changed(),
    });
  }

  /** Tracks on the screen, and on a share of its height above and below. */
  private tracksWithin(share: number): Track[] {
    const [above, below] = [this.scroll - share * this.room, this.scroll + (1 + share) * this.room];
    return [...this.layout.pinned, ...rowsBetween(this.layout, above, below)].flatMap(({ track }) => track ?? []);
  }

  private async findBusy(busy: View): Promise<void> {
    const busyKeys = await this.asks.ask(BUSY, (signal) =>
      busyTracks((options) => this.ask(options, signal), [...this.list.all()], busy),
    );
    if (!busyKeys) return;
    this.tracks.busy = busyKeys;
    this.lay();
  }

  private async listSteps(): Promise<void> {
    if (this.life.signal.aborted) return;
    const answer = await this.asks.ask(STEPS, (signal) => this.ask({ list_steps: "true" }, signal));
    if (!answer) return;
    this.stepsKnown = true;
    [this.steps, this.clocks] = [stepsOf(answer), clocksOf(answer)];
    this.stepDetection = detectionOf(answer);
    this.changed();
  }

  /** The rest of the tracks, where one answer did not hold them all. */
  private async listTracks(): Promise<void> {
    while (this.list.listed > 0 && this.list.listed < this.trackCount) {
      const before = this.list.listed;
      const answer = await this.asks.ask(TRACKS, (signal) => this.ask({ tracks_from: String(before) }, signal));
      if (!answer) return;
      this.tracks.add(answer.tables["tracks"]);
      this.lay();
      if (this.list.listed === before) break;
    }
    if (await this.listDerived()) this.layInPlace();
    if (this.life.signal.aborted) return;
    this.listing = false;
    this.changed();
  }

  /** All tracks again with those that the server derives, which takes it longer; whether there are any. */
  private async listDerived(): Promise<boolean> {
    const tables: Parameters<TrackList["add"]>[0][] = [];
    let listed = 0;
    let count = 0;
    do {
      const options = { tracks_from: String(listed), derived: "true" };
      const answer = await this.asks.ask(DERIVED, (signal) => this.ask(options, signal));
      const table = answer?.tables["tracks"];
      const rows = table?.columns["track"]?.length ?? 0;
      if (this.life.signal.aborted || !answer || !table || !rows) return false;
      tables.push(table);
      listed += rows;
      count = Number(answer.summary["derived_track_count"] ?? 0);
      if (!count) return false;
    } while (listed < this.trackCount + count);
    this.tracks.replace(tables);
    this.hasDerived = true;
    return true;
  }

  /** As `lay`; what is at the top of the screen stays there. */
  private layInPlace(): void {
    const [before] = this.scroll ? rowsBetween(this.layout, this.scroll, this.scroll + 1) : [];
    const scrolled = this.scroll;
    this.lay();
    const after = before && this.layout.rows.find((row) => row.key === before.key);
    if (before && after) this.scrollTo(scrolled + after.top - before.top);
  }

  private lay(): void {
    this.tracks.lay(this.height ? PINNED_SHARE * (this.height - RULER) : Infinity);
    this.scrollTo(this.scroll);
  }
}
