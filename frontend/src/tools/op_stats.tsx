// The ops: which of them the time goes to, on devices and on hosts; by type, by scope and by host; of PyTorch by module,
// input shape and stack.
import { useMemo } from "preact/hooks";
import type { ColumnOf } from "../generated/columns";
import { type PageProps, type Part, setParams } from "../page";
import type { Answer, ColumnName, Scalar, SummaryName, TableData, TableName } from "../types";

import { group, type Group } from "../views/figures";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { Pie } from "../views/pie";
import { onlyWith, rowsOf, textAt } from "../views/rows";
import { Flag, Switch } from "../views/switch";
import { TablePart } from "../views/table_panel";
import { tableState, withTableState } from "../views/table_state";
import { KEYS } from "../views/tree";
import { answerPage, ShortConclusion } from "../views/report";

export const keys = KEYS;

const SIDES = ["device", "host"] as const;
type Side = (typeof SIDES)[number];

const FIGURES: readonly Group[] = [
  group("Devices", {
    device_self_ms: "busy {}",
    device_idle_share: "idle {} ({device_idle_ms})",
    device_op_rows: "{} ops",
  }),
  group("Hosts", {
    host_self_ms: "op time {} on all threads",
    host_no_op_ms: "no op for {}",
    host_op_rows: "{} ops",
  }),
];

/** What the name of a side's time is in the summary, busy and idle. */
const TIMES: Readonly<Record<Side, readonly [busy: SummaryName, idle: SummaryName]>> = {
  device: ["device_self_ms", "device_idle_ms"],
  host: ["host_self_ms", "host_no_op_ms"],
};

/** The rows of one side as names and times. Marks of steps, which are no ops, have no share. */
function ofSide({ columns }: TableData, side: Side): { names: Scalar[]; values: Scalar[] } {
  const { side: sides = [], name = [], self_us = [], self_share = [] } = columns;
  const rows = sides.flatMap((one, row) => (one === side && self_share[row] !== null ? [row] : []));
  return { names: rows.map((row) => name[row] ?? null), values: rows.map((row) => self_us[row] ?? null) };
}

/** What the filter of the table of ops becomes by a press on a slice; another press takes it back. */
function usePick({ answer, page }: Part, side: Side, column: "name" | "type") {
  const { params } = page.selection;
  const state = tableState(params, "ops");
  const bothSides = new Set(answer.tables["ops"]?.columns["side"]).size > 1;
  const filterFor = (name: string): string => onlyWith(column, name) + (bothSides ? ` side=${side}` : "");
  const pick = (name: string): void => {
    const filter = filterFor(name);
    const next = { ...state, filter: state.filter === filter ? "" : filter };
    page.navigate({ params: { ...withTableState(params, "ops", next), group: "" } }, "replace");
  };
  return { pick, isPicked: (name: string): boolean => state.filter === filterFor(name) };
}

/** The time of a side's ops, and, where that is asked for, of nothing, in µs. */
function wholeOf({ answer: { summary }, page }: Part, side: Side): number {
  const [busy, idle] = TIMES[side].map((name) => Number(summary[name] ?? 0) * 1000);
  return page.selection.params["idle"] === "true" ? busy! + idle! : busy!;
}

function OpPie({ side, ...part }: Part & { side: Side }) {
  const { answer } = part;
  const data = answer.tables["ops"];
  const slices = useMemo(() => data && ofSide(data, side), [data, side]);
  const { pick, isPicked } = usePick(part, side, "name");
  if (!slices?.names.length) return null;
  return (
    <Pie
      title={`${side === "device" ? "Devices" : "Hosts"}: self time by op`}
      {...slices}
      {...{ pick, isPicked }}
      whole={wholeOf(part, side)}
      count={Number(answer.summary[`${side}_op_rows`] ?? 0)}
      unit="us"
      what="filter the table by this op"
    />
  );
}

/** Where most of the largest types are each one op, as they are of PyTorch, the pie of ops gives the same. */
const LARGEST = 5;

function repeatsOps({ tables }: Answer, side: Side): boolean {
  const { type = [], [`${side}_self_us` as const]: times = [] } = tables["types"]?.columns ?? {};
  const { names, values } = ofSide(tables["ops"] ?? { columns: {} }, side);
  const largest = times
    .map((time, row) => ({ time: Number(time ?? 0), name: type[row] }))
    .filter(({ time }) => time > 0)
    .sort((a, b) => b.time - a.time)
    .slice(0, LARGEST);
  const isOp = ({ time, name }: (typeof largest)[number]): boolean => {
    const nameTime = values[names.indexOf(name ?? null)];
    return typeof nameTime === "number" && Math.abs(nameTime - time) <= 0.01 * time;
  };
  return largest.filter(isOp).length >= Math.min(largest.length, LARGEST - 1);
}

