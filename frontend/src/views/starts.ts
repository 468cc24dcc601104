// Times at which rows begin or end → as many digits as rows need to differ, all in one unit. Pure.
import type { Column, TableData } from "../types";
import { formatCell } from "../units";

export type Starts = ReadonlyMap<string, (value: number) => string>;

const TIMES = /^(start|begin|end)(_|$)/;
/** In picoseconds: what a column holds, and what it is written in. */
const IN_PS: Readonly<Record<string, number>> = { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12 };
const SYMBOLS: readonly (readonly [ps: number, symbol: string])[] = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"],
];
/** Beyond it is a date: a day. */
const LONGEST_PS = 864e14;
const MOST_DIGITS = 9;

/** `columns` of a table whose three digits would write two rows alike that differ → how to write them. */
export function startsOf(columns: readonly Column[], data: TableData): Starts {
  const made = new Map<string, (value: number) => string>();
  for (const column of columns) {
    const inPs = TIMES.test(column.name) ? IN_PS[column.unit] : undefined;
    if (!inPs) continue;
    const cells = data.columns[column.name] ?? [];
    const times = [...new Set(Float64Array.from(cells.filter((cell) => typeof cell === "number")).sort())];
    const most = Math.max(...times.slice(-1), -times[0]!) * inPs;
    if (times.length < 2 || most > LONGEST_PS) continue;
    if (!areAlike(times, column)) continue;
    const [unitPs, symbol] = SYMBOLS.find(([ps]) => most >= ps) ?? SYMBOLS.at(-1)!;
    const gap = leastGap(times) * (inPs / unitPs);
    const digits = Math.min(MOST_DIGITS, Math.max(0, Math.ceil(-Math.log10(gap) - 1e-9)));
    made.set(column.name, (value) => `${((value * inPs) / unitPs).toFixed(digits)} ${symbol}`);
  }
  return made;
}

/** Whether two of some times, ascending, are written alike; then two that follow each other are. */
function areAlike(times: readonly number[], column: Column): boolean {
  let before = "";
  return times.some((time) => before === (before = formatCell(time, column)));
}

function leastGap(times: readonly number[]): number {
  return times.slice(1).reduce((least, time, i) => Math.min(least, time - times[i]!), Infinity);
}
