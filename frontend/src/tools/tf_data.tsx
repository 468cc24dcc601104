// tf.data: whether the program waits for a pipeline, and which stage makes it wait; the pipeline as a graph.
import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer";
import type { ColumnOf } from "../generated/columns";
import { type PageProps, type Part, setParams } from "../page";
import type { Answer, Column, ColumnName, Evidence, Scalar, TableData, TableName, TableSpec } from "../types";
import { counted, exactCell, formatCell, formatNumber, isNumeric, label } from "../units";
import { Select } from "../views/select";
import { Figures, group, type Group } from "../views/figures";
import { MOST_NODES } from "../views/graph";
import { Graph, KEYS } from "../views/graph_view";
import { eventsInTrace, inTrace } from "../views/links";
import { Name } from "../views/name";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { isRefused, Refused } from "../views/refused";
import { rowCount, rowsOf } from "../views/rows";
import { BOTTLENECK, graphInWords, markOf, parametersOf, stagesOf } from "../views/stages";
import { StepLine } from "../views/step_line";
import { ShownSteps } from "../views/steps_from";
import { TablePart } from "../views/table_panel";
import { Words } from "../views/words";
import { Conclusion, MoreFindings } from "../views/report";

export const keys = KEYS;

const FIGURES: readonly Group[] = [
  group("Input", {
    wait_step_ms: { words: "wait {} per step", always: true },
    wait_share: "{} of the step",
    bottleneck: "limited by {}",
    work: "{}",
  }),
  group("Pipeline", {
    pipeline: "{}",
    calls: "calls {}",
    slow_calls: "slow {} (> 50 µs)",
  }),
];

