// The `tracks` table, page by page → groups of tracks.
import { groupKey, isOfValues, keyOf, type Group, type Track } from "./tracks";

/** A table as JSON has it, or with typed arrays. */
interface Table {
  columns: Readonly<Record<string, ArrayLike<unknown>>>;
}

/** All tracks that have been listed so far. */
export class TrackList {
  /** In the order of their first tracks. */
  readonly groups: Group[] = [];
  /** How many tracks were listed, those without events among them. */
  listed = 0;
  /** How many of them hold events: others are not kept. */
  kept = 0;
  private readonly byKey = new Map<string, Group>();
  private readonly tracks = new Map<string, Track>();

  /** A page goes on where the one before ended: its first tracks may belong to a known group. */
  add({ columns }: Table): void {
    const text = (name: string, i: number): string => String(columns[name]?.[i] ?? "");
    const number = (name: string, i: number): number => Number(columns[name]?.[i] ?? 0);
    const count = columns["track"]?.length ?? 0;
    for (let i = 0; i < count; i++) {
      const [host, row, events] = [text("host", i), number("track", i), number("events", i)];
      const process = text("process", i);
      const group = this.group(host, text("group", i) || process || "(no name)", process, text("process_kind", i));
      const key = keyOf(host, row);
      const [name, kind] = [text("name", i) || `track ${row}`, text("kind", i)];
      if (!events && !isOfValues({ kind })) continue;
      const track: Track = { key, host, row, name, kind, lanes: number("lanes", i), events, group: group.key };
      group.tracks.push(track);
      group.events += events;
      this.tracks.set(key, track);
      this.kept++;
    }
    this.listed += count;
  }

  track(key: string): Track | null {
    return this.tracks.get(key) ?? null;
  }

  all(): IterableIterator<Track> {
    return this.tracks.values();
  }

  private group(host: string, name: string, process: string, kind: string): Group {
    const key = groupKey(host, name);
    let group = this.byKey.get(key);
    if (!group) {
      group = { key, host, name, process, kind, tracks: [], events: 0 };
      this.byKey.set(key, group);
      this.groups.push(group);
    }
    if (group.process !== process) group.process = "";
    return group;
  }
}
