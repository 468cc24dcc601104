// What a person types to filter tracks → a test of their words.
import { PatternError, patternOf } from "./pattern";

/** Whether a track's words match. */
export type Filter = (text: string) => boolean;

/** Milliseconds that an expression may look at all tracks at once. */
const PATIENCE_MS = 1000;
/** Tracks between two looks at the clock. */
const STRIDE = 64;
/** What the text was made into that came last: all tracks are filtered anew with every change of any choice. */
let last: { text: string; pattern: Filter | null; why: string } = { text: "", pattern: null, why: "" };

/** `/…/` → the expression within; null where the text is words. */
function expressionOf(text: string): string | null {
  return /^\/(.+?)\/?$/s.exec(text)?.[1] ?? null;
}

function compiled(text: string): typeof last {
  if (last.text === text) return last;
  try {
    last = { text, pattern: patternOf(text), why: "" };
  } catch (reason) {
    if (!(reason instanceof PatternError)) throw reason;
    last = { text, pattern: null, why: reason.message };
  }
  return last;
}

/** Why a text is no filter; empty where it is one. */
export function whyNoFilter(text: string): string {
  const expression = expressionOf(text);
  return expression === null ? "" : compiled(expression).why;
}

/** As long as there is time all that match, then everything: an expression that takes too long is none any more. */
function timed({ text, pattern }: typeof last, now: () => number): Filter {
  const until = now() + PATIENCE_MS;
  let count = 0;
  return (name) => {
    if (++count % STRIDE === 0 && now() > until)
      last = { text, pattern: null, why: "The expression takes too long; use a simpler one." };
    return last.pattern === pattern ? pattern!(name) : true;
  };
}

/** `/…/` is a regular expression, everything else words that must all be there. Null where the expression is none. */
export function filterOf(text: string, now: () => number = () => performance.now()): Filter | null {
  const expression = expressionOf(text);
  if (expression !== null) return compiled(expression).pattern && timed(compiled(expression), now);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (name) => {
    const lower = name.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}
