// What can be done with a track, a group or a host.
import { useLayoutEffect, useRef } from "preact/hooks";
import { copyText } from "../views/copy_button";
import type { Board } from "./board";
import { type Choices, isCompact, withCompact, withHidden, withOnly, withPin } from "./choices";
import { moveBy, siblings } from "./label_input";
import type { Row, Track } from "./tracks";

export interface MenuPlace {
  row: Row;
  x: number;
  y: number;
}

type Item = readonly [words: string, act: () => void, key?: string];

function trackItems(board: Board, row: Row, track: Track): Item[] {
  const { choices } = board;
  const set = (next: Choices): void => board.setChoices(next);
  const group = board.groups.find(({ key }) => key === track.group);
  const isPinned = choices.pin.includes(track.key);
  return [
    [isPinned ? "Unpin" : "Pin to the top", () => set(withPin(choices, track.key, !isPinned)), "P"],
    ["Hide", () => set(withHidden(choices, track.key)), "H"],
    ...(group && group.tracks.length > 1 && !row.pinned
      ? [["Hide others in the group", () => set(withOnly(choices, group, track.key))] as Item]
      : []),
    [isCompact(choices, track) ? "Full height" : "Compact", () => set(withCompact(choices, track.key)), "C"],
    [
      "Select its visible part",
      () => {
        board.area = { view: board.view, tracks: [track] };
        board.changed();
      },
    ],
  ];
}

function headerItems(board: Board, row: Row): Item[] {
  const { choices, layout } = board;
  const others = siblings(layout, row).filter(({ key }) => key !== row.key);
  const hide = new Set([...choices.hide, ...others.map(({ key }) => key)]);
  return [
    [row.open ? "Close" : "Open", () => board.toggle(row.key), "Enter"],
    ["Hide", () => board.setChoices(withHidden(choices, row.key)), "H"],
    ...(others.length ? [["Hide others", () => board.setChoices({ ...choices, hide })] as Item] : []),
    ...(row.group
      ? [["Compact or full height", () => board.setChoices(withCompact(choices, row.key)), "C"] as Item]
      : []),
    ["Open all groups", () => board.openAll(true)],
    ["Close all groups", () => board.openAll(false)],
  ];
}

function itemsOf(board: Board, row: Row): Item[] {
  const among = siblings(board.layout, row);
  const at = among.findIndex(({ key }) => key === row.key);
  return [
    ...(row.track ? trackItems(board, row, row.track) : headerItems(board, row)),
    ...(at > 0 ? [["Move up", () => moveBy(board, row, -1), "Alt ↑"] as Item] : []),
    ...(at < among.length - 1 ? [["Move down", () => moveBy(board, row, 1), "Alt ↓"] as Item] : []),
    ["Copy name", () => void copyText(row.track?.name ?? row.group?.name ?? row.host)],
  ];
}

function onMenuKey(event: KeyboardEvent, close: () => void): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  event.stopPropagation();
  if (event.key === "Escape" || event.key === "Tab") close();
  else if (to !== undefined) buttons.at(to % buttons.length)?.focus();
  else return;
  event.preventDefault();
}

export function TrackMenu({
  board,
  place: { row, x, y },
  close,
}: {
  board: Board;
  place: MenuPlace;
  close: () => void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const before = useRef(document.activeElement as HTMLElement | null);
  const end = (): void => {
    close();
    before.current?.focus({ preventScroll: true });
  };
  // Before the next key: that is the menu's.
  useLayoutEffect(() => {
    const { width, height } = menu.current!.getBoundingClientRect();
    menu.current!.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
    menu.current!.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
    menu.current!.querySelector("button")?.focus();
    const outside = (event: Event): void => {
      if (!menu.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [row]);
  return (
    <div
      ref={menu}
      class="trace-menu"
      role="menu"
      aria-label={`Menu of ${row.track?.name ?? row.group?.name ?? row.host}`}
      onKeyDown={(event) => onMenuKey(event, end)}
      onPointerDown={(event) => event.stopPropagation()}
    >
      {itemsOf(board, row).map(([words, act, key]) => (
        <button
          key={words}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            act();
            end();
          }}
        >
          {words} {key && <kbd>{key}</kbd>}
        </button>
      ))}
    </div>
  );
}
