// A place that an answer names → the slice there, as far as its track is on the board.
import { type Board, EVENT } from "./board";
import { type Place, placeOfFacts } from "./related";
import type { Slice } from "./scene";
import { keyOf } from "./tracks";
import { askRelated } from "./use_related";

export function sliceOf(board: Board, place: Place): Slice | null {
  const track = board.track(keyOf(place.host, place.track));
  const { depth, start, duration, name, row } = place;
  return track && { track, depth, start, duration, idle: 0, name, count: 1, row };
}

/** Where a slice is, in the words of an answer. */
export function placeOfSlice({ track, depth, start, duration, name, row }: Slice): Place {
  return { host: track.host, track: track.row, depth, start, duration, name, row };
}

/**
 * Selects the event `host:row`, and brings it onto the screen; nothing where there is no such event, or another one was
 * selected meanwhile.
 */
export async function openEvent(board: Board, event: string, jump = true): Promise<void> {
  const before = board.selected;
  const related = await board.asks.ask(EVENT, (signal) => askRelated(board, event, signal));
  const slice = related && sliceOf(board, placeOfFacts(related.facts));
  if (!slice || board.selected !== before) return;
  board.choose(slice);
  if (jump) board.jump(slice);
  else board.reveal(slice.track, slice.depth);
}
