// A component that follows a board, and renders again only when what it shows of it has changed.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board";

type Picked = readonly unknown[];

function same(a: Picked, b: Picked): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/** `pick`: the values that the component's picture depends on. */
export function useFollow(board: Board, pick: (board: Board) => Picked): void {
  const [, again] = useState(0);
  const shown = useRef<Picked>([]);
  shown.current = pick(board);
  const latest = useRef(pick);
  latest.current = pick;
  useEffect(
    () =>
      board.subscribe(() => {
        if (!same(latest.current(board), shown.current)) again((n) => n + 1);
      }),
    [board],
  );
}

/** What is done after every frame and every render, straight to the document: for what moves with the view. */
export function useFrame(board: Board, paint: () => void): void {
  const latest = useRef(paint);
  latest.current = paint;
  useLayoutEffect(() => latest.current());
  useEffect(() => board.subscribe(() => latest.current()), [board]);
}
