// Keys → a board.
import type { Keys } from "../page";
import type { Board } from "./board";
import { withCompact, withHidden, withPin, restored, type Choices } from "./choices";
import { atEnd, dropOne, sliceAcross, sliceBeside, stepOn, toggleColours, toggleMark, toggleSum } from "./commands";
import type { Way } from "./motion";

const SCROLL_STEP = 60;

export interface Actions {
  /** Puts the cursor into the box that finds events. */
  find(): void;
  /** Into the box that filters tracks. */
  filter(): void;
  /** Opens or closes the list of steps. */
  steps(): void;
  /** Shows the next or the previous hit. */
  step(by: 1 | -1): void;
}

export const KEYS: Keys = [
  ["W S", "zoom in, out around the pointer; hold to continue (also + −, Ctrl wheel, wheel on the ruler, pinch)"],
  ["A D", "move left, right; hold to continue (also Shift wheel, drag, ← → with nothing selected)"],
  ["↑ ↓ PgUp PgDn", "scroll the tracks (also wheel, drag)"],
  ["0", "the whole capture"],
  ["Home End", "its start, its end"],
  ["click", "select a slice"],
  [", . ← →", "previous, next slice on its lane"],
  ["↑ ↓", "with a slice selected: the slice above, below it"],
  ["F, double click", "zoom to the area, the range, or the slice"],
  ["Shift drag", "select an area: tracks and a time (touch: hold, then drag)"],
  ["B", "drag selects an area, until B is pressed again"],
  ["E", "sum the events of the range, or of the visible time, on all tracks: names, categories, gaps"],
  ["drag on the ruler", "measure; snaps to edges of slices, Alt: no snapping"],
  ["[ ] J", "previous, next step; the list of steps"],
  ["M", "mark the area, range or slice, or remove its mark; Shift M: remove all marks"],
  ["K", "colours by category, or by name"],
  ["Esc", "clear the area, then the range, then the selection"],
  ["/", "find events; Enter, N: next hit; Shift Enter, Shift N: previous hit"],
  ["T", "filter tracks"],
  ["P H C", "pin, hide, compact the track of the selected slice or of the focused label"],
  ["U", "reset tracks: all shown, in their order"],
  ["Alt ↑ ↓", "on a track's or a group's label: move it (also drag)"],
  ["Enter, Shift F10", "on a label: open and close the group; its menu"],
];

const HELD: Readonly<Record<string, Way>> = {
  ...{ w: "in", s: "out", a: "left", d: "right" },
  ...{ "+": "in", "=": "in", "-": "out", arrowleft: "left", arrowright: "right" },
};

/** The key in lower case; on a keyboard without Latin letters the one that lies there on one with. */
function nameOf({ key, code }: KeyboardEvent): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return (letter && !/^[ -~]/.test(key) ? letter : key).toLowerCase();
}

function ofTrack(board: Board, change: (choices: Choices, key: string) => Choices): void {
  if (board.selected) board.setChoices(change(board.choices, board.selected.track.key));
}

export function pinToggled(choices: Choices, key: string): Choices {
  return withPin(choices, key, !choices.pin.includes(key));
}

/** What a key does that is pressed once. */
function commandOf(board: Board, actions: Actions, name: string, isShift: boolean): (() => void) | undefined {
  const isSelected = board.selected !== null;
  const commands: Record<string, () => void> = {
    arrowup: () => (isSelected ? sliceAcross(board, -1) : board.scrollTo(board.scroll - SCROLL_STEP)),
    arrowdown: () => (isSelected ? sliceAcross(board, 1) : board.scrollTo(board.scroll + SCROLL_STEP)),
    pageup: () => board.scrollTo(board.scroll - board.room),
    pagedown: () => board.scrollTo(board.scroll + board.room),
    ",": () => void sliceBeside(board, -1),
    ".": () => void sliceBeside(board, 1),
    "[": () => stepOn(board, -1),
    "]": () => stepOn(board, 1),
    f: () => board.fit(),
    "0": () => board.look(board.span),
    home: () => board.look(atEnd(board, "start")),
    end: () => board.look(atEnd(board, "end")),
    b: () => {
      board.selects = !board.selects;
      board.changed();
    },
    m: () => {
      if (isShift) board.marks = [];
      else toggleMark(board);
      board.changed();
    },
    p: () => ofTrack(board, pinToggled),
    h: () => ofTrack(board, withHidden),
    c: () => ofTrack(board, withCompact),
    u: () => board.setChoices(restored(board.choices)),
    t: () => actions.filter(),
    e: () => toggleSum(board),
    k: () => toggleColours(board),
    j: () => actions.steps(),
    n: () => actions.step(isShift ? -1 : 1),
    "/": () => actions.find(),
    escape: () => dropOne(board),
  };
  if (isSelected) {
    commands["arrowleft"] = commands[","]!;
    commands["arrowright"] = commands["."]!;
  }
  return commands[name];
}

/** What a key does; false when it does nothing here. */
export function onKeyDown(board: Board, event: KeyboardEvent, actions: Actions): boolean {
  const name = nameOf(event);
  const command = commandOf(board, actions, name, event.shiftKey);
  const way = HELD[name];
  if (command) command();
  else if (way) {
    board.motion.press(way, performance.now(), board.pointer ?? 0.5);
    board.changed();
  } else return false;
  return true;
}

export function onKeyUp(board: Board, event: KeyboardEvent): void {
  const way = HELD[nameOf(event)];
  if (way) board.motion.release(way);
}
