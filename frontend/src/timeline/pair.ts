// Two boards, each aligned by the begin of a step: where one looks, the other looks, too. The words of both in one address.
import type { ColumnName, Scalar, TableData } from "../types";
import type { Board } from "./board";
import type { View } from "./scale";
import type { Step } from "./scene";

export type Letter = "A" | "B";
type Params = Readonly<Record<string, string>>;

const PS_PER_MS = 1e9;

/** A step of a side, as its trace has it. */
export interface PairStep extends View {
  /** Its place among the typical steps of its capture. */
  place: number;
  number: number;
}

function moved({ start, end }: View, by: number): View {
  return { start: start + by, end: end + by };
}

function isSame(a: View, b: View): boolean {
  return a.start === b.start && a.end === b.end;
}

function joined(a: View, b: View): View {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** The begin of the step that is marked; what it was before where none is. */
export function anchorOf({ range, steps }: { range: View | null; steps: readonly Step[] }, before: number): number {
  return range && steps.some((step) => isSame(step, range)) ? range.start : before;
}

/** Keeps the time since the step's begin the same on both; where another step is marked, it is that one's. */
export class Pair {
  private readonly seen: [View, View];

  constructor(
    private readonly boards: readonly [Board, Board],
    private readonly anchors: [number, number],
    private readonly isLinked: boolean,
    /** Which of both looks first. */
    private readonly leader: 0 | 1 = 0,
  ) {
    this.seen = [boards[0].view, boards[1].view];
  }

  /** Gives the function that ends it. */
  start(): () => void {
    this.align();
    const ends = ([0, 1] as const).map((side) => this.boards[side].subscribe(() => this.follow(side)));
    return () => ends.forEach((end) => end());
  }

  private get shift(): number {
    return this.anchors[1] - this.anchors[0];
  }

  /** Each counts from its step's begin, and may go where the other has something. */
  private align(): void {
    const [a, b] = this.boards;
    [a.origin, b.origin] = this.anchors;
    const room = this.isLinked ? joined(a.span, moved(b.span, -this.shift)) : a.span;
    a.bounds = joined(room, a.view);
    b.bounds = this.isLinked ? moved(a.bounds, this.shift) : joined(b.span, b.view);
    if (this.isLinked) this.lead(this.leader);
  }

  private follow(side: 0 | 1): void {
    const anchor = anchorOf(this.boards[side], this.anchors[side]);
    if (anchor !== this.anchors[side]) {
      this.anchors[side] = anchor;
      this.align();
    }
    if (this.isLinked && !isSame(this.boards[side].view, this.seen[side])) this.lead(side);
  }

  /** The other one looks where this one does. */
  private lead(side: 0 | 1): void {
    const other = side ? 0 : 1;
    const view = moved(this.boards[side].view, side ? -this.shift : this.shift);
    if (!isSame(view, this.boards[other].view)) this.boards[other].look(view);
    this.seen[side] = this.boards[side].view;
    this.seen[other] = this.boards[other].view;
  }
}

/** Captures of a side, each with its typical steps, in order. */
export function stepsOf({ columns }: TableData, side: "base" | "new"): Map<string, PairStep[]> {
  const at = (name: ColumnName, row: number): Scalar => columns[name]?.[row] ?? null;
  const captures = new Map<string, PairStep[]>();
  for (let row = 0; row < (columns["side"]?.length ?? 0); row++) {
    if (at("side", row) !== side) continue;
    const start = Math.round(Number(at("start_ms", row)) * PS_PER_MS);
    const end = start + Math.round(Number(at("duration_ms", row)) * PS_PER_MS);
    const capture = String(at("capture", row));
    const step = { place: Number(at("step", row)), number: Number(at("number", row)), start, end };
    const steps = captures.get(capture);
    if (steps) steps.push(step);
    else captures.set(capture, [step]);
  }
  return captures;
}

/** The steps of a run, whose capture may be a range of it: `train/1 (steps 5-7)`. */
export function stepsOfRun(captures: ReadonlyMap<string, PairStep[]>, run: string): readonly PairStep[] {
  const ranged = [...captures].find(([name]) => name.startsWith(`${run} (`) && name.endsWith(")"));
  return captures.get(run) ?? ranged?.[1] ?? [];
}

/** The step whose time is the middle one of all. */
export function typicalOf(steps: readonly PairStep[]): PairStep | null {
  const sorted = [...steps].sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start);
  return sorted[(sorted.length - 1) >> 1] ?? null;
}

