// What an answer means: each finding with what to do and a way to its proof.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Navigate } from "../page";
import type { Evidence, Finding } from "../types";
import { formatNumber, percent } from "../units";
import { toProof } from "./links";
import { Words } from "./words";

/** Name of a tool → what its page is called. */
export const Titles = createContext<Readonly<Record<string, string>>>({});

const MARKS: Readonly<Record<Finding["severity"], string>> = { warning: "▲", note: "●", info: "○" };

interface ProofProps {
  finding: Finding;
  navigate: Navigate;
}

function stretch({ host, start_ps, end_ps }: Evidence): string {
  return `${formatNumber(end_ps - start_ps, "ps")} on ${host}, ${formatNumber(start_ps, "ps")} after the capture's start`;
}

/** The first place that proves it by name, the others by number. */
export function Proof({ finding, navigate }: ProofProps) {
  const { tool, evidence } = finding;
  const titles = useContext(Titles);
  if (!tool) return null;
  const [first, ...others] = tool === "trace_viewer" ? evidence : [];
  const go = (where: Evidence | undefined) => () => navigate(toProof(finding, where));
  return (
    <>
      <button type="button" class="link" title={first && stretch(first)} onClick={go(first)}>
        {finding.search ? "find" : "show"} in {titles[tool] ?? tool} ▸
      </button>
      {others.map((where, i) => (
        <span key={i}>
          {" "}
          <button type="button" class="link" title={stretch(where)} aria-label={`place ${i + 2}`} onClick={go(where)}>
            {i + 2}
          </button>
        </span>
      ))}
    </>
  );
}

function details({ title, share, detail }: Finding): string {
  return [share === null || title.includes("%") ? "" : percent(share), detail]
    .filter(Boolean)
    .map((part) => `· ${part}`)
    .join(" ");
}

export function Findings({ findings, navigate }: { findings: readonly Finding[]; navigate: Navigate }) {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <li key={finding.title} class={finding.severity}>
          <span class="mark" role="img" aria-label={finding.severity} title={finding.severity}>
            {MARKS[finding.severity]}
          </span>
          <p>
            <strong>
              <Words text={finding.title} />
            </strong>{" "}
            <span class="soft">
              <Words text={details(finding)} />
            </span>{" "}
            <Words text={finding.action} /> <Proof finding={finding} navigate={navigate} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The finding that answers the page's question: its sentence large, what to do below. */
export function Headline({ finding, navigate }: ProofProps) {
  const { title, severity, detail, action } = finding;
  return (
    <div class={`headline ${severity}`}>
      <h1>
        <span class="mark" role="img" aria-label={severity} title={severity}>
          {MARKS[severity]}
        </span>{" "}
        <Words text={title} />
      </h1>
      <p>
        <Words text={action} />{" "}
        <span class="soft">
          <Words text={detail} />
        </span>{" "}
        <Proof finding={finding} navigate={navigate} />
      </p>
    </div>
  );
}
