// Whether profilers answer at the addresses, asked once typing has stopped.
import { useEffect, useState } from "preact/hooks";
import { passes } from "../again";
import { asApiError } from "../answer";
import { type Checked, checkAddresses } from "./capture_api";

const QUIET_MS = 500;
/** As many checks as the server makes run: it is asked again. */
const BUSY_MS = 1000;

export interface Check {
  hosts: Checked[];
  /** Why they cannot be looked at, such as a port that is missing. */
  problem: string;
  isAsking: boolean;
}

const NOTHING: Check = { hosts: [], problem: "", isAsking: false };

/** What is known of the text, or of the one before while it is asked: `isAsking` then. */
export function useCheck(text: string, again: number): Check {
  const [check, set] = useState(NOTHING);
  useEffect(() => {
    if (!text.trim()) return set(NOTHING);
    const abort = new AbortController();
    let timer = 0;
    const ask = (): void => {
      checkAddresses(text, abort.signal).then(
        ({ hosts, problem }) => set({ hosts, problem, isAsking: false }),
        (reason: unknown) => {
          if (abort.signal.aborted) return;
          const { kind, message } = asApiError(reason);
          if (passes({ kind })) timer = window.setTimeout(ask, BUSY_MS);
          if (kind !== "busy") set({ ...NOTHING, problem: message });
        },
      );
    };
    set((old) => ({ ...old, isAsking: true }));
    timer = window.setTimeout(ask, QUIET_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [text, again]);
  return check;
}
