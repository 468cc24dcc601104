// The text of an XLA program → its lines, where each instruction and computation is, and what in a line is a name. Pure.

export interface HloText {
  lines: readonly string[];
  /** Name of an instruction or a computation → its line. */
  places: ReadonlyMap<string, number>;
  /** Letters of the longest line that is shown in full. */
  longest: number;
}

const INSTRUCTION = /^\s+(?:ROOT )?%(\S+) = /;
const COMPUTATION = /^(?:ENTRY )?%(\S+) \(/;
/** A line is cut after this: a constant of a kernel may be a megabyte. */
export const MOST_LETTERS = 4000;

export function hloText(text: string): HloText {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const places = new Map<string, number>();
  let longest = 0;
  lines.forEach((line, i) => {
    longest = Math.max(longest, Math.min(line.length, MOST_LETTERS));
    const name = (INSTRUCTION.exec(line) ?? COMPUTATION.exec(line))?.[1];
    if (name !== undefined && !places.has(name)) places.set(name, i);
  });
  return { lines, places, longest };
}

/** A piece of a line: what it refers to, or the name that it defines; soft: where it comes from. */
interface Piece {
  text: string;
  name: string;
  isSoft: boolean;
}

const NAMES = /(%[^\s,(){}=]+)/;
/** What says where an instruction comes from, not what it does. */
const ORIGIN = /, (?:sharding|frontend_attributes|metadata|backend_config|origin)=/;

export function pieces(line: string, places: ReadonlyMap<string, number>): Piece[] {
  const cut = line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS)} …` : line;
  const at = cut.search(ORIGIN);
  const [body, origin] = at < 0 ? [cut, ""] : [cut.slice(0, at), cut.slice(at)];
  const parts = body.split(NAMES).map((text, i) => {
    const name = i % 2 ? text.slice(1) : "";
    return { text, name: places.has(name) ? name : "", isSoft: false };
  });
  return [...parts, { text: origin, name: "", isSoft: true }].filter(({ text }) => text);
}
