// The run picker and the host picker of the top bar. Their lists are loaded when they are first opened.
import { useRef } from "preact/hooks";
import type { Navigate, Selection } from "../page";
import type { Run, Runs } from "../types";
import { formatTime } from "../units";
import { Name } from "../views/name";
import { Lazy, useSoon } from "./lazy";
import { Popover } from "./popover";
import { SESSION } from "./run_groups";
import type { ComponentChildren } from "preact";
import type { ListProps } from "./host_list";

const loadList = () => import("./run_list");

export function RunPicker({ runs, selection, navigate }: { runs: Runs; selection: Selection; navigate: Navigate }) {
  useSoon(loadList);
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
        <Lazy load={loadList}>
          {({ RunList }) => (
            <RunList
              label="Run"
              runs={runs}
              selected={selection.run}
              shown={selection}
              pick={(run) => {
                navigate({ run });
                close();
              }}
            />
          )}
        </Lazy>
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

const loadHosts = () => import("./host_list");

/** Names as far as they fit a button. */
function chosenText(hosts: readonly string[]): string {
  return hosts.length > 3 ? `${hosts.length} chosen` : hosts.join(", ");
}

function shownText(run: Run, hosts: readonly string[]): string {
  const all = run.hosts.length > 1 ? `all ${run.hosts.length}` : (run.hosts[0]?.name ?? "none");
  return chosenText(hosts) || all;
}

export function HostPicker({ run, selection, navigate }: Omit<ListProps, "close">) {
  useSoon(loadHosts);
  const shown = shownText(run, selection.hosts);
  const button: ComponentChildren = (
    <>
      <span class="soft">host</span> <Name text={shown} /> <i>▾</i>
    </>
  );
  return (
    <Popover
      id="host-picker"
      label="Host"
      class="host-picker"
      value={shown}
      style={{ "--letters": shown.length }}
      button={button}
    >
      {(close) => (
        <Lazy load={loadHosts}>{({ HostList }) => <HostList {...{ run, selection, navigate, close }} />}</Lazy>
      )}
    </Popover>
  );
}
