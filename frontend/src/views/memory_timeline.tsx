// The panel of memory over time: which window is shown, out of what, with the peak and the steps in it.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { TableData, TableSpec } from "../types";
import { formatNumber } from "../units";
import type { Mark, Window } from "./area_draw";
import { AreaChart } from "./area_view";
import { addresses } from "./limited";
import { memoryInTrace } from "./links";
import { Panel } from "./panel";
import { type Part, setParams } from "../page";
import { number } from "./rows";

/** All there is, as the last answer without a window had it; until then unknown. */
function useWhole({ answer, page }: Part, shown: Window): Window | null {
  const key = `${answer.run} ${answer.hosts.join()} ${String(answer.summary["memory"])}`;
  const whole = useRef<{ key: string; window: Window } | null>(null);
  const isPart = page.selection.params["start_ms"] !== undefined || page.selection.params["end_ms"] !== undefined;
  useEffect(() => {
    if (!isPart) whole.current = { key, window: shown };
  });
  return isPart ? (whole.current?.key === key ? whole.current.window : null) : shown;
}

export function MemoryTimeline(part: Part & { spec: TableSpec; data: TableData }) {
  const { answer, page, spec, data } = part;
  const { summary } = answer;
  const { params } = page.selection;
  const shown = [number(summary["begin_ms"]) ?? 0, number(summary["end_ms"]) ?? 0] as const;
  const whole = useWhole(part, shown);
  const steps = useMemo(() => {
    const { step = [], start_ms = [] } = answer.tables["steps"]?.columns ?? {};
    return step.flatMap((name, row) =>
      typeof start_ms[row] === "number" ? [{ start_ms: start_ms[row], name: String(name) }] : [],
    );
  }, [answer]);
  const [at, bytes] = [number(summary["peak_ms"]), number(summary["peak_bytes"])];
  const peak = useMemo(
    (): Mark | null =>
      at === null || bytes === null ? null : { at_ms: at, bytes, words: `peak ${formatNumber(bytes, "memory")}` },
    [at, bytes],
  );
  const setWindow = (window: Window | null): void => {
    const { start_ms: _start, end_ms: _end, ...rest } = params;
    const cut = window && { start_ms: window[0].toFixed(6), end_ms: window[1].toFixed(6) };
    page.navigate({ params: { ...rest, ...cut } });
  };
  return (
    <Panel title={spec.title} bare>
      <AreaChart
        title={spec.title}
        spec={spec}
        data={data}
        {...addresses(page, "timeline")}
        window={shown}
        all={whole}
        peak={peak}
        steps={steps}
        free={params["free"] ?? ""}
        setFree={(free) => setParams(page, { free })}
        setWindow={setWindow}
        open={(...stretch) => page.navigate(memoryInTrace(answer, ...stretch))}
      />
    </Panel>
  );
}
