// Which tracks have an event in a stretch of time: asked for, one wide pixel a track.
import type { Answer } from "../types";
import type { View } from "./scale";
import { askable, ranges } from "./store";
import { keyOf, type Track } from "./tracks";

/** Tracks of one request at most. */
const TRACKS = 2000;

type Ask = (options: Record<string, string>) => Promise<Answer>;

/** Keys of the tracks with an event there. An answer may leave out tracks, which are asked for again. */
export async function busyTracks(ask: Ask, tracks: readonly Track[], view: View): Promise<ReadonlySet<string>> {
  const busy = new Set<string>();
  let left = [...tracks];
  while (left.length) {
    const now = askable(left.slice(0, TRACKS));
    const [start_ps, end_ps] = [String(Math.floor(view.start)), String(Math.ceil(view.end))];
    const answer = await ask({ start_ps, end_ps, width: "1", tracks: ranges(now) });
    const { host = [], track = [], shown = [], merged = [] } = answer.tables["window_tracks"]?.columns ?? {};
    const answered = new Set<string>();
    for (let i = 0; i < track.length; i++) {
      const key = keyOf(String(host[i]), Number(track[i]));
      answered.add(key);
      if (Number(shown[i]) + Number(merged[i]) > 0) busy.add(key);
    }
    if (!answered.size) return busy;
    left = left.filter((one) => !answered.has(one.key));
  }
  return busy;
}
