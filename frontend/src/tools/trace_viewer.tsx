// The trace: every event on one time axis, asked for as the view moves.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { embedded } from "../embedded";
import { takeFocus } from "../frame";
import type { Api, PageProps } from "../page";
import { rangeOf } from "../range";
import { useAddress } from "../timeline/address";
import { Board } from "../timeline/board";
import { Clocks } from "../timeline/clocks";
import { Drawer } from "../timeline/drawer";
import { ExportMenu } from "../timeline/export_menu";
import { type Find, NO_FIND } from "../timeline/find";
import { FindBox } from "../timeline/find_box";
import { useFollow } from "../timeline/follow";
import { Hints } from "../timeline/hints";
import { type Actions, KEYS, onKeyDown, onKeyUp } from "../timeline/keys";
import { useProof } from "../timeline/proof";
import { ViewState, ZoomButtons } from "../timeline/tools";
import { TraceErrors, TraceNotes } from "../timeline/trace_notes";
import { TracksView } from "../timeline/tracks_view";
import { useFind } from "../timeline/use_find";
import type { Answer } from "../types";
import { Shown } from "../views/states";

export const keys = KEYS;

/** Where keys are text, or move something else. */
const OTHERS = "input:not([type=checkbox]), textarea, select, dialog, [role=listbox], [role=menu], .top-bar";
/** Keys that scroll a list that has the focus, or press its buttons. */
const SCROLLS = /^(Arrow|Page|Home|End)/;

/** Keys work wherever the focus is, but where they have another meaning. */
function useKeys(board: Board, actions: Actions): void {
  useEffect(() => {
    const down = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target?.closest(OTHERS)) return;
      if (target?.closest(".trace-below, .popover-panel") && SCROLLS.test(event.key)) return;
      if (onKeyDown(board, event, actions)) event.preventDefault();
    };
    const up = (event: KeyboardEvent): void => onKeyUp(board, event);
    const stop = (): void => board.motion.stop();
    document.addEventListener("keydown", down);
    document.addEventListener("keyup", up);
    window.addEventListener("blur", stop);
    return () => {
      document.removeEventListener("keydown", down);
      document.removeEventListener("keyup", up);
      window.removeEventListener("blur", stop);
    };
  }, [board, actions]);
}

function focusOn(selector: string): void {
  document.querySelector<HTMLInputElement>(selector)?.focus();
}

interface TraceProps {
  page: PageProps;
  answer: Answer;
  board: Board;
}

function Trace({ page, answer, board }: TraceProps) {
  // What a drag will leave is read below the tracks once it has ended.
  useFollow(board, ({ selected, area, range, steps, marks: marked, isHeld }) => [
    selected,
    steps,
    marked,
    isHeld,
    ...(isHeld ? [] : [area, range]),
  ]);
  const [find, setFind] = useState<Find>(NO_FIND);
  const [steps, setSteps] = useState(false);
  const [marks, setMarks] = useState(false);
  const searching = useFind(board, find, setFind);
  const { step } = searching;
  const toggleSteps = useCallback(() => setSteps((open) => !open), []);
  const actions = useMemo(
    (): Actions => ({
      find: () => focusOn(".trace-search input"),
      filter: () => focusOn(".trace-filter"),
      steps: toggleSteps,
      step,
    }),
    [step],
  );
  useProof(board, searching);
  useAddress(page, board, find, setFind);
  useKeys(board, actions);
  useEffect(takeFocus, []);
  return (
    <div class="trace">
      <h1 class="offscreen">{page.tool.title}</h1>
      <div class="trace-tools">
        <FindBox searching={searching} />
        <button type="button" aria-pressed={steps} disabled={!board.steps.length} title="J" onClick={toggleSteps}>
          Steps
        </button>
        <button
          type="button"
          aria-pressed={marks}
          title="Marks: M marks the area, range or slice"
          onClick={() => setMarks(!marks)}
        >
          Marks{board.marks.length ? ` ${board.marks.length}` : ""}
        </button>
        <span class="grow" />
        <Clocks board={board} page={page} />
        <ViewState board={board} />
        <ZoomButtons board={board} />
        {!embedded && <ExportMenu board={board} run={answer.run} hosts={page.selection.hosts} />}
      </div>
      <TraceNotes findings={answer.findings} />
      <TraceErrors board={board} />
      <TracksView board={board} events={Number(answer.summary["event_count"])} />
      <Hints board={board} />
      <Drawer {...{ page, board, searching, steps, setSteps, marks, setMarks }} />
    </div>
  );
}

/** The page as it was until another run was chosen, of which there is no answer yet: its address names nothing of this one. */
function useOwn(page: PageProps, answer: Answer): PageProps {
  const last = useRef({ answer, page });
  const isOther = last.current.answer === answer && page.selection.run !== last.current.page.selection.run;
  if (isOther) return { ...last.current.page, navigate: () => undefined };
  last.current = { answer, page };
  return page;
}

function Loaded({ page: given, answer, width }: { page: PageProps; answer: Answer; width: number }) {
  const [made, setMade] = useState<{ board: Board; answer: Answer } | null>(null);
  const page = useOwn(given, answer);
  useLayoutEffect(() => {
    const board = new Board(page.api, answer, width, rangeOf(page.selection.params));
    setMade({ board, answer });
    return () => board.dispose();
  }, [answer]);
  const board = made?.answer === answer ? made.board : null;
  if (!answer.summary["event_count"])
    return (
      <section class="empty">
        <h1>No event has a time</h1>
        <p>{answer.unknown["span_start_ps"]}. See the quality mark at the top for what the file held.</p>
      </section>
    );
  return board && <Trace key={board.id} page={page} answer={answer} board={board} />;
}

export default function TraceViewer(page: PageProps) {
  const [width] = useState(() => (window.innerWidth > 400 ? Math.ceil(window.innerWidth / 100) * 100 : 1200));
  const { align } = page.selection.params;
  const { api } = page;
  // The board reads typed arrays as well as lists; of an answer the page itself reads no more than its head.
  const columns = useMemo((): Api => ({ ...api, data: api.columns as Api["data"] }), [api]);
  const asked = useAnswer(columns, {
    width: String(width),
    ...(align ? { align } : {}),
    ...rangeOf(page.selection.params),
  });
  return (
    <div class="trace-page">
      <Shown asked={asked}>{(answer) => <Loaded page={page} answer={answer} width={width} />}</Shown>
    </div>
  );
}
