// The selection, kept in the address: read at start, written at every change, followed on back and forward.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { formatHash, isOurs, parseHash } from "./address";
import { isShown, outer } from "./frame";
import type { Navigate, Selection } from "./page";
import { changed, isLate } from "./selection";

type How = "push" | "replace";

function writeNow(selection: Selection, how: How): void {
  const hash = formatHash(selection, outer.location.hash);
  if (hash === outer.location.hash) return;
  // Whole: what is only a hash is relative to another document's address where a report is within a page.
  const { history } = outer;
  history[how === "push" ? "pushState" : "replaceState"](history.state, "", linkTo(selection));
}

/** How soon the address is replaced again: of a key that is held, browsers refuse the changes after some hundred. */
const PAUSE_MS = 150;

/** What comes too soon is written at the end of the pause, the last of it, and in time before anything is read or pushed. */
class Writer {
  private timer = 0;
  private next: Selection | null = null;

  write(selection: Selection, how: How): void {
    if (how === "replace" && this.timer) {
      this.next = selection;
      return;
    }
    this.flush();
    writeNow(selection, how);
    this.timer = window.setTimeout(() => this.flush(), PAUSE_MS);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    const { next } = this;
    this.next = null;
    if (next && isOurs(outer.location.hash)) this.write(next, "replace");
  }

  /** The address was changed by others: what waited is of before. */
  drop(): void {
    this.next = null;
  }
}

const EVENTS = ["hashchange", "popstate"] as const;

/** TensorBoard drops our part of the hash when another tab is opened; it is put back when ours is shown again. */
function follow(current: () => Selection, accept: (selection: Selection) => void, writer: Writer): () => void {
  const listen = (event: Event): void => {
    if (event.type === "resize") writer.flush();
    else writer.drop();
    const { hash } = outer.location;
    if (!isOurs(hash) || !isShown()) return;
    const read = parseHash(hash);
    if (!read.run && !read.tool) writer.write(current(), "replace");
    else if (formatHash(read) !== formatHash(current())) accept(read);
  };
  for (const event of EVENTS) outer.addEventListener(event, listen);
  window.addEventListener("resize", listen);
  return () => {
    for (const event of EVENTS) outer.removeEventListener(event, listen);
    window.removeEventListener("resize", listen);
  };
}

export function useSelection(): [Selection, Navigate] {
  const [selection, show] = useState(() => parseHash(outer.location.hash));
  const latest = useRef(selection);
  const [writer] = useState(() => new Writer());
  const accept = useCallback((next: Selection) => {
    latest.current = next;
    show(next);
  }, []);
  useEffect(() => follow(() => latest.current, accept, writer), [accept]);
  const navigate: Navigate = useCallback(
    (change, how = "push") => {
      if (isLate(selection, latest.current, change)) return;
      const next = changed(latest.current, change);
      accept(next);
      writer.write(next, how);
    },
    [accept, selection.run, selection.tool, JSON.stringify(selection.hosts)],
  );
  return [selection, navigate];
}

/** The address that opens a selection. */
export function linkTo(selection: Selection): string {
  const url = new URL(outer.location.href);
  url.hash = formatHash(selection, outer.location.hash);
  return url.href;
}
