// What a step would take if the subject of a finding took less: chosen beside it, and asked only then.
import { useMemo, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { apiFor } from "../api";
import type { PageProps } from "../page";
import { rangeOf } from "../range";
import type { Answer } from "../types";
import { formatNumber } from "../units";
import { ProgressLine } from "./progress";
import { Select } from "./select";
import { Failure } from "./states";
import { Words } from "./words";

const AS_IT_DID = "";
/** By option of the tool. */
const OFFERS = [
  [AS_IT_DID, "as long as it did"],
  ["remove", "nothing"],
  ["scale", "half as long"],
  ["overlap", "place beside the rest"],
] as const;

/** The question: a selection has several parts where it holds several categories. */
export function questionOf(selection: string, how: string): Record<string, string> {
  return {
    [how]:
      how === "scale"
        ? selection
            .split("; ")
            .map((part) => `${part}=0.5`)
            .join("; ")
        : selection,
  };
}

/** The answer in a line, or why there is none. */
export function inOneLine({ unknown, findings }: Pick<Answer, "unknown" | "findings">): string {
  const [first] = findings;
  if (!first) return Object.values(unknown)[0] ?? "";
  if (first.code !== "whatif") return first.title;
  const { least_ps, most_ps, next } = first.params;
  const [least, most] = [least_ps, most_ps].map((ps) => formatNumber(Number(ps), "ps"));
  const range = least === most ? "" : ` (${least} to ${most})`;
  return `${first.title}${range}${typeof next === "string" ? `; then most is ${next}` : ""}.`;
}

function Reply({ page, question }: { page: PageProps; question: Record<string, string> }) {
  const { run, hosts, params } = page.selection;
  const range = rangeOf(params);
  const api = useMemo(() => apiFor({ run, hosts, tool: "whatif" }, range), [page.api, JSON.stringify(range)]);
  const { steps_from } = params;
  const asked = useAnswer(api, steps_from ? { ...question, steps_from } : question);
  const { answer, error, waiting, again } = asked;
  if (error && !waiting) return <Failure error={error} again={again} />;
  return (
    <span role="status" aria-busy={waiting}>
      {waiting ? <ProgressLine text="Replaying steps…" asked={asked} /> : answer && <Words text={inOneLine(answer)} />}
    </span>
  );
}

export function WhatIf({ selection, page }: { selection: string; page: PageProps }) {
  const [how, choose] = useState<string>(AS_IT_DID);
  return (
    <div class="what-if">
      <Select
        name="What if it took"
        help={`Replays the steps with a change to ${selection}`}
        value={how}
        offers={OFFERS}
        choose={choose}
      />
      {how !== AS_IT_DID && <Reply page={page} question={questionOf(selection, how)} />}
    </div>
  );
}
