// The rows of the table of runs, asked for while the page is seen: the server makes them only as long as it is asked.
import { type RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, getRunRows } from "../api";
import { whenBack } from "../again";
import { asApiError } from "../answer";
import { isShown } from "../frame";
import type { Runs } from "../types";
import { merged, NO_ROWS, type Rows, someOf } from "./run_rows";

/** While rows come, and while nothing is seen of the page. */
const PERIOD_MS = 250;
const HIDDEN_MS = 1000;

/** `seen`: names of the runs that are on the screen. Asks again when other runs are there, or another baseline. */
export function useRows(
  runs: Runs,
  baseline: string,
  seen: RefObject<readonly string[]>,
): { rows: Rows; error: ApiError | null } {
  const [state, set] = useState<{ rows: Rows; error: ApiError | null; baseline: string }>({
    rows: NO_ROWS,
    error: null,
    baseline,
  });
  useEffect(() => {
    const abort = new AbortController();
    // What was compared with another baseline comes anew; until then it stays on the screen.
    let rows = state.baseline === baseline ? state.rows : { ...state.rows, serial: 0 };
    let timer = 0;
    let end: () => void = () => undefined;
    const later = (ms: number): void => {
      timer = window.setTimeout(ask, ms);
    };
    const ask = async (): Promise<void> => {
      if (!isShown()) return later(HIDDEN_MS);
      try {
        rows = merged(
          rows,
          await getRunRows({ after: rows.serial, baseline, first: someOf(seen.current ?? []) }, abort.signal),
        );
        set({ rows, error: null, baseline });
        if (rows.working) later(PERIOD_MS);
      } catch (reason) {
        if (abort.signal.aborted) return;
        set((old) => ({ ...old, error: asApiError(reason) }));
        end = whenBack(() => void ask());
      }
    };
    void ask();
    return () => {
      clearTimeout(timer);
      end();
      abort.abort();
    };
  }, [runs, baseline]);
  return state;
}
