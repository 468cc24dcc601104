// The rows that a person has chosen in a table, by mouse or keyboard.
import { useEffect, useState } from "preact/hooks";

export interface Chosen {
  /** Row numbers, in the order shown. */
  rows: number[];
  /** The row the keyboard is at, or undefined. */
  at: number | undefined;
  onClick: (event: MouseEvent, index: number) => void;
  /** Whether the key was one that moves. */
  onKey: (event: KeyboardEvent) => boolean;
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", 20],
  ["PageUp", -20],
  ["Home", -Infinity],
  ["End", Infinity],
]);

/** `shown`: row numbers in the order shown; another order begins with nothing chosen. */
export function useChosen(shown: readonly number[], scrollTo: (index: number) => void): Chosen {
  const [range, setRange] = useState<{ from: number; to: number } | null>(null);
  useEffect(() => setRange(null), [shown]);
  const reach = (to: number, extend: boolean): void => setRange({ from: extend && range ? range.from : to, to });
  const rows = range ? shown.slice(Math.min(range.from, range.to), Math.max(range.from, range.to) + 1) : [];
  const onKey = (event: KeyboardEvent): boolean => {
    const step = STEPS.get(event.key);
    if (step === undefined) return false;
    event.preventDefault();
    const to = Math.min(shown.length - 1, Math.max(0, (range?.to ?? -1) + step));
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
