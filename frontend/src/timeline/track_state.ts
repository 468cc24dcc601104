// Which tracks there are and which of them are shown: the list, the choices, and the layout that both make.
import { arranged, closedAtFirst } from "./arrange";
import { isCompact, isOpen, NONE, withHidden, withOpen, type Choices } from "./choices";
import { TrackList } from "./track_list";
import { groupKey, layout, type Layout, type Track } from "./tracks";

export class TrackState {
  list = new TrackList();
  choices: Choices = NONE;
  layout: Layout;
  /** Keys of the tracks that are busy where the choices ask for such; null while that is not known. */
  busy: ReadonlySet<string> | null = null;
  private closed: ReadonlySet<string> = new Set();

  constructor() {
    this.layout = this.laid(Infinity);
  }

  /** A further page of the table of tracks. */
  add(table: Parameters<TrackList["add"]>[0] | undefined): void {
    if (table) this.list.add(table);
    this.closed = closedAtFirst(this.list.groups);
  }

  /** All tracks anew, such as with others among them. */
  replace(tables: readonly Parameters<TrackList["add"]>[0][]): void {
    this.list = new TrackList();
    for (const table of tables) this.list.add(table);
    this.closed = closedAtFirst(this.list.groups);
  }

  /** Lays the tracks out anew; pinned ones stay at the top as long as they are not higher than `pinnedMax`. */
  lay(pinnedMax: number): void {
    this.layout = this.laid(pinnedMax);
  }

  isOpen(key: string): boolean {
    return isOpen(this.choices, key, this.isOpenAtFirst(key));
  }

  /** The choices with one group or host open or closed. */
  withOpen(key: string, open: boolean, choices = this.choices): Choices {
    return withOpen(choices, key, open, this.isOpenAtFirst(key));
  }

  /** The choices with all groups open or closed. */
  withAllOpen(open: boolean): Choices {
    const keys = this.list.groups.map((group) => group.key);
    const closed = keys.filter((key) => this.closed.has(key));
    const fold = new Set(open ? [] : keys);
    return { ...this.choices, fold, unfold: new Set(open ? closed : []) };
  }

  /** The choices that show a track: as they are but for what hides it. */
  withShown(track: Track): Choices {
    const keys = [track.group, groupKey(track.host, "")];
    let choices = withHidden(this.choices, track.key, false);
    for (const key of keys) {
      choices = withHidden(choices, key, false);
      if (!isOpen(choices, key, this.isOpenAtFirst(key))) choices = this.withOpen(key, true, choices);
    }
    if (this.shows(choices, track)) return choices;
    const all = { ...choices, filter: "", busy: null };
    return this.closed.has(track.group) ? withOpen(all, track.group, true, false) : all;
  }

  private shows(choices: Choices, track: Track): boolean {
    return this.laid(Infinity, choices).byTrack.has(track.key);
  }

  /** Of few that match, all are shown. */
  private isOpenAtFirst(key: string): boolean {
    return !this.closed.has(key) || Boolean(this.choices.filter);
  }

  private laid(pinnedMax: number, choices = this.choices): Layout {
    const folds = {
      isOpen: (key: string) => isOpen(choices, key, this.isOpenAtFirst(key)),
      isCompact: (track: Track) => isCompact(choices, track),
    };
    const tracks = arranged(this.list.groups, (key) => this.list.track(key), choices, this.busy);
    return layout(tracks, folds, pinnedMax);
  }
}
