// The instructions of XLA's programs: which of them the time goes to, what bounds them, and where they come from.
import { useMemo } from "preact/hooks";
import type { ColumnOf } from "../generated/columns";
import { type Part, setParams } from "../page";
import type { ColumnName, TableData, TableName } from "../types";
import { grouped } from "../units";
import { group, type Group } from "../views/figures";
import { Panel } from "../views/panel";
import { Pie } from "../views/pie";
import { ProgramPicker } from "../views/program_picker";
import { answerPage, ShortConclusion } from "../views/report";
import { onlyWith, rowCount, rowsOf, textAt } from "../views/rows";
import { Switch } from "../views/switch";
import { type RowAct, TablePart } from "../views/table_panel";
import { tableState, toggleFilter } from "../views/table_state";

const FIGURES: readonly Group[] = [
  group("Devices", {
    device_instruction_ms: "instructions {}",
    other_self_ms: "all else {}",
    device_idle_ms: "idle {}",
  }),
  group("Hosts", { host_instruction_ms: "instructions {} on all threads" }),
  group("Reached", {
    flop_share: "{} of the peak FLOP rate",
    memory_share: "{} of the bandwidth",
  }),
];

/** The tables, one at a time: what they are called, which columns they show, in which order. */
const INSTRUCTIONS: readonly ColumnOf<"hlo_stats", "instructions">[] = [
  ...([
    "side",
    "instruction",
    "program",
    "category",
    "self_us",
    "self_share",
    "occurrences",
    "self_average_us",
  ] as const),
  ...(["op_name", "source", "bound_by", "roof_share", "gflop_s", "gb_s", "intensity", "stall_share"] as const),
  ...(["padding_share", "padding_flops", "padding_bytes", "padding_bytes_share", "padded_sizes"] as const),
  ...(["rematerialized", "outside", "autotuned", "expression"] as const),
];
const TABLES = [
  ["instructions", "instructions", INSTRUCTIONS],
  ["categories", "categories", []],
  ["programs", "programs", []],
] as const;
/** Names of ops and sources are long; texts of instructions longer. */
const NAME_PX = 300;

/** The table of instructions with a filter, or without where it has that one. */
const PIES = [
  ["categories", "category", "Self time by category", "filter the table by this category"],
  ["programs", "program", "Self time by program", "filter the table by this program"],
] as const;

function TimePie({ pie: [table, column, title, what], ...part }: Part & { pie: (typeof PIES)[number] }) {
  const columns = part.answer.tables[table]?.columns ?? {};
  const { [column]: names = [], self_us: values = [] } = columns;
  if (names.length < 2) return null;
  const state = tableState(part.page.selection.params, "instructions");
  const filter = (name: string): string => onlyWith(column, name);
  const whole = values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0);
  return (
    <Pie
      title={title}
      names={names}
      {...{ values, whole, what }}
      unit="us"
      pick={(name) => toggleFilter(part.page, "instructions", filter(name))}
      isPicked={(name) => state.filter === filter(name)}
    />
  );
}

function InstructionPickers({ table, ...part }: Part & { table: TableName }) {
  const { answer, page } = part;
  const set = (value: string): void => setParams(page, { table: value === "instructions" ? "" : value });
  const count = (name: TableName): number => {
    const all = answer.summary[`${name}_rows`];
    return typeof all === "number" ? all : rowsOf(answer, name);
  };
  return (
    <div class="choices">
      <Switch
        label="Show"
        values={TABLES.map(([name, words]) => [name, `${words} ${grouped(count(name))}`])}
        value={table}
        choose={set}
      />
      <ProgramPicker {...part} all="all programs" />
    </div>
  );
}

/** Columns that say the same in every row tell nothing. */
function telling(data: TableData | undefined, names: readonly ColumnName[]): ColumnName[] {
  return names.filter((name) => {
    const cells = data?.columns[name] ?? [];
    if (name === "side" || name === "program") return cells.some((cell) => cell !== cells[0]);
    return cells.some((cell) => cell !== null && cell !== "" && cell !== false);
  });
}

function Table(part: Part) {
  const { answer, page } = part;
  const { params } = page.selection;
  const [table, , names] = TABLES.find(([name]) => name === params["table"]) ?? TABLES[0];
  const show = useMemo(() => telling(answer.tables[table], names), [answer, table]);
  const toGraph: RowAct = {
    what: "Show in graph ▸",
    can: (row, data) => data.columns["in_graph"]?.[row] === true,
    open: (row, data) =>
      page.navigate({
        tool: "graph_viewer",
        params: { program: textAt(data, "program", row), instruction: textAt(data, "instruction", row) },
      }),
  };
  const toInstructions: RowAct = {
    what: "Show instructions",
    open: (row, data) => {
      const column = table === "programs" ? "program" : "category";
      toggleFilter(part.page, "instructions", onlyWith(column, textAt(data, column, row)));
    },
  };
  const also = table === "instructions" ? [toGraph] : [];
  const open = table === "instructions" ? {} : toInstructions;
  return (
    <TablePart
      {...part}
      {...{ table, show, also, ...open }}
      keepZeros={table === "instructions"}
      above={<InstructionPickers {...part} table={table} />}
      room={NAME_PX}
      class="main-table"
    />
  );
}

function Report(part: Part) {
  const { tables } = part.answer;
  const some = PIES.some(([table]) => rowCount(tables[table] ?? { columns: {} }) > 1);
  return (
    <>
      <ShortConclusion {...part} groups={FIGURES} />
      {some && (
        <Panel title="" class="pies">
          {PIES.map((pie) => (
            <TimePie key={pie[0]} pie={pie} {...part} />
          ))}
        </Panel>
      )}
      <Table {...part} />
    </>
  );
}

export default answerPage(Report);