function TypePie({ side, ...part }: Part & { side: Side }) {
  const columns = part.answer.tables["types"]?.columns;
  const { pick, isPicked } = usePick(part, side, "type");
  const values = columns?.[`${side}_self_us`];
  const isAgain = useMemo(() => repeatsOps(part.answer, side), [part.answer, side]);
  if (!columns || isAgain || !values?.some((value) => value !== null)) return null;
  return (
    <Pie
      title={`${side === "device" ? "Devices" : "Hosts"}: by op type`}
      names={columns["type"] ?? []}
      {...{ values, pick, isPicked }}
      whole={wholeOf(part, side)}
      unit="us"
      what="filter the table by this type"
    />
  );
}

const GROUPS = [
  ["op", "op", "One row per op, hosts summed"],
  ["type", "type", "One row per op type"],
  ["scope", "name scope", "Tree of name scopes"],
  ["host", "host", "One row per op and host"],
] as const;

/** Of PyTorch: what is a row, where no tree is asked for, is for the server to say. */
const TORCH_GROUPS = [
  ["op", "operator", "One row per operator, as in PyTorch's key_averages()"],
  ["shape", "input shape", "One row per operator and input shapes (record_shapes=True)"],
  ["stack", "stack", "One row per operator and Python stack (with_stack=True)"],
  ["module", "module", "One row per operator and module (with_stack=True)"],
  ["scope", "module tree", "Tree of modules, forward and backward (with_stack=True)"],
  ["host", "host", "One row per operator and host"],
] as const;
const ASKED = ["host", "shape", "stack", "module"];
/** What an operator of PyTorch can be parted by. */
const PARTS = [
  ["shape", "Show shapes ▸"],
  ["stack", "Show stacks ▸"],
  ["module", "Show modules ▸"],
] as const;

/** Whether operators of PyTorch ran: their types are like `aten::mm`. */
function isTorch({ tables }: Answer): boolean {
  return (tables["types"]?.columns["type"] ?? []).some((type) => /^[a-z]\w*::/.test(String(type)));
}

function groupOf(answer: Answer, { selection: { params } }: PageProps): string {
  const { by = "", group } = params;
  if (group) return group;
  return by === "host" || (isTorch(answer) && ASKED.includes(by)) ? by : "op";
}

/** What a press on a way to group asks for. */
function asking(value: string): Record<string, string> {
  const by = ASKED.includes(value) ? value : "";
  return { by, group: by || value === "op" ? "" : value };
}

/** What the table shows: side, idle time, and what is a row. */
function OpPickers({ answer, page }: Part) {
  const { params } = page.selection;
  const set = (change: Record<string, string>): void => setParams(page, change);
  const groups = isTorch(answer) ? TORCH_GROUPS : GROUPS;
  const offered = groups.filter(([value]) => value !== "host" || answer.hosts.length > 1 || params["by"] === "host");
  const isTwoSided = SIDES.every((side) => answer.summary[`${side}_op_rows`] !== 0);
  return (
    <div class="choices">
      <Switch label="Group by" values={offered} value={groupOf(answer, page)} choose={(value) => set(asking(value))} />
      {(isTwoSided || params["side"]) && (
        <Switch
          label="Side"
          values={[
            ["", "both"],
            ["device", "devices"],
            ["host", "hosts"],
          ]}
          value={params["side"] === "all" ? "" : (params["side"] ?? "")}
          choose={(side) => set({ side })}
        />
      )}
      <Flag
        words="with idle time"
        help="Adds a row for idle time; shares are then of all time"
        isOn={params["idle"] === "true"}
        set={(idle) => set({ idle })}
      />
    </div>
  );
}

/** Of these zero everywhere is information, too. */
const KEPT_IF_ZERO: readonly ColumnName[] = ["self_us", "tensor_core_share"];
/** Names of ops are long, and what tells them apart is in their middle. */
const NAME_PX = 400;
/** What the other columns take; shapes and stacks are as wide as the window leaves, then wrapped into a few lines. */
const OTHERS_PX = 640;
const LINES = 6;

/** Columns that tell rows apart: not one side everywhere, not nothing everywhere. */
function telling({ columns }: TableData, names: readonly ColumnName[]): ColumnName[] {
  return names.filter((name) => {
    const cells = columns[name] ?? [];
    if (name === "side") return cells.some((cell) => cell !== cells[0]);
    return KEPT_IF_ZERO.includes(name) || !cells.every((cell) => cell === 0 || cell === null);
  });
}

