// What opens the dialog, and says how a capture goes while it is closed.
import type { CaptureState } from "./capture_api";
import type { Capture } from "./use_capture";

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
