// A capture from its begin to its end, whether its dialog is open or not.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asApiError } from "../answer";
import type { ApiError } from "../api";
import { cancelCapture, type CaptureRequest, type CaptureState, getCapture, startCapture } from "./capture_api";

const PERIOD_MS = 250;
/** How soon a TensorBoard that does not answer is asked again. */
const RETRY_MS = 2000;

export interface Capture {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  /** The id of the capture that is followed, or nothing. */
  job: string;
  /** The capture that goes on, or that has ended and was not yet looked at. */
  state: CaptureState | null;
  /** Why its state is not known. */
  error: ApiError | null;
  /** Begins one. Rejects with ApiError where the server does not. */
  start: (request: CaptureRequest) => Promise<void>;
  /** One that was begun by another page. */
  follow: (job: string) => void;
  cancel: () => void;
  /** Back to the form. */
  clear: () => void;
}

/** Asks for the state until it is over. `ended` is called once, with the last state. */
function useProgress(job: string, ended: (state: CaptureState) => void): [CaptureState | null, ApiError | null] {
  const [state, setState] = useState<CaptureState | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const latest = useRef(ended);
  latest.current = ended;
  useEffect(() => {
    setState(null);
    setError(null);
    if (!job) return undefined;
    const abort = new AbortController();
    let timer = 0;
    const ask = async (): Promise<void> => {
      let wait = PERIOD_MS;
      try {
        const next = await getCapture(job, abort.signal);
        setState(next);
        setError(null);
        if (next.done) return latest.current(next);
      } catch (reason) {
        if (abort.signal.aborted) return undefined;
        const failure = asApiError(reason);
        setError(failure);
        if (failure.kind !== "unreachable") return undefined;
        wait = RETRY_MS;
      }
      timer = window.setTimeout(() => void ask(), wait);
      return undefined;
    };
    void ask();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [job]);
  return [state?.job === job ? state : null, error];
}

/** `came` gets the run of a capture that has ended well, and whether the dialog is open. */
export function useCapture(came: (run: string, isOpen: boolean) => void): Capture {
  const [isOpen, setOpen] = useState(false);
  const [job, follow] = useState("");
  const shown = useRef(isOpen);
  shown.current = isOpen;
  const [state, error] = useProgress(job, (last) => last.phase === "done" && came(last.run, shown.current));
  const start = useCallback(async (request: CaptureRequest) => follow((await startCapture(request)).job), []);
  const clear = useCallback(() => follow(""), []);
  const close = (): void => {
    setOpen(false);
    if (state?.done || error) clear();
  };
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  useEffect(() => setRefusal(null), [job]);
  const cancel = (): void =>
    void cancelCapture(job).then(
      () => setRefusal(null),
      (reason: unknown) => setRefusal(asApiError(reason)),
    );
  return {
    isOpen,
    open: () => setOpen(true),
    close,
    job,
    state,
    error: error ?? refusal,
    start,
    follow,
    cancel,
    clear,
  };
}
