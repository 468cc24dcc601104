// The range picker of the top bar, and the line below it that says what pages are of.
import { embedded } from "../embedded";
import type { Navigate, Selection } from "../page";
import { asBase, choose, inWords, ofBase, type Range, rangeOf, splitWarnings } from "../range";
import type { Quality, ToolSpec } from "../types";
import { Popover } from "./popover";

interface Props {
  selection: Selection;
  navigate: Navigate;
}

type Offers = readonly (readonly [value: string, words: string, title: string])[];

const OFFERS: Offers = [
  ["", "All steps", "The whole capture"],
  ["typical", "Typical", "Steps that take about as long as most"],
  ["slow", "Slow", "Steps that take much longer than most, where these are few"],
];

const OF_BASE: Offers = [
  ["", "As B", "What is chosen of every page"],
  ["all", "All steps", "The whole of A"],
  ...OFFERS.slice(1),
];

/** Typed: `3-7` is steps, `1.2s-1.4s` a stretch of time. */
function typed(data: FormData): Range {
  const [steps, time] = ["steps", "time"].map((name) => String(data.get(name) ?? "").trim());
  return steps ? { steps } : time ? { time } : {};
}

interface ChooseProps {
  title: string;
  offers: Offers;
  range: Range;
  pick: (range: Range) => void;
}

function Choose({ title, offers, range, pick }: ChooseProps) {
  const { steps = "", time = "" } = range;
  const isOffered = offers.some(([value]) => value === steps);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    pick(typed(new FormData(event.currentTarget as HTMLFormElement)));
  };
  return (
    <div class="range-choose">
      <h2>{title}</h2>
      <p class="offers">
        {offers.map(([value, words, title]) => (
          <button
            key={value}
            type="button"
            title={title}
            aria-pressed={!time && value === steps}
            onClick={() => pick(value ? { steps: value } : {})}
          >
            {words}
          </button>
        ))}
      </p>
      <form onSubmit={onSubmit}>
        <label>
          Steps, by their numbers
          <input
            type="text"
            name="steps"
            spellcheck={false}
            placeholder="3-7, 9, 12-"
            defaultValue={isOffered ? "" : steps}
          />
        </label>
        <label>
          or a time, from the capture's start
          <input type="text" name="time" spellcheck={false} placeholder="1.2s-1.4s" defaultValue={time} />
        </label>
        <button type="submit">Apply</button>
      </form>
    </div>
  );
}

export function RangePicker({ selection, navigate }: Props) {
  const range = rangeOf(selection.params);
  return (
    <Popover
      id="range-picker"
      label="Range: which steps, or which time, every page is of"
      class={Object.keys(range).length ? "range-picker chosen" : "range-picker"}
      button={
        <>
          steps <i aria-hidden="true">▾</i>
        </>
      }
    >
      {(close) => (
        <Choose
          title="Show every page of"
          offers={OFFERS}
          range={range}
          pick={(next) => {
            navigate(choose(selection, next));
            close();
          }}
        />
      )}
    </Popover>
  );
}

/** The same of A of a comparison alone. */
export function BaseRangePicker({ selection: { params }, set }: BaseProps) {
  const range = ofBase(params);
  const isOwn = Object.keys(range).length > 0;
  return (
    <Popover
      label="Steps of A: which steps, or which time, of A alone are compared"
      class={isOwn ? "range-picker chosen" : "range-picker"}
      button={
        <>
          {isOwn ? inWords(range) : "steps"} <i>▾</i>
        </>
      }
    >
      {(close) => (
        <Choose
          title="Of A, compare"
          offers={OF_BASE}
          range={range}
          pick={(next) => {
            set(asBase(next));
            close();
          }}
        />
      )}
    </Popover>
  );
}

interface BaseProps {
  selection: Selection;
  set: (params: Record<string, string>) => void;
}

interface LineProps extends Props {
  tool: ToolSpec | undefined;
  quality: Quality | null;
}

/** Which part of the run the page is of, and the way back to all of it. */
export function RangeLine({ selection, navigate, tool, quality }: LineProps) {
  const range = rangeOf(selection.params);
  if (!Object.keys(range).length) return null;
  const isWindow = tool?.in_range === "window";
  const rangeText = isWindow
    ? `Shown at first: ${inWords(range)}, and all that ran meanwhile.`
    : splitWarnings(quality).range.join(" ");
  return (
    <p class="range-line" role="status">
      <span>{rangeText || `Chosen: ${inWords(range)}.`}</span>
      {!embedded && (
        <button type="button" class="link" onClick={() => navigate(choose(selection, {}))}>
          show all steps
        </button>
      )}
    </p>
  );
}
