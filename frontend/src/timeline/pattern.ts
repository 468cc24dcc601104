// A person's regular expression → a test of texts whose time grows with their length alone, whatever the expression.
//
// The browser's own matcher goes one way after the other: an expression in an address, and a name that fits it badly,
// could hold the page for ever. Here all ways are gone at once, and the sets of them are kept, so that a character
// costs a look-up. What a single character may be is still asked of the browser's matcher.

/** Characters of an expression, and places in its program, which counted repetitions multiply. */
const TEXT_MAX = 200;
const PROGRAM_MAX = 1000;
/** Sets of ways that are kept, and what leads from one to the next; beyond, all are made again. */
const STATES_MAX = 1000;
const STEPS_MAX = 50_000;

/** Why an expression is not taken: a sentence. */
export class PatternError extends Error {}

type Node =
  | { kind: "character"; is: (character: string) => boolean }
  | { kind: "edge"; of: string }
  | { kind: "all"; parts: Node[] }
  | { kind: "any"; parts: Node[] }
  | { kind: "repeat"; part: Node; least: number; most: number };

const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|[^])/uy;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/uy;
const GROUP = /\((?:\?(?::|<[^=!>][^>]*>))?/uy;
const REPEAT = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/uy;
const ANY = /[^]/uy;

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  whole(): Node {
    const parts = [this.sequence()];
    while (this.take("|")) parts.push(this.sequence());
    return { kind: "any", parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.text.length && !"|)".includes(this.text[this.at]!)) parts.push(this.repeated(this.one()));
    return { kind: "all", parts };
  }

  private repeated(part: Node): Node {
    const match = this.match(REPEAT);
    if (!match) return part;
    const [text, least, comma, most] = match;
    if (least !== undefined) {
      const open = comma ? Infinity : Number(least);
      return { kind: "repeat", part, least: Number(least), most: most ? Number(most) : open };
    }
    return { kind: "repeat", part, least: text.startsWith("+") ? 1 : 0, most: text.startsWith("?") ? 1 : Infinity };
  }

  private one(): Node {
    if (this.text[this.at] === "(") return this.group();
    for (const edge of ["^", "$", "\\b", "\\B"]) if (this.take(edge)) return { kind: "edge", of: edge };
    const [source] = (this.match(ESCAPE) ?? this.match(CLASS) ?? this.match(ANY))!;
    if (/^\\[1-9k]/.test(source)) throw new PatternError("Back-references are not supported.");
    const single = new RegExp(`^${source}$`, "iu");
    return { kind: "character", is: (character) => single.test(character) };
  }

  private group(): Node {
    const [opening] = this.match(GROUP)!;
    if (opening === "(" && this.text[this.at] === "?")
      throw new PatternError("Look-ahead, look-behind and inline flags are not supported.");
    const inside = this.whole();
    this.take(")");
    return inside;
  }

  private take(text: string): boolean {
    const is = this.text.startsWith(text, this.at);
    if (is) this.at += text.length;
    return is;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at += match[0].length;
    return match;
  }
}

/** One place of a program: a character to pass, an edge to be at, or the places to go on from. */
type Place =
  | { kind: "character"; is: (character: string) => boolean }
  | { kind: "edge"; of: string }
  | { kind: "ways"; to: number[] }
  | { kind: "end" };

/** Adds the places of a node; what it passes to is the place after them. */
function emit(program: Place[], node: Node): void {
  if (program.length > PROGRAM_MAX) throw new PatternError("The expression repeats too much.");
  if (node.kind === "character" || node.kind === "edge") program.push(node);
  else if (node.kind === "all") for (const part of node.parts) emit(program, part);
  else if (node.kind === "any") emitAny(program, node.parts);
  else emitRepeat(program, node.part, node.least, node.most);
}

function emitAny(program: Place[], parts: readonly Node[]): void {
  if (parts.length === 1) return emit(program, parts[0]!);
  const fork: Place = { kind: "ways", to: [] };
  const ends: number[][] = [];
  program.push(fork);
  for (const part of parts) {
    fork.to.push(program.length);
    emit(program, part);
    const to: number[] = [];
    ends.push(to);
    program.push({ kind: "ways", to });
  }
  for (const to of ends) to.push(program.length);
}

