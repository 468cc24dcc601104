// Which steps the parts of a step are the mean of: a choice where some steps are slow.
import type { PageProps } from "../page";
import type { Answer, SummaryName } from "../types";
import { grouped } from "../units";
import { Switch } from "./switch";

const OPTION = "split_of";

/** `all`, `typical` or `slow`, as the address says. */
export function splitOf({ selection }: Pick<PageProps, "selection">): string {
  return selection.params[OPTION] ?? "all";
}

export function SplitOf({ answer, page }: { answer: Answer; page: PageProps }) {
  const { summary } = answer;
  const number = (name: SummaryName): number => Number(summary[name] ?? 0);
  const slow = number("slow_step_count");
  const chosen = splitOf(page);
  if (!slow && chosen === "all") return null;
  const all = number("step_count") - number("steps_not_counted");
  const choose = (value: string): void =>
    page.navigate({ params: { ...page.selection.params, [OPTION]: value === "all" ? "" : value } });
  return (
    <div class="split-of">
      <Switch
        label="Steps"
        values={[
          ["all", `all ${grouped(all)}`, "Mean of all counted steps"],
          ["typical", `${grouped(all - slow)} typical`, "Without the slow steps"],
          ["slow", `${grouped(slow)} slow`, "Only the slow steps"],
        ]}
        value={chosen}
        choose={choose}
      />
      <span class="soft">mean of {String(summary["split_steps"] ?? "")}</span>
    </div>
  );
}
