// The tree of a comparison as a flame graph: as wide as time, coloured by what became slower or faster.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { type Part, setParams } from "../page";
import type { Answer, ColumnName } from "../types";
import { cell, changeInWords, named, toneOf, TONES } from "./change";
import { FlameGraph, flameState } from "./flame_view";
import { addresses } from "./limited";
import { Panel } from "./panel";
import { number, rowCount } from "./rows";
import { Switch } from "./switch";

const TITLE = "By scope";

/** The tables that are trees. */
const TREES = [
  ["tree", "category", "Categories of a step's time, in these the ops by the scopes of their names"],
  ["scopes", "annotation", "What the program marks, its modules and scopes, in these the ops of all categories"],
] as const;

const WIDTHS = [
  ["", "longer side", "Each part is as wide as on the side where it takes longer, so that nothing is left out"],
  ["base_ms", "A", "What is new has no width"],
  ["new_ms", "B", "What is gone has no width"],
] as const;

function Legend() {
  const tones = [4, 3, 2, 1].map((level) => `--faster${level}`);
  return (
    <p class="tone-legend soft">
      <span>faster</span>
      <span class="tones" aria-hidden="true">
        {[...tones, "--unchanged", ...[1, 2, 3, 4].map((level) => `--slower${level}`)].map((tone) => (
          <i key={tone} style={{ background: `var(${tone})` }} />
        ))}
      </span>
      <span>slower</span>
      <span>
        Tones begin at {TONES.map((tone) => Math.round(100 * tone)).join(", ")} % of a part's own time; what is new or
        gone has the strongest.
      </span>
    </p>
  );
}

interface Props extends Part {
  /** What can be done with an op: its name on A and on B, empty where it is not there, and its category. */
  act: (names: { a: string; b: string; category: string }) => ComponentChildren;
  /** The same with a category. */
  actOf: (category: string) => ComponentChildren;
}

/** As chosen; else by what the program marks, where it marks something. */
function treeOf(answer: Answer, chosen: string | undefined): "tree" | "scopes" {
  if (chosen === "tree" || chosen === "scopes") return chosen;
  return answer.tables["scopes"]?.columns["marked"]?.some(Boolean) ? "scopes" : "tree";
}

export function ChangeFlame({ answer, page, act, actOf }: Props) {
  const { params } = page.selection;
  const tree = treeOf(answer, params["under"]);
  const spec = page.tool.tables.find(({ name }) => name === tree);
  const given = answer.tables[tree];
  const data = useMemo(() => given && named(given), [given]);
  const isKnown = number(answer.summary["step_time_change_ms"]) !== null;
  if (!spec || !data || !rowCount(data) || !isKnown) return null;
  const set = (change: Record<string, string>): void => setParams(page, change);
  const wide = WIDTHS.find(([one]) => one && one === params["wide"])?.[0] ?? "";
  const text = (column: ColumnName, row: number): string => String(cell(data, column, row) ?? "");
  const actions = (row: number): ComponentChildren => {
    const op = text("op", row);
    const match = text("match", row);
    const category = text("category", row);
    if (op) return act({ a: match === "new" ? "" : text("was", row) || op, b: match === "gone" ? "" : op, category });
    const isCategory = Number(cell(data, "parent", row)) < 0 && (tree === "tree" || text("match", row) === "rest");
    return isCategory ? actOf(category) : null;
  };
  return (
    <Panel title={TITLE} bare>
      <FlameGraph
        key={tree}
        title={TITLE}
        {...{ spec, data }}
        {...addresses(page, tree)}
        value={wide || "larger_ms"}
        self=""
        {...flameState(page)}
        tone={(row) => toneOf(number(cell(data, "base_ms", row)) ?? 0, number(cell(data, "new_ms", row)) ?? 0)}
        inWords={(row) => changeInWords(data, row)}
        act={actions}
        more={
          <>
            <Switch
              label="by"
              values={TREES}
              value={tree}
              choose={(value) => set({ under: value, at: "", find: "" })}
            />
            <Switch label="widths" values={WIDTHS} value={wide} choose={(value) => set({ wide: value })} />
          </>
        }
        legend={<Legend />}
        shownAbove={["base_ms", "new_ms", "change_ms", "larger_ms", "match", "category", "op", "marked"]}
      />
    </Panel>
  );
}
