// A name from a file: always text, cut in its middle where room is short, whole on hover and in copies.
import { type Apart, tailOf } from "./apart";

/** Letters at the end that stay as long as there is room; style.css cuts. */
const TAIL = 14;
/** What is left before the tail at least: more than style.css always shows, so that a cut is seen. */
const HEAD = 12;
const ONE_WIDTH = /^[ -~]*$/;

interface Props {
  text: string;
  title?: string;
  /** How many letters at the end distinguish it from others, where that is known. */
  tail?: number;
  /** How it differs from others of its list. */
  apart?: Apart | undefined;
}

export function Name({ text, title = text, apart, ...given }: Props) {
  const short = apart?.short.get(text);
  const letters = [...text];
  const tail = Math.min(Math.max(given.tail ?? tailOf(text), apart?.end ?? 0), letters.length - HEAD);
  const end = letters.slice(-tail).join("");
  // What differs comes before what is shared: such a name is cut at its end.
  if (short || letters.length < HEAD + Math.min(TAIL, given.tail ?? TAIL) || !ONE_WIDTH.test(end))
    return (
      <span class="name" title={title}>
        {short ?? text}
      </span>
    );
  return (
    <span class="name cut" title={title} style={{ "--tail": `${tail}ch` }}>
      <span class="name-head">{letters.slice(0, -tail).join("")}</span>
      <span class="name-tail">
        <bdi dir="ltr">{end}</bdi>
      </span>
    </span>
  );
}
