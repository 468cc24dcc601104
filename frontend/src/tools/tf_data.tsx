// tf.data: whether the program waits for a pipeline, and which stage makes it wait; the pipeline as a graph.
import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer";
import type { PageProps } from "../page";
import type { Answer, Scalar, TableData, TableSpec } from "../types";
import { counted, exactCell, formatCell, formatNumber, isNumeric, label } from "../units";
import { Select } from "../views/select";
import { Figures, type Group } from "../views/figures";
import { Findings, Headline } from "../views/findings";
import { MOST_NODES } from "../views/graph";
import { Graph, KEYS } from "../views/graph_view";
import { inTrace } from "../views/links";
import { Name } from "../views/name";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { rowCount } from "../views/rows";
import { graphInWords, parametersOf, stagesOf } from "../views/stages";
import { StepLine } from "../views/step_line";
import { ShownSteps } from "../views/steps_from";
import { TablePart } from "../views/table_panel";

export const keys = KEYS;

interface Part {
  answer: Answer;
  page: PageProps;
}

const FIGURES: readonly Group[] = [
  {
    title: "Input",
    figures: [
      { name: "wait_step_ms", words: "waiting {} a step", always: true },
      { name: "wait_share", words: "{} of it" },
      { name: "bottleneck", words: "limited by {}" },
      { name: "work", words: "which runs {}" },
    ],
  },
  {
    title: "Pipeline",
    figures: [
      { name: "pipeline", words: "{}" },
      { name: "calls", words: "{} calls" },
      { name: "slow_calls", words: "{} of them slow (> 50 µs)" },
    ],
  },
];

function rows(answer: Answer, table: string): number {
  return rowCount(answer.tables[table] ?? { columns: {} });
}

