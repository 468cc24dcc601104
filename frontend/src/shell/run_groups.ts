// The runs of the logdir, and as the picker shows them: grouped by folder, the group with the newest run first.
import type { Run, Runs } from "../types";
import { createContext } from "preact";

type Line = { group: string } | { run: Run; short: string };

function split(name: string): [folder: string, short: string] {
  const at = name.lastIndexOf("/");
  return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
}

/** The run before one in time, of the same folder. Runs come newest first. */
export function runBefore(runs: readonly Run[], name: string): Run | undefined {
  const at = runs.findIndex((run) => run.name === name);
  const [folder] = split(name);
  return at < 0 ? undefined : runs.slice(at + 1).find((run) => split(run.name)[0] === folder);
}

/** Runs come newest first; the words of `filter` must all be in the run's name or in one of its hosts'. */
export function groupRuns(runs: readonly Run[], filter: string): Line[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Line[]>();
  for (const run of runs) {
    const haystack = `${run.name} ${run.hosts.map((h) => h.name).join(" ")}`.toLowerCase();
    if (!words.every((word) => haystack.includes(word))) continue;
    const [folder, short] = split(run.name);
    const lines = groups.get(folder) ?? [];
    lines.push({ run, short });
    groups.set(folder, lines);
  }
  return [...groups].flatMap(([folder, lines]) => {
    const [only] = lines;
    if (lines.length === 1 && only && "run" in only) return [{ run: only.run, short: only.run.name }];
    return folder ? [{ group: folder }, ...lines] : lines;
  });
}

/** The newest that says when things ran; the newest where none does. */
export function firstRun(runs: readonly Run[]): Run | undefined {
  return runs.find(({ kind }) => kind === "trace" || kind === "database") ?? runs[0];
}

export const KnownRuns = createContext<Runs | null>(null);

/** Letters of a session, `2026_11_20_10_05_56`: a run is identified by them and by how its path begins. */
export const SESSION = 19;
