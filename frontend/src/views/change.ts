// A row of two runs' answer → how its change is shown: a tone, words, a name. Pure.
import type { ColumnName, Scalar, TableData } from "../types";
import { formatNumber, signed } from "../units";
import { relative } from "./both_sides";
import { number } from "./rows";

/** From which part of its time on a change is of the next tone; less than the first is none. */
export const TONES = [0.02, 0.1, 0.3, 0.7] as const;

/** The CSS variable of a change: of nothing to something, and back, it is the strongest. */
export function toneOf(base: number, next: number): string {
  const most = Math.max(base, next);
  const by = most > 0 ? (next - base) / most : 0;
  const level = TONES.filter((least) => Math.abs(by) >= least).length;
  return level ? `--${by > 0 ? "slower" : "faster"}${level}` : "--unchanged";
}

export function cell({ columns }: TableData, name: ColumnName, row: number): Scalar {
  return columns[name]?.[row] ?? null;
}

const MARKS: Readonly<Record<string, string>> = { new: " (new)", gone: " (gone)" };

/** Names that say what is new, gone, or several. */
export function named(data: TableData): TableData {
  const names = (data.columns["name"] ?? []).map((name, row) => {
    const match = String(cell(data, "match", row));
    return match === "more" ? "(smaller ones)" : `${String(name)}${MARKS[match] ?? ""}`;
  });
  return { ...data, columns: { ...data.columns, name: names } };
}

/** `A 3.20 ms, B 4.00 ms: +800 µs (+25.0 %)`. */
export function changeInWords(data: TableData, row: number): string {
  const [base, next] = (["base_ms", "new_ms"] as const).map((name) => number(cell(data, name, row)) ?? 0) as [
    number,
    number,
  ];
  const change = next - base;
  const ratio = base && change ? ` (${relative(next / base)})` : "";
  const by = change ? `${signed(change, "ms")}${ratio}` : "the same";
  return `A ${formatNumber(base, "ms")}, B ${formatNumber(next, "ms")}: ${by}`;
}
