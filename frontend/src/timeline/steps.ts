// The steps of an answer, and the way from one to the next.
import type { Answer, SummaryName } from "../types";
import type { View } from "./scale";
import type { Step } from "./scene";

export function stepsOf(answer: Pick<Answer, "tables">): Step[] {
  const { host = [], number = [], name = [], start_ps = [], duration_ps = [] } = answer.tables["steps"]?.columns ?? {};
  const steps: Step[] = [];
  for (let i = 0; i < start_ps.length; i++) {
    const start = Number(start_ps[i]);
    const end = start + Number(duration_ps[i]);
    steps.push({ host: String(host[i]), number: Number(number[i]), name: String(name[i] ?? ""), start, end });
  }
  return steps.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** How steps were found: by which rule, in short and in full; and whether that is a guess. */
export interface StepDetection {
  by: string;
  more: string;
  isGuess: boolean;
}

export function detectionOf({ summary, findings }: Pick<Answer, "summary" | "findings">): StepDetection | null {
  const text = (name: SummaryName): string => String(summary[name] ?? "");
  const [rule, sure] = [text("step_rule_title"), text("step_confidence")];
  if (!rule) return null;
  const isGuess = sure === "guess";
  const note = findings.find(({ title }) => isGuess && title.includes(text("step_evidence")));
  const by = `from: ${rule}${sure && sure !== "certain" ? ` (${sure})` : ""}`;
  return { by, more: note?.title ?? text("step_evidence"), isGuess };
}

/** Index of the step that a stretch of time is, or that holds its middle; of none: half way between two. */
export function placeAmong(steps: readonly Step[], view: View): number {
  const same = steps.findIndex((step) => step.start === view.start && step.end === view.end);
  if (same >= 0) return same;
  const middle = (view.start + view.end) / 2;
  const around = steps.findIndex((step) => step.start <= middle && middle < step.end);
  return around >= 0 ? around : steps.filter((step) => step.start <= middle).length - 0.5;
}

/** Steps of one host, of the chosen one where it has some: those of several lie over each other. */
export function stepsOfHost(steps: readonly Step[], chosen: string | undefined): readonly Step[] {
  const host = steps.some((step) => step.host === chosen) ? chosen : steps[0]?.host;
  return steps.filter((step) => step.host === host);
}

/** The step after (1) or before (-1) a stretch of time; where it holds several, the first or the last of those. */
export function stepBeside(steps: readonly Step[], view: View, by: 1 | -1): Step | null {
  const held = steps.filter(({ start, end }) => start >= view.start && end <= view.end);
  if (held.length > 1) return held[by > 0 ? 0 : held.length - 1]!;
  const at = placeAmong(steps, view);
  return steps[by > 0 ? Math.floor(at) + 1 : Math.ceil(at) - 1] ?? null;
}
