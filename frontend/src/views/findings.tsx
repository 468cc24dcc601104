// What an answer means: each finding with what to do and a way to its proof.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { embedded } from "../embedded";
import type { PageProps } from "../page";
import type { Answer, Evidence, Finding, Scalar } from "../types";
import { formatNumber, percent } from "../units";
import { toProof } from "./links";
import { Words } from "./words";

const PS_PER_MS = 1e9;

function ps(cell: Scalar | undefined): number {
  return typeof cell === "number" ? Math.round(cell * PS_PER_MS) : NaN;
}

/** Times of several hosts are of different clocks, so that there only a step of the same host and length counts. */
export function stepOf({ hosts, tables }: Pick<Answer, "hosts" | "tables">, where: Evidence): string | null {
  const { step = [], host, start_ms = [], duration_ms = [] } = tables["steps"]?.columns ?? {};
  const { start_ps, end_ps } = where;
  const middle = (start_ps + end_ps) / 2;
  const row = step.findIndex((_, i) => {
    const [start, length] = [ps(start_ms[i]), ps(duration_ms[i])];
    if (hosts.length > 1) return host?.[i] === where.host && length === end_ps - start_ps;
    return start <= middle && middle < start + length;
  });
  return row < 0 ? null : String(step[row]);
}

/** The steps of all pieces, where each lies in another one. */
export function stepsOfAll(answer: Pick<Answer, "hosts" | "tables">, places: readonly Evidence[]): string[] | null {
  const steps = places.map((where) => stepOf(answer, where));
  const named = steps.filter((step) => step !== null);
  return new Set(named).size === places.length ? named : null;
}

/** Name of a tool → what its page is called. */
export const Titles = createContext<Readonly<Record<string, string>>>({});

/** Opens why a finding is given, or what a column means; where there is no help, as in a report, there is no way to it. */
export const Explain = createContext<((what: Finding | string) => void) | null>(null);

const MARKS: Readonly<Record<Finding["severity"], string>> = { warning: "▲", note: "●", info: "○" };

interface ProofProps {
  finding: Finding;
  /** What the finding is of. */
  answer: Answer;
  page: PageProps;
}

function stretch(answer: Answer, where: Evidence): string {
  const { host, start_ps, end_ps } = where;
  const step = stepOf(answer, where);
  const [length, start] = [end_ps - start_ps, start_ps].map((time) => formatNumber(time, "ps"));
  return `${step === null ? "" : `step ${step}: `}${length} on ${host}, ${start} after the start of the capture`;
}

/** Where it is proved; of several places each by its step, else by number. */
function Proof({ finding, answer, page }: ProofProps) {
  const { tool, evidence } = finding;
  const titles = useContext(Titles);
  if (!tool) return null;
  const places = tool === "trace_viewer" ? evidence : [];
  const steps = stepsOfAll(answer, places);
  const go = (where: Evidence | undefined) => () => page.navigate(toProof(finding, where));
  return (
    <span class="proof">
      <button type="button" class="link" title={places[0] && stretch(answer, places[0])} onClick={go(places[0])}>
        {finding.search && finding.match !== "row" ? "find" : "show"} in {titles[tool] ?? tool} ▸
      </button>
      {places.length > 1 && <span class="soft">{steps ? " at steps" : " occurrences"}</span>}
      {places.length > 1 &&
        places.map((where, i) => (
          <span key={i}>
            {" "}
            <button
              type="button"
              class="link"
              title={stretch(answer, where)}
              aria-label={steps ? `step ${steps[i]}` : `occurrence ${i + 1}`}
              onClick={go(where)}
            >
              {steps?.[i] ?? i + 1}
            </button>
          </span>
        ))}
    </span>
  );
}

function Mark({ severity }: { severity: Finding["severity"] }) {
  return (
    <span class="mark" role="img" aria-label={severity} title={severity}>
      {MARKS[severity]}
    </span>
  );
}

/** Opens why a finding is given: a mark beside its sentence, which it is named by. */
function WhyGiven({ finding }: { finding: Finding }) {
  const explain = useContext(Explain);
  if (!explain) return null;
  return (
    <button
      type="button"
      class="why"
      title="Why: its condition and thresholds"
      aria-label={`Why: ${finding.title.replaceAll("`", "")}`}
      onClick={() => explain(finding)}
    >
      <i aria-hidden="true">?</i>
    </button>
  );
}

type WhatIfModule = typeof import("./what_if");

/** Loaded once findings stand there: the page answers without it. */
function WhatIf(props: { selection: string; page: PageProps }) {
  const [loaded, show] = useState<WhatIfModule | null>(null);
  useEffect(() => {
    import("./what_if").then(show, () => undefined);
  }, []);
  return loaded && <loaded.WhatIf {...props} />;
}

/** What to do, the reason, the way to the proof, and what a change would give. */
function Advice(props: ProofProps) {
  const { action, detail, tool, whatif } = props.finding;
  if (!action && !detail && !tool) return null;
  return (
    <>
      <p>
        <Words text={action} />{" "}
        {detail && (
          <span class="soft">
            <Words text={detail} />{" "}
          </span>
        )}
        <Proof {...props} />
      </p>
      {whatif && !embedded && <WhatIf key={whatif} selection={whatif} page={props.page} />}
    </>
  );
}

export function Findings({ findings, ...rest }: Omit<ProofProps, "finding"> & { findings: readonly Finding[] }) {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <li key={finding.title} class={finding.severity}>
          <Mark severity={finding.severity} />
          <div>
            <strong>
              <Words text={finding.title} />
            </strong>
            {finding.share !== null && !finding.title.includes("%") && (
              <span class="soft number"> · {percent(finding.share)}</span>
            )}{" "}
            <WhyGiven finding={finding} />
            <Advice finding={finding} {...rest} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Each in one line, side by side where there is room; what to do about it is a press away. */
export function FoldedFindings({ findings, ...rest }: Omit<ProofProps, "finding"> & { findings: readonly Finding[] }) {
  if (!findings.length) return null;
  return (
    <ul class="findings folded">
      {findings.map((finding) => (
        <li key={finding.title} class={finding.severity}>
          <details>
            <summary>
              <Mark severity={finding.severity} /> <Words text={finding.title} />
            </summary>
            <div>
              <Advice finding={finding} {...rest} />
              <WhyGiven finding={finding} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

/** So long a name is cut in the middle where it stands large. */
const MOST = 72;
const TAIL = 44;

function shortened(title: string): string {
  return title.replace(/[^\s`]{73,}/gu, (name) => `${name.slice(0, MOST - TAIL - 1)}…${name.slice(-TAIL)}`);
}

/** The finding that answers the page's question: its sentence large, what to do below. */
export function Headline({ finding, ...rest }: ProofProps) {
  const { title, severity } = finding;
  const plain = title.replaceAll("`", "");
  const whole = shortened(title) === title ? {} : { title: plain, "aria-label": `${severity}: ${plain}` };
  return (
    <div class={`headline ${severity}`}>
      <h1 {...whole}>
        <Mark severity={severity} /> <Words text={shortened(title)} />
      </h1>{" "}
      <WhyGiven finding={finding} />
      <Advice finding={finding} {...rest} />
    </div>
  );
}
