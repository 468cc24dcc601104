// Two steps, or other stretches of time → the request that compares them, and the summary of both. Pure.
import type { Scalar, TableData } from "../types";
import { formatNumber } from "../units";
import { length, type View } from "./scale";
import type { Step } from "./scene";
import { ranges } from "./store";
import { isOfValues, type Track } from "./tracks";

/** `b` is described by what it has more than `a`. */
export interface Compared {
  a: View;
  b: View;
}

/** A stretch of time; where it is a step, that. */
export interface Side {
  view: View;
  step: Step | null;
}

export function sidesOf({ a, b }: Compared, steps: readonly Step[]): [Side, Side] {
  const side = (view: View): Side => ({
    view,
    step: steps.find(({ start, end }) => start === view.start && end === view.end) ?? null,
  });
  return [side(a), side(b)];
}

export function sideInWords({ view, step }: Side): string {
  return step ? `step ${step.number}` : formatNumber(length(view), "ps");
}

/** What was measured on the host of both; where they are of none or of two, on all hosts. */
function tracksOf([a, b]: readonly [Side, Side], tracks: Iterable<Track>, isMany: boolean): Track[] {
  const host = a.step?.host;
  if (!isMany || host === undefined || host !== b.step?.host) return [];
  return [...tracks].filter((track) => track.host === host && track.kind !== "derived" && !isOfValues(track));
}

export function compareOptions(
  sides: readonly [Side, Side],
  tracks: Iterable<Track>,
  isMany: boolean,
): Record<string, string> {
  const [a, b] = sides.map(({ view }) => [
    Math.floor(view.start),
    Math.max(Math.floor(view.start) + 1, Math.ceil(view.end)),
  ]);
  const on = ranges(tracksOf(sides, tracks, isMany));
  return {
    area: "true",
    start_ps: String(a![0]),
    end_ps: String(a![1]),
    compare: b!.join("-"),
    ...(on ? { tracks: on } : {}),
  };
}

/** Largest differences by category that the summary lists, and the least share of the longer side. */
const [MOST_LISTED, LEAST_SHARE] = [3, 0.005];

function signed(ps: number): string {
  return `${ps < 0 ? "−" : "+"}${formatNumber(Math.abs(ps), "ps")}`;
}

/** `step 3 takes 23.1 ms more than step 2`, and what of what ran changed most. */
export function differenceInWords(
  sides: readonly [Side, Side],
  { columns }: TableData,
  titleOf: (key: string) => string,
): string {
  const [a, b] = sides.map(({ view }) => length(view)) as [number, number];
  const [first, second] = sides.map(sideInWords) as [string, string];
  const by = b - a;
  const head = by
    ? `${second} takes ${formatNumber(Math.abs(by), "ps")} ${by > 0 ? "more" : "less"} than ${first}`
    : `${second} takes as long as ${first}`;
  const number = (cell: Scalar | undefined): number => (typeof cell === "number" ? cell : 0);
  const changes = (columns["category"] ?? [])
    .map((key, row) => ({ title: titleOf(String(key)), more: number(columns["more_ps"]?.[row]) }))
    .filter(({ more }) => Math.abs(more) >= LEAST_SHARE * Math.max(a, b))
    .sort((one, other) => Math.abs(other.more) - Math.abs(one.more))
    .slice(0, MOST_LISTED);
  const changeTexts = changes.map(({ title, more }) => `${title} ${signed(more)}`);
  const all = `${head}${changeTexts.length ? `. Sum over all tracks: ${changeTexts.join(", ")}` : ""}.`;
  return all.charAt(0).toUpperCase() + all.slice(1);
}

/** The step of usual length among those of a host, to compare another one with; not that one itself. */
export function typicalStep(steps: readonly Step[], but: Step): Step | null {
  const others = steps.filter((step) => step !== but && step.host === but.host);
  const sorted = others.sort((a, b) => a.end - a.start - (b.end - b.start));
  return sorted[sorted.length >> 1] ?? null;
}

/** `1-2,3-4`. */
export function compareText({ a, b }: Compared): string {
  return [a, b].map(({ start, end }) => `${Math.round(start)}-${Math.round(end)}`).join(",");
}
