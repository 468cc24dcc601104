// Two runs: how much a step changed from one to the other, whether that is more than noise, and what accounts for it.
import { useContext, useMemo } from "preact/hooks";
import { useAnswer } from "../answer";
import type { ColumnOf } from "../generated/columns";
import { KnownRuns } from "../known_runs";
import type { Api, PageProps, Part, Selection } from "../page";
import { RunList, SESSION } from "../shell/pickers";
import { Popover } from "../shell/popover";
import { runBefore } from "../shell/run_groups";
import type { Answer, Runs, TableData } from "../types";
import { BothSides } from "../views/both_sides";
import { type By, type Piece, waterfallOf } from "../views/compared";
import { titleOf } from "../views/category";
import { AllFigures } from "../views/figures";
import { FoldedFindings } from "../views/findings";
import { addresses } from "../views/limited";
import { eventsInTrace } from "../views/links";
import { Name } from "../views/name";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { Conclusion } from "../views/report";
import { number, rowsOf } from "../views/rows";
import { Late } from "../views/states";
import { StepsFrom, ShownSteps } from "../views/steps_from";
import { StepTimes } from "../views/step_times";
import { Switch } from "../views/switch";
import { Links } from "../views/table";
import { TablePart } from "../views/table_panel";
import { tableState, withTableState } from "../views/table_state";
import { Waterfall } from "../views/waterfall";

/** Asks for the comparison with a run. */
function withBase(api: Api, base: string): Api {
  return {
    url: (options) => api.url({ base, ...options }),
    data: (options, signal) => api.data({ base, ...options }, signal),
    columns: (options, signal) => api.columns({ base, ...options }, signal),
  };
}

interface SidesProps {
  page: PageProps;
  runs: Runs;
  /** Empty where there is none. */
  base: string;
  isChosen: boolean;
}

/** Which two runs, and how to change that. */
function Sides({ page: { selection, navigate }, runs, base, isChosen }: SidesProps) {
  const { run, hosts, params } = selection;
  const other = runs.runs.find(({ name }) => name === base);
  const swap = (): void =>
    navigate({
      run: base,
      hosts: hosts.filter((host) => other?.hosts.some(({ name }) => name === host)),
      params: { ...params, base: run },
    });
  return (
    <div class="sides">
      <span class="side-mark" data-side="B">
        B
      </span>
      <Name text={run} tail={SESSION} />
      <span class="soft">compared with</span>
      <span class="side-mark" data-side="A">
        A
      </span>
      <Popover
        label="Compare with"
        class="base-picker"
        button={
          <>
            {base ? <Name text={base} tail={SESSION} /> : "choose a run"} <i>▾</i>
          </>
        }
      >
        {(close) => (
          <RunList
            label="Compare with"
            runs={runs}
            selected={base}
            pick={(picked) => {
              navigate({ params: { ...params, base: picked } });
              close();
            }}
          />
        )}
      </Popover>
      {base && !isChosen && <span class="soft">the run before</span>}
      {other && base !== run && (
        <button type="button" title="B becomes A, and A becomes B" onClick={swap}>
          ⇄ Swap
        </button>
      )}
    </div>
  );
}

function NoBase({ page, runs }: { page: PageProps; runs: Runs }) {
  const others = runs.runs.filter(({ name }) => name !== page.selection.run);
  return (
    <section class="empty">
      <h1>Choose a run to compare with</h1>
      <p>
        {others.length
          ? "No run of the same folder was captured before this one. Choose any other above."
          : "There is no other run in the logdir yet. Capture the program again: this page keeps searching."}
      </p>
    </section>
  );
}

const BY = [
  ["op", "op", "One bar per op"],
  ["category", "category", "One bar per category of a step's time"],
] as const;

/** The way from A's step to B's. */
function Change({ answer, page }: Part) {
  const { params } = page.selection;
  const by: By = params["by"] === "category" ? "category" : "op";
  const table = by === "op" ? "ops" : "categories";
  const { step_time_base_ms: base, step_time_new_ms: next } = answer.summary;
  const data = answer.tables[table];
  const waterfall = useMemo(() => data && waterfallOf(data, by, number(base), number(next)), [data, by, base, next]);
  if (!waterfall) return null;
  const pick = ({ filter }: Piece): void => {
    const old = tableState(params, "ops");
    const state = { ...old, filter: old.filter === filter ? "" : filter };
    page.navigate({ params: withTableState(params, "ops", state) }, "replace");
  };
  const title = "From A's step to B's";
  return (
    <Panel title={title} bare>
      <div class="lines-bar change-bar">
        <b>{title}</b>
        <span class="grow" />
        <Switch
          label="by"
          values={BY}
          value={by}
          choose={(value) => page.navigate({ params: { ...params, by: value === "category" ? value : "" } }, "replace")}
        />
        <Links {...addresses(page, table)} />
      </div>
      <Waterfall title={title} data={waterfall} isNoise={answer.summary["verdict"] === "noise"} pick={pick} />
      {!waterfall.pieces.length && <p class="soft">No part of a step has changed.</p>}
    </Panel>
  );
}

