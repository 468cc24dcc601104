// The canvas of a board: sized to its place, drawn once a frame, in the theme's colours.
import { useEffect, useRef, useState } from "preact/hooks";
import { colour, onTheme } from "../theme";
import { counted, formatNumber } from "../units";
import type { Board } from "./board";
import { draw, type Inks } from "./draw";
import { followPointer, onWheel, type Actions } from "./input";
import { Palette } from "./palette";

function inks(): Inks {
  const dark = document.documentElement.dataset["theme"] === "dark";
  const [panel, sunken, line, text, soft, accent] = [
    "--panel",
    "--sunken",
    "--line",
    "--text",
    "--soft",
    "--accent",
  ].map(colour) as [string, string, string, string, string, string];
  return { palette: new Palette(dark, colour), panel, sunken, line, text, soft, accent };
}

/** Draws after every change of the board, of its size, of the theme and of the screen's pixel ratio. */
function follow(canvas: HTMLCanvasElement, board: Board): () => void {
  let ink = inks();
  const paint = (): void => {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(board.width * ratio), Math.round(board.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const ctx = canvas.getContext("2d", { alpha: false });
    if (!ctx) return;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(ctx, board, ink);
  };
  const size = new ResizeObserver(() => board.resize(canvas.clientWidth, canvas.clientHeight));
  size.observe(canvas);
  board.resize(canvas.clientWidth, canvas.clientHeight);
  const ends = [
    board.subscribe(paint),
    onTheme(() => {
      ink = inks();
      board.changed();
    }),
    () => size.disconnect(),
  ];
  return () => ends.forEach((end) => end());
}

function summary(board: Board): string {
  const { start, end } = board.view;
  const tracks = board.processes.reduce((sum, p) => sum + p.tracks.length, 0);
  const chosen = board.selected
    ? ` Selected: ${board.selected.name}, ${formatNumber(board.selected.duration, "ps")}.`
    : "";
  return `Timeline of ${counted(tracks, "track")}: ${formatNumber(end - start, "ps")} from ${formatNumber(start - board.origin, "ps")} on.${chosen} Press ? for the keys.`;
}

export function Canvas({ board, actions }: { board: Board; actions: Actions }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => follow(canvas.current!, board), [board]);
  useEffect(() => followPointer(canvas.current!, board, actions), [board, actions]);
  useEffect(() => {
    const element = canvas.current!;
    const wheel = (event: WheelEvent): void => onWheel(board, event);
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [board]);
  return <canvas ref={canvas} class="trace-canvas" role="img" tabIndex={0} aria-label={summary(board)} />;
}

/** Renders again after every change of the board. */
export function useBoard(board: Board): void {
  const [, again] = useState(0);
  useEffect(() => board.subscribe(() => again((n) => n + 1)), [board]);
}
