// Names of one list that look different though room is short: what rows share is left out, and their ends are seen far enough.

/** Letters that are always seen at the begin. */
const SEEN = 8;
/** What is seen beyond the first letter that differs: the name of a layer rather than its last digit. */
const AROUND = 6;
/** A word is seen from its begin, if that is so near. */
const WORD = 12;
/** Beyond this there is no room in any column. */
const MOST = 72;
/** Of so many names, and so many letters of each. */
const NAMES = 10_000;
const LETTERS = 300;
/** What is shared has to be longer than this to be left out. */
const SHORT = 4;
const OMITTED = "…";

export interface Apart {
  /** Name → the same without what others share with it. */
  short: ReadonlyMap<string, string>;
  /** Letters at the end by which what is shown differs. */
  end: number;
}

const asText = (name: unknown): name is string => typeof name === "string";

/** The different texts among these, as many as are looked at. */
function different(names: Iterable<unknown>): string[] {
  const known = new Set<string>();
  for (const name of names) {
    if (known.size >= NAMES) break;
    if (asText(name)) known.add(name);
  }
  return [...known];
}

function shared(a: string, b: string): number {
  let letters = 0;
  while (letters < a.length && letters < b.length && a[letters] === b[letters]) letters += 1;
  return letters;
}

/** Letters at the end by which names differ that begin alike; 0 where none has to be seen for that. */
export function apartFrom(names: Iterable<unknown>): number {
  const ends = different(names).map((name) => ({
    end: [...name.slice(-LETTERS)].reverse().join(""),
    head: name.slice(0, SEEN),
  }));
  ends.sort((a, b) => (a.end < b.end ? -1 : 1));
  let most = 0;
  for (let i = 1; i < ends.length; i += 1) {
    if (ends[i]!.head !== ends[i - 1]!.head) continue;
    most = Math.max(most, shared(ends[i]!.end, ends[i - 1]!.end) + AROUND);
  }
  return Math.min(most, MOST);
}

/** A name's parts, each with the mark that ends it: those of a path, or of a template's arguments. */
function partsOf(name: string): string[] {
  return name.split(name.includes("/") ? /(?<=\/)/ : /(?<=[<,(])/);
}

/** Whether all of these names, of equally many parts, have the same at each place. */
function sameAt(lists: readonly string[][]): boolean[] {
  return lists[0]!.map((part, place) => lists.every((parts) => parts[place] === part));
}

/** The parts without those that all share: between the first and the last, or from the first on. */
function without(parts: readonly string[], same: readonly boolean[], isFirstKept: boolean): string {
  const last = parts.length - 1;
  const isShared = (place: number) => (place > 0 || !isFirstKept) && place < last && same[place]!;
  let text = "";
  for (let from = 0, to = 1; from <= last; from = to, to += 1) {
    while (isShared(from) && isShared(to)) to += 1;
    const run = parts.slice(from, to).join("");
    text += isShared(from) && run.length > SHORT ? OMITTED + run.slice(-1) : run;
  }
  return text;
}

/** Name → the same without the parts that it shares with the names most like it; only of names that stay different so. */
export function withoutShared(names: Iterable<unknown>, isFirstKept = true): ReadonlyMap<string, string> {
  const alike = new Map<string, Map<string, string[]>>();
  const all = different(names);
  for (const name of all) {
    const parts = partsOf(name.slice(0, LETTERS));
    if (name.length > LETTERS || parts.length < 3) continue;
    const key = `${parts.length} ${parts[parts.length - 1]}`;
    alike.set(key, (alike.get(key) ?? new Map<string, string[]>()).set(name, parts));
  }
  const short = new Map<string, string>();
  const taken = new Map<string, number>(all.map((name) => [name, 1]));
  for (const group of alike.values()) {
    if (group.size < 2) continue;
    const same = sameAt([...group.values()]);
    for (const [name, parts] of group) {
      const text = without(parts, same, isFirstKept || !name.includes("/"));
      short.set(name, text);
      if (text !== name) taken.set(text, (taken.get(text) ?? 0) + 1);
    }
  }
  for (const [name, text] of short) if (text === name || taken.get(text) !== 1) short.delete(name);
  return short;
}

/** Letters at a name's end that stay as long as there is room. Of a path the end matters most: ops of a model begin alike. */
export function tailOf(name: string): number {
  return name.includes("/") ? 40 : 14;
}

/** What is seen of a name in so much room, as `Name` cuts it; of an end that has no room for all, less: one letter is not enough. */
function seen(name: string, { short, end }: Apart, letters: number): string {
  const text = short.get(name);
  if (text) return text.slice(0, letters - 1);
  if (name.length <= letters) return name;
  const [wanted, room] = [Math.max(tailOf(name), end), letters - SEEN - 1];
  const tail = Math.max(1, wanted > room ? room - AROUND : wanted);
  return `${name.slice(0, Math.max(SEEN, letters - wanted - 1))}${OMITTED}${name.slice(-tail)}`;
}

/** Letters of the begin where a name begins alike with others: fewer where there is room for few. */
function beginOf(letters: number): number {
  return letters < 3 * SEEN ? SEEN / 2 : SEEN;
}

/** From the word on in which a name differs from its neighbours. */
function fromDifference(name: string, at: number): string {
  const word = /[^\W_]*$/.exec(name.slice(0, at))![0].length;
  return name.slice(at - (word <= WORD ? word : AROUND));
}

/** Of names that still look alike, the begin and what follows the first letter that differs. */
function withDifference(names: readonly string[], apart: Apart, letters: number): Map<string, string> {
  const looks = new Map<string, string[]>();
  for (const name of names) {
    const look = seen(name, apart, letters);
    looks.set(look, [...(looks.get(look) ?? []), name]);
  }
  const short = new Map<string, string>();
  for (const group of looks.values()) {
    if (group.length < 2) continue;
    const sorted = [...group].sort();
    sorted.forEach((name, i) => {
      const others = [sorted[i - 1], sorted[i + 1]].filter(asText);
      const at = Math.max(...others.map((other) => shared(name, other)));
      const rest = fromDifference(name, at);
      const begin = beginOf(letters);
      const isWorth = name.length - rest.length - begin > SHORT;
      short.set(name, isWorth ? name.slice(0, begin) + OMITTED + rest : name);
    });
  }
  return short;
}

/** How names of one list are distinguished where there is room for so many letters. */
export function apartIn(names: readonly unknown[], letters: number): Apart {
  const texts = names.filter(asText);
  const isLong = (name: string) => name.length > letters;
  if (!texts.some(isLong)) return { short: new Map(), end: 0 };
  const cutAll = (isFirstKept: boolean) =>
    new Map([...withoutShared(texts, isFirstKept)].filter(([name]) => isLong(name)));
  const whole = cutAll(true);
  // Of what is cut at its end, the begin has to differ.
  const begins = new Set([...whole.values()].map((name) => name.slice(0, letters - 1)));
  const short = begins.size < whole.size ? cutAll(false) : whole;
  const apart = { short, end: apartFrom(texts.map((name) => short.get(name) ?? name)) };
  const known = different(texts);
  const differing = letters > SEEN ? withDifference(known, apart, letters) : new Map<string, string>();
  return { short: new Map([...short, ...differing]), end: apart.end };
}
