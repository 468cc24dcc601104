// What a person sees of a tree: rows opened and closed, the row the keyboard is at, and the keys that move.
import { useMemo, useState } from "preact/hooks";
import type { Column, TableData } from "../types";
import { rangeOf, rangeText } from "./chosen";
import {
  find,
  type Hits,
  hasInside,
  isOpenAt,
  openedFirst,
  type Tree,
  treeOf,
  turnedAll,
  turnedOf,
  visible,
  withTurn,
} from "./nested";
import type { TableState } from "./table_parts";

/** Rows to see at first. */
const AT_FIRST = 24;
const PAGE = 20;

export interface TreeView {
  tree: Tree;
  hits: Hits | null;
  /** Places to be seen, from the top down. */
  places: readonly number[];
  isOpen: (place: number) => boolean;
  turn: (place: number, open: boolean) => void;
  turnAll: (open: boolean) => void;
  /** The row that the keyboard is at. */
  cursor: number | null;
  setCursor: (place: number) => void;
}

/** What is opened without a filter is in the address; a filter opens by itself, and is gone with what is turned under it. */
export function useTree(
  data: TableData,
  searched: readonly Column[],
  state: TableState,
  setState: (state: TableState) => void,
): TreeView {
  const { filter, sort, rows, open } = state;
  const tree = useMemo(() => treeOf(data, sort), [data, sort?.column, sort?.down]);
  const first = useMemo(() => openedFirst(treeOf(data, null), AT_FIRST), [data]);
  const hits = useMemo(() => find(tree, data, searched, filter), [tree, searched, filter]);
  const [filtered, setFiltered] = useState({ data, filter: "", open: "" });
  const under = filtered.data === data && filtered.filter === filter ? filtered.open : "";
  const text = hits ? under : open;
  const turned = useMemo(() => turnedOf(text, tree, hits ? new Map() : first), [text, tree, hits === null, first]);
  const places = useMemo(() => visible(tree, hits, turned), [tree, hits, turned]);
  const cursor = useMemo(() => rangeOf(rows, data, tree.rows), [rows, data, tree]);
  const set = (next: string): void =>
    hits ? setFiltered({ data, filter, open: next }) : setState({ ...state, open: next });
  return {
    tree,
    hits,
    places,
    isOpen: (place) => hasInside(tree, place) && isOpenAt(tree, place, hits, turned),
    turn: (place, isOpen) => set(withTurn(text, tree, tree.rows[place]!, isOpen)),
    turnAll: (isOpen) => set(turnedAll(tree, isOpen)),
    cursor: cursor && tree.rows[cursor.to]!,
    setCursor: (place) => setState({ ...state, rows: rangeText({ from: place, to: place }, data, tree.rows) }),
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
    view.setCursor(place);
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
