// Asking for an answer and keeping the last one on the screen until the next is there.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./api";
import type { Api } from "./page";
import type { Answer } from "./types";

interface State {
  /** The newest answer there is; while another is on its way, the one before. */
  answer: Answer | null;
  error: ApiError | null;
  /** On its way for more than 100 ms: dim what is shown, say what is read. */
  waiting: boolean;
}

export interface Asked extends State {
  /** Ask once more. */
  again: () => void;
}

const PATIENCE_MS = 100;
/** How soon a server that did not answer is asked again. */
const RETRY_MS = 5000;

/** The answer for the api's selection with these options. A late answer to an older question is dropped. */
export function useAnswer(api: Api, options: Record<string, string> = {}): Asked {
  const [asked, setAsked] = useState<State>({ answer: null, error: null, waiting: false });
  const [attempt, setAttempt] = useState(0);
  const again = useCallback(() => setAttempt((n) => n + 1), []);
  const url = api.url(options);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => setAsked((old) => ({ ...old, waiting: true })), PATIENCE_MS);
    const settle = (next: (old: State) => State): void => {
      clearTimeout(timer);
      if (!abort.signal.aborted) setAsked(next);
    };
    api.data(latest.current, abort.signal).then(
      (answer) => settle(() => ({ answer, error: null, waiting: false })),
      (reason: unknown) => settle((old) => ({ ...old, error: asApiError(reason), waiting: false })),
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, url, attempt]);
  useRetry(asked.error, again);
  return { ...asked, again };
}

/** Asks again, later, while the server does not answer at all; every other error stays until a person changes something. */
export function useRetry(error: ApiError | null, again: () => void): void {
  useEffect(() => {
    if (error?.kind !== "unreachable") return undefined;
    const timer = setTimeout(again, RETRY_MS);
    return () => clearTimeout(timer);
  }, [error]);
}

export function asApiError(reason: unknown): ApiError {
  return reason instanceof ApiError ? reason : new ApiError("internal", String(reason));
}
