// What tracks and groups are, where their rows lie on a tall page, and the rows as words of an address.

export interface Track {
  /** `host:row`, the host percent-encoded: what the server takes and the address holds. */
  key: string;
  host: string;
  row: number;
  name: string;
  kind: string;
  lanes: number;
  events: number;
  /** Key of its group. */
  group: string;
}

/** Tracks of one host that belong together: threads of the host, streams of a device. */
export interface Group {
  /** `host/name`, both percent-encoded. */
  key: string;
  host: string;
  name: string;
  /** The plane that its tracks were recorded as; empty where they are of several. */
  process: string;
  kind: string;
  tracks: Track[];
  events: number;
}

export const HEADER = 24;
export const LANE = 18;
export const GAP = 6;
/** A compact track is as high as this, if its lanes fit in that; a lane has at most this height, and at least a pixel. */
const COMPACT_HEIGHT = 48;
const COMPACT_LANE = 6;
/** Of a track of values. */
const VALUES = 36;

export interface Row {
  /** Pixels from the top of the page, or of the pinned rows. */
  top: number;
  height: number;
  /** Height of one lane. */
  lane: number;
  level: "host" | "group" | "track";
  key: string;
  host: string;
  group: Group | null;
  track: Track | null;
  pinned: boolean;
  /** Of a header: whether what it heads is shown. */
  open: boolean;
  /** Of a header: tracks below it, also where it is closed. */
  shown: number;
}

export interface Layout {
  rows: Row[];
  height: number;
  /** Rows that stay at the top while the others scroll, and their height. */
  pinned: Row[];
  pinnedHeight: number;
  /** Key of a track → its row, if its group is open. */
  byTrack: Map<string, Row>;
  /** Tracks that are shown or would be, were all groups open. */
  shown: number;
}

/** Which tracks there are to lay out, in order. */
export interface Arranged {
  pinned: readonly Track[];
  /** Whether there are several hosts, be they shown or not: then each has a header. */
  isMany: boolean;
  hosts: readonly { host: string; key: string; groups: readonly { group: Group; tracks: readonly Track[] }[] }[];
}

interface Folds {
  isOpen(key: string): boolean;
  isCompact(track: Track): boolean;
}

export function keyOf(host: string, row: number): string {
  return `${encodeURIComponent(host)}:${row}`;
}

export function groupKey(host: string, name: string): string {
  return `${encodeURIComponent(host)}/${encodeURIComponent(name)}`;
}

/** Whether it shows values over time, and no slices. */
export function isOfValues({ kind }: Pick<Track, "kind">): boolean {
  return kind === "counter" || kind === "memory";
}

function laneHeight(lanes: number, compact: boolean): number {
  return compact ? Math.max(1, Math.min(COMPACT_LANE, Math.floor(COMPACT_HEIGHT / Math.max(lanes, 1)))) : LANE;
}

type Place = Pick<Row, "level" | "key" | "host" | "open" | "shown"> & Partial<Pick<Row, "group" | "track" | "pinned">>;

function headerAt(top: number, place: Place): Row {
  return { group: null, track: null, pinned: false, ...place, top, height: HEADER, lane: LANE };
}

function trackAt(top: number, track: Track, group: Group | null, compact: boolean, pinned: boolean): Row {
  const lane = laneHeight(track.lanes, compact);
  const height = Math.max(track.lanes * lane, isOfValues(track) && !compact ? VALUES : LANE) + GAP;
  const { key, host } = track;
  return { top, height, lane, level: "track", key, host, group, track, pinned, open: true, shown: 0 };
}