function text(value: Scalar | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

/** Values of an option that the address holds, set with all that depends on it dropped. */
function chosen(page: PageProps, change: Record<string, string>, without: readonly string[]): void {
  const rest = Object.entries(page.selection.params).filter(([name]) => !without.includes(name));
  page.navigate({ params: { ...Object.fromEntries(rest), ...change } });
}

const WHAT = ["host", "pipeline", "execution", "at"];

/** Whose graph: of hosts and pipelines with their share of the step, of executions by rank with their length. */
function Pickers({ answer, page }: Part) {
  const { summary, tables } = answer;
  const pipelines = tables["pipelines"]?.columns ?? {};
  const executions = tables["executions"]?.columns ?? {};
  const [name, host] = [text(summary["chosen_pipeline"]), text(summary["chosen_host"])];
  const all = (pipelines["pipeline"] ?? []).map((_, row) => row);
  const hosts = [...new Set((pipelines["host"] ?? []).map(text))];
  const offers = all
    .filter((row) => hosts.length < 2 || text(pipelines["host"]![row]) === host)
    .map((row) => {
      const [one, mean, wait] = [
        pipelines["pipeline"]![row],
        pipelines["mean_us"]?.[row],
        pipelines["wait_share"]?.[row],
      ];
      const said = [
        text(one),
        typeof mean === "number" ? `${formatNumber(mean, "us")} a call` : "",
        typeof wait === "number" && wait > 0 ? `${formatNumber(wait, "share")} of the step` : "",
      ];
      return [text(one), said.filter(Boolean).join(", ")] as const;
    });
  const byHost = (chosenHost: string): void => {
    const row = all.find((one) => text(pipelines["host"]![one]) === chosenHost);
    if (row !== undefined) chosen(page, { pipeline: text(pipelines["pipeline"]![row]) }, WHAT);
  };
  const slow = (executions["duration_us"] ?? []).filter((us) => typeof us === "number" && us > 50).length;
  const calls = (executions["rank"] ?? []).map((rank, row) => {
    const [us, step, cut] = ["duration_us", "step", "cut"].map((column) => executions[column]?.[row]);
    const said = [
      `${Number(rank) === 0 ? "slowest" : `#${Number(rank) + 1}`} ${typeof us === "number" ? formatNumber(us, "us") : ""}`,
      step === null || step === undefined ? "" : `step ${step}`,
      cut ? "cut" : "",
    ];
    return [text(rank), said.filter(Boolean).join(", ")] as const;
  });
  const together = slow ? `all slow calls together` : "all calls together";
  return (
    <>
      {hosts.length > 1 && (
        <Select
          name="host"
          help="Host that runs it"
          value={host}
          offers={hosts.map((one) => [one, one])}
          choose={byHost}
        />
      )}
      {(offers.length > 1 || hosts.length > 1) && (
        <Select
          name="pipeline"
          help="Whose executions and graph to show; the one that costs the program most comes first"
          value={name}
          offers={offers}
          choose={(pipeline) => chosen(page, { pipeline }, WHAT)}
        />
      )}
      <Select
        name="execution"
        help="Which call the graph shows, the slowest first; or all slow ones together"
        value={text(summary["chosen_execution"])}
        offers={[["-1", together], ...calls]}
        choose={(execution) => chosen(page, execution === "-1" ? {} : { execution }, ["execution", "at"])}
      />
    </>
  );
}

const LATER = ["parent", "name", "long_name", "parameters", "track", "start_ps", "duration_ps"];
const TOLD = ["critical", "blocking", "bottleneck", "async"];

/** All that is known of a stage, and the way to its longest call. */
function StageDetails({ answer, page, row, spec, data }: Part & { row: number; spec: TableSpec; data: TableData }) {
  const cell = (name: string): Scalar | undefined => data.columns[name]?.[row];
  const known = spec.columns.filter(({ name }) => !LATER.includes(name) && !TOLD.includes(name));
  const said = known.filter(({ name }) => cell(name) !== null && cell(name) !== undefined && cell(name) !== "");
  const names = new Set(said.map(({ name }) => name));
  const more = parametersOf(text(cell("parameters"))).filter(([name]) => !names.has(name));
  const [start, length, track] = [cell("start_ps"), cell("duration_ps"), cell("track")].map(Number);
  const leads = typeof cell("start_ps") === "number" && track! >= 0;
  const looks = TOLD.filter((name) => cell(name) === true).map((name) =>
    name === "critical" ? "on the critical path" : name === "blocking" ? "the program waits for it" : name,
  );
  const host = text(answer.summary["chosen_host"]);
  return (
    <Panel title={`Stage ${text(cell("name"))}`} bare class="stage">
      <div class="table-bar">
        <h2>{text(cell("name"))}</h2>
        <span class="soft">{looks.join(" · ")}</span>
        <span class="grow" />
        {leads && (
          <button
            type="button"
            title={`Its longest call, ${formatNumber(length!, "ps")}`}
            onClick={() => page.navigate(inTrace({ host, start_ps: start!, end_ps: start! + length!, track: track! }))}
          >
            Longest call in trace ▸
          </button>
        )}
      </div>
      <p class="soft stage-name">
        <Name text={text(cell("long_name"))} />
      </p>
      <dl class="pairs">
        {said.map((column) => (
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
          <div key={`=${name}`} title={`${name}, as the iterator's event says`}>
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

const GRAPH = ["name", "blocking_share", "self_us", "function_us", "wait_us", "duration_us", "calls", "parallelism"];
const PIPELINES = [
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
const EXECUTIONS = ["rank", "duration_us", "step", "bottleneck", "bottleneck_us", "start_ms", "cut"];
const BOTTLENECKS = ["stage", "share", "wait_step_ms", "work", "cost", "advice", "pipeline"];
const FUNCTIONS = ["function", "self_ms", "share", "stage"];

function Pipeline(part: Part) {
  const { answer, page } = part;
  const spec = page.tool.tables.find(({ name }) => name === "graph");
  const data = answer.tables["graph"];
  const stages = useMemo(() => (data ? stagesOf(data) : []), [data]);
  const words = useMemo(() => (data ? graphInWords(data) : ""), [data]);
  const at = page.selection.params["at"];
  const marked = stages.find(({ mark }) => mark) ?? stages[0];
  const selected = stages.find(({ id }) => id === at) ?? marked;
  const title = text(answer.summary["chosen_pipeline"]) || "Pipeline";
  if (!spec || !data) return null;
  const isMany = stages.length > MOST_NODES;
  return (
    <div class="columns screen graph-page">
      <div class="stack">
        <Panel title={title} bare class={isMany ? "" : "fills"}>
          <Graph
            title={stages.length ? `Graph of ${counted(stages.length, "stage")}` : "Graph"}
            stages={stages}
            selected={selected?.id ?? null}
            select={(id) => page.navigate({ params: { ...page.selection.params, at: id } }, "replace")}
            words={words}
          >
            <Pickers {...part} />
          </Graph>
        </Panel>
        {isMany && <TablePart {...part} table="graph" show={GRAPH} />}
      </div>
      <div class="stack">
        {selected && <StageDetails {...part} row={Number(selected.id)} spec={spec} data={data} />}
        <TablePart {...part} table="functions" show={FUNCTIONS} class="short" />
        <TablePart {...part} table="executions" show={EXECUTIONS} class="short" />
      </div>
    </div>
  );
}

function Report(part: Part) {
  const { answer, page } = part;
  const [first, ...more] = answer.findings;
  const hosts = new Set(answer.tables["pipelines"]?.columns["host"]).size;
  const withHost = (show: readonly string[]): readonly string[] => (hosts > 1 ? ["host", ...show] : show);
  return (
    <>
      <Panel title="" class="answer">
        {first && <Headline finding={first} answer={answer} navigate={page.navigate} />}
        <StepLine {...part} />
        <Figures answer={answer} page={page} groups={FIGURES} />
      </Panel>
      {rows(answer, "graph") > 0 && <Pipeline {...part} />}
      {more.length > 0 && (
        <Panel title="More findings" class="shrinks">
          <Findings findings={more} answer={answer} navigate={page.navigate} />
        </Panel>
      )}
      {rows(answer, "bottlenecks") > 1 && (
        <TablePart {...part} table="bottlenecks" show={withHost(BOTTLENECKS)} class="short" />
      )}
      <TablePart {...part} table="pipelines" show={withHost(PIPELINES)} class="short" />
    </>
  );
}

export default function TfData(page: PageProps) {
  const asked = useAnswer(page.api, given(page));
  return (
    <div class="page fits">
      <ShownSteps asked={asked} page={page}>
        {(answer) => <Report answer={answer} page={page} />}
      </ShownSteps>
    </div>
  );
}
