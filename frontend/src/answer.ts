// Asking for an answer and keeping the last one on the screen until the next is there.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./api";
import type { Api } from "./page";
import type { Answer } from "./types";

export interface Asked {
  /** The newest answer there is; while another is on its way, the one before. */
  answer: Answer | null;
  error: ApiError | null;
  /** On its way for more than 100 ms: dim what is shown, say what is read. */
  waiting: boolean;
}

const PATIENCE_MS = 100;

/** The answer for the api's selection with these options. A late answer to an older question is dropped. */
export function useAnswer(api: Api, options: Record<string, string> = {}): Asked {
  const [asked, setAsked] = useState<Asked>({ answer: null, error: null, waiting: false });
  const url = api.url(options);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => setAsked((old) => ({ ...old, waiting: true })), PATIENCE_MS);
    const settle = (next: (old: Asked) => Asked): void => {
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
  }, [url]);
  return asked;
}

export function asApiError(reason: unknown): ApiError {
  return reason instanceof ApiError ? reason : new ApiError("internal", String(reason));
}
