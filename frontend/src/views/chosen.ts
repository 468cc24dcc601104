// The rows that a person has chosen in a table, by mouse or keyboard; kept in the address.
import { useEffect, useMemo } from "preact/hooks";
import type { TableData } from "../types";

interface Range {
  from: number;
  to: number;
}

interface Chosen {
  /** Row numbers, in the order shown. */
  rows: number[];
  /** The row the keyboard is at, or undefined. */
  at: number | undefined;
  onClick: (event: MouseEvent, index: number) => void;
  /** Whether the key was one that moves. */
  onKey: (event: KeyboardEvent) => boolean;
}

/** How many rows a key leads on. */
export const ROW_STEPS: ReadonlyMap<string, number> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", 20],
  ["PageUp", -20],
  ["Home", -Infinity],
  ["End", Infinity],
]);

/** What two rows hold, in a few letters: places in a table of other rows choose nothing there. */
function mark({ columns }: TableData, rows: readonly number[]): string {
  const text = JSON.stringify(Object.values(columns).map((cells) => rows.map((row) => cells[row])));
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (31 * hash + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(36);
}

/** `3-7.1x2y3z`: the first one pressed and the last, by their places in the order shown. */
export function rangeText({ from, to }: Range, data: TableData, shown: ArrayLike<number>): string {
  return `${from}-${to}.${mark(data, [shown[from]!, shown[to]!])}`;
}

export function rangeOf(text: string, data: TableData, shown: ArrayLike<number>): Range | null {
  const match = /^(\d{1,8})-(\d{1,8})\./.exec(text);
  if (!match) return null;
  const range = { from: Number(match[1]), to: Number(match[2]) };
  const isThere = Math.max(range.from, range.to) < shown.length;
  return isThere && rangeText(range, data, shown) === text ? range : null;
}

/** `shown`: row numbers in the order shown. `text`: what is chosen, as the address has it. */
export function useChosen(
  data: TableData,
  shown: readonly number[],
  text: string,
  save: (text: string) => void,
  scrollTo: (index: number) => void,
): Chosen {
  const range = useMemo(() => rangeOf(text, data, shown), [text, data, shown]);
  useEffect(() => {
    if (range) scrollTo(range.to);
  }, []);
  const reach = (to: number, extend: boolean): void =>
    save(rangeText({ from: extend && range ? range.from : to, to }, data, shown));
  const rows = range ? shown.slice(Math.min(range.from, range.to), Math.max(range.from, range.to) + 1) : [];
  const onKey = (event: KeyboardEvent): boolean => {
    const step = ROW_STEPS.get(event.key);
    if (step === undefined) return false;
    event.preventDefault();
    const to = Math.min(shown.length - 1, Math.max(0, (range?.to ?? -1) + step));
    if (to < 0) return true;
    reach(to, event.shiftKey);
    scrollTo(to);
    return true;
  };
  return {
    rows,
    at: range ? shown[range.to] : undefined,
    onClick: (event, index) => reach(index, event.shiftKey),
    onKey,
  };
}
