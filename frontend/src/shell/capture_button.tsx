// What opens the dialog, and says how a capture goes while it is closed; and how a program is made to answer.
import type { CaptureState } from "./capture_api";
import type { Capture } from "./use_capture";
import { CopyButton } from "../views/copy_button";

/** What is seen, as short as it may be beside the tools, and what it means. */
function words(state: CaptureState | null): [seen: string, means: string] {
  if (!state?.done) return [`${Math.ceil(state?.elapsed_s ?? 0)} s…`, "A capture is running"];
  if (state.phase === "done") return ["Done ▸", "The capture has finished: show the result"];
  if (state.phase === "cancelled") return ["Cancelled", "The capture was cancelled"];
  return ["Failed ▸", "The capture failed: show why"];
}

export function CaptureButton({ capture }: { capture: Capture }) {
  const { job, state, open } = capture;
  const [seen, means] = words(state);
  return (
    <button
      id="capture-button"
      type="button"
      class={job ? "capture-button active" : "capture-button"}
      aria-haspopup="dialog"
      aria-label={job ? means : "Capture profile"}
      title={job ? means : "Capture profile: record what a running program does (Shift C)"}
      onClick={open}
    >
      <i>●</i> {job ? seen : "Capture"}
      {!job && <span class="profile"> profile</span>}
    </button>
  );
}

const LINES: readonly (readonly [framework: string, code: string])[] = [
  ["TensorFlow, Keras", "tf.profiler.experimental.server.start(6009)"],
  ["JAX", "jax.profiler.start_server(6009)"],
];

/** The sentence, and its lines to copy. */
export function HowToServe() {
  return (
    <ul class="serve">
      {LINES.map(([framework, code]) => (
        <li key={framework}>
          <span class="soft">{framework}</span>
          <code>{code}</code>
          <CopyButton text={() => code} label="Copy" title={`Copy the line for ${framework}`} />
        </li>
      ))}
    </ul>
  );
}
