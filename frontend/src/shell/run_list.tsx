// All runs in a list, to choose one of, or several.
import { useCallback } from "preact/hooks";
import { address } from "../api";
import { embedded } from "../embedded";
import type { Selection } from "../page";
import { rangeOf } from "../range";
import type { Run, Runs } from "../types";
import { counted, formatAge, formatBytes, formatTime } from "../units";
import { Name } from "../views/name";
import { Notes } from "./notes";
import { type Choice, Picker, type Several } from "./picker";
import { groupRuns, SESSION } from "./run_groups";

function runChoice(run: Run, short: string): Choice {
  const hosts = run.hosts.length === 1 ? run.hosts[0]!.name : counted(run.hosts.length, "host");
  const content = (
    <span
      class="run-line"
      title={`${run.name}\n${formatTime(run.captured_ms)}\n${run.hosts.map((h) => h.name).join(", ")}`}
    >
      <Name text={short} tail={SESSION} />
      <span class="soft">{formatAge(run.captured_ms, Date.now())}</span>
      <span class="soft run-hosts">{hosts}</span>
      <span class="soft number">{formatBytes(run.size_bytes)}</span>
    </span>
  );
  return { value: run.name, content };
}

interface RunListProps {
  /** What the list is called. */
  label: string;
  runs: Runs;
  selected: string;
  pick: (run: string) => void;
  /** As of the picker. */
  several?: Several;
  /** What keys and presses do then. */
  note?: string;
  /** What can be downloaded as a report. */
  shown?: Selection;
}

/** The pages of what is shown, in one file. */
function ReportLink({ shown: { run, hosts, params } }: { shown: Selection }) {
  const chosen = hosts.map((host) => ["host", host] as const);
  const url = address("report", [["run", run], ...chosen, ...Object.entries(rangeOf(params))]);
  return (
    <p class="picker-note">
      <a href={url} download>
        Download a report
      </a>{" "}
      <span class="soft">the pages of this run in one HTML file, which needs no server</span>
    </p>
  );
}

const REPEATS = "Enter: only this one. ☐ or Ctrl Enter: one more, as a repeat.";

/** All runs, to choose one of, or several. */
export function RunList({ label, runs, selected, pick, several, note = REPEATS, shown }: RunListProps) {
  const choices = useCallback(
    (filter: string) =>
      groupRuns(runs.runs, filter).map((line) =>
        "group" in line ? { value: null, content: <Name text={`${line.group}/`} /> } : runChoice(line.run, line.short),
      ),
    [runs.runs],
  );
  const about = `${counted(runs.runs.length, "run")}${runs.scanning ? `, still searching: ${counted(runs.folders, "folder")} so far` : ""}`;
  return (
    <>
      <Picker
        label={label}
        hint={`Search ${about}`}
        selected={selected}
        choices={choices}
        pick={pick}
        {...(several ? { several } : {})}
      />
      {several && <p class="soft picker-note">{note}</p>}
      {shown?.run && !embedded && <ReportLink shown={shown} />}
      <Notes notes={runs.notes} />
    </>
  );
}
