// One line below the tracks: what can be done now, or what the colours mean.
import { CATEGORIES, titleOf } from "../views/category";
import type { Board } from "./board";
import { useFollow } from "./follow";

type Hint = readonly [input: string, what: string];

const MOVING: readonly Hint[] = [
  ["click", "details"],
  ["drag", "move"],
  ["Ctrl wheel, W S", "zoom"],
  ["Shift drag", "select an area"],
  ["drag on the ruler", "measure"],
  ["E", "sum the visible range"],
];
const STEPS: Hint = ["[ ]", "previous, next step"];
const HELP: Hint = ["?", "all keys"];
const OF_AREA: readonly Hint[] = [
  ["F", "zoom to the area"],
  ["M", "mark"],
  ["Shift drag", "another area"],
  ["Esc", "clear"],
];
const OF_RANGE: readonly Hint[] = [
  ["E", "sum its events"],
  ["F", "zoom to the range"],
  ["M", "mark"],
  ["drag its ends", "on the ruler"],
  ["Esc", "clear"],
];
const OF_SLICE: readonly Hint[] = [
  ["← →", "previous, next on its lane"],
  ["↑ ↓", "above, below"],
  ["F", "zoom to slice"],
  ["M", "mark"],
  ["P H", "pin, hide its track"],
  ["Esc", "clear"],
];
const SELECTING: readonly Hint[] = [
  ["drag", "select an area"],
  ["Shift drag", "move"],
  ["B", "drag to move again"],
];

/** What the keys and the pointer do as the board is now. */
export function hintsOf({ selects, area, range, selected, steps }: Board): readonly Hint[] {
  const step = steps.length ? [STEPS] : [];
  if (area) return OF_AREA;
  if (selects) return SELECTING;
  if (selected) return OF_SLICE;
  return [...(range ? OF_RANGE : MOVING), ...step];
}

/** Categories that an event of a trace can be of. */
const DRAWN: readonly string[] = [
  ...["input_wait", "compute_other", "compute_16bit", "collective", "copy_in", "copy_out"],
  ...["copy_device", "launch", "host_compute", "runtime", "compilation", "output", "waiting", "python"],
];

function Legend() {
  return (
    <p class="trace-hints legend" aria-label="Colour legend">
      {DRAWN.map((key) => (
        <span key={key}>
          <i style={{ background: `var(${CATEGORIES[key]![0]})` }} />
          {titleOf(key)}
        </span>
      ))}
      <span>
        <i style={{ background: "var(--unknown)" }} />
        Unknown
      </span>
    </p>
  );
}

function HintLine({ hint: [input, what] }: { hint: Hint }) {
  return (
    <span>
      <b>{input}</b> {what}
    </span>
  );
}

/** What does not fit is left out, but for the key that lists all. */
export function Hints({ board }: { board: Board }) {
  useFollow(board, ({ selects, area, range, selected, steps, colours }) => [
    ...[selects, !area, !range, !selected, steps, colours],
  ]);
  return (
    <>
      {board.colours === "category" && <Legend />}
      <p class="trace-hints">
        <span class="trace-hints-now">
          {hintsOf(board).map((hint) => (
            <HintLine key={hint[0]} hint={hint} />
          ))}
        </span>
        <HintLine hint={HELP} />
      </p>
    </>
  );
}
