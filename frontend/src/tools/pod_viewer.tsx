// The pod viewer: every worker's steps side by side, who is late, and what it does instead.
import { useMemo } from "preact/hooks";
import type { ColumnOf } from "../generated/columns";
import type { Answer, SummaryName, TableName, View } from "../types";
import { counted } from "../units";
import { common, viewOf } from "../views/charts";
import { Figures, group, type Group } from "../views/figures";
import { Options } from "../views/options";
import { Panel } from "../views/panel";
import { openerOf, stretchOpener } from "../views/proof";
import { KEYS, Stack } from "../views/stack";
import { StepLine } from "../views/step_line";
import { Links } from "../views/table";
import { TablePart } from "../views/table_panel";
import { WorkerBars } from "../views/worker_bars";
import { picked, skews, stepsOf } from "../views/workers";
import type { Part } from "../page";
import { rowsOf } from "../views/rows";
import { Conclusion, MoreFindings, stepsPage } from "../views/report";

export const keys = [
  ["← → Home End", "on the slider: previous, next step, the mean of all, the last"],
  ["↑ ↓ Enter", "in the bars: another worker; show its step in the trace"],
  ...KEYS,
] as const;

const FIGURES: readonly Group[] = [
  group("", {
    worker_count: "workers: {}",
    skew_ms: "skew {} ({skew_share} of a step)",
    lost_ms: "wait for the slowest {} per step and worker",
    straggler: "straggler {}, slowest in {straggler_share} of steps",
  }),
  group("Hosts", {
    host_count: "{}",
    common_step_count: "common steps {}",
    clock_offset_ms: "clock offset {} ± {clock_error_ms}",
  }),
];
/** Sentences, of which some are shown above. */
const SENTENCES = [
  ["compared_by", "Workers are compared by"],
  ["aligned", "Steps aligned by:"],
  ["clocks", "Clocks:"],
] as const;

function Sentences({ answer: { findings, summary } }: Part) {
  const findingsText = findings.map(({ title, detail }) => `${title} ${detail}`.toLowerCase()).join();
  const isNews = (name: SummaryName): boolean =>
    !!summary[name] && summary["host_count"] !== 1 && !findingsText.includes(String(summary[name]).toLowerCase());
  const sentences = SENTENCES.flatMap(([name, words]) => (isNews(name) ? [`${words} ${summary[name]}`] : []));
  return sentences.length ? <p class="soft">{sentences.join(" · ")}</p> : null;
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
  const set = (name: string, value: string): void => page.navigate({ params: { ...params, [name]: value } }, "replace");
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

const SKEW: View = { kind: "stack", title: "", table: "", label: "step", values: ["work_ms", "skew_ms"], show: [] };

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
          groups={answer.summary["host_count"] === 1 ? FIGURES.slice(0, 1) : FIGURES}
        />
        <Sentences {...part} />
      </Conclusion>
      <Workers {...part} />
      <Which {...part} />
      <div class="columns capped">
        {answer.summary["worker_count"] === 1 ? <OnlySteps {...part} /> : <Skew {...part} />}
        <MoreFindings {...part} shrinks />
      </div>
      <TablePart {...part} table="workers" show={TABLE} class="first-table" />
      {some("collectives") && <TablePart {...part} table="collectives" show={exchanged(answer)} />}
      {some("idle") && <TablePart {...part} table="idle" show={IDLE} />}
    </>
  );
}

export default stepsPage(Report);
