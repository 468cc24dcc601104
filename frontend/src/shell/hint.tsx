// A hint for first-time users; once dismissed it never comes again.
import { useState } from "preact/hooks";
import { store, stored } from "../stored";

/** Not more than three sentences. */
const HINT =
  "Each page begins with a sentence that answers its question; “show in Trace” opens the proof. " +
  "The key “?” explains the page in front and lists its keys. Pages keep what you set, and “Copy link” sends it to others.";

const KEY = "hint";

export function FirstHint() {
  const [isNew, setNew] = useState(() => !stored(KEY));
  if (!isNew) return null;
  return (
    <aside class="first-hint" aria-label="First visit">
      <p>{HINT}</p>
      <button
        type="button"
        onClick={() => {
          store(KEY, "seen");
          setNew(false);
        }}
      >
        Got it
      </button>
    </aside>
  );
}
