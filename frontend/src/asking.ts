// What the page waits for, recorded on its root element, for scripts that drive it: browser tests wait for that, no clock.
//
// `data-asking`: questions without an answer. `data-answered`: answers so far. `data-shown`: the selection that is drawn.
import type { Selection } from "./page";
import { formatHash } from "./address";

const counts = { asking: 0, answered: 0 };

/** An answer that is waited for. */
export async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  count(1);
  try {
    return await answer;
  } finally {
    counts.answered++;
    count(-1);
  }
}

function count(more: number): void {
  counts.asking += more;
  Object.assign(document.documentElement.dataset, { asking: counts.asking, answered: counts.answered });
}

/** To be called when what the selection needs has been asked for. */
export function tellShown(selection: Selection): void {
  document.documentElement.dataset["shown"] = formatHash(selection);
}
