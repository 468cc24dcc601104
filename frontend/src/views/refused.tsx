// What the server does not take of the address: why, and the way back to what the page shows by itself.
import type { Asked } from "../answer";
import type { PageProps } from "../page";
import { given } from "./options";
import { Panel } from "./panel";

/** Whether the last question was refused for what is chosen in the address. */
export function isRefused({ error, waiting }: Asked, page: PageProps): boolean {
  return !waiting && error?.kind === "bad_argument" && Object.keys(given(page)).length > 0;
}

export function Refused({ asked, page }: { asked: Asked; page: PageProps }) {
  const names = Object.keys(given(page));
  const reset = (): void => {
    const rest = Object.entries(page.selection.params).filter(([name]) => !names.includes(name) && name !== "at");
    page.navigate({ params: Object.fromEntries(rest) });
  };
  return (
    <Panel title="" class="refused">
      <p role="alert">{asked.error!.message}</p>
      <button type="button" title={`Without ${names.join(", ")}`} onClick={reset}>
        Reset
      </button>
    </Panel>
  );
}