const OPS: readonly ColumnOf<"compare", "ops">[] = [
  "name",
  "type",
  "change_ms",
  "change_of_step_share",
  "base_ms",
  "new_ms",
  "category",
  "match",
  "was",
];
const KERNELS: readonly ColumnOf<"compare", "kernels">[] = [
  "name",
  "change_ms",
  "base_ms",
  "new_ms",
  "base_times",
  "new_times",
  "match",
  "was",
];

function isRest({ columns }: TableData, row: number): boolean {
  return columns["match"]?.[row] === "rest";
}

/** What of a category lies in no op has no name of its own. */
function withRests(answer: Answer): Answer {
  const ops = answer.tables["ops"];
  if (!ops) return answer;
  const { name = [], category = [] } = ops.columns;
  const named = name.map((one, row) => {
    const key = String(category[row] ?? "");
    return isRest(ops, row) ? `(${titleOf(key) ?? key}, in no op)` : one;
  });
  return { ...answer, tables: { ...answer.tables, ops: { columns: { ...ops.columns, name: named } } } };
}

/** Rows of a table of what is in both runs, each a way into both traces. */
function Differences({ table, base, ...part }: Part & { table: "ops" | "kernels"; base: string }) {
  const { answer, page } = part;
  const { selection, navigate } = page;
  const text = (data: TableData, column: "name" | "was", row: number): string =>
    String(data.columns[column]?.[row] ?? "");
  const isIn = (column: "base_ms" | "new_ms", row: number, data: TableData): boolean =>
    !!data.columns[column]?.[row] && !isRest(data, row);
  const inA = (row: number, data: TableData): void =>
    navigate({
      run: base,
      hosts: selection.hosts,
      ...eventsInTrace(text(data, "was", row) || text(data, "name", row)),
    });
  const inB = (row: number, data: TableData): void => navigate(eventsInTrace(text(data, "name", row)));
  const shown = useMemo(() => withRests(answer), [answer]);
  const data = shown.tables[table];
  return (
    <TablePart
      page={page}
      answer={shown}
      table={table}
      show={table === "ops" ? OPS : KERNELS}
      what="In B's trace ▸"
      open={inB}
      can={(row, data) => isIn("new_ms", row, data)}
      also={[{ what: "In A's trace ▸", can: (row, data) => isIn("base_ms", row, data), open: inA }]}
      {...(data && {
        cells: {
          columns: ["base_ms", "new_ms"],
          what: "Show it in the trace of that run",
          open: (row, column) => {
            if (isIn(column === "base_ms" ? "base_ms" : "new_ms", row, data))
              (column === "base_ms" ? inA : inB)(row, data);
          },
        },
      })}
      class={table === "ops" ? "main-table" : "first-table"}
    />
  );
}

function Report({ base, ...part }: Part & { base: string }) {
  const { answer, page } = part;
  const hasSteps = rowsOf(answer, "steps") > 0;
  return (
    <>
      <Conclusion {...part}>
        <FoldedFindings findings={answer.findings.slice(1)} answer={answer} navigate={page.navigate} />
      </Conclusion>
      <div class="columns compared">
        {hasSteps && (
          <div class="stack">
            <Change {...part} />
            <Panel title="Step times">
              <StepTimes title="Step times" answer={answer} />
            </Panel>
          </div>
        )}
        <Panel title="Both sides" bare>
          <div class="lines-bar change-bar">
            <b>Both sides</b>
            <span class="grow" />
            {answer.summary["verdict"] === "unknown" && <StepsFrom answer={null} page={page} />}
            <AllFigures answer={answer} columns={page.tool.summary} />
          </div>
          <BothSides answer={answer} columns={page.tool.summary} />
        </Panel>
      </div>
      <Differences {...part} table="ops" base={base} />
      <Differences {...part} table="kernels" base={base} />
    </>
  );
}

function Compared({ page, base }: { page: PageProps; base: string }) {
  const asked = useAnswer(page.api, given(page));
  return (
    <ShownSteps asked={asked} page={page}>
      {(answer: Answer) => <Report answer={answer} page={page} base={base} />}
    </ShownSteps>
  );
}

/** What the address says; else the run before, once all are known. */
function baseOf({ run, params }: Selection, runs: Runs): string {
  return params["base"] || (runs.scanning ? "" : (runBefore(runs.runs, run)?.name ?? ""));
}

export default function Compare(page: PageProps) {
  const runs = useContext(KnownRuns);
  const base = runs ? baseOf(page.selection, runs) : "";
  const stamp = runs?.runs.find(({ name }) => name === base)?.modified_ms;
  const api = useMemo(() => withBase(page.api, base), [page.api, base, stamp]);
  if (!runs) return null;
  return (
    <div class="page">
      <Sides {...{ page, runs, base }} isChosen={!!page.selection.params["base"]} />
      {base && <Compared page={{ ...page, api }} base={base} />}
      {!base && (runs.scanning ? <Late text="Looking for runs…" /> : <NoBase {...{ page, runs }} />)}
    </div>
  );
}