function emitRepeat(program: Place[], part: Node, least: number, most: number): void {
  for (let i = 0; i < least; i++) emit(program, part);
  if (most === Infinity) {
    const fork: Place = { kind: "ways", to: [program.length + 1] };
    const at = program.push(fork) - 1;
    emit(program, part);
    fork.to.push(program.push({ kind: "ways", to: [at] }));
    return;
  }
  const forks: number[][] = [];
  for (let i = least; i < most; i++) {
    const to = [program.length + 1];
    forks.push(to);
    program.push({ kind: "ways", to });
    emit(program, part);
  }
  for (const to of forks) to.push(program.length);
}

/** What lies beside a place between two characters. */
type Side = "end" | "word" | "other";

const WORD = /\w/iu;

function sideOf(character: string): Side {
  return WORD.test(character) ? "word" : "other";
}

function isAt(edge: string, before: Side, after: Side): boolean {
  if (edge === "^") return before === "end";
  if (edge === "$") return after === "end";
  return ((before === "word") !== (after === "word")) === (edge === "\\b");
}

/** All ways that lead through the characters so far. */
interface State {
  places: readonly number[];
  before: Side;
  next: Map<string, State | null>;
  /** Whether the text may end here; null where that was not asked yet. */
  ends: boolean | null;
}

/** The places that a state leads to without a character; null where the end is among them. */
function reached(program: readonly Place[], { places, before }: State, after: Side): number[] | null {
  const seen = new Set<number>();
  const left = [...places];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const place = program[at]!;
    if (place.kind === "end") return null;
    if (place.kind === "ways") left.push(...place.to);
    else if (place.kind === "edge" && isAt(place.of, before, after)) left.push(at + 1);
  }
  return [...seen];
}

class Automaton {
  private states = new Map<string, State>();
  private steps = 0;

  constructor(private readonly program: readonly Place[]) {}

  matches(text: string): boolean {
    let state = this.state([0], "end");
    for (const character of text) {
      const known = state.next.get(character);
      const next = known === undefined ? this.step(state, character) : known;
      if (!next) return true;
      state = next;
    }
    return (state.ends ??= reached(this.program, state, "end") === null);
  }

  /** The state after a character; null where the expression is found before it. */
  private step(state: State, character: string): State | null {
    const side = sideOf(character);
    const here = reached(this.program, state, side);
    const passed = here?.flatMap((at) => {
      const place = this.program[at]!;
      return place.kind === "character" && place.is(character) ? [at + 1] : [];
    });
    // It may begin anywhere.
    const next = passed
      ? this.state(
          [...new Set([0, ...passed])].sort((a, b) => a - b),
          side,
        )
      : null;
    if (++this.steps <= STEPS_MAX) state.next.set(character, next);
    return next;
  }

  private state(places: readonly number[], before: Side): State {
    if (this.states.size > STATES_MAX || this.steps > STEPS_MAX) [this.states, this.steps] = [new Map(), 0];
    const key = `${before} ${places.join()}`;
    const known = this.states.get(key);
    if (known) return known;
    const made: State = { places, before, next: new Map(), ends: null };
    this.states.set(key, made);
    return made;
  }
}

/** Whether an expression is found in a text, upper and lower case alike. Throws a PatternError. */
export function patternOf(text: string): (text: string) => boolean {
  if (text.length > TEXT_MAX)
    throw new PatternError(`An expression of ${text.length} characters; the limit is ${TEXT_MAX}.`);
  try {
    new RegExp(text, "iu");
  } catch (reason) {
    const [why] = String(reason).split(": ").slice(-1);
    throw new PatternError(`Not a regular expression: ${why}.`);
  }
  const program: Place[] = [];
  emit(program, new Parser(text).whole());
  program.push({ kind: "end" });
  const automaton = new Automaton(program);
  return (name) => automaton.matches(name);
}
