// Outlines what the number that is searched for was made of, as finely as it is looked at.
import { useEffect, useRef } from "preact/hooks";
import type { Board } from "./board";
import { findOptions } from "./find";
import { asked, extentOf, optionsOf, type Proof, proofOf } from "./proof";
import { around, length } from "./scale";
import { keyOf } from "./tracks";
import type { Searching } from "./use_find";

/** The view rests for so long before it is asked for. */
const REST_MS = 150;
/** What is marked is zoomed to where it takes less than this of what is seen, and then takes so much. */
const SMALL = 0.5;
const FIT = 0.8;
/** What is asked for, in words. */
const EVENTS = "events of the number";

/** Shows what came first, where nobody said what to look at. */
function show(board: Board, proof: Proof): void {
  const { view, span } = board;
  const extent = extentOf(proof);
  const isWhole = view.start === span.start && view.end === span.end;
  if (extent && isWhole && extent.end - extent.start < SMALL * length(view))
    board.look(around(extent.start, extent.end, FIT, span));
  const on = proof.stretches.map(({ host, rows }) => rows && [...rows].map((row) => board.track(keyOf(host, row))));
  const tracks = on.flatMap((some) => some ?? []).filter((track) => track !== null);
  // Where it holds for all tracks of a host, some are seen anyway.
  if (tracks.length && on.every((some) => some) && !tracks.some((track) => board.sees(track)))
    board.reveal(tracks[0]!, 0);
}

export function useProof(board: Board, { find }: Searching): void {
  const { text, match } = find;
  const latest = useRef(find);
  latest.current = find;
  useEffect(() => {
    if (match !== "row" || !text) return undefined;
    let timer = 0;
    let isShown = false;
    let waitsFor = "";
    const ask = async (): Promise<void> => {
      const wanted = asked(board.proof, board.view, board.span, board.width);
      const options = wanted && { ...findOptions(latest.current, "", 0), ...optionsOf(wanted) };
      const key = JSON.stringify(options);
      if (!wanted || !options || key === waitsFor) return;
      waitsFor = key;
      const answer = await board.asks.ask(EVENTS, (signal) => board.ask(options, signal));
      if (waitsFor === key) waitsFor = "";
      if (!answer) return;
      board.proof = proofOf(answer, wanted.window, wanted.pixel);
      board.changed();
    };
    const later = (): void => {
      if (board.proof && board.isListed && !isShown) {
        isShown = true;
        show(board, board.proof);
      }
      clearTimeout(timer);
      timer = window.setTimeout(() => void ask(), board.proof ? REST_MS : 0);
    };
    const end = board.subscribe(later);
    later();
    return () => {
      end();
      clearTimeout(timer);
      board.asks.drop(EVENTS);
      board.proof = null;
      board.changed();
    };
  }, [board, text, match]);
}
