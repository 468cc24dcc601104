// The pod viewer: every worker's steps side by side, which is late, and what it does instead.
import { useMemo } from "preact/hooks";
import type { ColumnOf } from "../generated/columns";
import type { Answer, SummaryName, TableData, TableName, View } from "../types";
import { fits } from "../shell/host_choice";
import { counted } from "../units";
import { common, viewOf } from "../views/charts";
import { Figures, group, type Group } from "../views/figures";
import { heatOf, meanDeviations, offered, type Quantity, QUANTITIES } from "../views/heat";
import { HeatMap, KEYS as HEAT_KEYS } from "../views/heat_view";
import { Options } from "../views/options";
import { Panel } from "../views/panel";
import { cellInTrace, openerOf, stretchOfRow, stretchOpener } from "../views/proof";
import { Select } from "../views/select";
import { KEYS, Stack } from "../views/stack";
import { StepLine } from "../views/step_line";
import { Links } from "../views/table";
import { TablePart } from "../views/table_panel";
import { WorkerBars } from "../views/worker_bars";
import { ordered, picked, skews, stepsOf } from "../views/workers";
import { type Part, setParams } from "../page";
import { rowsOf } from "../views/rows";
import { Conclusion, MoreFindings, stepsPage } from "../views/report";

export const keys = [
  ["← → Home End", "on the slider: previous, next step, the mean of all, the last"],
  ["↑ ↓ Enter", "in the bars: another worker; show its step in the trace"],
  ...HEAT_KEYS,
  ...KEYS,
] as const;

const FIGURES: readonly Group[] = [
  group("", {
    worker_count: "{} workers",
    skew_ms: "skew {} ({skew_share} of a step)",
    lost_ms: "wait for the slowest {} per step and worker",
    straggler: "straggler {}, slowest in {straggler_share} of steps",
  }),
  group("Hosts", {
    hosts_with_steps: "{}",
    common_step_count: "common steps {}",
    clock_offset_ms: "clock offset {} ± {clock_error_ms}",
  }),
];
/** Sentences, of which some are shown above. */
const SENTENCES = [
  ["compared_by", "Workers are compared by"],
  ["aligned", "Steps aligned"],
  ["clocks", "Clocks:"],
] as const;

function Sentences({ answer: { findings, summary } }: Part) {
  const findingsText = findings.map(({ title, detail }) => `${title} ${detail}`.toLowerCase()).join();
  const isNews = (name: SummaryName): boolean =>
    !!summary[name] && summary["hosts_with_steps"] !== 1 && !findingsText.includes(String(summary[name]).toLowerCase());
  const sentences = SENTENCES.flatMap(([name, words]) => (isNews(name) ? [`${words} ${summary[name]}`] : []));
  return sentences.length ? <p class="soft">{sentences.join(" · ")}</p> : null;
}

/** What the trace of one host alone knows a row by: its step's begin on that host's own clock. */
function alone(data: TableData): TableData {
  const { step: _, host_start_ms, ...columns } = data.columns;
  return { columns: { ...columns, start_ms: host_start_ms ?? [] } };
}

/** The column that a cell's number comes from. */
const PROVED: Readonly<Partial<Record<Quantity, string>>> = { input: "input_wait_ms", communication: "collective_ms" };

/** Names of workers → the group that each is in. */
function clustersOf({ tables }: Answer): Map<string, number> {
  const { worker = [], cluster = [] } = tables["workers"]?.columns ?? {};
  return new Map(worker.flatMap((name, row) => (cluster[row] ? [[String(name), Number(cluster[row])] as const] : [])));
}

