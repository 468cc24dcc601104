// The query as it is typed, kept in the address; and what was asked of the server last, with its answer.
import { useEffect, useRef, useState } from "preact/hooks";
import { useAttempts, useRetry, asApiError } from "../answer";
import type { ApiError } from "../api";
import { type PageProps, setParams } from "../page";
import { getRows, getSchema, type Question, type Schema } from "./api";
import type { Result } from "./shown";

export function useSchema(): [schema: Schema | null, error: ApiError | null, again: () => void] {
  const [schema, setSchema] = useState<Schema | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, again] = useAttempts();
  useRetry(error, again);
  useEffect(() => {
    const abort = new AbortController();
    setError(null);
    getSchema(abort.signal).then(setSchema, (reason: unknown) => abort.signal.aborted || setError(asApiError(reason)));
    return () => abort.abort();
  }, [attempt]);
  return [schema, error, again];
}

/** The address follows when a person rests. */
const REST_MS = 400;

/** The text, what changes it, and what writes it into the address at once. */
export function useText(page: PageProps): [text: string, set: (text: string) => void, keep: () => void] {
  const given = page.selection.params["query"] ?? "";
  const [text, show] = useState(given);
  const latest = useRef({ page, text });
  latest.current = { ...latest.current, page };
  const written = useRef(given);
  const timer = useRef(0);
  const keep = (): void => {
    clearTimeout(timer.current);
    const { page, text } = latest.current;
    if (text === written.current) return;
    written.current = text;
    setParams(page, { query: text, ran: "" });
  };
  const set = (next: string): void => {
    latest.current.text = next;
    show(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(keep, REST_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  // Of a link that is followed, or a step back.
  useEffect(() => {
    if (given === written.current) return;
    written.current = latest.current.text = given;
    show(given);
  }, [given]);
  return [text, set, keep];
}

interface Running {
  result: Result | null;
  error: ApiError | null;
  /** Since when, by the page's clock; null while nothing runs. */
  since: number | null;
}

const NOTHING: Running = { result: null, error: null, since: null };
/** The last answer, for the way back from the trace. */
let kept: { key: string; result: Result } | null = null;

interface Rows extends Running {
  again: () => void;
  cancel: () => void;
}

/** Rows of a question, null while none is asked; the last ones stay until others are there. `host`: the only one that is shown. */
export function useRows(question: Question | null, host: string): Rows {
  const [running, set] = useState<Running>(NOTHING);
  const [attempt, again] = useAttempts();
  const under = useRef<AbortController | null>(null);
  const key = question && JSON.stringify([question, host]);
  useEffect(() => () => under.current?.abort(), []);
  useEffect(() => {
    // What runs goes on while its text is changed.
    if (!question || !key) return;
    under.current?.abort();
    if (kept?.key === key && !attempt) {
      set({ ...NOTHING, result: kept.result });
      return;
    }
    const abort = (under.current = new AbortController());
    const since = performance.now();
    set((old) => ({ ...old, since }));
    getRows(question, abort.signal).then(
      (rows) => {
        if (abort.signal.aborted) return;
        const asked = { runs: question.runs, host };
        const result = { rows, query: question.query, asked, seconds: (performance.now() - since) / 1000 };
        kept = { key, result };
        set({ ...NOTHING, result });
      },
      (reason: unknown) => abort.signal.aborted || set({ ...NOTHING, error: asApiError(reason) }),
    );
  }, [key, attempt]);
  const cancel = (): void => {
    under.current?.abort();
    set((old) => ({ ...old, since: null }));
  };
  return { ...running, again, cancel };
}
