// Choosing one of many: a search field over a virtual list, by mouse or keyboard.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useVirtualRows } from "../views/virtual";

export interface Choice {
  /** Headings have none. */
  value: string | null;
  content: ComponentChildren;
}

interface Props {
  label: string;
  /** What the search field says while empty. */
  hint: string;
  selected: string;
  choices: (filter: string) => Choice[];
  pick: (value: string) => void;
  /** Where several can be chosen: those that are, and what takes one more, or one away. */
  several?: Several;
}

export interface Several {
  chosen: readonly string[];
  toggle: (value: string) => void;
  /** What a box says that it does. */
  help: string;
}

const ROW_PX = 24;
const MOST_ROWS = 18;

/** Preact's types know this role only together with `list`. */
const COMBOBOX: object = { role: "combobox", "aria-expanded": "true", "aria-controls": "picker-list" };

/** The next line in a direction that can be chosen, or the one at hand. */
function next(choices: readonly Choice[], from: number, step: number): number {
  for (let i = from + step; i >= 0 && i < choices.length; i += step) if (choices[i]?.value != null) return i;
  return from;
}

interface LineProps {
  choice: Choice;
  id: string;
  top: number;
  isSelected: boolean;
  isAt: boolean;
  pick: () => void;
  several: Several | undefined;
}

/** A press on it is none on its line. */
function Box({ value, several }: { value: string; several: Several }) {
  return (
    <span
      class="picker-box"
      data-value={value}
      title={several.help}
      // The cursor stays where what is typed goes.
      onPointerDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        several.toggle(value);
      }}
    >
      {several.chosen.includes(value) ? "☑" : "☐"}
    </span>
  );
}

function Line({ choice, id, top, isSelected, isAt, pick, several }: LineProps) {
  const style = { transform: `translateY(${top}px)` };
  const look = [isAt && "at", several && "several"].filter(Boolean).join(" ");
  if (choice.value === null) {
    return (
      <div class="picker-heading" role="presentation" style={style}>
        {choice.content}
      </div>
    );
  }
  return (
    <div id={id} role="option" aria-selected={isSelected} style={style} class={look} onClick={pick}>
      {several && <Box value={choice.value} several={several} />}
      {choice.content}
    </div>
  );
}

/** Which line the keyboard is at: the first that fits what is typed, at the start the selected one. */
function useAt(choices: readonly Choice[], filter: string, selected: string) {
  const [moved, setMoved] = useState<{ filter: string; at: number } | null>(null);
  const first = Math.max(next(choices, -1, 1), filter ? -1 : choices.findIndex((c) => c.value === selected));
  const at = moved?.filter === filter ? moved.at : first;
  const move = (step: number): void => {
    let to = at;
    for (let i = 0; i < Math.abs(step); i++) to = next(choices, to, Math.sign(step));
    setMoved({ filter, at: to });
  };
  return { at, move };
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", MOST_ROWS - 1],
  ["PageUp", 1 - MOST_ROWS],
]);

export function Picker({ label, hint, selected, choices: choose, pick, several }: Props) {
  const [filter, setFilter] = useState("");
  const choices = useMemo(() => choose(filter), [choose, filter]);
  const { at, move } = useAt(choices, filter, selected);
  const scroller = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const rows = useVirtualRows(scroller, choices.length, ROW_PX);
  useLayoutEffect(() => input.current?.focus(), []);
  useLayoutEffect(() => {
    if (at >= 0) rows.scrollToIndex(at);
  }, [at]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS.get(event.key);
    const value = choices[at]?.value;
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step !== undefined) move(step);
    else if (value != null && several && (event.ctrlKey || event.metaKey)) several.toggle(value);
    else if (value != null) pick(value);
  };
  return (
    <div class="picker">
      <input
        ref={input}
        type="search"
        {...COMBOBOX}
        aria-label={label}
        aria-activedescendant={`pick-${at}`}
        placeholder={hint}
        value={filter}
        spellcheck={false}
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="picker-list" ref={scroller} style={{ height: `${Math.min(choices.length, MOST_ROWS) * ROW_PX}px` }}>
        <div
          id="picker-list"
          role="listbox"
          aria-label={label}
          aria-multiselectable={several ? true : undefined}
          style={{ height: `${rows.getTotalSize()}px` }}
        >
          {rows.getVirtualItems().map(({ index, start }) => {
            const choice = choices[index]!;
            const isSelected = several
              ? choice.value !== null && several.chosen.includes(choice.value)
              : choice.value === selected;
            const state = { isSelected, isAt: index === at, several };
            const choose = () => choice.value !== null && pick(choice.value);
            return <Line key={index} choice={choice} id={`pick-${index}`} top={start} pick={choose} {...state} />;
          })}
        </div>
      </div>
      {choices.length === 0 && <p class="soft">Nothing matches.</p>}
    </div>
  );
}