/** Every worker's every step. */
function Steps(part: Part) {
  const { answer, page } = part;
  const stepView = viewOf(part, "stack", "steps");
  const data = stepView?.data;
  const { params } = page.selection;
  const choices = useMemo(() => (data ? offered(data) : []), [data]);
  const quantity = choices.find((one) => one === params["quantity"]) ?? choices[0];
  const heat = useMemo(() => (data && quantity ? heatOf(data, quantity) : null), [data, quantity]);
  const clusters = useMemo(() => clustersOf(answer), [answer]);
  const groups = [...new Set(clusters.values())].sort((a, b) => a - b);
  const cluster = groups.find((one) => String(one) === params["cluster"]);
  const by = params["by"] === "time" ? "time" : "name";
  const order = useMemo(() => {
    if (!heat) return [];
    const rows = ordered(heat.workers, meanDeviations(heat), by);
    return cluster ? rows.filter((worker) => clusters.get(heat.workers[worker]!) === cluster) : rows;
  }, [heat, clusters, by, cluster]);
  if (!stepView || !data || !heat || !quantity || !order.length) return null;
  const set = (given: Record<string, string>): void => setParams(page, given);
  const open = (cell: number): void => {
    set({ cell: String(cell) });
    const row = heat.rows[cell]!;
    const own = answer.summary["hosts_with_steps"] === 1 ? data : alone(data);
    const at = { spec: stepView.spec, data: own, row, column: PROVED[quantity] ?? null };
    const host = data.columns["host"]?.[row];
    const hosts = answer.summary["hosts_with_steps"] === 1 ? {} : { hosts: [String(host)] };
    const way = cellInTrace(page, at, stretchOfRow(own, row));
    if (way) page.navigate({ ...way, ...hosts });
  };
  const { csv, json } = common(page, stepView.view, stepView.spec);
  const title = "Steps of all workers";
  const bar = (
    <>
      <Select
        name="colour"
        help="What is compared with the step's median over its workers"
        value={quantity}
        offers={choices.map((one) => [one, QUANTITIES[one]] as const)}
        choose={(one) => set({ quantity: one })}
      />
      {groups.length > 1 && (
        <Select
          name="workers"
          help="All, or a group of workers that behave alike"
          value={cluster ? String(cluster) : ""}
          offers={[["", "all"], ...groups.map((one) => [String(one), `group ${one}`] as const)]}
          choose={(one) => set({ cluster: one, zoom: "" })}
        />
      )}
      <Select
        name="first"
        help="The order of the workers"
        value={by}
        offers={[
          ["name", "by name"],
          ["time", "slowest first"],
        ]}
        choose={(one) => set({ by: one, zoom: "" })}
      />
      <span class="grow" />
      <button
        type="button"
        aria-expanded={params["table"] === "steps"}
        onClick={() => set({ table: params["table"] ? "" : "steps" })}
      >
        {params["table"] ? "Hide the table" : "As a table"}
      </button>
      <Links csv={csv} json={json} />
    </>
  );
  return (
    <>
      <Panel title={title} bare>
        <HeatMap
          {...{ title, heat, quantity, order, open, bar }}
          zoom={params["zoom"] ?? ""}
          setZoom={(zoom) => set({ zoom })}
          opened={Number(params["cell"] ?? -1)}
        />
      </Panel>
      {params["table"] === "steps" && <TablePart {...part} table="steps" show={STEP_COLUMNS} />}
    </>
  );
}