/** Rows from top to bottom. Pinned ones stay at the top as long as they are not higher than `pinnedMax` together. */
export function layout({ pinned, hosts, isMany }: Arranged, folds: Folds, pinnedMax = Infinity): Layout {
  const made: Layout = { rows: [], height: 0, pinned: [], pinnedHeight: 0, byTrack: new Map(), shown: 0 };
  const add = (row: Row): void => {
    made.rows.push(row);
    made.height += row.height;
    if (row.track) made.byTrack.set(row.key, row);
  };
  let fits = true;
  for (const track of pinned) {
    const row = trackAt(made.pinnedHeight, track, null, folds.isCompact(track), true);
    fits &&= row.top + row.height <= pinnedMax;
    made.shown++;
    if (!fits) {
      add({ ...row, top: made.height, pinned: false });
      continue;
    }
    made.pinned.push(row);
    made.pinnedHeight += row.height;
    made.byTrack.set(row.key, row);
  }
  for (const { host, key, groups } of hosts) {
    const shown = groups.reduce((sum, { tracks }) => sum + tracks.length, 0);
    made.shown += shown;
    const isOpen = !isMany || folds.isOpen(key);
    if (isMany) add(headerAt(made.height, { level: "host", key, host, open: isOpen, shown }));
    for (const { group, tracks } of isOpen ? groups : []) {
      const open = folds.isOpen(group.key);
      add(headerAt(made.height, { level: "group", key: group.key, host, group, open, shown: tracks.length }));
      for (const track of open ? tracks : []) add(trackAt(made.height, track, group, folds.isCompact(track), false));
    }
  }
  return made;
}

/** Rows that overlap top to bottom of the page; pinned ones are not on it. */
export function rowsBetween({ rows }: Pick<Layout, "rows">, top: number, bottom: number): Row[] {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle]!;
    if (row.top + row.height <= top) low = middle + 1;
    else high = middle;
  }
  const visible: Row[] = [];
  for (let i = low; i < rows.length && rows[i]!.top < bottom; i++) visible.push(rows[i]!);
  return visible;
}

/** A row on the screen; `y` counts from below the ruler. */
interface Placed {
  row: Row;
  y: number;
}

/** Where a row is, from below the ruler, also when that is not on the screen. */
export function topOf({ pinnedHeight }: Layout, row: Row, scroll: number): number {
  return row.pinned ? row.top : pinnedHeight + row.top - scroll;
}

/** Rows of a screen that is `room` pixels high below its ruler: those that scroll, then the pinned, which cover them. */
export function rowsOnScreen(layout: Layout, scroll: number, room: number): Placed[] {
  const scrolled = rowsBetween(layout, scroll, scroll + Math.max(0, room - layout.pinnedHeight));
  return [...scrolled, ...layout.pinned].map((row) => ({ row, y: topOf(layout, row, scroll) }));
}

/** The row at a height below the ruler. */
export function rowAt(layout: Layout, scroll: number, y: number): Placed | null {
  const row =
    y < layout.pinnedHeight
      ? rowsBetween({ rows: layout.pinned }, y, y + 1)[0]
      : rowsBetween(layout, y - layout.pinnedHeight + scroll, y - layout.pinnedHeight + scroll + 1)[0];
  return row ? { row, y: topOf(layout, row, scroll) } : null;
}

/** What names rows of one host. A plus is read as a dot. */
export const ROWS = "\\d+(?:-\\d+)?(?:[.+]\\d+(?:-\\d+)?)*";

/** `5, 3, 6, 7` → `3.5-7`. A dot is what no address has to escape. */
export function rowsText(rows: Iterable<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const before = ranges[ranges.length - 1];
    if (before && row <= before[1] + 1) before[1] = row;
    else ranges.push([row, row]);
  }
  return ranges.map(([first, last]) => (last > first ? `${first}-${last}` : String(first))).join(".");
}

/** At most so many of the rows that a text names. */
export function rowsOf(text: string, most: number): number[] {
  const rows: number[] = [];
  for (const part of text.split(/[.+]/)) {
    const [first = NaN, last = first] = part.split("-").map(Number);
    for (let row = first; row <= last && rows.length < most; row++) rows.push(row);
  }
  return rows;
}
