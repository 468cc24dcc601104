// What a person chose of the tracks: what is hidden, pinned, folded, in which order. Values that are replaced, never changed.
import type { View } from "./scale";
import type { Group, Track } from "./tracks";

export interface Choices {
  /** Words that a track's name, group or host must hold, or `/regular expression/`. */
  filter: string;
  /** Only tracks with an event in this stretch of time. */
  busy: View | null;
  /** Keys of tracks that stay at the top, in order. */
  pin: readonly string[];
  /** Keys of tracks, groups and hosts that are not shown. */
  hide: ReadonlySet<string>;
  /** Keys of groups and hosts that are closed or open against what they would be. */
  fold: ReadonlySet<string>;
  unfold: ReadonlySet<string>;
  /** Keys of tracks and groups that are compact against what they would be. */
  compact: ReadonlySet<string>;
  /** Key of what was moved → key of what it stands before; empty for the end. */
  order: ReadonlyMap<string, string>;
}

export const NONE: Choices = {
  filter: "",
  busy: null,
  pin: [],
  hide: new Set(),
  fold: new Set(),
  unfold: new Set(),
  compact: new Set(),
  order: new Map(),
};

/** A track with more lanes than this is compact at first. */
const DEEP = 60;

function withKey(keys: ReadonlySet<string>, key: string, there: boolean): ReadonlySet<string> {
  const next = new Set(keys);
  if (there) next.add(key);
  else next.delete(key);
  return next;
}

export function isOpen({ fold, unfold }: Choices, key: string, atFirst: boolean): boolean {
  return atFirst ? !fold.has(key) : unfold.has(key);
}

export function withOpen(choices: Choices, key: string, open: boolean, atFirst: boolean): Choices {
  return atFirst
    ? { ...choices, fold: withKey(choices.fold, key, !open) }
    : { ...choices, unfold: withKey(choices.unfold, key, open) };
}

export function isCompact({ compact }: Choices, track: Track): boolean {
  return [track.lanes > DEEP, compact.has(track.key), compact.has(track.group)].filter(Boolean).length % 2 === 1;
}

export function withPin(choices: Choices, key: string, there: boolean): Choices {
  const pin = choices.pin.filter((other) => other !== key);
  return { ...choices, pin: there ? [...pin, key] : pin };
}

export function withHidden(choices: Choices, key: string, there = true): Choices {
  return { ...choices, hide: withKey(choices.hide, key, there) };
}

/** The other height than now. */
export function withCompact(choices: Choices, key: string): Choices {
  return { ...choices, compact: withKey(choices.compact, key, !choices.compact.has(key)) };
}

/** Everything of a group but one track is hidden. */
export function withOnly(choices: Choices, group: Group, key: string): Choices {
  return {
    ...choices,
    hide: new Set([...choices.hide, ...group.tracks.map((track) => track.key).filter((k) => k !== key)]),
  };
}

/** Puts one before another of the same list, or at its end. */
export function withMove(choices: Choices, key: string, before: string): Choices {
  if (key === before) return choices;
  if (choices.pin.includes(key)) {
    const pin = choices.pin.filter((other) => other !== key);
    const at = pin.indexOf(before);
    return { ...choices, pin: at < 0 ? [...pin, key] : [...pin.slice(0, at), key, ...pin.slice(at)] };
  }
  const order = new Map(choices.order);
  order.delete(key);
  return { ...choices, order: order.set(key, before) };
}

/** All tracks again, where they were; what is folded and compact stays. */
export function restored({ fold, unfold, compact }: Choices): Choices {
  return { ...NONE, fold, unfold, compact };
}

export function isRestored({ filter, busy, pin, hide, order }: Choices): boolean {
  return !filter && !busy && !pin.length && !hide.size && !order.size;
}
