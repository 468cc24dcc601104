// Python functions: which take the time, their callers, what they wait for, and how ranks differ.
import type { ColumnOf } from "../generated/columns";
import { type PageProps, type Part, setParams } from "../page";
import type { TableData, View } from "../types";
import { Bars } from "../views/bars";
import { group, type Group } from "../views/figures";
import { FlameGraph, flameState, KEYS as FLAME_KEYS } from "../views/flame_view";
import { addresses } from "../views/limited";
import { Name } from "../views/name";
import { Panel } from "../views/panel";
import { answerPage, ShortConclusion } from "../views/report";
import { rowCount, rowsOf } from "../views/rows";
import { TablePart } from "../views/table_panel";
import { tableOf } from "../views/charts";

export const keys = FLAME_KEYS;

const FIGURES: readonly Group[] = [
  group("Recorded", {
    total_ms: "{}",
    functions_rows: "{} functions",
    calls: "{} calls",
  }),
  group("Waiting", {
    gpu_wait_share: "device {}",
    peer_wait_share: "other ranks {}",
    other_wait_share: "threads, processes {}",
    sleep_share: "sleep {}",
  }),
];

const FUNCTIONS: readonly ColumnOf<"python_profile", "functions">[] = [
  "function",
  "own_ms",
  "own_share",
  "waits",
  "cumulative_ms",
  "calls",
  "own_call_us",
  "cumulative_call_us",
];
const EDGES: readonly ColumnOf<"python_profile", "callers">[] = [
  "function",
  "cumulative_ms",
  "cumulative_share",
  "own_ms",
  "calls",
];
const RANKS: readonly ColumnOf<"python_profile", "ranks">[] = [
  "function",
  "spread_ms",
  "slowest",
  "mean_ms",
  "min_ms",
  "max_ms",
  "sd_ms",
];
const BARS: View = {
  kind: "bars",
  title: "",
  table: "hosts",
  label: "host",
  values: ["python_work_ms", "gpu_wait_ms", "collective_wait_ms", "other_wait_ms"],
};
/** Of functions, whose paths are long. */
const NAME_PX = 220;

function choose(page: PageProps, name: string): void {
  setParams(page, { function: name });
}

/** What a press on a function does. */
function chooser(page: PageProps) {
  return {
    what: "Show callers and callees",
    open: (row: number, data: TableData): void => choose(page, String(data.columns["function"]?.[row] ?? "")),
  };
}

function Flames(part: Part) {
  const { answer, page } = part;
  const table = tableOf(part, "tree");
  if (!table) return null;
  const title = answer.summary["estimated"] ? "Calls by caller (an estimate)" : "Calls by caller";
  return (
    <Panel title={title} bare>
      <FlameGraph
        {...table}
        {...addresses(page, "tree")}
        title={title}
        value="total_ms"
        self="own_ms"
        {...flameState(page)}
      />
    </Panel>
  );
}

/** Callers and callees of the chosen function. */
function Around(part: Part) {
  const { answer, page } = part;
  const chosen = answer.summary["function"];
  if (typeof chosen !== "string") return null;
  const none = (["callers", "callees"] as const).filter((name) => !rowsOf(answer, name));
  return (
    <>
      <Panel title="Callers and callees of">
        <p>
          <Name text={chosen} tail={40} />
        </p>
        {none.length > 0 && (
          <p class="soft">
            {none.includes("callers") && "Called from where nothing was recorded. "}
            {none.includes("callees") && "It calls no function that is recorded."}
          </p>
        )}
      </Panel>
      <TablePart {...part} table="callers" show={EDGES} room={NAME_PX} class="tall" {...chooser(page)} />
      <TablePart {...part} table="callees" show={EDGES} room={NAME_PX} class="tall" {...chooser(page)} />
    </>
  );
}

function Hosts(part: Part) {
  const table = tableOf(part, "hosts");
  if (!table || rowCount(table.data) < 2) return null;
  return (
    <div class="columns">
      <div class="stack">
        <Panel title={table.spec.title} help={table.spec.help}>
          <Bars view={BARS} {...table} />
        </Panel>
      </div>
      <div class="stack">
        <TablePart {...part} table="ranks" show={RANKS} room={NAME_PX} class="tall" {...chooser(part.page)} />
      </div>
    </div>
  );
}

function Report(part: Part) {
  return (
    <>
      <ShortConclusion {...part} groups={FIGURES} />
      <Hosts {...part} />
      <Flames {...part} />
      <div class="columns">
        <div class="stack">
          <TablePart {...part} table="functions" show={FUNCTIONS} room={NAME_PX} class="tall" {...chooser(part.page)} />
        </div>
        <div class="stack">
          <Around {...part} />
        </div>
      </div>
    </>
  );
}

export default answerPage(Report, false);
