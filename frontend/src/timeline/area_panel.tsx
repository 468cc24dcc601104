// What ran in the selected area: its sums, and the same by name, by category, by gap and by stack.
import { useEffect, useState } from "preact/hooks";
import { formatNumber } from "../units";
import { Failure } from "../views/states";
import { areaOptions, sumsOf } from "./area";
import { type AreaProps, BottomUp, ByCategory, ByName, Flame, Gaps } from "./area_tables";
import { exactTime } from "./ruler";
import { length } from "./scale";
import type { Area } from "./scene";
import { TabPanel, Tabs } from "./tabs";
import { Boundary } from "../views/panel";
import { asApiError, useAttempts, useRetry } from "../answer";
import type { ApiError } from "../api";
import type { Answer } from "../types";
import type { Board } from "./board";

const REST_MS = 120;

interface Asked {
  answer: Answer | null;
  /** What the answer is of. */
  area: Area | null;
  error: ApiError | null;
}

function useArea(board: Board, area: Area | null): Asked & { waiting: boolean; again: () => void } {
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

const TABS = [
  ["names", "By name", "Count and time of every name"],
  ["categories", "By category"],
  ["gaps", "Gaps", "Idle gaps and their causes"],
  ["flame", "Flame graph", "By stack, merged by name"],
  ["bottom_up", "Bottom-up", "By self time, with callers"],
] as const;

const PANEL = "trace-area-part";

type Tab = (typeof TABS)[number][0];

const PARTS: Readonly<Record<Tab, typeof ByName>> = {
  names: ByName,
  categories: ByCategory,
  gaps: Gaps,
  flame: Flame,
  bottom_up: BottomUp,
};

interface Props extends Omit<AreaProps, "answer" | "area"> {
  area: Area;
  close: () => void;
}

export function AreaPanel({ area, close, ...more }: Props) {
  const { board } = more;
  const asked = useArea(board, area);
  const [tab, choose] = useState<Tab>("names");
  const Part = PARTS[tab];
  const { answer } = asked;
  const { start, end } = area.view;
  return (
    <section class="trace-part" aria-label="Selected area" aria-busy={asked.waiting}>
      <header>
        <h2 title={`${exactTime(start - board.origin)} to ${exactTime(end - board.origin)}`}>
          {formatNumber(length(area.view), "ps")} <span class="soft">from {exactTime(start - board.origin)}</span>
        </h2>
        <span class="trace-sums" aria-live="polite">
          {answer && asked.area && sumsOf(answer, asked.area).map((text) => <span key={text}>{text}</span>)}
        </span>
        <span class="grow" />
        <button type="button" title="Zoom to the area (F)" onClick={() => board.look(area.view)}>
          Zoom to area
        </button>
        <button type="button" onClick={close} aria-label="Clear the area" title="Esc">
          ×
        </button>
      </header>
      <Tabs id={PANEL} label="Events of the area" tabs={TABS} chosen={tab} choose={choose} />
      {asked.error && <Failure error={asked.error} again={asked.again} />}
      <TabPanel id={PANEL} chosen={tab} class={`trace-scroll trace-table ${asked.waiting ? "dimmed" : ""}`}>
        {answer && asked.area && !asked.error && (
          <Boundary what={tab}>
            <Part key={tab} {...more} answer={answer} area={asked.area} />
          </Boundary>
        )}
      </TabPanel>
    </section>
  );
}
