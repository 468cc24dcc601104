// Marks of a person: named from the first, so that they differ from those that a link brings.
import type { Mark } from "./scene";
import { ranges } from "./store";

/** Characters that an address is given of each. */
export const NAME_MAX = 80;
export const NOTE_MAX = 500;

export function isSame(a: Mark, b: Mark): boolean {
  return a.start === b.start && a.end === b.end && ranges(a.tracks) === ranges(b.tracks);
}

/** The first name of a mark that none has yet. */
function freeName(marks: readonly Mark[]): string {
  const names = new Set(marks.map(({ name }) => name));
  for (let i = 1; ; i++) if (!names.has(`Mark ${i}`)) return `Mark ${i}`;
}

/** The marks with this one, or, where it is there, without. */
export function toggled(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  const others = marks.filter((one) => !isSame(one, mark));
  return others.length < marks.length ? others : [...marks, { ...mark, name: freeName(marks) }];
}

export function renamed(marks: readonly Mark[], mark: Mark, words: Pick<Mark, "name" | "note">): readonly Mark[] {
  return marks.map((one) => (isSame(one, mark) ? { ...one, ...words } : one));
}

/** A table for a text that others read. */
export function inMarkdown(marks: readonly Mark[], time: (ps: number) => string, long: (ps: number) => string): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ");
  const rows = marks.map(({ name = "", note = "", start, end, tracks }) => {
    const where = tracks.map((track) => track.name).join(", ");
    return `| ${[name, time(start), long(end - start), where, note].map(cell).join(" | ")} |`;
  });
  return ["| Mark | Begin | Duration | Tracks | Note |", "|---|---|---|---|---|", ...rows].join("\n");
}
