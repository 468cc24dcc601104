// What is known of the selected event, asked for once and kept for when one comes back to it.
import { useEffect, useState } from "preact/hooks";
import { asApiError, useAttempts, useRetry } from "../answer";
import type { ApiError } from "../api";
import type { Board } from "./board";
import { relatedOf, type Related } from "./related";

/** Events that are kept, those looked at last. */
const KEPT = 64;
const known = new WeakMap<Board, Map<string, Related>>();

function keptOf(board: Board): Map<string, Related> {
  const kept = known.get(board) ?? new Map<string, Related>();
  known.set(board, kept);
  return kept;
}

export async function askRelated(board: Board, event: string, signal?: AbortSignal): Promise<Related> {
  const kept = keptOf(board);
  const related = kept.get(event) ?? relatedOf(await board.ask({ event }, signal));
  // Last in the order: the first are those looked at longest ago.
  kept.delete(event);
  kept.set(event, related);
  for (const old of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(old);
  }
  return related;
}

interface Loaded {
  event: string;
  related: Related | null;
  error: ApiError | null;
}

/** `event` is `host:row`; null asks for nothing. While the answer is on its way: neither. */
export function useRelated(board: Board, event: string | null): Omit<Loaded, "event"> & { again: () => void } {
  const [loaded, setLoaded] = useState<Loaded>({ event: "", related: null, error: null });
  const [attempt, again] = useAttempts();
  useEffect(() => {
    if (event === null) return undefined;
    const abort = new AbortController();
    askRelated(board, event, abort.signal).then(
      (related) => !abort.signal.aborted && setLoaded({ event, related, error: null }),
      (reason: unknown) => !abort.signal.aborted && setLoaded({ event, related: null, error: asApiError(reason) }),
    );
    return () => abort.abort();
  }, [board, event, attempt]);
  const { related, error } = loaded.event === event ? loaded : { related: null, error: null };
  useRetry(error, again);
  return { related, error, again };
}
