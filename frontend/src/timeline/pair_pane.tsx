// One of two traces that are shown one above the other: its run, the step that it is aligned by, what is looked for in it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { apiFor } from "../api";
import type { Api, Navigate, PageProps, Selection } from "../page";
import type { Answer } from "../types";
import { formatNumber, grouped } from "../units";
import { Name } from "../views/name";
import { Select } from "../views/select";
import { Shown } from "../views/states";
import { useAddress } from "./address";
import { Board } from "./board";
import { type Find, NO_FIND } from "./find";
import { FindBox } from "./find_box";
import { useFollow } from "./follow";
import { sliceOf } from "./go";
import { onKeyDown, onKeyUp } from "./keys";
import { anchorOf, categoryMoved, type Letter } from "./pair";
import { useProof } from "./proof";
import { exactTime } from "./ruler";
import type { View } from "./scale";
import type { Step } from "./scene";
import { TraceErrors } from "./trace_notes";
import { TracksView } from "./tracks_view";
import { type Searching, useFind } from "./use_find";

interface PaneProps {
  letter: Letter;
  /** The run that is shown, and the others of its side. */
  run: string;
  runs: readonly string[];
  hosts: readonly string[];
  /** What it is aligned by at first, and looks at; null where the run has no steps. */
  step: View | null;
  first: View | null;
  /** Words of the address. */
  own: Readonly<Record<string, string>>;
  write: (own: Record<string, string>) => void;
  /** Another run of the side. */
  choose: (run: string) => void;
  navigate: Navigate;
  ready: (letter: Letter, board: Board | null) => void;
}

const SCREEN = 1400;
/** A word of the address that is not what it would be without saying, and nothing else. */
const NOWHERE = "-";

/** The place that an address without words means: the step, marked. */
function placeOf({ step, first }: PaneProps): Record<string, string> {
  if (!step || !first) return {};
  const view = { start_ps: String(first.start), end_ps: String(first.end) };
  return { ...view, range: `${step.start}-${step.end}` };
}

/** The pane as a page of its own, whose address is a part of the whole one. */
function usePage(props: PaneProps, api: Api): Pick<PageProps, "selection" | "navigate" | "api"> {
  const { run, hosts, own, write } = props;
  const { capture: _, absent: __, ...words } = own;
  const place = placeOf(props);
  const key = JSON.stringify([place, words]);
  const params = useMemo(
    () => Object.fromEntries(Object.entries({ ...place, ...words }).filter(([, value]) => value !== NOWHERE)),
    [key],
  );
  const latest = useRef({ place, write });
  latest.current = { place, write };
  const [navigate] = useState(
    () =>
      (({ params: next = {} }) => {
        const { place: usual, write: say } = latest.current;
        const changed = Object.entries(next).filter(([name, value]) => usual[name] !== value);
        const gone = Object.keys(usual).filter((name) => next[name] === undefined);
        say(Object.fromEntries([...changed, ...gone.map((name) => [name, NOWHERE])]));
      }) as Navigate,
  );
  const selection: Selection = { run, hosts: [...hosts], tool: "trace_viewer", params };
  return { selection, navigate, api };
}

/** What is looked for is looked for in the step; the longest that is found is selected. */
function useFound(board: Board, searching: Searching, step: View | null): void {
  const { page, setWithin, at } = searching;
  const key = step && `${step.start}-${step.end}`;
  useEffect(() => setWithin(step), [key]);
  useEffect(() => {
    if (!page?.hits.length || at >= 0 || searching.find.match === "row") return undefined;
    const longest = page.hits.reduce((a, b) => (b.duration > a.duration ? b : a));
    const show = (): boolean => {
      const slice = board.isListed && board.height > 0 && sliceOf(board, longest);
      if (!slice) return board.isListed && board.height > 0;
      board.choose(slice);
      board.reveal(slice.track, slice.depth);
      return true;
    };
    if (show()) return undefined;
    const end = board.subscribe(() => show() && end());
    return end;
  }, [board, page]);
}

/** The step that is marked, else the one that was. */
function useStep(board: Board, first: View | null): View | null {
  const [step, setStep] = useState<View | null>(first);
  useFollow(board, ({ range, steps }) => [range, steps]);
  const { range } = board;
  const isOther =
    range && anchorOf(board, NaN) === range.start && (step?.start !== range.start || step.end !== range.end);
  useEffect(() => {
    if (isOther) setStep({ start: range.start, end: range.end });
  }, [isOther, range]);
  return isOther ? range : step;
}

/** What the trace has of it; a mean over hosts ends as none of them does. */
function known(board: Board, step: View | null): Step | undefined {
  const isAt = ({ start }: Step): boolean => start === step?.start;
  return board.steps.find((one) => isAt(one) && one.end === step?.end) ?? board.steps.find(isAt);
}

function StepWords({ board, step }: { board: Board; step: View | null }) {
  useFollow(board, ({ steps }) => [steps]);
  if (!step) return null;
  const number = known(board, step)?.number;
  return (
    <span class="pair-step" title="Times count from its begin. [ and ] go to the previous and next step.">
      step {number === undefined ? "" : `${grouped(number)} `}
      <b>{formatNumber(step.end - step.start, "ps")}</b>
    </span>
  );
}

