// What a person sees of a tree: rows opened and closed, the row the keyboard is at, and the keys that move.
import { useMemo, useState } from "preact/hooks";
import type { Column, TableData } from "../types";
import { find, type Found, hasInside, isOpenAt, openedFirst, type Tree, treeOf, visible } from "./nested";
import type { TableState } from "./table_parts";

/** Rows to see at first. */
const AT_FIRST = 24;
const PAGE = 20;

type Turned = ReadonlyMap<number, boolean>;

export interface TreeView {
  tree: Tree;
  found: Found | null;
  /** Places to be seen, from the top down. */
  places: readonly number[];
  isOpen: (place: number) => boolean;
  turn: (place: number, open: boolean) => void;
  turnAll: (open: boolean) => void;
  /** The row that the keyboard is at. */
  cursor: number | null;
  setCursor: (row: number | null) => void;
}

function everyRow({ rows }: Tree, open: boolean): Turned {
  return new Map(Array.from(rows, (row) => [row, open]));
}

/** What a filter opened is as it was when the filter is gone. */
export function useTree(data: TableData, searched: readonly Column[], { filter, sort }: TableState): TreeView {
  const tree = useMemo(() => treeOf(data, sort), [data, sort?.column, sort?.down]);
  const first = useMemo(() => openedFirst(treeOf(data, null), AT_FIRST), [data]);
  const found = useMemo(() => find(tree, data, searched, filter), [tree, searched, filter]);
  const [kept, keep] = useState<{ data: TableData; filter: string; turned: Turned }[]>([]);
  const [cursor, setCursor] = useState<number | null>(null);
  const own = kept.find((one) => one.data === data && one.filter === filter)?.turned;
  const turned: Turned = useMemo(() => own ?? (found ? new Map() : first), [own, found === null, first]);
  const places = useMemo(() => visible(tree, found, turned), [tree, found, turned]);
  const set = (next: Turned): void => {
    const others = kept.filter((one) => one.data === data && one.filter === "" && filter !== "");
    keep([...others, { data, filter, turned: next }]);
  };
  return {
    tree,
    found,
    places,
    isOpen: (place) => hasInside(tree, place) && isOpenAt(tree, place, found, turned),
    turn: (place, open) => set(new Map(turned).set(tree.rows[place]!, open)),
    turnAll: (open) => set(everyRow(tree, open)),
    cursor: cursor !== null && cursor < tree.rows.length ? cursor : null,
    setCursor,
  };
}

/** What a key does, by the names that `keydown` has; undefined: nothing. */
export function keyOf(key: string, view: TreeView, scrollTo: (index: number) => void): (() => void) | undefined {
  const { tree, places, cursor } = view;
  const at = cursor === null ? -1 : places.findIndex((place) => tree.rows[place] === cursor);
  const go = (index: number): void => {
    const to = Math.max(0, Math.min(places.length - 1, index));
    const place = places[to];
    if (place === undefined) return;
    view.setCursor(tree.rows[place]!);
    scrollTo(to);
  };
  const inward = (place: number): void => {
    if (view.isOpen(place)) go(at + 1);
    else if (hasInside(tree, place)) view.turn(place, true);
  };
  const outward = (place: number): void => {
    if (view.isOpen(place)) view.turn(place, false);
    else if (tree.parents[place]! >= 0) go(places.indexOf(tree.parents[place]!));
  };
  const here = (act: (place: number) => void) => (): void => (at < 0 ? go(0) : act(places[at]!));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    PageDown: () => go(at + PAGE),
    PageUp: () => go(at - PAGE),
    Home: () => go(0),
    End: () => go(places.length - 1),
    ArrowRight: here(inward),
    ArrowLeft: here(outward),
    "*": () => view.turnAll(true),
  };
  return keys[key];
}
