// Both runs' traces one above the other, aligned by the begin of a typical step of each; zoom and pan move both.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageProps } from "../page";
import type { Answer } from "../types";
import { formatNumber, signed } from "../units";
import { Panel } from "../views/panel";
import type { Board } from "./board";
import { useFollow } from "./follow";
import {
  firstView,
  kept,
  type Letter,
  ofSide,
  Pair,
  type PairStep,
  stepsOf,
  stepsOfRun,
  typicalOf,
  withoutPair,
  withSide,
} from "./pair";
import { PairPane } from "./pair_pane";
import type { View } from "./scale";

export interface Side {
  letter: Letter;
  /** Its runs, the repeats of one program. */
  runs: readonly string[];
  hosts: readonly string[];
}

interface Props {
  page: PageProps;
  answer: Answer;
  sides: readonly [Side, Side];
}

/** The run of a side that is shown, and its typical step. */
export function shownOf(answer: Answer, side: Side, params: PageProps["selection"]["params"]) {
  const captures = stepsOf(answer.tables["steps"] ?? { columns: {} }, side.letter === "A" ? "base" : "new");
  const { capture = "" } = ofSide(params, side.letter);
  const first = side.runs.find((one) => stepsOfRun(captures, one).length) ?? side.runs[0]!;
  const run = side.runs.includes(capture) ? capture : first;
  return { run, step: typicalOf(stepsOfRun(captures, run)) };
}

function zoomBy(board: Board, factor: number): void {
  board.motion.zoomBy(factor, 0.5, performance.now());
  board.changed();
}

type Boards = Readonly<Record<Letter, Board | null>>;

/** How much longer the selected slice of B is than A's. */
function Difference({ a, b }: { a: Board; b: Board }) {
  useFollow(a, ({ selected }) => [selected]);
  useFollow(b, ({ selected }) => [selected]);
  const [one, other] = [a.selected, b.selected];
  if (!one || !other) return null;
  const by = other.duration - one.duration;
  return (
    <span class="pair-difference" aria-live="polite">
      <span class="soft">Selected:</span> {formatNumber(one.duration, "ps")} → {formatNumber(other.duration, "ps")}{" "}
      <b>{by ? signed(by, "ps") : "same"}</b>
    </span>
  );
}

interface BarProps {
  boards: Boards;
  views: Readonly<Record<Letter, View | null>>;
  isLinked: boolean;
  link: (isLinked: boolean) => void;
  close: () => void;
}

function Bar({ boards, views, isLinked, link, close }: BarProps) {
  const both = [boards.A, boards.B].filter((board) => board !== null);
  const led = isLinked ? both.slice(0, 1) : both;
  const title = views.A && views.B ? "Both traces, from the begin of a step" : "Both traces";
  const step = (): void => {
    for (const letter of ["A", "B"] as const) {
      const [board, view] = [boards[letter], views[letter]];
      if (board && (!isLinked || letter === "A")) board.look(view ?? board.span);
    }
  };
  const colour = (): void => {
    const next = both[0]?.colours === "category" ? "name" : "category";
    for (const board of both) {
      board.colours = next;
      board.changed();
    }
  };
  return (
    <div class="lines-bar change-bar pair-bar">
      <b>{title}</b>
      {boards.A && boards.B && <Difference a={boards.A} b={boards.B} />}
      <span class="grow" />
      <label title="Zoom and pan move both traces, by the time since the begin of their steps">
        <input type="checkbox" checked={isLinked} onChange={(event) => link(event.currentTarget.checked)} /> Linked
      </label>
      <button type="button" title="Colours by category, or by name (K for one of them)" onClick={colour}>
        ◐ By category
      </button>
      <button type="button" aria-label="Zoom in" title="W" onClick={() => led.forEach((board) => zoomBy(board, 1 / 2))}>
        +
      </button>
      <button type="button" aria-label="Zoom out" title="S" onClick={() => led.forEach((board) => zoomBy(board, 2))}>
        −
      </button>
      <button type="button" title="Back to the whole step" onClick={step}>
        Step
      </button>
      <button type="button" onClick={close}>
        Close
      </button>
    </div>
  );
}

export function PairOfTraces({ page, answer, sides }: Props) {
  const { params } = page.selection;
  const isLinked = params["apart"] !== "true";
  const [boards, setBoards] = useState<Boards>({ A: null, B: null });
  const [a, b] = sides.map((side) => shownOf(answer, side, params)) as [
    { run: string; step: PairStep | null },
    { run: string; step: PairStep | null },
  ];
  const views = useMemo(
    () => ({ A: a.step && firstView(a.step, b.step), B: b.step && firstView(b.step, a.step) }),
    [a.step?.start, a.step?.end, b.step?.start, b.step?.end],
  );
  // Both panes write in one moment: each must see what the other wrote.
  const latest = useRef(params);
  latest.current = params;
  const navigate = (next: Record<string, string>): void => {
    latest.current = next;
    page.navigate({ params: next }, "replace");
  };
  const ready = useCallback((letter: Letter, board: Board | null) => {
    setBoards((old) => ({ ...old, [letter]: board }));
  }, []);
  useEffect(() => {
    if (!boards.A || !boards.B) return undefined;
    const anchors: [number, number] = [a.step?.start ?? boards.A.span.start, b.step?.start ?? boards.B.span.start];
    return new Pair([boards.A, boards.B], anchors, isLinked, a.step || !b.step ? 0 : 1).start();
  }, [boards, isLinked, a.step?.start, b.step?.start]);
  const pane = (side: Side, { run, step }: { run: string; step: PairStep | null }) => (
    <PairPane
      key={`${side.letter} ${run}`}
      {...{ run, step, ready }}
      {...side}
      first={views[side.letter]}
      own={ofSide(params, side.letter)}
      write={(own) => {
        const all = { ...kept(latest.current, side.letter, own), ...own };
        navigate(withSide(latest.current, side.letter, all));
      }}
      choose={(capture) => {
        const { search, match } = ofSide(latest.current, side.letter);
        const words = match === "row" ? {} : { ...(search ? { search } : {}), ...(match ? { match } : {}) };
        navigate(withSide(latest.current, side.letter, { ...words, capture }));
      }}
      navigate={page.navigate}
    />
  );
  return (
    <Panel title="Both traces" bare class="pair">
      <div class="pair-both">
        <Bar
          {...{ boards, views, isLinked }}
          link={(linked) => {
            const { apart: _, ...others } = latest.current;
            navigate(linked ? others : { ...others, apart: "true" });
          }}
          close={() => page.navigate({ params: withoutPair(latest.current) })}
        />
        {pane(sides[0], a)}
        {pane(sides[1], b)}
      </div>
    </Panel>
  );
}