function Workers(part: Part) {
  const { page } = part;
  const stepView = viewOf(part, "stack", "steps");
  const mean = viewOf(part, "stack", "workers");
  const steps = useMemo(() => stepView && stepsOf(stepView.data), [stepView?.data]);
  const { params } = page.selection;
  const last = steps ? steps.rows.length : 0;
  const at = Math.min(last, Math.max(mean ? 0 : 1, Number(params["at"] ?? 0) || 0));
  const shown = useMemo(
    () => (at && stepView ? { ...stepView, data: picked(stepView.data, steps!.rows[at - 1]!) } : mean),
    [stepView?.data, mean?.data, at],
  );
  if (!stepView || !steps || !shown) return null;
  const set = (name: string, value: string): void => setParams(page, { [name]: value });
  const by = params["by"] === "time" ? "time" : "name";
  const { csv, json } = common(page, stepView.view, stepView.spec);
  const open = openerOf(page, shown.spec);
  const name = at ? steps.names[at - 1]! : "mean of all steps";
  const title = "Workers side by side";
  return (
    <Panel title={title} bare class="workers-panel">
      <div class="lines-bar worker-bar">
        <b title={shown.spec.help}>{title}</b>
        <input
          type="range"
          min={mean ? 0 : 1}
          max={last}
          value={at}
          aria-label="Step"
          aria-valuetext={name}
          onInput={(event) => set("at", event.currentTarget.value === "0" ? "" : event.currentTarget.value)}
        />
        <output>{name}</output>
        <span class="grow" />
        <label hidden={part.answer.summary["worker_count"] === 1}>
          first{" "}
          <select value={by} onChange={(event) => set("by", event.currentTarget.value)}>
            <option value="name">by name</option>
            <option value="time">slowest first</option>
          </select>
        </label>
        <Links csv={csv} json={json} />
      </div>
      <WorkerBars {...shown} title={title} by={by} open={open} late={String(part.answer.summary["straggler"] ?? "")} />
    </Panel>
  );
}

/** The only worker's steps. */
function OnlySteps(part: Part) {
  const stepView = viewOf(part, "stack", "steps");
  if (!stepView) return null;
  return (
    <Panel title="Steps" bare>
      <Stack
        {...common(part.page, stepView.view, stepView.spec)}
        {...stepView}
        title="Steps"
        view={{ ...stepView.view, label: "step" }}
        noun="step"
        quiet
        hasLegend
      />
    </Panel>
  );
}

const SKEW: View = { kind: "stack", title: "", table: "", label: "step", values: ["work_ms", "skew_ms"] };

/** Each step excluding exposed communication: its fastest worker, and the skew to its slowest. */
function Skew(part: Part) {
  const { page } = part;
  const stepView = viewOf(part, "stack", "steps");
  const data = useMemo(() => stepView && skews(stepView.data, stepsOf(stepView.data)), [stepView?.data]);
  if (!stepView || !data) return null;
  const spec = {
    ...stepView.spec,
    help: "Time without exposed communication: of each step's fastest worker, and how much longer the slowest takes.",
    columns: SKEW.values.map((name) => ({ name, dtype: "float64", unit: "ms", help: "", title: "" })),
  };
  const title = "Skew over steps";
  return (
    <Panel title={title} bare>
      <Stack
        {...common(part.page, stepView.view, stepView.spec)}
        {...{ title, spec, data }}
        open={stretchOpener(page)}
        view={SKEW}
        noun="step"
        height={120}
        quiet
      />
    </Panel>
  );
}

/** Of a run too long for one answer: which of its steps. */
function Which({ answer, page }: Part) {
  const [shown, all] = [answer.summary["shown_count"], answer.summary["step_count"]];
  if (typeof shown !== "number" || typeof all !== "number" || shown >= all) return null;
  const options = page.tool.options.filter(({ name }) => ["step", "step_count"].includes(name));
  return (
    <div class="step-line">
      <span class="soft">
        {counted(shown, "step")} of {all} shown
      </span>
      <Options options={options} params={page.selection.params} set={(params) => page.navigate({ params })} />
    </div>
  );
}

const TABLE: readonly ColumnOf<"pod_viewer", "workers">[] = [
  "worker",
  "steps",
  "mean_ms",
  "max_ms",
  "work_ms",
  "lag_ms",
  "times_slowest",
  "clock_offset_ms",
  "bottleneck",
];

const STEP_COLUMNS: readonly ColumnOf<"pod_viewer", "steps">[] = [
  "name",
  "worker",
  "start_ms",
  "duration_ms",
  "cut",
  "work_ms",
  "input_wait_ms",
  "collective_ms",
  "peer_wait_ms",
  "bottleneck",
];

const CLUSTERS: readonly ColumnOf<"pod_viewer", "clusters">[] = [
  "cluster",
  "workers",
  "differs",
  "change_ms",
  "distance",
  "mean_ms",
  "work_ms",
  "lag_ms",
  "named",
];

