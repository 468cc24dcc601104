// The runs, asked for again and again while the page is seen: a new capture appears without a restart.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { passes, whenBack } from "../again";
import { type ApiError, getRuns } from "../api";
import { asApiError } from "../answer";
import { isShown, onReload } from "../frame";
import type { Runs } from "../types";

const PERIOD_MS = 5000;
const SCANNING_MS = 500;

export interface Polled {
  runs: Runs | null;
  error: ApiError | null;
  /** Asks now; done when the answer is there, or an error. */
  again: () => Promise<void>;
}

/** The same object as before where nothing has changed, so that nothing is drawn again. */
function fresh(old: Runs | null, runs: Runs): Runs {
  return old && JSON.stringify(old) === JSON.stringify(runs) ? old : runs;
}

export function useRuns(): Polled {
  const [polled, set] = useState<Omit<Polled, "again">>({ runs: null, error: null });
  const now = useRef<() => Promise<void>>(async () => undefined);
  const again = useCallback(() => now.current(), []);
  useEffect(() => {
    let timer = 0;
    let end: () => void = () => undefined;
    let asked: Promise<void> | null = null;
    const request = async (): Promise<void> => {
      clearTimeout(timer);
      end();
      let period = PERIOD_MS;
      try {
        const runs = await getRuns();
        if (runs.scanning) period = SCANNING_MS;
        set((old) => ({ runs: fresh(old.runs, runs), error: null }));
      } catch (reason) {
        const error = asApiError(reason);
        set((old) => ({ ...old, error }));
        if (passes(error)) end = whenBack(tick);
      }
      asked = null;
      timer = window.setTimeout(tick, period);
    };
    const ask = (): Promise<void> => (asked ??= request());
    // What is on its way was asked before.
    now.current = async () => {
      await asked;
      await ask();
    };
    const tick = (): void => {
      clearTimeout(timer);
      if (isShown()) void ask();
      else timer = window.setTimeout(tick, PERIOD_MS);
    };
    void ask();
    onReload(() => void ask());
    document.addEventListener("visibilitychange", tick);
    window.addEventListener("resize", tick);
    return () => {
      clearTimeout(timer);
      end();
      document.removeEventListener("visibilitychange", tick);
      window.removeEventListener("resize", tick);
    };
  }, []);
  return { ...polled, again };
}
