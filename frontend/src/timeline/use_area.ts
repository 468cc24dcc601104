// What ran in the area: asked for once the area rests; the answer before stays until then.
import { useEffect, useState } from "preact/hooks";
import { asApiError, useAttempts, useRetry } from "../answer";
import type { ApiError } from "../api";
import type { Answer } from "../types";
import { areaOptions } from "./area";
import type { Board } from "./board";
import type { Area } from "./scene";

const REST_MS = 120;

interface Asked {
  answer: Answer | null;
  /** What the answer is of. */
  area: Area | null;
  error: ApiError | null;
}

export function useArea(board: Board, area: Area | null): Asked & { waiting: boolean; again: () => void } {
  const [asked, setAsked] = useState<Asked>({ answer: null, area: null, error: null });
  const [attempt, again] = useAttempts();
  useRetry(asked.error, again);
  const key = area ? JSON.stringify(areaOptions(area)) : "";
  useEffect(() => {
    if (!area) {
      setAsked({ answer: null, area: null, error: null });
      return undefined;
    }
    const abort = new AbortController();
    const settle = (next: Partial<Asked>): void => {
      if (!abort.signal.aborted) setAsked((old) => ({ ...old, error: null, ...next, area }));
    };
    const timer = setTimeout(() => {
      board.ask(areaOptions(area), abort.signal).then(
        (answer) => settle({ answer }),
        (reason: unknown) => settle({ error: asApiError(reason) }),
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [board, key, attempt]);
  const before = asked.area ? JSON.stringify(areaOptions(asked.area)) : "";
  return { ...asked, waiting: before !== key, again };
}
