// A view → ticks of the time ruler with their labels.
import { length, type View } from "./scale";

interface Tick {
  time: number;
  label: string;
}

interface Ruler {
  /** What the labels count from where whole times would not fit; empty for 0. */
  base: string;
  step: number;
  ticks: Tick[];
}

const UNITS: readonly (readonly [factor: number, symbol: string])[] = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"],
];
/** Digits of a label that fit between two ticks. */
const DIGITS_MAX = 7;
/** Pixels between two ticks, at least. */
export const TICK_GAP = 110;

/** The shortest of 1, 2, 5 × 10ⁿ ps, at least 1 ps, that is not below `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = [1, 2, 5, 10].find((n) => n * power >= least * (1 - 1e-9)) ?? 10;
  return step * power;
}

function unitOf(time: number): readonly [number, string] {
  return UNITS.find(([factor]) => time >= factor) ?? UNITS[UNITS.length - 1]!;
}

/** A time in the largest unit that leaves something before the point, exact, without trailing zeros. */
export function exactTime(time: number): string {
  const whole = Math.round(time);
  const [factor, symbol] = UNITS.find(([f]) => Math.abs(whole) >= f) ?? UNITS[UNITS.length - 1]!;
  const digits = Math.round(Math.log10(factor));
  const text = Math.abs(whole)
    .toString()
    .padStart(digits + 1, "0");
  const fraction = digits ? text.slice(-digits).replace(/0+$/, "") : "";
  return `${whole < 0 ? "-" : ""}${digits ? text.slice(0, -digits) : text}${fraction && `.${fraction}`} ${symbol}`;
}

/** What the labels count from: 0 while whole times fit, else a round time a screen or two before. */
function baseOf(view: View, step: number, origin: number): number {
  const [start, end] = [view.start - origin, view.end - origin];
  const digits = Math.log10(Math.max(Math.abs(start), Math.abs(end), step) / step);
  if (digits < DIGITS_MAX) return 0;
  const round = 10 ** Math.ceil(Math.log10(length(view)));
  return Math.floor(start / round) * round;
}

/** Ticks at least `gap` pixels apart. Times are counted from `origin`. */
export function ruler(view: View, width: number, gap: number, origin: number): Ruler {
  const step = niceStep((length(view) * gap) / Math.max(width, 1));
  const base = baseOf(view, step, origin);
  const [factor, symbol] = unitOf(Math.max(view.end - origin - base, step));
  const decimals = Math.max(0, Math.ceil(Math.log10(factor / step) - 1e-9));
  const first = Math.ceil((view.start - origin) / step);
  const last = Math.floor((view.end - origin) / step);
  const ticks: Tick[] = [];
  for (let i = first; i <= last; i++) {
    ticks.push({
      time: origin + i * step,
      label: `${base ? "+" : ""}${((i * step - base) / factor).toFixed(decimals)} ${symbol}`,
    });
  }
  return { base: base ? exactTime(base) : "", step, ticks };
}