/** The slice that is selected, in words. */
function Selected({ board }: { board: Board }) {
  useFollow(board, ({ selected, origin }) => [selected, origin]);
  const { selected, origin } = board;
  if (!selected) return <p class="pair-selected soft">Click a slice to see what it is.</p>;
  const { name, duration, start, track } = selected;
  return (
    <p class="pair-selected">
      <Name text={name} /> <b class="number">{formatNumber(duration, "ps")}</b>{" "}
      <span class="soft">
        at {exactTime(start - origin)} on {track.name}
      </span>
    </p>
  );
}

interface OpenProps {
  pane: PaneProps;
  page: PageProps;
  board: Board;
}

function Open({ pane, page, board }: OpenProps) {
  const { letter, run, runs, choose, navigate, hosts } = pane;
  const [find, setFind] = useState<Find>(NO_FIND);
  const searching = useFind(board, find, setFind);
  const root = useRef<HTMLElement>(null);
  const step = useStep(board, pane.step);
  useProof(board, searching);
  useAddress(page, board, find, setFind);
  useFound(board, searching, step);
  useEffect(() => {
    const named = known(board, step);
    const moved = find.match === "row" && named ? categoryMoved(find.text, named) : null;
    if (moved !== null && moved !== find.text) setFind({ ...find, text: moved });
  }, [step?.start]);
  useEffect(() => {
    const up = (event: KeyboardEvent): void => onKeyUp(board, event);
    const stop = (): void => board.motion.stop();
    document.addEventListener("keyup", up);
    window.addEventListener("blur", stop);
    return () => {
      document.removeEventListener("keyup", up);
      window.removeEventListener("blur", stop);
    };
  }, [board]);
  const search = useRef(searching);
  search.current = searching;
  const down = (event: KeyboardEvent): void => {
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest("input:not([type=checkbox]), select, button, [role=menu]")) return;
    const focus = (selector: string) => root.current?.querySelector<HTMLInputElement>(selector)?.focus();
    const actions = {
      find: () => focus(".trace-search input"),
      filter: () => focus(".trace-filter"),
      steps: () => undefined,
      step: (by: 1 | -1) => search.current.step(by),
    };
    if (onKeyDown(board, event, actions)) event.preventDefault();
  };
  const whole = (): void => {
    const { start, end } = board.view;
    const view = { start_ps: String(Math.floor(start)), end_ps: String(Math.ceil(end)) };
    navigate({ run, hosts: [...hosts], tool: "trace_viewer", params: { ...page.selection.params, ...view } });
  };
  return (
    <section ref={root} class="trace pair-pane" aria-label={`Trace of ${letter}`} onKeyDown={down}>
      <header class="pair-head">
        <span class="side-mark" data-side={letter}>
          {letter}
        </span>
        {runs.length > 1 ? (
          <Select
            name="repeat"
            help={`Which of the ${runs.length} runs of ${letter} is shown`}
            value={run}
            offers={runs.map((one) => [one, one])}
            choose={choose}
          />
        ) : (
          <Name text={run} tail={19} />
        )}
        <StepWords board={board} step={step} />
        <FindBox searching={searching} />
        {pane.own["absent"] && (!find.text || find.match === "row") && (
          <span class="pair-absent soft">
            <Name text={pane.own["absent"]} /> is not in {letter}
          </span>
        )}
        <span class="grow" />
        <button type="button" class="link" onClick={whole}>
          Open in Trace ▸
        </button>
      </header>
      <TraceErrors board={board} />
      <TracksView board={board} />
      <Selected board={board} />
    </section>
  );
}

function Loaded({ pane, answer, api }: { pane: PaneProps; answer: Answer; api: Api }) {
  const [board, setBoard] = useState<Board | null>(null);
  const page = usePage(pane, api);
  const { letter, ready, first } = pane;
  useLayoutEffect(() => {
    const made = new Board(api, answer, SCREEN);
    // What is looked at first may go beyond the capture's ends.
    const { span } = made;
    if (first) made.bounds = { start: Math.min(first.start, span.start), end: Math.max(first.end, span.end) };
    setBoard(made);
    return () => {
      ready(letter, null);
      made.dispose();
    };
  }, [answer]);
  useEffect(() => {
    if (board) ready(letter, board);
  }, [board]);
  if (!answer.summary["event_count"]) return <p class="soft">No event of this run has a time.</p>;
  return board && <Open key={board.id} pane={pane} page={page as PageProps} board={board} />;
}

export function PairPane(pane: PaneProps) {
  const { run, hosts, letter } = pane;
  const api = useMemo(() => apiFor({ run, hosts: [...hosts], tool: "trace_viewer" }), [run, hosts.join()]);
  const columns = useMemo((): Api => ({ ...api, data: api.columns as Api["data"] }), [api]);
  const asked = useAnswer(columns, { width: String(SCREEN) });
  return (
    <div class="pair-side" data-side={letter}>
      <Shown asked={asked}>{(answer) => <Loaded pane={pane} answer={answer} api={api} />}</Shown>
    </div>
  );
}
