// The canvas of a board: sized to its place, drawn once a frame, in the theme's colours.
import { useEffect, useRef } from "preact/hooks";
import { onTheme } from "../theme";
import type { Board } from "./board";
import { inksOfTheme } from "./inks";
import { followPointer, onWheel } from "./pointer";
import { Surface } from "./surface";

/** Draws after every change of the board, of its size, of the theme and of the screen's pixel ratio. */
function follow(above: HTMLCanvasElement, below: HTMLCanvasElement, board: Board): () => void {
  let inks = inksOfTheme();
  const surface = new Surface(above, below, () => board.changed());
  const size = new ResizeObserver(() => board.resize(above.clientWidth, above.clientHeight));
  size.observe(above);
  board.resize(above.clientWidth, above.clientHeight);
  // Another pixel ratio, by zoom or by another screen, draws anew.
  const again = (): void => board.changed();
  window.addEventListener("resize", again);
  const ends = [
    () => window.removeEventListener("resize", again),
    board.subscribe(() => surface.paint(board, inks)),
    onTheme(() => {
      inks = inksOfTheme();
      board.changed();
    }),
    () => size.disconnect(),
    () => surface.dispose(),
  ];
  return () => ends.forEach((end) => end());
}

/** `summary`: in words what it shows. */
export function Canvas({ board, summary }: { board: Board; summary: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const below = useRef<HTMLCanvasElement>(null);
  useEffect(() => follow(canvas.current!, below.current!, board), [board]);
  useEffect(() => followPointer(canvas.current!, board), [board]);
  useEffect(() => {
    const element = canvas.current!;
    const wheel = (event: WheelEvent): void => onWheel(board, event);
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [board]);
  return (
    <>
      <canvas ref={below} class="trace-picture" aria-hidden="true" />
      <canvas ref={canvas} class="trace-canvas" role="img" tabIndex={0} aria-label={summary} />
    </>
  );
}
