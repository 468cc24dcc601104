// Below the board: hits and steps on the left, the selected slice and the selected area on the right; on a narrow
// screen one of them at a time.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageProps } from "../page";
import { AreaPanel } from "./area_panel";
import type { Board } from "./board";
import { ComparePanel } from "./compare_panel";
import { FindPanel } from "./find_panel";
import { useFollow } from "./follow";
import { openEvent, sliceOf } from "./go";
import type { Slice } from "./scene";
import { SlicePanel, type Ways } from "./slice_panel";
import { MarksPanel } from "./marks_panel";
import { StepsPanel } from "./steps_panel";
import { TabPanel, Tabs } from "./tabs";
import { keyOf } from "./tracks";
import type { Searching } from "./use_find";

/** Pixels at first, a press of a key, the least; of the window at most. */
const [FIRST, STEP, LEAST, MOST] = [288, 24, 96, 0.75];
/** As it was left when another page was looked at. */
let kept: number | null = null;

/** What lies below the board, and the edge by which it is made higher. */
function Splitter({ children }: { children: ComponentChildren }) {
  const [height, setHeight] = useState(kept ?? Math.min(FIRST, Math.round(window.innerHeight * 0.45)));
  const drag = useRef<{ y: number; height: number } | null>(null);
  const most = Math.max(LEAST, Math.round(window.innerHeight * MOST));
  const set = (next: number): void => {
    kept = Math.min(most, Math.max(LEAST, next));
    setHeight(kept);
  };
  return (
    <div class="trace-below" style={{ height: `${height}px` }}>
      <div
        class="trace-split"
        role="separator"
        tabIndex={0}
        aria-orientation="horizontal"
        aria-label="Height of the panel below"
        aria-valuenow={height}
        aria-valuemin={LEAST}
        aria-valuemax={most}
        onPointerDown={(event) => {
          drag.current = { y: event.clientY, height };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => drag.current && set(drag.current.height + drag.current.y - event.clientY)}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
        onDblClick={() => set(FIRST)}
        onKeyDown={(event) => {
          const by = event.key === "ArrowUp" ? STEP : event.key === "ArrowDown" ? -STEP : 0;
          if (!by) return;
          set(height + by);
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {children}
    </div>
  );
}

const NARROW = "(max-width: 900px)";
/** Slices that one can go back to. */
const TRAIL = 50;

type Part = "find" | "steps" | "marks" | "slice" | "area" | "compare";
const WORDS: Readonly<Record<Part, string>> = {
  ...{ find: "Find", steps: "Steps", marks: "Marks", slice: "Slice", area: "Area", compare: "Compare" },
};
const LEFT: readonly Part[] = ["find", "steps", "marks"];
const RIGHT: readonly Part[] = ["slice", "area", "compare"];

function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const follow = (): void => setNarrow(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return narrow;
}

/** Ways from one event to another, and back. */
function useWays(board: Board): Ways {
  const trail = useRef<Slice[]>([]);
  const select = (slice: Slice | null): void => {
    board.choose(slice);
    if (slice) board.jump(slice);
  };
  const leave = (): void => {
    if (board.selected) trail.current = [...trail.current, board.selected].slice(-TRAIL);
  };
  const before = trail.current[trail.current.length - 1];
  return {
    go(place) {
      const slice = sliceOf(board, place);
      if (!slice) return;
      leave();
      select(slice);
    },
    open({ host, row }) {
      leave();
      void openEvent(board, keyOf(host, row));
    },
    back: before
      ? () => {
          trail.current.pop();
          select(before);
        }
      : null,
    close: () => board.choose(null),
  };
}

/** What came last is shown, until another is chosen. */
function useShown(here: readonly Part[], marks: Readonly<Record<Part, unknown>>): [Part[], (part: Part) => void] {
  const [order, setOrder] = useState<readonly Part[]>([]);
  const choose = (part: Part): void => setOrder((old) => [part, ...old.filter((one) => one !== part)]);
  for (const part of Object.keys(WORDS) as Part[]) {
    useEffect(() => {
      if (marks[part]) choose(part);
    }, [marks[part]]);
  }
  const rank = (part: Part): number => (order.includes(part) ? order.indexOf(part) : Infinity);
  return [[...here].sort((a, b) => rank(a) - rank(b)), choose];
}

interface Props {
  page: PageProps;
  board: Board;
  searching: Searching;
  /** Whether the list of steps is open. */
  steps: boolean;
  setSteps: (open: boolean) => void;
  /** Whether the list of marks is. */
  marks: boolean;
  setMarks: (open: boolean) => void;
}

export function Drawer({ page, board, searching, steps, setSteps, marks: listed, setMarks }: Props) {
  useFollow(board, ({ selected, area, range, compared, steps: all }) => [selected, area, range, compared, all]);
  const ways = useWays(board);
  const narrow = useNarrow();
  const area = board.area ?? null;
  const { text, match } = searching.find;
  const chosen = { slice: board.selected, area, compare: board.compared };
  const marks = { find: text && `${match} ${text}`, steps, marks: listed, ...chosen };
  const here = (Object.keys(WORDS) as Part[]).filter((part) => marks[part]);
  const [shown, choose] = useShown(here, marks);
  if (!here.length) return null;
  const drop = (): void => {
    board.area = null;
    board.changed();
  };
  const find = (name: string): void => searching.change({ text: name, match: "exact", in: "names" });
  const parts: Readonly<Record<Part, () => ComponentChildren>> = {
    find: () => (
      <FindPanel board={board} searching={searching} close={() => searching.change({ ...searching.find, text: "" })} />
    ),
    steps: () => <StepsPanel board={board} close={() => setSteps(false)} />,
    marks: () => <MarksPanel board={board} close={() => setMarks(false)} />,
    slice: () => board.selected && <SlicePanel board={board} slice={board.selected} ways={ways} />,
    compare: () => board.compared && <ComparePanel {...{ page, board, find }} compared={board.compared} />,
    area: () => area && <AreaPanel {...{ page, board, area, ways, find }} close={drop} />,
  };
  const column = (among: readonly Part[], label: string): ComponentChildren => {
    const those = here.filter((part) => among.includes(part));
    const first = shown.find((part) => among.includes(part));
    if (!first) return null;
    const tabs = those.map((part) => [part, WORDS[part]] as const);
    const id = `trace-${label}-part`;
    return (
      <div key={label} class={`trace-column ${label}`}>
        {those.length > 1 && <Tabs id={id} label="Details" tabs={tabs} chosen={first} choose={choose} />}
        <TabPanel id={id} chosen={first} class="trace-shown-part" isAlone={those.length < 2}>
          {parts[first]()}
        </TabPanel>
      </div>
    );
  };
  return (
    <Splitter>
      <div class="trace-drawer">
        {narrow ? column([...LEFT, ...RIGHT], "one") : [column(LEFT, "left"), column(RIGHT, "right")]}
      </div>
    </Splitter>
  );
}
