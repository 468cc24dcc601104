// What of the trace could not be had, why, and the way to ask again.
import type { ApiError } from "../api";
import { Failure } from "../views/states";
import type { Board } from "./board";
import { useFollow } from "./follow";

/** Errors of one cause are one: a server that is away fails everything. */
export function grouped(error: ApiError | null, failed: ReadonlyMap<string, ApiError>): [ApiError, string[]][] {
  const all: [string, ApiError][] = [
    ...(error ? [["events on the screen", error] as [string, ApiError]] : []),
    ...failed,
  ];
  const groups = new Map<string, [ApiError, string[]]>();
  for (const [what, why] of all) {
    const key = `${why.kind} ${why.message}`;
    const group = groups.get(key);
    if (group) group[1].push(what);
    else groups.set(key, [why, [what]]);
  }
  return [...groups.values()];
}

export function TraceErrors({ board }: { board: Board }) {
  useFollow(board, ({ error, asks }) => [error, asks.failed]);
  return grouped(board.error, board.asks.failed).map(([error, missing]) => (
    <Failure key={error.message} error={error} missing={missing} again={() => board.again()} />
  ));
}