/** How much beside the longer of two steps is seen. */
const BESIDE = 0.03;

/** What is looked at first: the step's begin on the left edge, and room for the longer of both. */
export function firstView(step: View, other: View | null): View {
  const long = Math.max(step.end - step.start, other ? other.end - other.start : 0, 1);
  const beside = Math.round(BESIDE * long);
  return { start: step.start - beside, end: step.start + long + beside };
}

export function ofSide(params: Params, letter: Letter): Record<string, string> {
  const prefix = `${letter}.`;
  const own = Object.entries(params).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** What of a side's words is no place: which of its repeats is shown, and what is not there, until something else is looked for. */
export function kept(params: Params, letter: Letter, own: Params = {}): Record<string, string> {
  const { capture, absent } = ofSide(params, letter);
  const isSame = !own["search"] || own["match"] === "row";
  return { ...(capture ? { capture } : {}), ...(absent && isSame ? { absent } : {}) };
}

/** The words of one side replaced. */
export function withSide(params: Params, letter: Letter, own: Params): Record<string, string> {
  const others = Object.entries(params).filter(([name]) => !name.startsWith(`${letter}.`));
  const mine = Object.entries(own).map(([name, value]) => [`${letter}.${name}`, value] as const);
  return Object.fromEntries([...others, ...mine]);
}

const OURS = ["both", "apart"];

/** A page without its pair of traces. */
export function withoutPair(params: Params): Record<string, string> {
  const others = Object.entries(params).filter(([name]) => !OURS.includes(name) && !/^[AB]\./.test(name));
  return Object.fromEntries(others);
}

export interface Wanted {
  search: string;
  match: "exact" | "regex" | "row" | "text";
}

/** Both traces, each with its own words to look for; empty for none. */
export function withPair(params: Params, a: Partial<Wanted>, b: Partial<Wanted>): Record<string, string> {
  const apart = params["apart"] ? { apart: params["apart"] } : {};
  const captures = (["A", "B"] as const).flatMap((letter) => {
    const { capture } = ofSide(params, letter);
    return capture ? [[`${letter}.capture`, capture] as const] : [];
  });
  const base = { ...withoutPair(params), ...apart, ...Object.fromEntries(captures), both: "true" };
  const words = ({ search, match }: Partial<Wanted>, letter: Letter): Record<string, string> =>
    search ? { [`${letter}.search`]: search, [`${letter}.match`]: match ?? "exact" } : {};
  return { ...base, ...words(a, "A"), ...words(b, "B") };
}

/** What a category's time in a step is made of, as the trace finds it. */
export function categoryIn(
  category: string,
  { number, start }: Pick<PairStep, "number" | "start">,
  stepsFrom = "",
): Wanted {
  const how = stepsFrom && `&steps_from=${encodeURIComponent(stepsFrom)}`;
  return { search: `overview.steps.${category}_ms?step=${number}&start_ms=${start / PS_PER_MS}${how}`, match: "row" };
}

/** Of another step the same category. */
export function categoryMoved(search: string, step: Pick<PairStep, "number" | "start">): string | null {
  const [, category, words = ""] = /^overview\.steps\.(\w+)_ms\?(step=.*)$/s.exec(search) ?? [];
  return category ? categoryIn(category, step, new URLSearchParams(words).get("steps_from") ?? "").search : null;
}
