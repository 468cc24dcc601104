// The kernels: which of them the time goes to, how they were launched, and whether they use what the device has.
import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer";
import type { ColumnOf } from "../generated/columns";
import { type PageProps, type Part, setParams } from "../page";
import type { Answer, ColumnName, FullNames, TableData, TableName } from "../types";
import { grouped, inBinary } from "../units";
import { group, type Group } from "../views/figures";
import { Histogram } from "../views/histogram";
import { copiesInTrace, kernelInTrace } from "../views/links";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { Pie } from "../views/pie";
import { onlyWith, rowCount } from "../views/rows";
import { Shown } from "../views/states";
import { Switch } from "../views/switch";
import { type RowAct, TablePart } from "../views/table_panel";
import { tableState, toggleFilter } from "../views/table_state";
import { ShortConclusion } from "../views/report";

const FIGURES: readonly Group[] = [
  group("Kernels", {
    kernel_count: "{} take {kernel_ms}",
    short_kernel_share: { words: "under 10 µs: {}, {short_kernel_time_share} of the time", always: true },
  }),
  group("Launch", {
    latency_p50_us: "latency p50 {}, p99 {latency_p99_us}",
    queue_p50_us: "of it queued p50 {}, p99 {queue_p99_us}",
    starved_share: "launched late (stream idle) {}",
  }),
  group("Tensor cores", {
    tensor_core_share: "used {} of kernel time",
    tensor_core_eligible_share: "eligible {}",
    tensor_core_missed_ms: "eligible but not used: {}",
  }),
  group("Copies", {
    copy_count: "{} take {copy_ms}",
    copied_bytes: "{}",
  }),
  group("CUDA graphs", {
    graph_kernel_share: "{} of the kernel time",
    graph_only_ms: "{} without traced kernels",
  }),
];

/** The table of kernels with a filter, or without where it has that one. */
const PIES = [
  ["names", "short_name", "Time by kernel", "filter the table by this name"],
  ["kernels", "op_type", "Time by op type", "filter the table by this op type"],
] as const;

function KernelPie({ pie: [table, column, title, what], ...part }: Part & { pie: (typeof PIES)[number] }) {
  const { answer, page } = part;
  const { [column]: names = [], total_us: values = [] } = answer.tables[table]?.columns ?? {};
  const named = useMemo(() => names.map((name) => name || "unknown op"), [names]);
  const filter = (name: string): string => onlyWith(column, name === "unknown op" ? "" : name);
  if (!names.some((name) => name)) return null;
  const state = tableState(page.selection.params, "kernels");
  return (
    <Pie
      title={title}
      names={named}
      values={values}
      unit="us"
      whole={Number(answer.summary["kernel_ms"] ?? 0) * 1000}
      count={table === "names" ? Number(answer.summary["names_rows"] ?? 0) : 0}
      what={what}
      pick={(name) => toggleFilter(part.page, "kernels", filter(name), "kernels")}
      isPicked={(name) => state.filter === filter(name)}
    />
  );
}

const BARS = [
  ["kernel_share", "share of kernels", "--host"],
  ["share", "share of kernel time", "--device"],
] as const;

function Durations(part: Part) {
  const spec = part.page.tool.tables.find(({ name }) => name === "durations");
  const data = part.answer.tables["durations"];
  if (!spec || !data) return null;
  const range = (row: number): string => {
    const [from, to] = (["from_us", "to_us"] as const).map((name) => data.columns[name]?.[row]);
    return [from == null ? "" : `average_us>=${from}`, to == null ? "" : `average_us<${to}`].join(" ").trim();
  };
  return (
    <Histogram
      {...{ spec, data }}
      title={spec.title}
      name="duration"
      low="from_us"
      bars={BARS}
      inTitle={["kernels", "kernel_share", "total_us", "share"]}
      what="filter the table by this duration"
      pick={(row) => toggleFilter(part.page, "kernels", range(row), "kernels")}
    />
  );
}

/** The tables, one at a time: what they are called, which columns they show, in which order. */
const KERNELS: readonly ColumnOf<"kernel_stats", "kernels">[] = [
  ...(["short_name", "op_name", "host", "device", "total_us", "share", "occurrences"] as const),
  ...(["average_us", "min_us", "max_us", "tensor_core_eligible", "tensor_core_used"] as const),
  ...(["occupancy_percent", "achieved_percent", "registers", "shared_bytes", "block", "grid", "op_type"] as const),
];
const COPIES: readonly ColumnOf<"kernel_stats", "copies">[] = [
  ...(["kind", "host", "device", "source", "destination", "to_device", "async", "total_us", "share"] as const),
  ...(["occurrences", "average_us", "size_bytes", "average_size_bytes", "gb_s", "bus_gb_s"] as const),
  ...(["bus_share", "compute_share", "min_us", "max_us", "unsized", "why_unknown"] as const),
];
const TABLES = [
  ["names", "by name", []],
  ["kernels", "per op", KERNELS],
  ["copies", "copies", COPIES],
  ["graphs", "CUDA graphs", []],
  ["devices", "devices", []],
] as const;
const WHOLE_NAMES: FullNames = { short_name: "name" };