function text(value: Scalar | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

/** With the host's column where there are several. */
function withHost(answer: Answer, show: readonly ColumnName[]): readonly ColumnName[] {
  return new Set(answer.tables["pipelines"]?.columns["host"]).size > 1 ? [...show, "host"] : show;
}

/** The page's part with a table of which only the chosen pipeline's rows are shown, or its host's: the graph beside it is of that. */
function ofChosen({ answer, page }: Part, table: TableName): Part {
  const { summary, tables } = answer;
  const { host = [], pipeline = [], ...others } = tables[table]?.columns ?? {};
  const onHost = host.map((one) => one === summary["chosen_host"]);
  const inPipeline = onHost.map((isOn, row) => isOn && pipeline[row] === summary["chosen_pipeline"]);
  const isShown = inPipeline.includes(true) ? inPipeline : onHost;
  const columns = Object.fromEntries(
    Object.entries({ host, pipeline, ...others }).map(([name, cells]) => [
      name,
      cells.filter((_, row) => isShown[row]),
    ]),
  );
  const count = `${table}_rows` as const;
  const whole = summary[count] === isShown.length ? { [count]: rowCount({ columns }) } : {};
  return {
    page,
    answer: { ...answer, summary: { ...summary, ...whole }, tables: { ...tables, [table]: { columns } } },
  };
}

/** Values of an option that the address holds, set with all that depends on it dropped. */
function chosen(page: PageProps, change: Record<string, string>, without: readonly string[]): void {
  const rest = Object.entries(page.selection.params).filter(([name]) => !without.includes(name));
  page.navigate({ params: { ...Object.fromEntries(rest), ...change } });
}

const WHAT = ["pipeline", "execution", "at", "zoom"];

/** What pipelines are chosen by: with their host where there are several. */
function namesOf({ columns }: TableData): string[] {
  const hosts = (columns["host"] ?? []).map(text);
  const isOne = new Set(hosts).size < 2;
  return (columns["pipeline"] ?? []).map((name, row) => (isOne ? text(name) : `${hosts[row]}/${text(name)}`));
}

/** Whose graph: of hosts and pipelines with their share of the step, of executions by rank with their length. */
function Pickers({ answer, page }: Part) {
  const { summary, tables } = answer;
  const pipelines = tables["pipelines"]?.columns ?? {};
  const executions = tables["executions"]?.columns ?? {};
  const [name, host] = [text(summary["chosen_pipeline"]), text(summary["chosen_host"])];
  const all = (pipelines["pipeline"] ?? []).map((_, row) => row);
  const hosts = [...new Set((pipelines["host"] ?? []).map(text))];
  const names = namesOf(tables["pipelines"] ?? { columns: {} });
  const offers = all
    .filter((row) => hosts.length < 2 || text(pipelines["host"]![row]) === host)
    .map((row) => {
      const [one, mean, wait] = [
        pipelines["pipeline"]![row],
        pipelines["mean_us"]?.[row],
        pipelines["wait_share"]?.[row],
      ];
      const texts = [
        text(one),
        typeof mean === "number" ? `${formatNumber(mean, "us")} per call` : "",
        typeof wait === "number" && wait > 0 ? `${formatNumber(wait, "share")} of the step` : "",
      ];
      return [names[row]!, texts.filter(Boolean).join(", ")] as const;
    });
  const byHost = (chosenHost: string): void => {
    const row = all.find((one) => text(pipelines["host"]![one]) === chosenHost);
    if (row !== undefined) chosen(page, { pipeline: names[row]! }, WHAT);
  };
  const slow = (executions["duration_us"] ?? []).filter((us) => typeof us === "number" && us > 50).length;
  const calls = (executions["rank"] ?? []).map((rank, row) => {
    const [us, step, cut] = (["duration_us", "step", "cut"] as const).map((column) => executions[column]?.[row]);
    const texts = [
      `${Number(rank) === 0 ? "slowest" : `#${Number(rank) + 1}`} ${typeof us === "number" ? formatNumber(us, "us") : ""}`,
      step === null || step === undefined ? "" : `step ${step}`,
      cut ? "cut" : "",
    ];
    return [text(rank), texts.filter(Boolean).join(", ")] as const;
  });
  const together = slow ? "all slow calls" : "all calls";
  return (
    <>
      {hosts.length > 1 && (
        <Select
          name="host"
          help="Host of the pipeline"
          value={host}
          offers={hosts.map((one) => [one, one])}
          choose={byHost}
        />
      )}
      {(offers.length > 1 || hosts.length > 1) && (
        <Select
          name="pipeline"
          help="Pipeline to show; the most expensive first"
          value={hosts.length > 1 ? `${host}/${name}` : name}
          offers={offers}
          choose={(pipeline) => chosen(page, { pipeline }, WHAT)}
        />
      )}
      <Select
        name="execution"
        help="Call to show, the slowest first; or all slow calls together"
        value={text(summary["chosen_execution"])}
        offers={[["-1", together], ...calls]}
        choose={(execution) => chosen(page, execution === "-1" ? {} : { execution }, ["execution", "at"])}
      />
    </>
  );
}

const LATER = ["parent", "name", "long_name", "parameters", "track", "start_ps", "duration_ps"];
const LOOKS: readonly ColumnName[] = ["critical", "blocking", "bottleneck", "async"];

/** The whole name of the stage that limits the chosen pipeline; empty where none does. */
function limiterOf({ summary, tables }: Answer): string {
  const { columns } = tables["pipelines"] ?? { columns: {} };
  const wanted = [summary["chosen_host"], summary["chosen_pipeline"]];
  const row = (columns["pipeline"] ?? []).findIndex((_, i) =>
    (["host", "pipeline"] as const).every((name, part) => columns[name]?.[i] === wanted[part]),
  );
  return text(columns["bottleneck_name"]?.[row]);
}

/** What the stage costs and what to change about it, where it is the one that limits its pipeline. */
function Advice({ answer, stage }: { answer: Answer; stage: string }) {
  const { columns } = answer.tables["bottlenecks"] ?? { columns: {} };
  const wanted = [answer.summary["chosen_host"], answer.summary["chosen_pipeline"], stage];
  const row = (columns["stage_name"] ?? []).findIndex((_, i) =>
    (["host", "pipeline", "stage_name"] as const).every((name, part) => columns[name]?.[i] === wanted[part]),
  );
  const [cost, advice] = (["cost", "advice"] as const).map((name) => text(columns[name]?.[row]));
  const isShown = answer.findings.some(({ action }) => action.includes(advice!));
  if (row < 0 || !advice || isShown) return null;
  return (
    <p class="advice">
      <Words text={advice} />{" "}
      {cost && (
        <span class="soft">
          Cost: <Words text={cost} />.
        </span>
      )}
    </p>
  );
}

/** Where a call lies. */
function callOf({ columns }: TableData, row: number): Evidence {
  const [start_ps, length, track] = (["start_ps", "duration_ps", "track"] as const).map((name) =>
    Number(columns[name]?.[row]),
  );
  return {
    host: text(columns["host"]?.[row]),
    start_ps: start_ps!,
    end_ps: start_ps! + length!,
    track: track!,
    tracks: "",
  };
}

/** Neither unknown nor, of time that it did not take, zero. */
function isShown({ name, unit }: Column, value: Scalar | undefined): boolean {
  if (value === null || value === undefined || value === "") return false;
  return value !== 0 || (unit !== "us" && unit !== "share") || name === "blocking_share";
}

/** All that is known of a stage, and the way to its longest call. */
function StageDetails({ answer, page, row, spec, data }: Part & { row: number; spec: TableSpec; data: TableData }) {
  const cell = (name: ColumnName): Scalar | undefined => data.columns[name]?.[row];
  const known = spec.columns.filter(({ name }) => !LATER.includes(name) && !LOOKS.includes(name));
  const shownColumns = known.filter((column) => isShown(column, cell(column.name)));
  const names = new Set<string>(shownColumns.map(({ name }) => name));
  const more = parametersOf(text(cell("parameters"))).filter(([name]) => !names.has(name));
  const [start, length, track] = [cell("start_ps"), cell("duration_ps"), cell("track")].map(Number);
  const leads = typeof cell("start_ps") === "number" && track! >= 0;
  const looksLike: Readonly<Record<string, string>> = {
    critical: "critical path",
    blocking: "waited for",
    bottleneck: markOf(data, row, limiterOf(answer)) === BOTTLENECK ? BOTTLENECK : "",
    async: "background threads",
  };
  const looks = LOOKS.filter((name) => cell(name) === true).flatMap((name) => looksLike[name] || []);
  const host = text(answer.summary["chosen_host"]);
  return (
    <Panel title={`Stage ${text(cell("name"))}`} bare class="stage-details">
      <div class="table-bar">
        <h2>
          <Name text={text(cell("name"))} />
        </h2>
        <span class="soft">{looks.join(" · ")}</span>
        <span class="grow" />
        {leads && (
          <button
            type="button"
            title={`Its longest call, ${formatNumber(length!, "ps")}`}
            onClick={() =>
              page.navigate(inTrace({ host, start_ps: start!, end_ps: start! + length!, track: track!, tracks: "" }))
            }
          >
            Longest call in trace ▸
          </button>
        )}
      </div>
      <p class="soft stage-name">
        <Name text={text(cell("long_name"))} />
      </p>
      <Advice answer={answer} stage={text(cell("long_name"))} />
      <dl class="pairs">
        {shownColumns.map((column) => (
          <div key={column.name} title={`${column.help}\n${exactCell(cell(column.name), column)}`}>
            <dt>{label(column)}</dt>
            <dd>
              {isNumeric(column) ? (
                formatCell(cell(column.name), column)
              ) : (
                <Name text={formatCell(cell(column.name), column)} />
              )}
            </dd>
          </div>
        ))}
        {more.map(([name, value]) => (
          <div key={`=${name}`} title={`${name}, as recorded by the iterator`}>
            <dt>{name}</dt>
            <dd>
              <Name text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

const GRAPH: readonly ColumnOf<"tf_data", "graph">[] = [
  "name",
  "blocking_share",
  "self_us",
  "function_us",
  "wait_us",
  "duration_us",
  "calls",
  "parallelism",
];
const PIPELINES: readonly ColumnOf<"tf_data", "pipelines">[] = [
  "pipeline",
  "wait_share",
  "wait_step_ms",
  "bottleneck",
  "work",
  "calls",
  "slow_calls",
  "mean_us",
  "max_us",
];
const EXECUTIONS: readonly ColumnOf<"tf_data", "executions">[] = [
  "rank",
  "duration_us",
  "step",
  "bottleneck",
  "bottleneck_us",
  "start_ms",
  "cut",
];
const BOTTLENECKS: readonly ColumnOf<"tf_data", "bottlenecks">[] = [
  "stage",
  "share",
  "wait_step_ms",
  "work",
  "cost",
  "advice",
  "pipeline",
];
const FUNCTIONS: readonly ColumnOf<"tf_data", "functions">[] = ["function", "self_ms", "share", "stage"];

function Legend({ mark }: { mark: string }) {
  return (
    <>
      <span title="The program's waiting time is attributed to the stages that worked at that time">
        <i class="bar-sample" />% of the program’s waiting time
      </span>
      <span>
        <i class="bold-sample" />
        critical path
      </span>
      <span>
        <i class="dashed-sample" />
        on background threads
      </span>
      <span>
        <i class="marked-sample" />
        {mark || "bottleneck"}
      </span>
    </>
  );
}

function Pipeline(part: Part) {
  const { answer, page } = part;
  const spec = page.tool.tables.find(({ name }) => name === "graph");
  const data = answer.tables["graph"];
  const limiter = limiterOf(answer);
  const stages = useMemo(() => (data ? stagesOf(data, limiter) : []), [data, limiter]);
  const words = useMemo(() => (data ? graphInWords(data, limiter) : ""), [data, limiter]);
  const functions = useMemo(() => ofChosen(part, "functions").answer, [answer]);
  const at = page.selection.params["at"];
  const marked = stages.find(({ mark }) => mark) ?? stages[0];
  const selected = stages.find(({ id }) => id === at) ?? marked;
  const title = text(answer.summary["chosen_pipeline"]) || "Pipeline";
  const set = (change: Record<string, string>): void => setParams(page, change);
  if (!spec || !data || !stages.length) return null;
  const isMany = stages.length > MOST_NODES;
  return (
    <div class="columns">
      <div class="stack">
        <Panel title={title} bare>
          <Graph
            title={counted(stages.length, "stage")}
            stages={stages}
            selected={selected?.id ?? null}
            select={(id) => set({ at: id })}
            zoom={Number(page.selection.params["zoom"]) || null}
            setZoom={(zoom) => set({ zoom: zoom === null ? "" : String(zoom) })}
            words={words}
            legend={<Legend mark={marked?.mark ?? ""} />}
          >
            <Pickers {...part} />
          </Graph>
        </Panel>
        {isMany && <TablePart {...part} table="graph" show={GRAPH} />}
        <TablePart
          {...part}
          table="executions"
          show={EXECUTIONS}
          class="tall"
          what="Show in graph"
          open={(row, { columns }) => chosen(page, { execution: text(columns["rank"]?.[row]) }, ["execution", "at"])}
          find={{
            what: "Show in trace ▸",
            can: (row, { columns }) => typeof columns["start_ps"]?.[row] === "number",
            open: (row, data) => page.navigate(inTrace(callOf(data, row))),
          }}
        />
      </div>
      <div class="stack">
        {selected && <StageDetails {...part} row={Number(selected.id)} spec={spec} data={data} />}
        <MoreFindings {...part} />
        <TablePart
          {...{ page, answer: functions }}
          table="functions"
          show={FUNCTIONS}
          class="short"
          find={{
            what: "Find in trace ▸",
            open: (row, { columns }) => page.navigate(eventsInTrace(text(columns["function"]?.[row]))),
          }}
        />
      </div>
    </div>
  );
}

function Report(part: Part) {
  const { answer, page } = part;
  return (
    <>
      <Conclusion {...part}>
        <StepLine {...part} />
        <Figures answer={answer} page={page} groups={FIGURES} />
      </Conclusion>
      <Pipeline {...part} />
      <TablePart
        {...part}
        table="pipelines"
        show={withHost(answer, PIPELINES)}
        class="tall"
        what="Show this pipeline"
        open={(row, data) => chosen(page, { pipeline: namesOf(data)[row] ?? "" }, WHAT)}
      />
      {rowsOf(answer, "bottlenecks") > 1 && (
        <TablePart {...part} table="bottlenecks" show={withHost(answer, BOTTLENECKS)} class="tall" />
      )}
    </>
  );
}

export default function TfData(page: PageProps) {
  const asked = useAnswer(page.api, given(page));
  return (
    <div class="page">
      {isRefused(asked, page) && page.selection.params["steps_from"] === undefined ? (
        <Refused asked={asked} page={page} />
      ) : (
        <ShownSteps asked={asked} page={page}>
          {(answer) => <Report answer={answer} page={page} />}
        </ShownSteps>
      )}
    </div>
  );
}
