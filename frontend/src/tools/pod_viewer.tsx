// The pod viewer: every worker's steps side by side, who is late, and what it does instead.
import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer";
import type { PageProps } from "../page";
import type { Answer } from "../types";
import { common, LineChart, viewOf } from "../views/charts";
import { Facts } from "../views/facts";
import { Findings, Headline } from "../views/findings";
import { KEYS as LINE_KEYS } from "../views/lines";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { StepLine } from "../views/step_line";
import { ShownSteps } from "../views/steps_from";
import { Links } from "../views/table";
import { TablePart } from "../views/table_panel";
import { WorkerBars } from "../views/worker_bars";
import { means, picked, stepsOf } from "../views/workers";

export const keys = [
  ["← → Home End", "on the slider: the step before, after, the mean of all, the last"],
  ["↑ ↓ Enter", "in the bars: another worker; its step in the trace"],
  ...LINE_KEYS,
] as const;

interface Part {
  answer: Answer;
  page: PageProps;
}

/** What the line above already says. */
const SAID = /^step|^steps/;
/** A sentence, which is no card. */
const SENTENCES = ["aligned"];

function Workers(part: Part) {
  const { page } = part;
  const found = viewOf(part, "stack");
  const data = found?.data;
  const steps = useMemo(() => data && stepsOf(data), [data]);
  const { params } = page.selection;
  const last = steps ? steps.rows.length : 0;
  const at = Math.min(last, Math.max(0, Number(params["at"] ?? 0) || 0));
  const shown = useMemo(() => data && (at ? picked(data, steps!.rows[at - 1]!) : means(data)), [data, at]);
  if (!found || !steps || !shown) return null;
  const set = (name: string, value: string): void => page.navigate({ params: { ...params, [name]: value } }, "replace");
  const by = params["by"] === "time" ? "time" : "name";
  const { title, csv, json, open } = common(page, found.view, found.spec);
  const name = at ? steps.names[at - 1]! : `mean of ${last} steps`;
  return (
    <Panel title={title} bare>
      <div class="lines-bar worker-bar">
        <b title={found.spec.help}>{title}</b>
        <input
          type="range"
          min={0}
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
      <WorkerBars {...found} title={title} data={shown} by={by} open={open} />
    </Panel>
  );
}

function Report(part: Part) {
  const { answer, page } = part;
  const [first, ...more] = answer.findings;
  const facts = page.tool.summary.filter(({ name }) => !SAID.test(name) && !SENTENCES.includes(name));
  return (
    <>
      <Panel title="" class="answer">
        {first && <Headline finding={first} navigate={page.navigate} />}
        <StepLine {...part} />
        <Facts columns={facts} values={answer.summary} unknown={answer.unknown}>
          {SENTENCES.map((name) =>
            answer.summary[name] ? <span key={name}>{String(answer.summary[name])}</span> : null,
          )}
        </Facts>
      </Panel>
      <Workers {...part} />
      <LineChart {...part} />
      {more.length > 0 && (
        <Panel title="More findings">
          <Findings findings={more} navigate={page.navigate} />
        </Panel>
      )}
      <TablePart {...part} table="workers" show={[]} />
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
