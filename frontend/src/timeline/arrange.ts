// Groups, choices and what a person types to filter → the tracks to lay out, in order.
import type { Choices } from "./choices";
import { PatternError, patternOf } from "./pattern";
import { type Arranged, type Group, groupKey, type Track } from "./tracks";

/** Whether a track's words match. */
type Filter = (text: string) => boolean;

/** Milliseconds that an expression may look at all tracks at once. */
const PATIENCE_MS = 1000;
/** Tracks between two looks at the clock. */
const STRIDE = 64;
/** What the text was made into that came last: all tracks are filtered anew with every change of any choice. */
let last: { text: string; pattern: Filter | null; why: string } = { text: "", pattern: null, why: "" };

/** `/…/` → the expression within; null where the text is words. */
function expressionOf(text: string): string | null {
  return /^\/(.+?)\/?$/s.exec(text)?.[1] ?? null;
}

function compiled(text: string): typeof last {
  if (last.text === text) return last;
  try {
    last = { text, pattern: patternOf(text), why: "" };
  } catch (reason) {
    if (!(reason instanceof PatternError)) throw reason;
    last = { text, pattern: null, why: reason.message };
  }
  return last;
}

/** Why a text is no filter; empty where it is one. */
export function whyNoFilter(text: string): string {
  const expression = expressionOf(text);
  return expression === null ? "" : compiled(expression).why;
}

/** As long as there is time all that match, then everything: an expression that takes too long is none any more. */
function timed({ text, pattern }: typeof last, now: () => number): Filter {
  const until = now() + PATIENCE_MS;
  let count = 0;
  return (name) => {
    if (++count % STRIDE === 0 && now() > until)
      last = { text, pattern: null, why: "The expression takes too long; use a simpler one." };
    return last.pattern === pattern ? pattern!(name) : true;
  };
}

/** `/…/` is a regular expression, everything else words that must all be there. Null where the expression is none. */
export function filterOf(text: string, now: () => number = () => performance.now()): Filter | null {
  const expression = expressionOf(text);
  if (expression !== null) return compiled(expression).pattern && timed(compiled(expression), now);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (name) => {
    const lower = name.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

/** Moves, the oldest first, of what has keys. */
function ordered<Kind>(things: readonly Kind[], keyOf: (thing: Kind) => string, order: Choices["order"]): Kind[] {
  const moved = things.filter((thing) => order.has(keyOf(thing)));
  if (!moved.length) return [...things];
  const byKey = new Map(moved.map((thing) => [keyOf(thing), thing]));
  let ordered = [...things];
  for (const [key, before] of order) {
    const thing = byKey.get(key);
    if (thing === undefined) continue;
    ordered = ordered.filter((other) => other !== thing);
    const at = before ? ordered.findIndex((other) => keyOf(other) === before) : -1;
    ordered.splice(at < 0 ? ordered.length : at, 0, thing);
  }
  return ordered;
}

interface Kept {
  choices: Choices;
  pinned: ReadonlySet<string>;
  filter: Filter | null;
  /** Keys of tracks that are busy; null where that does not matter, or is not known yet. */
  busy: ReadonlySet<string> | null;
}

function tracksOf(group: Group, { choices, pinned, filter, busy }: Kept): Track[] {
  const { hide, order } = choices;
  if (hide.has(group.key) || hide.has(groupKey(group.host, ""))) return [];
  const about = `${group.host} ${group.process} ${group.name} `;
  const isKept = (track: Track): boolean =>
    !hide.has(track.key) &&
    !pinned.has(track.key) &&
    (!busy || busy.has(track.key)) &&
    (!filter || filter(about + track.name));
  return ordered(group.tracks.filter(isKept), (track) => track.key, order);
}

/** `busy`: keys of the tracks that have events where the choices ask for such, once that is known. */
export function arranged(
  groups: readonly Group[],
  track: (key: string) => Track | null,
  choices: Choices,
  busy: ReadonlySet<string> | null,
): Arranged {
  const pinned = choices.pin.flatMap((key) => track(key) ?? []);
  const filter = choices.filter ? filterOf(choices.filter) : null;
  const kept = { choices, filter, busy: choices.busy && busy, pinned: new Set(pinned.map(({ key }) => key)) };
  const hosts = new Map<string, { host: string; key: string; groups: { group: Group; tracks: Track[] }[] }>();
  for (const group of groups) {
    const tracks = tracksOf(group, kept);
    if (!tracks.length) continue;
    const key = groupKey(group.host, "");
    const host = hosts.get(key) ?? { host: group.host, key, groups: [] };
    host.groups.push({ group, tracks });
    hosts.set(key, host);
  }
  const { order } = choices;
  const inOrder = [...hosts.values()].map((host) => ({
    ...host,
    groups: ordered(host.groups, ({ group }) => group.key, order),
  }));
  const isMany = groups.some((group) => group.host !== groups[0]!.host);
  return { pinned, hosts: ordered(inOrder, (host) => host.key, order), isMany };
}

/** More tracks than this begin closed. */
const OPEN_MAX = 300;

/** Keys of groups that are closed at first: those after so many tracks, but never the first. */
export function closedAtFirst(groups: readonly Group[]): ReadonlySet<string> {
  let open = 0;
  const closed = groups.filter((group, i) => (open += group.tracks.length) > OPEN_MAX && i > 0);
  return new Set(closed.map((group) => group.key));
}
