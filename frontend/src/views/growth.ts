// Memory by step → what a chart of growth draws. Pure.
import type { TableData } from "../types";
import { median, numbers } from "./rows";

export interface Growth {
  names: string[];
  /** What was in use in each step, at least and at most, and when it began. */
  least: (number | null)[];
  most: (number | null)[];
  begin: (number | null)[];
  /** Places in ms, where they are given. */
  starts: (number | null)[];
  lengths: (number | null)[];
  /** The line of growth, through the middle of what was least in use; null where nothing grows. */
  trend: (number | null)[] | null;
}

/** The middle of the values, by their size. */
/** `slope`: what a step leaves more in use than the one before; only growth is drawn. Null for fewer than two steps. */
export function growthOf(data: TableData, slope: number | null): Growth | null {
  const [least, most, begin] = (["lowest_bytes", "peak_bytes", "begin_bytes"] as const).map((name) =>
    numbers(data, name),
  );
  const known = least!.flatMap((value, row) => (value === null || most![row] == null ? [] : [row]));
  if (known.length < 2) return null;
  const names = (data.columns["step"] ?? []).map((cell, row) =>
    cell === null || cell === "" ? `${row}` : String(cell),
  );
  const whole = known.filter((row) => data.columns["whole"]?.[row] !== false);
  const rows = whole.length ? whole : known;
  const offset = slope && slope > 0 ? median(rows.map((row) => least![row]! - slope * row)) : 0;
  return {
    names,
    least: least!,
    most: most!,
    begin: begin!,
    starts: numbers(data, "start_ms"),
    lengths: numbers(data, "duration_ms"),
    trend: slope && slope > 0 ? names.map((_, row) => offset + slope * row) : null,
  };
}

/** `Profiled batch 9`, `Profiled batch 10` → `9`, `10`: what tells names apart, where that is a number at their end. */
export function shortNames(names: readonly string[]): string[] {
  const numbers = names.map((name) => /(\d+)$/.exec(name)?.[1] ?? "");
  const stems = new Set(names.map((name, row) => name.slice(0, name.length - numbers[row]!.length)));
  return stems.size === 1 && numbers.every(Boolean) ? numbers : [...names];
}
