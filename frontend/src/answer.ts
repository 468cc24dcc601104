// Asking for an answer and keeping the last one on the screen until the next is there.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { passes, whenBack } from "./again";
import { ApiError, cancelWork } from "./api";
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
  /** By which it is asked how far the answer is. */
  work: string;
  /** Waits no longer, and ends what the server does for it. */
  cancel: () => void;
}

const PATIENCE_MS = 100;

/** Of all pages of all browsers none has the same. */
function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The answer for the api's selection with these options. A late answer to an older question is dropped. */
export function useAnswer(api: Api, options: Record<string, string> = {}): Asked {
  const [asked, setAsked] = useState<State>({ answer: null, error: null, waiting: false });
  const [attempt, again] = useAttempts();
  const under = useRef<AbortController | null>(null);
  const url = api.url(options);
  const latest = useRef(options);
  latest.current = options;
  const work = useMemo(newName, [api, url, attempt]);
  useEffect(() => {
    const abort = (under.current = new AbortController());
    const timer = setTimeout(() => setAsked((old) => ({ ...old, waiting: true })), PATIENCE_MS);
    const settle = (next: (old: State) => State): void => {
      clearTimeout(timer);
      if (!abort.signal.aborted) setAsked(next);
    };
    api.data(latest.current, abort.signal, work).then(
      (answer) => settle(() => ({ answer, error: null, waiting: false })),
      (reason: unknown) => settle((old) => ({ ...old, error: asApiError(reason), waiting: false })),
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, url, attempt]);
  useRetry(asked.error, again);
  const cancel = (): void => {
    under.current?.abort();
    setAsked((old) => ({ ...old, error: new ApiError("cancelled", "Nothing more is read for it."), waiting: false }));
    // A server that does not respond does nothing for it either.
    cancelWork(work).catch(() => undefined);
  };
  return { ...asked, again, work, cancel };
}

/** What a question depends on beside its words: how often it was asked; and what asks it once more. */
export function useAttempts(): [attempt: number, again: () => void] {
  const [attempt, setAttempt] = useState(0);
  return [attempt, useCallback(() => setAttempt((n) => n + 1), [])];
}

/** Asks again while the server does not answer at all; every other error stays until a person asks again, or changes something. */
export function useRetry(error: ApiError | null, again: () => void): void {
  useEffect(() => (passes(error) ? whenBack(again) : undefined), [error]);
}

export function asApiError(reason: unknown): ApiError {
  return reason instanceof ApiError ? reason : new ApiError("internal", String(reason));
}
