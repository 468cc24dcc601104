// Names with values → the slices of a pie: the large ones, and one for all the rest. Pure.
import { categoryOfName, HUES, hueOf } from "../timeline/palette";
import type { Scalar } from "../types";
import { grouped } from "../units";

export interface Slice {
  name: string;
  value: number;
  share: number;
  /** Where it begins and ends, in turns from the top. */
  from: number;
  to: number;
  /** As CSS takes it. */
  colour: string;
  /** It stands for the rest, of `holds` names; 0 is unknown. */
  isRest: boolean;
  holds: number;
}

export interface Pie {
  slices: Slice[];
  total: number;
}

/** Below this share a slice is no slice of its own. */
const LEAST = 0.01;
/** As many as a legend shows beside its pie. */
const MOST = 8;
const IDLE = /^idle$/i;

/** Values of one name added up, largest first; those of equal size in the given order. */
function summed(names: readonly Scalar[], values: readonly Scalar[]): (readonly [string, number])[] {
  const sums = new Map<string, number>();
  names.forEach((name, row) => {
    const value = values[row];
    const key = String(name ?? "");
    if (typeof value === "number" && value > 0) sums.set(key, (sums.get(key) ?? 0) + value);
  });
  return [...sums].sort((a, b) => b[1] - a[1]);
}

/** Hues in a pie are so far apart, in degrees, that they can be distinguished from each other. */
const APART = 40;
/** Of the hues that a name could have. */
const STEP = 360 / HUES;

function near(a: number, b: number): boolean {
  const distance = Math.abs(a - b);
  return Math.min(distance, 360 - distance) < APART;
}

/** How much of a category's colour its second, third… slice has. */
const PALER = [100, 70, 48, 84, 58, 40];

/** Each name's own colour; where two of one pie are alike, the smaller takes the next one left, or a paler one. */
function painter(): (name: string) => string {
  const taken: number[] = [];
  const seen = new Map<string, number>();
  return (name) => {
    const category = IDLE.test(name) ? "--idle" : categoryOfName(name);
    if (category) {
      const before = seen.get(category) ?? 0;
      seen.set(category, before + 1);
      const part = PALER[before % PALER.length]!;
      return before ? `color-mix(in oklab, var(${category}) ${part}%, var(--panel))` : `var(${category})`;
    }
    const nameHue = hueOf(name);
    const hues = Array.from({ length: HUES }, (_, i) => (nameHue + i * STEP) % 360);
    const hue = hues.find((one) => !taken.some((other) => near(one, other))) ?? nameHue;
    taken.push(hue);
    return `oklch(var(--hue-lightness) 0.1 ${hue})`;
  };
}

/** What all are where the names are only the largest of them; 0 is unknown. */
interface All {
  total: number;
  count: number;
}

export function pieOf(names: readonly Scalar[], values: readonly Scalar[], all: All = { total: 0, count: 0 }): Pie {
  const sorted = summed(names, values);
  const known = sorted.reduce((sum, [, value]) => sum + value, 0);
  const total = Math.max(known, all.total);
  const isShort = total > known * (1 + 1e-6);
  const large = sorted.filter(([, value]) => value >= LEAST * total).length;
  // A rest of one is identified by its name.
  const isWhole = sorted.length <= MOST && sorted.length - large <= 1;
  const kept = isWhole ? sorted.length : Math.min(large, MOST - 1);
  const paint = painter();
  let at = 0;
  const slice = (name: string, value: number, colour: string, isRest = false, holds = 0): Slice => {
    const from = at / total;
    at += value;
    return { name, value, share: value / total, from, to: at / total, colour, isRest, holds };
  };
  const slices = sorted.slice(0, kept).map(([name, value]) => slice(name, value, paint(name)));
  const rest = total - at;
  const others = isShort ? Math.max(0, all.count - kept) : sorted.length - kept;
  if (kept < sorted.length || isShort) slices.push(slice("Other", Math.max(0, rest), "var(--unknown)", true, others));
  return { slices, total };
}

/** What a slice is called in words. */
export function nameOf({ name, isRest, holds }: Slice): string {
  if (!isRest) return name;
  return holds ? `Other (${grouped(holds)})` : "Other";
}

function point(turn: number, radius: number): string {
  const angle = 2 * Math.PI * turn;
  return `${(radius * Math.sin(angle)).toFixed(3)} ${(-radius * Math.cos(angle)).toFixed(3)}`;
}

/** A slice of a ring around the origin, as an SVG path. */
export function ringPath({ from, to }: Pick<Slice, "from" | "to">, outer: number, inner: number): string {
  const round = (a: number, b: number): string => {
    const large = Math.abs(b - a) > 0.5 ? 1 : 0;
    return [
      `M${point(a, outer)}A${outer} ${outer} 0 ${large} 1 ${point(b, outer)}`,
      `L${point(b, inner)}A${inner} ${inner} 0 ${large} 0 ${point(a, inner)}Z`,
    ].join("");
  };
  if (to - from < 0.9999) return round(from, to);
  return round(from, from + 0.5) + round(from + 0.5, from + 1);
}
