// A view → ticks of the time ruler with their labels.
import { length, type View } from "./scale";

export interface Tick {
  time: number;
  label: string;
}

export interface Ruler {
  /** What the labels count from where whole times would not fit; empty for 0. */
  base: string;
  step: number;
  ticks: Tick[];
}

const UNITS: readonly (readonly [factor: number, symbol: string])[] = [[1e12, "s"], [1e9, "ms"], [1e6, "µs"], [1e3, "ns"], [1, "ps"]];
/** Digits that fit between two ticks. */
const DIGITS_MAX = 7;

/** The shortest of 1, 2, 5 × 10ⁿ ps, at least 1 ps, that is not below `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = [1, 2, 5, 10].find((n) => n * power >= least * (1 - 1e-9)) ?? 10;
  return step * power;
}

function unitOf(step: number): readonly [number, string] {
  return UNITS.find(([factor]) => step >= factor) ?? UNITS[UNITS.length - 1]!;
}

/** A time in the largest unit that leaves something before the point, exact, without trailing zeros. */
export function exactTime(time: number): string {
  const whole = Math.round(time);
  const [factor, symbol] = UNITS.find(([f]) => Math.abs(whole) >= f) ?? UNITS[UNITS.length - 1]!;
  const digits = Math.round(Math.log10(factor));
  const text = Math.abs(whole).toString().padStart(digits + 1, "0");
  const fraction = digits ? text.slice(-digits).replace(/0+$/, "") : "";
  return `${whole < 0 ? "-" : ""}${digits ? text.slice(0, -digits) : text}${fraction && `.${fraction}`} ${symbol}`;
}

/** Ticks at least `gap` pixels apart. Times are counted from `origin`. */
export function ruler(view: View, width: number, gap: number, origin: number): Ruler {
  const step = niceStep((length(view) * gap) / Math.max(width, 1));
  const [factor, symbol] = unitOf(step);
  const first = Math.ceil((view.start - origin) / step);
  const last = Math.floor((view.end - origin) / step);
  const fits = Math.abs(last * step) / step < 10 ** DIGITS_MAX && Math.abs(last * step) / factor < 10 ** 5;
  const group = fits ? 0 : Math.floor((view.start - origin) / (step * 1000)) * step * 1000;
  const ticks: Tick[] = [];
  for (let i = first; i <= last; i++) {
    const value = (i * step - group) / factor;
    ticks.push({ time: origin + i * step, label: `${group ? "+" : ""}${Number(value.toPrecision(12))} ${symbol}` });
  }
  return { base: group ? exactTime(group) : "", step, ticks };
}
