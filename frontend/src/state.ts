// The selection, kept in the address: read at start, written at every change, followed on back and forward.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { formatHash, isOurs, parseHash } from "./address";
import { isShown, outer } from "./frame";
import type { Navigate, Selection } from "./page";
import { changed } from "./selection";

function write(selection: Selection, how: "push" | "replace"): void {
  const hash = formatHash(selection, outer.location.hash);
  if (hash === outer.location.hash) return;
  if (how === "push") outer.history.pushState(outer.history.state, "", hash);
  else outer.history.replaceState(outer.history.state, "", hash);
}

const EVENTS = ["hashchange", "popstate"] as const;

/** TensorBoard drops our part of the hash when another tab is opened; it is put back when ours is shown again. */
function follow(current: () => Selection, accept: (selection: Selection) => void): () => void {
  const listen = (): void => {
    const { hash } = outer.location;
    if (!isOurs(hash) || !isShown()) return;
    const read = parseHash(hash);
    if (!read.run && !read.tool) write(current(), "replace");
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
  const accept = useCallback((next: Selection) => {
    latest.current = next;
    show(next);
  }, []);
  useEffect(() => follow(() => latest.current, accept), [accept]);
  const navigate: Navigate = useCallback(
    (change, how = "push") => {
      const next = changed(latest.current, change);
      accept(next);
      write(next, how);
    },
    [accept],
  );
  return [selection, navigate];
}
