// The pod viewer: every worker's steps side by side, who is late, and what it does instead.
import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer";
import type { PageProps } from "../page";
import type { Answer, View } from "../types";
import { counted } from "../units";
import { common, viewOf } from "../views/charts";
import { Facts } from "../views/facts";
import { Findings, Headline } from "../views/findings";
import { given, Options } from "../views/options";
import { Panel } from "../views/panel";
import { KEYS, Stack } from "../views/stack";
import { StepLine } from "../views/step_line";
import { ShownSteps } from "../views/steps_from";
import { Links } from "../views/table";
import { TablePart } from "../views/table_panel";
import { WorkerBars } from "../views/worker_bars";
import { picked, skews, stepsOf } from "../views/workers";

export const keys = [
  ["← → Home End", "on the slider: the step before, after, the mean of all, the last"],
  ["↑ ↓ Enter", "in the bars: another worker; its step in the trace"],
  ...KEYS,
] as const;

interface Part {
  answer: Answer;
  page: PageProps;
}

/** What the line above already says, and what says how much the table of steps holds. */
const SAID = /^step_|^shown_/;
/** Sentences, which are no cards. */
const SENTENCES = [
  ["compared_by", "Workers are compared by"],
  ["aligned", "Steps side by side:"],
  ["clocks", "Clocks:"],
] as const;

function Workers(part: Part) {
  const { page } = part;
  const found = viewOf(part, "stack", "steps");
  const mean = viewOf(part, "stack", "workers");
  const steps = useMemo(() => found && stepsOf(found.data), [found?.data]);
  const { params } = page.selection;
  const last = steps ? steps.rows.length : 0;
  const at = Math.min(last, Math.max(mean ? 0 : 1, Number(params["at"] ?? 0) || 0));
  const shown = useMemo(
    () => (at && found ? { ...found, data: picked(found.data, steps!.rows[at - 1]!) } : mean),
    [found?.data, mean?.data, at],
  );
  if (!found || !steps || !shown) return null;
  const set = (name: string, value: string): void => page.navigate({ params: { ...params, [name]: value } }, "replace");
  const by = params["by"] === "time" ? "time" : "name";
  const { csv, json, open } = common(page, found.view, found.spec);
  const name = at ? steps.names[at - 1]! : "mean of all steps";
  const title = "Workers side by side";
  return (
    <Panel title={title} bare>
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
        <label>
          first{" "}
          <select value={by} onChange={(event) => set("by", event.currentTarget.value)}>
            <option value="name">by name</option>
            <option value="time">the slowest</option>
          </select>
        </label>
        <Links csv={csv} json={json} />
      </div>
      <WorkerBars {...shown} title={title} by={by} open={open} late={String(part.answer.summary["straggler"] ?? "")} />
    </Panel>
  );
}

const SKEW: View = { kind: "stack", title: "", table: "", label: "step", values: ["work_ms", "skew_ms"], show: [] };

/** Each step's own work: of its fastest worker, and what the slowest has more. */
function Skew(part: Part) {
  const found = viewOf(part, "stack", "steps");
  const data = useMemo(() => found && skews(found.data, stepsOf(found.data)), [found?.data]);
  if (!found || !data || part.answer.summary["worker_count"] === 1) return null;
  const spec = {
    ...found.spec,
    help: "Own work of each step's fastest worker, and what its slowest has more.",
    columns: SKEW.values.map((name) => ({ name, dtype: "float64", unit: "ms", help: "" })),
  };
  const title = "Skew over steps";
  return (
    <Panel title={title} bare>
      <Stack
        {...common(part.page, found.view, found.spec)}
        {...{ title, spec, data }}
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
  const options = page.tool.options.filter(({ name }) => ["step", "steps"].includes(name));
  return (
    <div class="step-line">
      <span class="soft">
        {counted(shown, "step")} of {all} shown
      </span>
      <Options options={options} params={page.selection.params} set={(params) => page.navigate({ params })} />
    </div>
  );
}

const TABLE = [
  "worker",
  "steps",
  "mean_ms",
  "max_ms",
  "work_ms",
  "lateness_ms",
  "slowest_count",
  "clock_offset_ms",
  "bottleneck",
];

function Report(part: Part) {
  const { answer, page } = part;
  const [first, ...more] = answer.findings;
  const facts = page.tool.summary.filter(({ name }) => !SAID.test(name) && !SENTENCES.some(([one]) => one === name));
  const told = SENTENCES.flatMap(([name, words]) => (answer.summary[name] ? [`${words} ${answer.summary[name]}`] : []));
  return (
    <>
      <Panel title="" class="answer">
        {first && <Headline finding={first} navigate={page.navigate} />}
        <StepLine {...part} />
        <Facts columns={facts} values={answer.summary} unknown={answer.unknown} />
        <p class="soft">{told.join(" · ")}</p>
      </Panel>
      <Workers {...part} />
      <Which {...part} />
      <div class="columns">
        <Skew {...part} />
        {more.length > 0 && (
          <Panel title="More findings">
            <Findings findings={more} navigate={page.navigate} />
          </Panel>
        )}
      </div>
      <TablePart {...part} table="workers" show={TABLE} />
    </>
  );
}

export default function PodViewer(page: PageProps) {
  const asked = useAnswer(page.api, given(page));
  return (
    <div class="page">
      <ShownSteps asked={asked} page={page}>
        {(answer) => <Report answer={answer} page={page} />}
      </ShownSteps>
    </div>
  );
}
