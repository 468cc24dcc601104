// The field for a query, with what the word at the caret may become in a list below it.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted } from "../units";
import type { Schema } from "./api";
import { complete, type Proposal, type Proposals } from "./complete";

/** As a person types it, so that it can be taken back. */
export function write(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  field.focus();
  field.setSelectionRange(from, to);
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** At the caret, apart from the word before it. */
export function insert(field: HTMLTextAreaElement, name: string): void {
  const { selectionStart: from, selectionEnd: to, value } = field;
  const gap = /[\w)"']$/.test(value.slice(0, from)) ? " " : "";
  write(field, from, to, gap + name);
}

interface Place {
  line: number;
  column: number;
  left: number;
  top: number;
}

function placeOf({ value, scrollLeft: left, scrollTop: top }: HTMLTextAreaElement, at: number): Place {
  const before = value.slice(0, at).split("\n");
  return { line: before.length, column: before.at(-1)!.length, left, top };
}

interface ListProps {
  items: readonly Proposal[];
  at: number;
  place: Place;
  take: (proposal: Proposal) => void;
}

function List({ items, at, place, take }: ListProps) {
  useEffect(() => document.getElementById(`sql-word-${at}`)?.scrollIntoView({ block: "nearest" }), [at, items]);
  const style = {
    top: `calc(var(--line-height) * ${place.line} + ${8 - place.top}px)`,
    "--left": `calc(${place.column}ch + ${8 - place.left}px)`,
  };
  return (
    <div id="sql-words" class="sql-words" role="listbox" aria-label="Completions" style={style}>
      {items.map((one, i) => (
        <div
          key={one.kind + one.name}
          id={`sql-word-${i}`}
          role="option"
          aria-selected={i === at}
          class={i === at ? "at" : ""}
          title={one.detail}
          // The caret stays where it is.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(one)}
        >
          <b>{one.name}</b> <span class="soft">{one.kind === "word" ? "" : `${one.kind} ${one.detail}`}</span>
        </div>
      ))}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

interface Open extends Proposals {
  at: number;
  place: Place;
}

/** The list, and what keys do to it: true of a key that is used up. */
function useWords(field: RefObject<HTMLTextAreaElement | null>, schema: Schema | null) {
  const [open, setOpen] = useState<Open | null>(null);
  const isTaking = useRef(false);
  const look = (isAsked = false): void => {
    const { value, selectionStart, selectionEnd } = field.current!;
    const isOne = selectionStart === selectionEnd && !isTaking.current;
    const found = schema && isOne ? complete(value, selectionStart, schema, isAsked) : null;
    setOpen(found?.items.length ? { ...found, at: 0, place: placeOf(field.current!, found.from) } : null);
  };
  const take = ({ text }: Proposal): void => {
    if (!open) return;
    isTaking.current = true;
    write(field.current!, open.from, field.current!.selectionStart, text);
    isTaking.current = false;
    setOpen(null);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === " " && event.ctrlKey) look(true);
    else if (!open || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    else if (event.key in STEPS) {
      const at = (open.at + STEPS[event.key]! + open.items.length) % open.items.length;
      setOpen({ ...open, at });
    } else if (event.key === "Enter" || event.key === "Tab") take(open.items[open.at]!);
    else if (event.key === "Escape") setOpen(null);
    else {
      // The caret leaves the word.
      if (["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(event.key)) setOpen(null);
      return false;
    }
    event.preventDefault();
    return true;
  };
  return { open, look, take, onKey, close: () => setOpen(null) };
}

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  setText: (text: string) => void;
  schema: Schema | null;
  run: () => void;
  left: () => void;
}

const MOST_LINES = 20;
const LEAST_LINES = 4;

export function Editor({ field, text, setText, schema, run, left }: Props) {
  const words = useWords(field, schema);
  const { open } = words;
  const lines = text.split("\n").length + 1;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (words.onKey(event)) return;
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    words.close();
    run();
  };
  return (
    <div class="sql-editor">
      <textarea
        ref={field}
        aria-label="Query"
        aria-describedby="sql-keys"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={open ? "sql-words" : undefined}
        aria-activedescendant={open ? `sql-word-${open.at}` : undefined}
        placeholder="select name, sum(self_us) as self_us from ops group by all order by self_us desc"
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        rows={Math.min(MOST_LINES, Math.max(LEAST_LINES, lines))}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          words.look();
        }}
        onKeyDown={onKeyDown}
        onPointerDown={words.close}
        onScroll={words.close}
        onBlur={() => {
          words.close();
          left();
        }}
      />
      <span class="offscreen" role="status">
        {open ? counted(open.items.length, "completion") : ""}
      </span>
      {open && <List items={open.items} at={open.at} place={open.place} take={words.take} />}
    </div>
  );
}
