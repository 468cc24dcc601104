// What the canvas shows, in words, for screen readers.
import { useEffect, useState } from "preact/hooks";
import { counted, formatNumber } from "../units";
import type { Board } from "./board";
import { useFollow } from "./follow";
import { exactTime } from "./ruler";
import type { Slice } from "./scene";

/** Between the last move of the view and its words. */
const REST_MS = 500;
const NAME_MAX = 120;

function sliceWords(board: Board, { name, duration, start, track, count, depth }: Slice): string {
  const what = count > 1 ? `${counted(count, "event")}, mostly ${name.slice(0, NAME_MAX)}` : name.slice(0, NAME_MAX);
  return `${what}, ${formatNumber(duration, "ps")}, at ${exactTime(start - board.origin)}, on ${track.name}, depth ${depth}`;
}

function summaryOf(board: Board): string {
  const { view, origin, layout, selected, steps } = board;
  const { start, end } = view;
  return [
    `Timeline of ${counted(layout.shown, "track")}: ${formatNumber(end - start, "ps")} from ${formatNumber(start - origin, "ps")}.`,
    steps.length ? `${counted(steps.length, "step")}.` : "",
    selected ? `Selected: ${sliceWords(board, selected)}.` : "",
    "Press ? for help.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The summary, once the view rests. */
export function useSummary(board: Board): string {
  const [text, setText] = useState(() => summaryOf(board));
  useEffect(() => {
    let timer = 0;
    const later = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => setText(summaryOf(board)), REST_MS);
    };
    const end = board.subscribe(later);
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [board]);
  return text;
}

function words(board: Board): string {
  const { selected, area, range } = board;
  if (selected) return `Selected: ${sliceWords(board, selected)}`;
  if (area)
    return `Area: ${formatNumber(area.view.end - area.view.start, "ps")} on ${area.tracks.length ? counted(area.tracks.length, "track") : "all tracks"}`;
  return range ? `Range: ${formatNumber(range.end - range.start, "ps")}` : "";
}

/** Says what is selected, when that changes and rests. */
export function Live({ board }: { board: Board }) {
  const [text, setText] = useState("");
  useFollow(board, ({ selected, area, range }) => [selected, area, range]);
  const { selected, area, range } = board;
  useEffect(() => {
    const timer = setTimeout(() => setText(words(board)), REST_MS);
    return () => clearTimeout(timer);
  }, [selected, area, range]);
  return (
    <p class="offscreen" aria-live="polite">
      {text}
    </p>
  );
}
