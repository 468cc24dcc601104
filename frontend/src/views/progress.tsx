// What is done while an answer is waited for: how far it is, for how long, and the way to call it off.
import { useEffect, useState } from "preact/hooks";
import { getProgress } from "../api";
import type { Asked } from "../answer";
import type { WorkProgress } from "../types";
import { counted, formatBytes } from "../units";

/** Between two looks; and how long something is waited for before it is looked at. */
const LOOK_MS = 500;

const STAGES: Readonly<Record<NonNullable<WorkProgress["stage"]>, string>> = {
  waiting: "waiting for other work",
  reading: "reading",
  analysing: "analysing",
  combining: "combining hosts",
};

/** Seconds that are left, as fast as it was so far; null while that is not known. */
export function secondsLeft({ elapsed_s = 0, size_bytes = 0, done_bytes = 0 }: WorkProgress): number | null {
  return done_bytes > 0 && done_bytes < size_bytes ? (elapsed_s * (size_bytes - done_bytes)) / done_bytes : null;
}

/** Whole seconds, and minutes of many: what moves every second is read at a glance. */
function inSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 100 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}

/** `reading h3, 2 of 8 hosts, 40 MB of 143 MB, 3 s, about 8 s left`. */
export function inWords(progress: WorkProgress, elapsed_s: number): string {
  const { stage, host = "", hosts = 0, hosts_done = 0, size_bytes = 0, done_bytes = 0 } = progress;
  const left = secondsLeft(progress);
  return [
    stage ? STAGES[stage] + (hosts > 1 && /ing$/.test(STAGES[stage]) ? ` ${host}` : "") : "",
    hosts > 1 ? `${hosts_done} of ${counted(hosts, "host")}` : "",
    hosts > 1 ? `${formatBytes(done_bytes)} of ${formatBytes(size_bytes)}` : "",
    inSeconds(elapsed_s),
    left === null ? "" : `about ${inSeconds(Math.max(left, 1))} left`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** What the server says of a question, while it is asked; it has no fields before the server says anything. */
function useProgress(work: string): [WorkProgress, elapsed_s: number] {
  const [progress, set] = useState<WorkProgress>({ stage: null });
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const since = performance.now();
    let timer = 0;
    const look = async (): Promise<void> => {
      setElapsed((performance.now() - since) / 1000);
      // What is not known of it is left as it was: the answer itself says whether the server is there.
      await getProgress(work, abort.signal).then(set, () => undefined);
      if (!abort.signal.aborted) timer = window.setTimeout(() => void look(), LOOK_MS);
    };
    timer = window.setTimeout(() => void look(), LOOK_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [work]);
  return [progress, elapsed];
}

/** Shown from the first second on; what comes sooner needs no words. */
export function ProgressLine({ text, asked }: { text: string; asked: Pick<Asked, "work" | "cancel"> }) {
  const [progress, elapsed_s] = useProgress(asked.work);
  const { hosts = 0, hosts_done = 0, size_bytes = 0, done_bytes = 0 } = progress;
  if (elapsed_s < 1) return <>{text}</>;
  return (
    <span class="progress">
      {text.replace(/…$/, "")}: {inWords(progress, elapsed_s)}
      {hosts > 1 && hosts_done > 0 && (
        <progress aria-label="Hosts that were read" max={Math.max(size_bytes, 1)} value={done_bytes} />
      )}{" "}
      <button type="button" onClick={asked.cancel}>
        Cancel
      </button>
    </span>
  );
}
