// The input pipeline: whether steps wait for input, how much, and which op of the pipeline makes them.
import type { ColumnOf } from "../generated/columns";
import type { Answer, ColumnName } from "../types";
import { counted, exactValue, formatCell, formatNumber, percent } from "../units";
import { tickText } from "../views/chart";
import { StepChart } from "../views/charts";
import { Figures, group, type Group } from "../views/figures";
import { eventsInTrace } from "../views/links";
import { Panel } from "../views/panel";
import { KEYS } from "../views/stack";
import { StepLine } from "../views/step_line";
import { TablePart } from "../views/table_panel";
import type { Part } from "../page";
import { number } from "../views/rows";
import { Conclusion, MoreFindings, stepsPage } from "../views/report";

export const keys = KEYS;

/** The input's part of the step time, with the thresholds that the verdict goes by. */
function Gauge({ answer: { summary } }: Part) {
  const [share, step, wait] = (["input_share", "step_time_typical_ms", "input_wait_typical_ms"] as const).map((name) =>
    number(summary[name]),
  );
  if (share == null || !step) return null;
  const parts = [
    { name: "input wait", ms: wait ?? 0, variable: "--input" },
    { name: "copy in", ms: share * step - (wait ?? 0), variable: "--copy" },
  ].filter(({ ms }) => ms > 1e-6 * step);
  const limits = (["moderate", "high"] as const).map((name) => ({
    name,
    at: number(summary[`threshold_${name}`]) ?? 0,
  }));
  const words = `Input takes ${percent(share)} of the step; ${limits.map(({ name, at }) => `${name} from ${tickText(at, "share")}`).join(", ")}`;
  return (
    <div class="gauge" role="img" aria-label={words}>
      <div class="gauge-bar">
        {parts.map(({ name, ms, variable }) => (
          <b
            key={name}
            title={`${name}: ${exactValue(ms, "ms")} per typical step`}
            style={{ width: `${(100 * ms) / step}%`, background: `var(${variable})` }}
          />
        ))}
      </div>
      {limits.map(({ name, at }) => (
        <span key={name} class="limit" style={{ left: `${100 * at}%` }}>
          {name} ≥ {tickText(at, "share")}
        </span>
      ))}
      <output
        style={{ left: `${100 * (share > 0.5 ? Math.min(1, share) : Math.max(share, ...limits.map((l) => l.at)))}%` }}
        class={share > 0.5 ? "inside" : ""}
      >
        input {percent(share)}
      </output>
    </div>
  );
}

const FIGURES: readonly Group[] = [
  group("Input", {
    input_wait_ms: { words: "wait {} per step", always: true },
    input_wait_sd_ms: "±{}",
    input_wait_max_ms: "({input_wait_min_ms} – {})",
    batch_copy_ms: "copy in {}",
    expected_step_time_ms: "step time without input wait {}",
  }),
  group("Pipeline", {
    input_source: "{}",
    bottleneck_op: "limited by {}",
    bottleneck_work_ms: "its work {} per step",
    input_work_ms: "work of all stages {}",
  }),
];

/** Work and waiting of each kind apart: only work can be made less. */
function HostSide({ answer, page }: Part) {
  const spec = page.tool.tables.find(({ name }) => name === "host_side");
  const { columns } = answer.tables["host_side"] ?? { columns: {} };
  const kinds = columns["kind"] ?? [];
  if (!spec || !kinds.length) return null;
  const value = (name: ColumnName, row: number): number => number(columns[name]?.[row]) ?? 0;
  const shown = (name: ColumnName, row: number): string => {
    const column = spec.columns.find((c) => c.name === name);
    return column ? formatCell(columns[name]?.[row], column) : "";
  };
  const most = Math.max(...kinds.map((_, row) => value("input_work_ms", row) + value("wait_ms", row))) || 1;
  const filled = kinds.flatMap((_, row) => (value("input_work_ms", row) + value("wait_ms", row) > 0 ? [row] : []));
  const none = kinds.filter((_, row) => !filled.includes(row));
  return (
    <Panel title={spec.title} help={spec.help}>
      <div class="bars kinds">
        <p class="legend">
          <span>
            <i style={{ background: "var(--host)" }} />
            work
          </span>
          <span>
            <i class="hatched" style={{ "--of": "var(--unknown)" }} />
            waiting for its inputs
          </span>
        </p>
        <ul>
          {filled.map((row) => (
            <li key={row} title={String(columns["help"]?.[row] ?? "")}>
              <span>{String(kinds[row])}</span>
              <span class="bar">
                <b style={{ width: `${(100 * value("input_work_ms", row)) / most}%`, background: "var(--host)" }} />
                <b
                  class="hatched"
                  style={{ width: `${(100 * value("wait_ms", row)) / most}%`, "--of": "var(--unknown)" }}
                />
              </span>
              <span class="number">
                {shown("input_work_ms", row)} <span class="soft">{shown("share", row)}</span>
              </span>
              <span class="number soft">wait {formatNumber(value("wait_ms", row), "ms")}</span>
            </li>
          ))}
        </ul>
        {none.length > 0 && <p class="soft">+{counted(none.length, "zero category")}</p>}
      </div>
    </Panel>
  );
}

const OPS: readonly ColumnOf<"input_pipeline", "ops">[] = [
  "op",
  "kind",
  "count",
  "self_ms",
  "work_share",
  "function_ms",
  "wait_ms",
  "total_ms",
  "total_share",
];

/** Work of one kind is what the table of ops says, too. */
function isOneKind({ tables }: Answer): boolean {
  const { input_work_ms = [], wait_ms = [] } = tables["host_side"]?.columns ?? {};
  return input_work_ms.filter((ms, row) => (number(ms) ?? 0) + (number(wait_ms[row]) ?? 0) > 0).length <= 1;
}

function Report(part: Part) {
  const { answer, page } = part;
  const isFilled = answer.findings.length > 1 || !isOneKind(answer);
  return (
    <>
      <Conclusion {...part}>
        <StepLine {...part} />
        <Gauge {...part} />
        <Figures answer={answer} page={page} groups={answer.summary["step_count"] ? FIGURES : FIGURES.slice(1)} />
      </Conclusion>
      <div class={isFilled ? "columns" : ""}>
        <StepChart {...part} noun="step" quiet mean={number(answer.summary["step_time_typical_ms"])} />
        {isFilled && (
          <div class="stack">
            {!isOneKind(answer) && <HostSide {...part} />}
            <MoreFindings {...part} title="What to change" />
          </div>
        )}
      </div>
      <TablePart
        {...part}
        table="ops"
        show={[...OPS, "threads_mean"]}
        find={{
          what: "Find in trace ▸",
          open: (row, { columns }) => page.navigate(eventsInTrace(String(columns["op"]?.[row] ?? ""))),
        }}
      />
    </>
  );
}

export default stepsPage(Report);
