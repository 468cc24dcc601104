// How much of a capture an answer is of, and how it was read. Pure.
import { told } from "./range";
import type { Quality } from "./types";

export type Level = "good" | "fair" | "bad";

/** good: everything is shown. bad: nothing, or less than half. */
export function level(quality: Quality): Level {
  const { events_in_file: all, events_kept: kept } = quality;
  if (all === 0 || kept < all / 2) return "bad";
  return kept < all || told(quality).others.length ? "fair" : "good";
}

/** Whether something not compiled read a file, of whatever format: the best there is for each is called compiled. */
export function isSlow({ decoder }: Quality): boolean {
  return decoder.split(",").some((name) => name !== "" && name !== "compiled");
}
