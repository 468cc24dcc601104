// What an answer means: the largest share first, each with what to do and a way to its proof.
import type { Navigate } from "../page";
import type { Finding } from "../types";
import { percent } from "../units";

const MARKS: Readonly<Record<Finding["severity"], string>> = { warning: "▲", note: "●", info: "○" };

function details({ share, detail }: Finding): string {
  return [share === null ? "" : percent(share), detail].filter(Boolean).map((part) => `· ${part}`).join(" ");
}

function Proof({ finding, navigate }: { finding: Finding; navigate: Navigate }) {
  if (!finding.tool) return null;
  return <button type="button" class="link" onClick={() => navigate({ tool: finding.tool })}>show in {finding.tool.replaceAll("_", " ")} ▸</button>;
}

export function Findings({ findings, navigate }: { findings: readonly Finding[]; navigate: Navigate }) {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <li key={finding.title} class={finding.severity}>
          <span class="mark" role="img" aria-label={finding.severity} title={finding.severity}>{MARKS[finding.severity]}</span>
          <p>
            <strong>{finding.title}</strong> <span class="soft">{details(finding)}</span> {finding.action} <Proof finding={finding} navigate={navigate} />
          </p>
        </li>
      ))}
    </ul>
  );
}
