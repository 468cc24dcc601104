// The run picker of the top bar. Its list is loaded when it is first opened.
import { useRef } from "preact/hooks";
import type { Navigate, Selection } from "../page";
import type { Runs } from "../types";
import { formatTime } from "../units";
import { Name } from "../views/name";
import { Lazy, useSoon } from "./lazy";
import { Popover } from "./popover";
import { SESSION } from "./session";

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
