// The run picker and the host picker of the top bar.
import { useCallback, useRef } from "preact/hooks";
import type { Navigate, Selection } from "../page";
import type { Run, Runs } from "../types";
import { counted, formatAge, formatBytes, formatTime } from "../units";
import { Name } from "../views/name";
import { kindsOf } from "./files";
import { type Choice, Picker, type Several } from "./picker";
import { Notes } from "./notes";
import { Popover } from "./popover";
import { groupRuns } from "./run_groups";

/** Letters of a session, `2026_11_20_10_05_56`: a run is identified by them and by how its path begins. */
export const SESSION = 19;

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
}

/** All runs, to choose one of, or several. */
export function RunList({ label, runs, selected, pick, several }: RunListProps) {
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
      {several && <p class="soft picker-note">Enter: only this one. ☐ or Ctrl Enter: one more, as a repeat.</p>}
      <Notes notes={runs.notes} />
    </>
  );
}

export function RunPicker({ runs, selection, navigate }: { runs: Runs; selection: Selection; navigate: Navigate }) {
  return (
    <Popover
      id="run-picker"
      label="Run"
      class="run-picker"
      value={selection.run || "choose one"}
      style={{ "--letters": selection.run.length }}
      button={
        <>
          <span class="soft">run</span> {selection.run ? <Name text={selection.run} tail={SESSION} /> : "choose one"}{" "}
          <i>▾</i>
        </>
      }
    >
      {(close) => (
        <RunList
          label="Run"
          runs={runs}
          selected={selection.run}
          pick={(run) => {
            navigate({ run });
            close();
          }}
        />
      )}
    </Popover>
  );
}

/** A run that came while the page was open: one press away, never opened unasked. */
export function NewRun({ runs, selection, navigate }: { runs: Runs; selection: Selection; navigate: Navigate }) {
  const since = useRef(Infinity);
  const newest = runs.runs[0];
  if (since.current === Infinity && !runs.scanning) since.current = newest?.modified_ms ?? 0;
  if (!newest || newest.modified_ms <= since.current || newest.name === selection.run) return null;
  return (
    <button
      type="button"
      class="new-run"
      title={`${newest.name}, ${formatTime(newest.captured_ms)}`}
      onClick={() => navigate({ run: newest.name })}
    >
      newer run ▸
    </button>
  );
}

export function HostPicker({ run, selection, navigate }: { run: Run; selection: Selection; navigate: Navigate }) {
  const all = run.hosts.length > 1 ? `all ${run.hosts.length}` : (run.hosts[0]?.name ?? "none");
  const shown = selection.hosts.length ? selection.hosts.join(", ") : all;
  const choices = useCallback(
    (filter: string): Choice[] => {
      const hosts = run.hosts.filter((host) => host.name.toLowerCase().includes(filter.toLowerCase()));
      const lines = hosts.map((host) => ({
        value: host.name,
        content: (
          <span class="host-line">
            <Name text={host.name} />
            <span class="soft" title={host.files.map(({ file }) => file).join("\n")}>
              {kindsOf(host)}
            </span>
            <span class="soft number">{formatBytes(host.size_bytes)}</span>
          </span>
        ),
      }));
      return filter || run.hosts.length < 2
        ? lines
        : [{ value: "", content: `all ${run.hosts.length} hosts` }, ...lines];
    },
    [run],
  );
  return (
    <Popover
      id="host-picker"
      label="Host"
      class="host-picker"
      value={shown}
      style={{ "--letters": shown.length }}
      button={
        <>
          <span class="soft">host</span> <Name text={shown} /> <i>▾</i>
        </>
      }
    >
      {(close) => (
        <Picker
          label="Host"
          hint={`Search ${counted(run.hosts.length, "host")}`}
          selected={selection.hosts[0] ?? ""}
          choices={choices}
          pick={(host) => {
            navigate({ hosts: host ? [host] : [] });
            close();
          }}
        />
      )}
    </Popover>
  );
}
