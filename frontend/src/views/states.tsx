// What a page shows while it has nothing to show: loading, failed, or an answer of which it waits for the next.
import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { ApiError } from "../api";
import type { Asked } from "../answer";
import { embedded } from "../embedded";
import type { Answer, Run } from "../types";
import { counted, formatBytes } from "../units";
import { ProgressLine } from "./progress";

/** What reading the selection takes: `Reading vm, 143 MB…`. */
export const Reading = createContext("Reading…");

export function reading(run: Run | undefined, hosts: readonly string[]): string {
  const names = (host: Run["hosts"][number]) => [host.name, ...host.files.map(({ name }) => name)];
  const files = run?.hosts.filter((host) => !hosts.length || names(host).some((name) => hosts.includes(name))) ?? [];
  if (!files.length) return "Reading…";
  const bytes = files.reduce((sum, host) => sum + host.size_bytes, 0);
  return `Reading ${files.length === 1 ? files[0]!.name : counted(files.length, "host")}, ${formatBytes(bytes)}…`;
}

const TITLES: Readonly<Record<string, string>> = {
  not_found: "Not found",
  bad_argument: "Invalid request",
  unreadable: "This capture cannot be read",
  remote: "The remote machine did not respond",
  unreachable: "TensorBoard does not respond",
  cancelled: "Cancelled",
  not_held: "Not in this report",
};

interface FailureProps {
  error: ApiError;
  again?: () => void;
  /** What is not shown for that. */
  missing?: readonly string[];
}

export function Failure({ error, again, missing }: FailureProps) {
  return (
    <section class="panel failure" role="alert">
      <h2>{TITLES[error.kind] ?? "The server failed"}</h2>
      <p class="message">{error.message}</p>
      {missing && <p>Not loaded: {missing.join(", ")}.</p>}
      {again && !embedded && (
        <p>
          <button type="button" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </section>
  );
}

/** What is waited for, where that takes long enough to be shown. */
export function Late({ text }: { text: string }) {
  return (
    <p class="waiting late" role="status">
      {text}
    </p>
  );
}

/** An answer, dimmed while the next is on its way; or what is read; or why there is none. */
export function Shown({ asked, children }: { asked: Asked; children: (answer: Answer) => ComponentChildren }) {
  const text = useContext(Reading);
  const { answer, error, waiting } = asked;
  return (
    <div class="shown" aria-busy={waiting}>
      <p class="waiting" role="status">
        {waiting ? <ProgressLine text={text} asked={asked} /> : ""}
      </p>
      {error && !waiting && <Failure error={error} again={asked.again} />}
      {answer && (!error || embedded) && <div class={waiting ? "stack dimmed" : "stack"}>{children(answer)}</div>}
    </div>
  );
}
