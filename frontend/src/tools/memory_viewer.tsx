// Memory of one of XLA's programs: its peak, what fills it, what would make it less.
import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer";
import type { ColumnOf } from "../generated/columns";
import { type PageProps, type Part, setParams } from "../page";
import { exactValue, formatValue, inBinary } from "../units";
import type { Order } from "../views/buffers";
import { BuffersAtPeak, KEYS, MemoryCurve } from "../views/buffers_view";
import { AllFigures, Figures, group, type Group } from "../views/figures";
import { FoldedFindings } from "../views/findings";
import { addresses } from "../views/limited";
import { eventsInTrace } from "../views/links";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { ProgramPicker } from "../views/program_picker";
import { isRefused, Refused } from "../views/refused";
import { Conclusion } from "../views/report";
import { number, onlyWith, rowCount, textAt } from "../views/rows";
import { Shown } from "../views/states";
import { type RowAct, TablePart } from "../views/table_panel";
import { tableState, withTableState } from "../views/table_state";
import { Words } from "../views/words";

export const keys = KEYS;

const FIGURES: readonly Group[] = [
  group("Peak", {
    program_peak_bytes: "{} live",
    padding_bytes: "padding {}",
    allocated_bytes: "{} reserved",
    device_memory_share: "{} of the device",
  }),
  group("At the peak", {
    temporary_bytes: "temporaries {}",
    parameter_bytes: "parameters {}",
    output_bytes: "outputs {}",
    constant_bytes: "constants {}",
  }),
  group("Could save", {
    donation_bytes: "donated arguments {}",
    recompute_bytes: "recomputing {}",
  }),
];

const BUFFERS: readonly ColumnOf<"memory_viewer", "buffers">[] = [
  ...(["instruction", "kind", "bytes", "peak_share", "padding_bytes", "padded_sizes", "shape"] as const),
  ...(["op", "source"] as const),
  ...(["first", "last", "saves", "saved_bytes", "values", "opcode"] as const),
];
const OPS: readonly ColumnOf<"memory_viewer", "ops">[] = ["op", "bytes", "peak_share", "buffers", "source"];
const NAME_PX = 220;

/** `while.6{1}` is a part of what `while.6` gives. */
function instruction(name: string): string {
  return name.replace(/\{[\d,]*\}$/, "");
}

function Curve(part: Part) {
  const { answer, page } = part;
  const spec = page.tool.tables.find(({ name }) => name === "curve");
  const data = answer.tables["curve"];
  if (!spec || !data) return null;
  return (
    <Panel title={spec.title} bare>
      <MemoryCurve
        {...{ answer, spec, data, title: spec.title, ...addresses(page, "curve") }}
        find={(name) => page.navigate(eventsInTrace(instruction(name)))}
      />
    </Panel>
  );
}

function AtPeak({ answer, page }: Part) {
  const data = answer.tables["buffers"];
  const { params } = page.selection;
  if (!data || !rowCount(data)) return null;
  const order: Order = params["order"] === "program" ? "program" : "size";
  const pick = (name: string): void => {
    const state = { ...tableState(params, "buffers"), filter: onlyWith("instruction", name) };
    page.navigate({ params: withTableState(params, "buffers", state) }, "replace");
  };
  return (
    <Panel title="Live at the peak" bare>
      <BuffersAtPeak
        data={data}
        peak={number(answer.summary["program_peak_bytes"]) ?? 0}
        instructions={number(answer.summary["scheduled_instructions"]) ?? 0}
        peakPlace={number(answer.summary["peak_place"])}
        {...{ order, pick }}
        setOrder={(value) => setParams(page, { order: value === "size" ? "" : value })}
      />
    </Panel>
  );
}

/** What a press on a row of each table does. */
function waysOf({ answer, page }: Part): Record<"find" | "graph" | "space", RowAct> {
  const { navigate, selection } = page;
  return {
    find: {
      what: "Find in trace ▸",
      open: (row, data) => navigate(eventsInTrace(instruction(textAt(data, "instruction", row)))),
    },
    graph: {
      what: "Show in graph ▸",
      open: (row, data) =>
        navigate({
          tool: "graph_viewer",
          params: {
            program: String(answer.summary["program"] ?? ""),
            instruction: instruction(textAt(data, "instruction", row)),
          },
        }),
    },
    space: {
      what: "Show this memory",
      open: (row, data) => navigate({ params: { ...selection.params, space: textAt(data, "space", row) } }),
    },
  };
}

/** What to do first where memory is short. */
function Savings({ answer }: Part) {
  const { bytes = [], peak_share = [], what = [] } = answer.tables["savings"]?.columns ?? {};
  return (
    <Panel title="What would make the peak smaller" help="Each as if it were the only one; the largest first.">
      <ol class="savings">
        {what.map((words, row) => (
          <li key={row}>
            <b title={exactValue(number(bytes[row]), "memory")}>{formatValue(bytes[row], "memory")}</b>{" "}
            <span class="soft">{formatValue(peak_share[row], "share")}</span> <Words text={String(words)} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function has(part: Part, table: "savings" | "ops" | "spaces", least = 1): boolean {
  return rowCount(part.answer.tables[table] ?? { columns: {} }) >= least;
}

function Report(part: Part) {
  const { answer, page } = part;
  const ways = waysOf(part);
  return (
    <>
      <Conclusion {...part}>
        <FoldedFindings findings={answer.findings.slice(1)} answer={answer} page={page} />
        <div class="figure-line">
          <ProgramPicker {...part} />
          <Figures answer={answer} page={page} groups={FIGURES} />
          <AllFigures answer={answer} columns={page.tool.summary} />
        </div>
      </Conclusion>
      <Curve {...part} />
      <div class="columns">
        <AtPeak {...part} />
        <div class="stack">
          {has(part, "savings") && <Savings {...part} />}
          {has(part, "ops") && <TablePart {...part} table="ops" show={OPS} room={NAME_PX} class="tall" />}
        </div>
      </div>
      <TablePart
        {...part}
        table="buffers"
        show={BUFFERS}
        room={NAME_PX}
        find={ways.find}
        also={[ways.graph]}
        class="main-table"
      />
      {has(part, "spaces", 2) && <TablePart {...part} table="spaces" show={[]} class="tall" {...ways.space} />}
    </>
  );
}

export default function MemoryViewer(given_: PageProps) {
  const tool = useMemo(() => inBinary(given_.tool, /^(?!size_bytes)/), [given_.tool]);
  const page = { ...given_, tool };
  const asked = useAnswer(page.api, given(page));
  return (
    <div class="page">
      {isRefused(asked, page) ? (
        <Refused asked={asked} page={page} />
      ) : (
        <Shown asked={asked}>{(answer) => <Report answer={answer} page={page} />}</Shown>
      )}
    </div>
  );
}