function allRowsOf({ summary, tables }: Answer, table: TableName): number {
  const data = tables[table];
  const all = summary[`${table}_rows`];
  return typeof all === "number" ? all : data ? rowCount(data) : 0;
}

const MISSED = "tensor_core_eligible=true tensor_core_used=false";

function KernelPickers({ answer, page, table }: Part & { table: string }) {
  const { params } = page.selection;
  const set = (change: Record<string, string>): void => setParams(page, change);
  const by = page.tool.options.find(({ name }) => name === "by");
  const filled = TABLES.filter(([name]) => allRowsOf(answer, name) > 0 || name === table);
  return (
    <div class="choices">
      <Switch
        label="Show"
        values={filled.map(([name, words]) => [name, `${words} ${grouped(allRowsOf(answer, name))}`])}
        value={table}
        choose={(value) => set({ table: value })}
      />
      {table === "kernels" && Number(answer.summary["tensor_core_missed_ms"] ?? 0) > 0 && (
        <button
          type="button"
          title="Kernels that are eligible for tensor cores and do not use them"
          aria-pressed={tableState(params, "kernels").filter === MISSED}
          onClick={() => toggleFilter(page, "kernels", MISSED, "kernels")}
        >
          Eligible, not on tensor cores
        </button>
      )}
      {by && (Number(answer.summary["busy_device_count"]) > 1 || params["by"]) && (
        <Switch
          label="Split by"
          values={by.choices.map((value) => [value, ["host", "device"].includes(value) ? value : "nothing", by.help])}
          value={params["by"] ?? String(by.default)}
          choose={(value) => set({ by: value === String(by.default) ? "" : value })}
        />
      )}
    </div>
  );
}

function Table(part: Part) {
  const { params } = part.page.selection;
  // A filter or an order of kernels in an address asks for them.
  const isOfKernels = Object.keys(params).some((name) => name.startsWith("kernels."));
  const asked = TABLES.find(([name]) => name === (params["table"] || (isOfKernels ? "kernels" : "names"))) ?? TABLES[0];
  const filled = TABLES.find(([name]) => allRowsOf(part.answer, name) > 0);
  const [table, , show] = allRowsOf(part.answer, asked[0]) || !filled ? asked : filled;
  const above = <KernelPickers {...part} table={table} />;
  const cell = (name: ColumnName, row: number, { columns }: TableData): string => String(columns[name]?.[row] ?? "");
  const nameOf = (row: number, data: TableData): string => cell("short_name", row, data);
  const kernels = (row: number, data: TableData): void =>
    toggleFilter(part.page, "kernels", onlyWith("short_name", nameOf(row, data)), "kernels");
  const openKernels = table === "names" ? { what: "Show kernels", open: kernels } : {};
  const finds: Readonly<Record<string, RowAct["open"]>> = {
    kernels: (row, data) => part.page.navigate(kernelInTrace(cell("name", row, data), nameOf(row, data))),
    copies: (row, data) => part.page.navigate(copiesInTrace(cell("kind", row, data))),
  };
  const find = finds[table] ? { find: { what: "Find in trace ▸", open: finds[table] } } : {};
  const op = {
    what: "Show op ▸",
    can: (row: number, { columns }: TableData) => !!columns["op_name"]?.[row],
    open: (row: number, { columns }: TableData) => {
      const name = String(columns["op_name"]?.[row]);
      const filter = `${onlyWith("name", name)} side=device`;
      // An operator of PyTorch is called by its module here: `Net_0/Linear_1/aten::addmm`.
      const by = /(^|\/)[a-z]\w*::/.test(name) ? { by: "module" } : {};
      part.page.navigate({ tool: "op_stats", params: { "ops.filter": filter, ...by } });
    },
  };
  return (
    <TablePart
      {...part}
      {...{ table, show, above, ...openKernels, ...find }}
      also={[op]}
      full={WHOLE_NAMES}
      class="main-table"
    />
  );
}

function Report(part: Part) {
  return (
    <>
      <ShortConclusion {...part} groups={FIGURES} />
      <Panel title="" class="pies">
        {PIES.map((pie) => (
          <KernelPie key={pie[0]} pie={pie} {...part} />
        ))}
        <Durations {...part} />
      </Panel>
      <Table {...part} />
    </>
  );
}

export default function KernelStats(given_: PageProps) {
  const tool = useMemo(() => inBinary(given_.tool, /shared/), [given_.tool]);
  const page = { ...given_, tool };
  const asked = useAnswer(page.api, given(page));
  return (
    <div class="page fits">
      <Shown asked={asked}>{(answer) => <Report answer={answer} page={page} />}</Shown>
    </div>
  );
}
