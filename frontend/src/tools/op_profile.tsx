// The time of XLA's instructions as a tree or a flame graph: by program, category, scope or source, and what it wastes.
import { useMemo } from "preact/hooks";
import type { ColumnOf } from "../generated/columns";
import { type Part, setParams } from "../page";
import type { ColumnName, TableData } from "../types";
import { group, type Group } from "../views/figures";
import { FlameGraph, flameState, KEYS as FLAME_KEYS } from "../views/flame_view";
import { addresses } from "../views/limited";
import { Panel } from "../views/panel";
import { ProgramPicker } from "../views/program_picker";
import { answerPage, ShortConclusion } from "../views/report";
import { Flag, Switch } from "../views/switch";
import { type RowAct, TablePart } from "../views/table_panel";
import { KEYS as TREE_KEYS } from "../views/tree";

export const keys = [...TREE_KEYS, ...FLAME_KEYS];

const FIGURES: readonly Group[] = [
  group("Time", { self_ms: "instructions {}", wasted_ms: "wasted {}", idle_ms: "idle {}" }),
  group("Reached", { flop_share: "{} of the peak FLOP rate", memory_share: "{} of the bandwidth" }),
];

const SHOWN: readonly ColumnOf<"op_profile", "profile">[] = [
  ...(["kind", "self_us", "self_share", "wasted_us", "wasted_share", "flop_share", "memory_share"] as const),
  ...(["occurrences", "instructions", "op_name", "source", "padding_share"] as const),
  ...(["padding_flops", "padding_bytes", "padded_sizes", "operands", "users"] as const),
  ...(["expression"] as const),
];

const WAYS = [
  ["program", "program", "Program, category, instruction, and what a fusion runs"],
  ["category", "category", "Category, instruction, over all programs"],
  ["scope", "name scope", "The framework's name scopes"],
  ["provenance", "program and scope", "Program, the framework's name scopes, category"],
  ["source", "source", "File and line of your program"],
] as const;

const VIEWS = [
  ["", "table", "A tree with the figures of each part"],
  ["flame", "flame graph", "Widths are self times"],
] as const;

function ProfilePickers(part: Part) {
  const { page } = part;
  const { params } = page.selection;
  const set = (change: Record<string, string>): void => setParams(page, change);
  return (
    <div class="choices">
      <Switch
        label="By"
        values={WAYS}
        value={params["by"] ?? "program"}
        choose={(by) => set({ by: by === "program" ? "" : by, at: "" })}
      />
      <Switch label="As" values={VIEWS} value={params["as"] ?? ""} choose={(as) => set({ as })} />
      <ProgramPicker {...part} all="all programs" />
      <Flag
        words="with idle time"
        help="Adds a row for the time in which devices ran nothing; shares are then of all time"
        isOn={params["idle"] === "true"}
        set={(idle) => set({ idle })}
      />
    </div>
  );
}

function Flames({ answer, page }: Part) {
  const spec = page.tool.tables.find(({ name }) => name === "profile");
  const data = answer.tables["profile"];
  if (!spec || !data) return null;
  return (
    <Panel title={spec.title} bare>
      <ProfilePickers {...{ answer, page }} />
      <FlameGraph
        title={spec.title}
        {...{ spec, data }}
        {...addresses(page, "profile")}
        value="self_us"
        self=""
        {...flameState(page)}
      />
    </Panel>
  );
}

/** Columns of which something is known. */
function telling({ columns }: TableData, names: readonly ColumnName[]): ColumnName[] {
  return names.filter((name) => (columns[name] ?? []).some((cell) => cell !== null && cell !== ""));
}

const NAME_PX = 300;

function Tree(part: Part) {
  const { answer, page } = part;
  const data = answer.tables["profile"];
  const show = useMemo(() => telling(data ?? { columns: {} }, SHOWN), [data]);
  const text = (of: TableData, column: ColumnName, row: number): string => String(of.columns[column]?.[row] ?? "");
  const toGraph: RowAct = {
    what: "Show in graph ▸",
    can: (row, of) => of.columns["in_graph"]?.[row] === true,
    open: (row, of) =>
      page.navigate({
        tool: "graph_viewer",
        params: { program: text(of, "program", row), instruction: text(of, "instruction", row) },
      }),
  };
  return (
    <TablePart
      {...part}
      table="profile"
      tree="name"
      show={show}
      keepZeros
      also={[toGraph]}
      above={<ProfilePickers {...part} />}
      room={NAME_PX}
      class="main-table"
    />
  );
}

function Report(part: Part) {
  const isFlame = part.page.selection.params["as"] === "flame";
  return (
    <>
      <ShortConclusion {...part} groups={FIGURES} />
      {isFlame ? <Flames {...part} /> : <Tree {...part} />}
    </>
  );
}

export default answerPage(Report);