const OPS: readonly ColumnOf<"op_stats", "ops">[] = [
  "side",
  "host",
  "name",
  "type",
  "self_us",
  "self_share",
  "cumulative_share",
  "wait_share",
  "occurrences",
  "self_average_us",
  "total_us",
  "bound_by",
  "roof_share",
  "gflop_s",
  "gb_s",
  "tensor_core_share",
  "eager_share",
];
const TYPES: readonly ColumnOf<"op_stats", "types">[] = [
  "type",
  ...(["device", "host"] as const).flatMap(
    (side) => [`${side}_self_us`, `${side}_self_share`, `${side}_occurrences`] as const,
  ),
];
const SCOPES: readonly ColumnOf<"op_stats", "scopes">[] = [
  "side",
  "calls",
  "forward_us",
  "backward_us",
  "self_us",
  "self_share",
  "occurrences",
  "ops",
  "total_us",
];

function Table(part: Part) {
  const { answer, page } = part;
  const { params } = page.selection;
  const above = <OpPickers {...part} />;
  const isLong = ["shape", "stack"].includes(groupOf(answer, page));
  const [ops, types, scopes] = useMemo(() => {
    const shown = (table: TableName, names: readonly ColumnName[]) =>
      telling(answer.tables[table] ?? { columns: {} }, names);
    // An operator's type is mostly what it is called.
    const ops = isTorch(answer)
      ? [...OPS.filter((name) => name !== "type"), ...(isLong ? [] : (["type"] as const))]
      : OPS;
    return [shown("ops", ops), shown("types", TYPES), shown("scopes", SCOPES)];
  }, [answer, isLong]);
  const showOps = (filter: string, by = ""): void => {
    const next = { ...tableState(params, "ops"), filter };
    page.navigate({ params: { ...withTableState(params, "ops", next), group: "", by } });
  };
  const group = groupOf(answer, page);
  const torch = isTorch(answer);
  if (group === "type")
    return (
      <TablePart
        {...part}
        table="types"
        keepZeros
        show={types}
        above={above}
        class="main-table"
        what="Show ops"
        open={(row, data) => showOps(onlyWith("type", textAt(data, "type", row)))}
      />
    );
  if (group === "scope")
    return (
      <TablePart
        {...part}
        table="scopes"
        {...(torch ? { title: "Modules" } : {})}
        keepZeros
        tree="name"
        show={scopes}
        above={above}
        class="main-table"
        what="Show ops"
        open={(row, data) =>
          showOps(`"${textAt(data, "scope", row).slice(0, 300).split('"')[0]}"`, torch ? "module" : "")
        }
      />
    );
  const kernels = {
    what: "Show kernels ▸",
    can: (row: number, { columns }: TableData) => columns["side"]?.[row] === "device" && !!columns["kernels"]?.[row],
    open: (row: number, data: TableData) => {
      // Kernels know their operator by its module; only so are rows called by module.
      const isPart = torch && group !== "module";
      const filter = isPart ? `"${textAt(data, "type", row)}"` : onlyWith("op_name", textAt(data, "name", row));
      page.navigate({ tool: "kernel_stats", params: { "kernels.filter": filter } });
    },
  };
  const parts = PARTS.map(([by, what]) => ({
    what,
    open: (row: number, data: TableData) => {
      const [name, type] = [textAt(data, "name", row), textAt(data, "type", row)];
      showOps(name === type ? onlyWith("type", type) : `"${name.slice(0, 300).split('"')[0]}"`, by);
    },
  }));
  const also = torch && group === "op" ? [kernels, ...parts] : [kernels];
  const room = isLong ? Math.max(NAME_PX, window.innerWidth - OTHERS_PX) : NAME_PX;
  return (
    <TablePart
      {...part}
      keepZeros
      {...{ also, above, room }}
      lines={isLong ? LINES : 1}
      table="ops"
      show={ops}
      class="main-table"
    />
  );
}

function Report(part: Part) {
  const { answer, page } = part;
  // Without a single op there is nothing to choose among, unless it is a choice that left none.
  const isEmpty = !Object.keys(given(page)).length && !rowsOf(answer, "types");
  return (
    <>
      <ShortConclusion {...part} groups={FIGURES} />
      <Panel title="" class="pies">
        {SIDES.flatMap((side) => [
          <OpPie key={`${side} op`} side={side} {...part} />,
          <TypePie key={`${side} type`} side={side} {...part} />,
        ])}
      </Panel>
      {!isEmpty && <Table {...part} />}
    </>
  );
}

export default answerPage(Report);
