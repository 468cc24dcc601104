// `30.1 ms per typical step · 37.0 ms with 1 slow step ±1.20 ms · 11 steps · 27.0 steps/s · median … · steps from: step numbers ▸`.
import type { PageProps } from "../page";
import type { Answer, SummaryName } from "../types";
import { counted, exactValue, formatNumber } from "../units";
import { AllFigures } from "./figures";
import { StepsFrom } from "./steps_from";
import { Words } from "./words";

export function StepLine({ answer, page }: { answer: Answer; page: PageProps }) {
  const { summary, unknown } = answer;
  const value = (name: SummaryName): number | null => {
    const cell = summary[name];
    return typeof cell === "number" ? cell : null;
  };
  const figure = (name: SummaryName, text: (shown: string) => string, look = "") => {
    const [number, column] = [value(name), page.tool.summary.find((c) => c.name === name)];
    if (number === null || !column) return null;
    const shown = formatNumber(number, column.unit);
    return (
      <span class={look} title={`${column.help}\n${exactValue(number, column.unit)}`}>
        {text(shown)}
      </span>
    );
  };
  const [count, slow] = (["step_count", "slow_step_count"] as const).map(value);
  const [low, high] = (["step_time_min_ms", "step_time_max_ms"] as const).map(value);
  const typical = value("step_time_typical_ms");
  const isApart = !!slow && typical !== null && typical !== value("step_time_ms");
  const why = unknown["step_time_ms"];
  const isTold = answer.findings.some(({ title, detail }) => `${title} ${detail}`.includes(why ?? ""));
  return (
    <div class="step-line">
      {isApart && figure("step_time_typical_ms", (ms) => `${ms} per typical step`, "lead")}
      {isApart
        ? figure("step_time_ms", (ms) => `${ms} with ${counted(slow, "slow step")}`)
        : figure("step_time_ms", (ms) => `${ms} per step`, "lead")}
      {figure("step_time_sd_ms", (ms) => `±${ms}`, "spread")}
      {!!count && <span>{counted(count, "step")}</span>}
      {figure("steps_per_second", (rate) => `${rate.replace(/ ?\/s$/, "")} steps/s`)}
      {figure("step_time_median_ms", (ms) => `median ${ms}`)}
      {figure("step_time_p95_ms", (ms) => `p95 ${ms}`)}
      {typeof low === "number" && typeof high === "number" && formatNumber(high, "ms") !== formatNumber(low, "ms") && (
        <span title="Shortest and longest step">
          {formatNumber(low, "ms")} – {formatNumber(high, "ms")}
        </span>
      )}
      {why !== undefined && (
        <span class="soft" title={why}>
          {count ? "Step time unknown" : "No steps"}
          {!isTold && <Words text={`: ${why.replace(/^no steps: /, "")}`} />}
        </span>
      )}
      <div class="step-buttons">
        <StepsFrom answer={answer} page={page} />
        <AllFigures answer={answer} columns={page.tool.summary} />
      </div>
    </div>
  );
}
