// Every step, to go to.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatNumber, grouped } from "../units";
import { Name } from "../views/name";
import { useVirtualRows } from "../views/virtual";
import type { Board } from "./board";
import { openStep } from "./commands";
import { exactTime } from "./ruler";
import type { Step } from "./scene";

const ROW_PX = 24;

/** The step at the middle of the screen. */
export function stepAt(steps: readonly Step[], time: number): number {
  return steps.findIndex(({ start, end }) => start <= time && time < end);
}

interface Props {
  board: Board;
  close: () => void;
}

export function StepsPanel({ board, close }: Props) {
  const steps = board.steps ?? [];
  const [text, setText] = useState("");
  const shown = useMemo(() => {
    const words = text.trim().toLowerCase();
    return words ? steps.filter(({ name, number }) => `${number} ${name}`.toLowerCase().includes(words)) : steps;
  }, [steps, text]);
  const [at, setAt] = useState(() => stepAt(steps, (board.view.start + board.view.end) / 2));
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(scroller, shown.length, ROW_PX, 0);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, []);
  const go = (index: number): void => {
    const step = shown[index];
    if (!step) return;
    setAt(steps.indexOf(step));
    virtual.scrollToIndex(index);
    openStep(board, step);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by) return;
    go(Math.max(0, Math.min(shown.length - 1, shown.indexOf(steps[at]!) + by)));
    event.preventDefault();
    event.stopPropagation();
  };
  const longest = steps.reduce((most, { start, end }) => Math.max(most, end - start), 1);
  const hosts = new Set(steps.map(({ host }) => host)).size;
  return (
    <section class="trace-hits trace-steps" aria-label="Steps">
      <header>
        <h2>{grouped(steps.length)} steps</h2>
        <input
          type="search"
          value={text}
          placeholder="Number"
          aria-label="Find a step"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && go(0)}
        />
        <span class="grow" />
        <button type="button" onClick={close} aria-label="Close the list of steps">
          ×
        </button>
      </header>
      <div class="trace-scroll" ref={scroller} onKeyDown={onKeyDown}>
        <ol style={{ height: `${virtual.getTotalSize()}px` }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const step = shown[index]!;
            return (
              <li key={index} style={{ transform: `translateY(${start}px)` }}>
                <button type="button" aria-current={steps[at] === step} onClick={() => go(index)}>
                  <span class="number">{exactTime(step.start - board.origin)}</span>
                  <Name text={hosts > 1 ? `${step.name} · ${step.host}` : step.name || String(step.number)} />
                  <span class="number share">
                    <b style={{ width: `${(100 * (step.end - step.start)) / longest}%` }} />
                    <span>{formatNumber(step.end - step.start, "ps")}</span>
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}
