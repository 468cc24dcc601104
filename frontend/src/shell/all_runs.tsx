// All runs of the logdir at a glance: which is slow, since when, and what to do first in each.
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { tellShown } from "../asking";
import type { Keys, Navigate, Selection } from "../page";
import { changed, FIRST_TOOL, runsText } from "../selection";
import type { Run, Runs, Scalar, TableData } from "../types";
import { counted, formatNumber, grouped, percent } from "../units";
import { Name } from "../views/name";
import { number, pickRows } from "../views/rows";
import { RunHistory } from "../views/run_history";
import { Late } from "../views/states";
import { useTableState } from "../views/table_state";
import { inOrder, progress, type Rows, tableOf } from "./run_rows";
import { type RunActs, RunTable } from "./run_table";
import { Notes } from "./notes";
import { useRows } from "./use_rows";
import { SESSION } from "./run_groups";
import { linkTo } from "../state";

function key({ roots }: Runs): string {
  return `perfplugin.baseline:${roots.map(({ path }) => path).join(",")}`;
}

/** Empty where there is none, or where nothing may be stored. */
function storedBaseline(runs: Runs): string {
  try {
    return localStorage.getItem(key(runs)) ?? "";
  } catch {
    return "";
  }
}

function storeBaseline(runs: Runs, name: string): void {
  try {
    if (name) localStorage.setItem(key(runs), name);
    else localStorage.removeItem(key(runs));
  } catch {
    // It is in the address all the same.
  }
}

export const KEYS: Keys = [
  ["Enter, or double click", "open the run"],
  ["Space", "choose the run: the second one is compared with the first"],
  ["B", "compare all runs with this one, or with none"],
];

interface Props {
  runs: Runs;
  selection: Selection;
  navigate: Navigate;
}

const CHANGED: Readonly<Record<string, string>> = {
  slower: "more than the run before it",
  faster: "less than the run before it",
};

/** What the newest run that was read says. */
function newest({ columns }: TableData): string {
  const cell = (name: "step_time_ms" | "change_share" | "change_verdict" | "failed"): Scalar =>
    columns[name]?.[0] ?? null;
  const step = number(cell("step_time_ms"));
  if (cell("failed") === true) return "; the newest cannot be read";
  if (step === null) return "";
  const share = number(cell("change_share"));
  const verdict = String(cell("change_verdict") ?? "");
  const than = share !== null && CHANGED[verdict];
  const more = than ? `, ${percent(Math.abs(share))} ${than}` : verdict === "noise" ? ", as the run before it" : "";
  return `; the newest takes ${formatNumber(step, "ms")} a step${more}`;
}

function Summary({ runs, rows, data }: { runs: Runs; rows: Rows; data: TableData }) {
  const { read, failed } = progress(runs.runs, rows);
  const count = runs.runs.length;
  const parts = [
    runs.scanning ? `still searching: ${counted(runs.folders, "folder")} so far` : "",
    read < count ? `${grouped(read)} of ${grouped(count)} read` : "",
    failed ? `${grouped(failed)} cannot be read` : "",
  ].filter(Boolean);
  return (
    <div class="run-summary">
      <h1>
        {counted(count, "run")}
        {newest(data)}
      </h1>
      <p class="soft run-progress" role="status" data-read={read} data-runs={count}>
        {read < count && <progress max={count} value={read} aria-label="Runs read" />}
        {parts.join(" · ")}
      </p>
    </div>
  );
}

/** The first of two runs, or the baseline: which one, and how to take it back. */
function Mark({ words, name, isGone, drop }: { words: string; name: string; isGone: boolean; drop: () => void }) {
  return (
    <span class="run-mark">
      {words} <Name text={name} tail={SESSION} />
      {isGone && <b class="bad">not in the logdir (any more)</b>}
      <button type="button" aria-label={`${words}: none`} title="Take it back" onClick={drop}>
        ✕
      </button>
    </span>
  );
}