/** Groups of workers that behave alike, and the way to the workers of each. */
function Clusters(part: Part) {
  const { answer, page } = part;
  if (rowsOf(answer, "clusters") < 2) return null;
  const numberOf = (row: number, { columns }: TableData): number => Number(columns["cluster"]?.[row]);
  const hostsOf = (row: number, data: TableData): string[] => {
    const { host = [], cluster = [] } = answer.tables["workers"]?.columns ?? {};
    return [...new Set(host.filter((_, i) => cluster[i] === numberOf(row, data)).map(String))];
  };
  const show = (row: number, data: TableData): void => {
    const number = String(numberOf(row, data));
    const { params } = page.selection;
    page.navigate(
      { params: { ...params, cluster: number, zoom: "", "workers.filter": `cluster=${number}` } },
      "replace",
    );
  };
  const choose = {
    what: "Choose their hosts ▸",
    can: (row: number, data: TableData) => fits(hostsOf(row, data)),
    open: (row: number, data: TableData) => page.navigate({ hosts: hostsOf(row, data) }),
  };
  return (
    <TablePart
      {...part}
      table="clusters"
      show={CLUSTERS}
      keepZeros
      what="Show these workers"
      open={show}
      also={[choose]}
    />
  );
}

const EXCHANGED: readonly ColumnOf<"pod_viewer", "collectives">[] = [
  "kind",
  "tensor",
  "group",
  "group_size",
  "count",
  "bytes",
  "mean_us",
  "total_ms",
  "algorithm_gb_s",
  "bus_gb_s",
  "exposed_share",
  "skew_us",
  "last_worker",
  "lag_us",
  "why_unknown",
];

/** Only Horovod's timelines name tensors. */
function exchanged({ tables }: Answer): typeof EXCHANGED {
  const tensors = tables["collectives"]?.columns["tensor"] ?? [];
  return [...tensors].some((name) => name !== null) ? EXCHANGED : EXCHANGED.filter((name) => name !== "tensor");
}

const IDLE: readonly ColumnOf<"pod_viewer", "idle">[] = [
  "worker",
  "stream",
  "idle_ms",
  "idle_share",
  "host_wait_ms",
  "kernel_wait_ms",
  "collective_wait_ms",
  "copy_wait_ms",
  "stream_wait_ms",
  "unattributed_ms",
];

/** Nothing is compared: its steps, and beside them what they hold. */
function OneWorker(part: Part) {
  return (
    <div class="columns">
      <OnlySteps {...part} />
      <div class="stack">
        <Workers {...part} />
        <Which {...part} />
        <TablePart {...part} table="workers" show={TABLE} />
        <MoreFindings {...part} />
      </div>
    </div>
  );
}

function AllWorkers(part: Part) {
  return (
    <>
      <Steps {...part} />
      <Which {...part} />
      <Clusters {...part} />
      <Workers {...part} />
      <div class="columns">
        <Skew {...part} />
        <MoreFindings {...part} />
      </div>
      <TablePart {...part} table="workers" show={TABLE} />
    </>
  );
}

function Report(part: Part) {
  const { answer, page } = part;
  const some = (table: TableName): boolean => rowsOf(answer, table) > 0;
  return (
    <>
      <Conclusion {...part}>
        <StepLine {...part} />
        <Figures
          answer={answer}
          page={page}
          groups={answer.summary["hosts_with_steps"] === 1 ? FIGURES.slice(0, 1) : FIGURES}
        />
        <Sentences {...part} />
      </Conclusion>
      {answer.summary["worker_count"] === 1 ? <OneWorker {...part} /> : <AllWorkers {...part} />}
      {some("collectives") && <TablePart {...part} table="collectives" show={exchanged(answer)} />}
      {some("idle") && <TablePart {...part} table="idle" show={IDLE} />}
    </>
  );
}

export default stepsPage(Report);
