// Every step, to go to.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatNumber, grouped } from "../units";
import { Name } from "../views/name";
import { useVirtualRows } from "../views/virtual";
import { Words } from "../views/words";
import type { Board } from "./board";
import { useFollow } from "./follow";
import { openStep } from "./commands";
import { typicalStep } from "./compare";
import { exactTime } from "./ruler";
import type { View } from "./scale";
import type { Step } from "./scene";

const ROW_PX = 24;

/** The step that is marked; else the one that fills most of the screen; -1 where there is none. */
export function stepShown(steps: readonly Step[], { range, view }: Pick<Board, "range" | "view">): number {
  if (range) return steps.findIndex(({ start, end }) => start === range.start && end === range.end);
  const middle = (view.start + view.end) / 2;
  const most = (view.end - view.start) / 2;
  return steps.findIndex(({ start, end }) => start <= middle && middle < end && end - start > most);
}

/** Those whose number or name holds a text, in order of time or the longest first. */
export function stepsListed(steps: readonly Step[], text: string, longestFirst: boolean): readonly Step[] {
  const words = text.trim().toLowerCase();
  const matching = steps.filter(({ name, number }) => `${number} ${name}`.toLowerCase().includes(words));
  return longestFirst ? matching.sort((a, b) => b.end - b.start - (a.end - a.start)) : matching;
}

/** What a step is compared with: the one that is marked, else one of usual length. */
function otherOf(steps: readonly Step[], marked: Step | null | undefined, step: Step): Step | null {
  return marked && marked !== step && marked.host === step.host ? marked : typicalStep(steps, step);
}

function compareWith(board: Board, marked: Step | null | undefined, step: Step): void {
  const other = otherOf(board.steps, marked, step);
  if (!other) return;
  const view = ({ start, end }: Step): View => ({ start, end });
  board.compared = { a: view(other), b: view(step) };
  board.changed();
}

interface Props {
  board: Board;
  close: () => void;
}

export function StepsPanel({ board, close }: Props) {
  const steps = board.steps ?? [];
  const [text, setText] = useState("");
  const [longestFirst, setLongestFirst] = useState(false);
  const shown = useMemo(() => stepsListed(steps, text, longestFirst), [steps, text, longestFirst]);
  const chosen = useRef<Step | null>(null);
  useFollow(board, ({ range }) => [range]);
  const { range } = board;
  const isChosen = chosen.current && chosen.current.start === range?.start && chosen.current.end === range.end;
  const current = isChosen ? chosen.current : steps[stepShown(steps, board)];
  const at = current ? shown.indexOf(current) : -1;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(scroller, shown.length, ROW_PX, 0);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at]);
  useEffect(() => {
    if (longestFirst) virtual.scrollToIndex(0);
  }, [longestFirst]);
  const go = (index: number): void => {
    const step = shown[index];
    if (!step) return;
    chosen.current = step;
    openStep(board, step);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by) return;
    go(Math.max(0, Math.min(shown.length - 1, at + by)));
    event.preventDefault();
    event.stopPropagation();
  };
  const detection = board.stepDetection;
  const longest = steps.reduce((most, { start, end }) => Math.max(most, end - start), 1);
  const hosts = new Set(steps.map(({ host }) => host)).size;
  return (
    <section class="trace-hits trace-steps" aria-label="Steps">
      <header>
        <h2>{grouped(steps.length)} steps</h2>
        {detection && (
          <span
            class={detection.isGuess ? "fair trace-where" : "soft trace-where"}
            title={detection.more.replaceAll("`", "")}
          >
            {detection.by}
          </span>
        )}
        <input
          type="search"
          value={text}
          placeholder="Find a step"
          aria-label="Find a step"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && go(0)}
        />
        <button type="button" aria-pressed={longestFirst} onClick={() => setLongestFirst(!longestFirst)}>
          Longest first
        </button>
        <span class="grow" />
        <button type="button" onClick={close} aria-label="Close the list of steps">
          ×
        </button>
      </header>
      {detection?.isGuess && (
        <p class="trace-summary">
          <Words text={detection.more} />
        </p>
      )}
      <div class="trace-scroll" ref={scroller} onKeyDown={onKeyDown}>
        <ol style={{ height: `${virtual.getTotalSize()}px` }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const step = shown[index]!;
            return (
              <li key={index} class="trace-step" style={{ transform: `translateY(${start}px)` }}>
                <button type="button" aria-current={index === at} onClick={() => go(index)}>
                  <span class="number">{exactTime(step.start - board.origin)}</span>
                  <Name text={hosts > 1 ? `${step.name} · ${step.host}` : step.name || String(step.number)} />
                  <span class="number share">
                    <b style={{ width: `${(100 * (step.end - step.start)) / longest}%` }} />
                    <span>{formatNumber(step.end - step.start, "ps")}</span>
                  </span>
                </button>
                <button
                  type="button"
                  class="trace-with"
                  title="Compare with the marked step, or with a typical one"
                  aria-label={`Compare step ${step.number}`}
                  onClick={() => compareWith(board, current, step)}
                >
                  A|B
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}