/** The pinned baseline; where the address names none, the one that was pinned in this logdir last. */
function useBaseline({ runs, selection, navigate }: Props): [string, (name: string) => void] {
  const { params } = selection;
  const baseline = params["baseline"] ?? "";
  const pin = (name: string): void => {
    storeBaseline(runs, name);
    navigate({ params: { ...params, baseline: name } }, "replace");
  };
  useEffect(() => {
    const stored = storedBaseline(runs);
    if (!baseline && stored && runs.runs.some(({ name }) => name === stored))
      navigate({ params: { ...params, baseline: stored } }, "replace");
  }, []);
  return [baseline, pin];
}

function useActs(props: Props): RunActs {
  const { runs, selection, navigate } = props;
  const [baseline, pin] = useBaseline(props);
  const chosen = selection.params["with"] ?? "";
  /** The run's own pages are compared with the baseline, too. */
  const wayTo = (run: string): Partial<Selection> => ({
    run,
    tool: FIRST_TOOL,
    params: baseline && baseline !== run ? { base: runsText([baseline]) } : {},
  });
  const choose = (run: string): void => {
    const { with: _, ...rest } = selection.params;
    if (run === chosen) return navigate({ params: rest }, "replace");
    if (!chosen) return navigate({ params: { ...rest, with: run } }, "replace");
    const pair = inOrder(runs.runs, chosen, run);
    navigate({ run: pair.run, tool: "compare", hosts: [], params: { base: runsText([pair.base]) } });
  };
  return {
    ...{ open: selection.run, chosen, baseline, choose, pin },
    href: (run) => linkTo(changed(selection, wayTo(run))),
    go: (run) => navigate(wayTo(run)),
  };
}

function isThere(runs: readonly Run[], run: string): boolean {
  return runs.some(({ name }) => name === run);
}

export function AllRuns(props: Props) {
  const { runs, selection, navigate } = props;
  const seen = useRef<readonly string[]>([]);
  const see = useCallback((names: readonly string[]) => void (seen.current = names), []);
  const acts = useActs(props);
  const { rows, error } = useRows(runs, acts.baseline, seen);
  const data = useMemo(() => tableOf(runs.runs, rows), [runs.runs, rows]);
  const { state, setState } = useTableState(selection, navigate, "runs");
  const { spec } = rows;
  const key = [data, spec, state.filter, state.sort?.column, state.sort?.down];
  const shown = useMemo(() => (spec ? pickRows(data, spec.columns, state.filter, state.sort) : []), key);
  useEffect(() => {
    if (spec) tellShown(selection);
  }, [!spec, selection]);
  if (!spec)
    return error ? (
      <p class="banner" role="alert">
        {error.message}
      </p>
    ) : (
      <Late text="Looking for runs…" />
    );
  const level = data.columns.step_time_ms?.[runs.runs.findIndex(({ name }) => name === acts.baseline)];
  const { chosen, baseline } = acts;
  return (
    <div class="page all-runs-page">
      <section class="panel answer">
        <Summary runs={runs} rows={rows} data={data} />
        <RunHistory
          data={data}
          rows={shown}
          baseline={number(level)}
          by={selection.params["x"] === "time" ? "time" : "order"}
          setBy={(by) => navigate({ params: { ...selection.params, x: by === "time" ? by : "" } }, "replace")}
          open={(row) => acts.go(String(data.columns.run?.[row]))}
        />
        {(baseline || chosen) && (
          <p class="run-marks">
            {baseline && (
              <Mark
                words="Baseline"
                name={baseline}
                isGone={!runs.scanning && !isThere(runs.runs, baseline)}
                drop={() => acts.pin("")}
              />
            )}
            {chosen && (
              <Mark
                words="Choose another run to compare with"
                name={chosen}
                isGone={!runs.scanning && !isThere(runs.runs, chosen)}
                drop={() => acts.choose(chosen)}
              />
            )}
          </p>
        )}
        {error && (
          <p class="bad" role="alert">
            {error.message}
          </p>
        )}
        <Notes notes={runs.notes} />
      </section>
      <section class="panel">
        <RunTable {...{ spec, data, rows: shown, state, setState, acts, seen: see }} />
      </section>
    </div>
  );
}
