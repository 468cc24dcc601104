// The overview: the answer in one sentence, where a step's time goes, the largest ops, the machines, what it means.
import { type ComponentChildren, Fragment } from "preact";
import type { ColumnOf } from "../generated/columns";
import type { PageProps, Part } from "../page";
import type { Answer, TableData } from "../types";
import { counted, exactValue, formatCell, formatNumber, formatTime, formatValue, label, percent } from "../units";
import { Figures, group, type Group } from "../views/figures";
import { LineChart, StepChart } from "../views/charts";
import { KEYS as LINE_KEYS } from "../views/lines";
import { searchInTrace } from "../views/links";
import { Name } from "../views/name";
import { Panel } from "../views/panel";
import { openerOf, stretchOpener } from "../views/proof";
import { SplitBar, SplitOf, splitOf } from "../views/split_bar";
import { KEYS as STACK_KEYS } from "../views/stack";
import { StepLine } from "../views/step_line";
import { TablePart } from "../views/table_panel";
import { number, rowsOf } from "../views/rows";
import { Words } from "../views/words";
import { Conclusion, MoreFindings, stepsPage } from "../views/report";

export const keys = [...STACK_KEYS, ...LINE_KEYS];

function Link({ tool, page, children }: { tool: string; page: PageProps; children: ComponentChildren }) {
  return (
    <button type="button" class="link" onClick={() => page.navigate({ tool })}>
      {children}
    </button>
  );
}

/** A narrower segment has no room for its text. */
const TEXT_SHARE = 0.07;

function Segment({ share, variable, text, title }: { share: number; variable: string; text: string; title: string }) {
  if (share <= 0) return null;
  const style = { width: `${100 * share}%`, background: `var(${variable})`, color: `var(${variable}-text)` };
  return (
    <b style={style} title={`${text}: ${title}`}>
      {share > TEXT_SHARE && <span>{text}</span>}
    </b>
  );
}

/** Without steps, busy and idle: of the devices, or of the host's wall time where there is none. */
function BusyBar({ answer }: Part) {
  const { summary } = answer;
  const idle = number(summary["device_idle_share"]);
  const host = number(summary["host_op_share"]);
  if (idle === null && host === null) return null;
  const [busy, variable, name] = idle === null ? [host!, "--host", "host ops"] : [1 - idle, "--busy", "devices busy"];
  const busyMs = summary[idle === null ? "host_op_ms" : "device_busy_ms"];
  const idleMs = idle === null ? null : summary["device_idle_ms"];
  const rest = idle === null ? "no op running" : "idle";
  return (
    <div class="busy-bar" role="img" aria-label={`${name} ${percent(busy)}, ${rest} ${percent(1 - busy)}`}>
      <Segment share={busy} variable={variable} text={`${name} ${percent(busy)}`} title={exactValue(busyMs, "ms")} />
      <Segment
        share={1 - busy}
        variable="--idle"
        text={`${rest} ${percent(1 - busy)}`}
        title={idleMs === null ? percent(1 - busy) : exactValue(idleMs, "ms")}
      />
    </div>
  );
}

const NOT = (share: number): number => 1 - share;
const TPU = group("TPU", {
  duty_cycle_share: "{} duty cycle",
  mxu_utilization_share: { words: "{} of matrix units (MXU)", always: true },
  hbm_utilization_share: { words: "{} of memory bandwidth (HBM)", always: true },
  matrix_op_share: "{} of op time in matrix ops",
  infeed_mean_share: "infeed {} ({infeed_min_share} – {infeed_max_share} by core)",
  outfeed_share: "outfeed {}",
  step_idle_share: "{} of steps idle",
});
const DEVICES = group("Devices", {
  device_idle_share: { words: "{} busy", of: NOT, always: true },
  device_wait_share: "waiting {} of op time",
  device_eager_share: "eager {} of op time",
  device_event_count: "{} kernels and copies",
});
/** What the page of TPUs shows in another way. */
const USE = group("", {
  flop_utilization_share: "{} of peak FLOP/s",
  bandwidth_utilization_share: "{} of peak memory bandwidth",
});
const PRECISION = group("Compute precision", {
  compute_8bit_share: "8-bit {}",
  compute_16bit_share: "16-bit {}",
  compute_tf32_share: "TF32 {}",
  compute_32bit_share: "32-bit {}",
  compute_64bit_share: "64-bit {}",
  compute_other_share: "unknown {}",
});
const HOST = group("Host", {
  host_op_share: "op activity {}",
  host_wait_share: "waiting {} of op time",
  host_eager_share: "eager {} of op time",
});

/** The most useful figures of those that the run has. */
function groupsFor({ summary }: Answer): Group[] {
  if (!summary["device_count"]) return [HOST];
  if (summary["duty_cycle_share"] !== null) return [DEVICES, TPU, PRECISION, HOST];
  return [{ ...DEVICES, figures: [...DEVICES.figures, ...USE.figures] }, PRECISION, HOST];
}

/** The largest ops of a side; the part of their time that only waits where it is known. */
function TopOps({ answer, page, side }: Part & { side: "device" | "host" }) {
  const table = `${side}_ops` as const;
  const isKnown = answer.tables[table]?.columns["wait_share"]?.some((share) => share !== null);
  const show: readonly ColumnOf<"overview", "device_ops">[] = isKnown
    ? ["name", "self_ms", "self_share", "wait_share", "occurrences"]
    : ["name", "self_ms", "self_share", "occurrences"];
  const more = (
    <Link tool="op_stats" page={page}>
      all {side} ops ▸
    </Link>
  );
  return <TablePart answer={answer} page={page} table={table} show={show} more={more} />;
}

const PYTHON_FUNCTIONS: readonly ColumnOf<"overview", "python_functions">[] = [
  "function",
  "own_ms",
  "own_share",
  "calls",
  "waits",
];

/** What a profile of functions lacks, and how to record it. */
function NoTimeline({ answer }: Part) {
  return (
    <p class="soft">
      <Words text={`No steps: ${answer.unknown["step_count"] ?? ""}.`} />
    </p>
  );
}

/** The largest functions of a profile of them. */
function PythonFunctions(part: Part) {
  const { page } = part;
  const more = (
    <Link tool="python_profile" page={page}>
      all functions, callers and callees ▸
    </Link>
  );
  const open = (row: number, { columns }: TableData): void =>
    page.navigate({ tool: "python_profile", params: { function: String(columns["function"]?.[row] ?? "") } });
  return (
    <TablePart
      {...part}
      table="python_functions"
      show={PYTHON_FUNCTIONS}
      more={more}
      what="Show callers and callees"
      open={open}
    />
  );
}

function Environment({ answer }: Part) {
  const { key = [], value = [] } = answer.tables["environment"]?.columns ?? {};
  const { host_count: hosts, device_count: devices, device_type: type, framework, span_ms, start_ms } = answer.summary;
  const facts = [
    counted(Number(hosts ?? 0), "host"),
    devices ? `${counted(Number(devices), "device")}: ${type}` : type,
    framework,
    typeof span_ms === "number" && `${formatNumber(span_ms, "ms")} captured`,
    typeof start_ms === "number" && formatTime(start_ms),
  ].filter(Boolean);
  // What follows in brackets is a host's name.
  const words = (name: string): string => name.replace(/^[^(]+/, (key) => key.replaceAll("_", " "));
  const shown = (name: string, text: string): readonly [string, string] =>
    /^\w+_ms\b/.test(name) ? [words(name.replace("_ms", "")), formatNumber(Number(text), "ms")] : [words(name), text];
  const all = key.map((name, i) => shown(formatValue(name, ""), formatValue(value[i], "")));
  const isEvidence = ([name]: readonly [string, string]): boolean => name.startsWith("framework evidence");
  const pairs = all.filter((pair) => !isEvidence(pair));
  const evidence = all.filter(isEvidence).map(([name, text]) => `${name}: ${text}`);
  const unknown = answer.unknown["framework"];
  return (
    <Panel title="Environment" class="environment">
      <p title={unknown ? `Framework unknown: ${unknown}` : evidence.join("\n")}>{facts.join(" · ")}</p>
      <dl class="pairs">
        {pairs.map(([name, text], i) => (
          <div key={i} title={`${name}: ${text}`}>
            <dt>{name}</dt>
            <dd>
              <Name text={text.replaceAll("`", "")} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** More than these, or those of several hosts, are drawn as small bars: how busy each is. */
const MANY_DEVICES = 4;

function Tiles({ answer, page }: Part) {
  const { columns } = answer.tables["devices"]!;
  const spec = page.tool.tables.find(({ name }) => name === "devices")!;
  const names = columns["device"] ?? [];
  const hosts = new Set(columns["host"]).size;
  const isOneEach = hosts === names.length;
  const isKnown = columns["idle_share"]?.some((share) => share !== null);
  const rowTitle = (row: number): string =>
    spec.columns.map((c) => `${label(c)}: ${formatCell(columns[c.name]?.[row], c)}`).join("\n");
  return (
    <Panel
      title={`${counted(names.length, "device")}, ${isKnown ? "busy share of the capture" : "busy share unknown"}`}
      help={answer.unknown["device_idle_share"] ?? ""}
      class="tiles"
    >
      <ul>
        {names.map((name, row) => {
          const idle = number(columns["idle_share"]?.[row]);
          const host = columns["host"]?.[row];
          return (
            <Fragment key={row}>
              {hosts > 1 && !isOneEach && host !== columns["host"]?.[row - 1] && (
                <li class="soft tiles-host">{host}</li>
              )}
              <li title={rowTitle(row)}>
                <span class="share">
                  {idle !== null && <b style={{ width: `${100 * (1 - idle)}%`, background: "var(--busy)" }} />}
                </span>
                <Name text={`${hosts > 1 && isOneEach ? `${host}/` : ""}${name}`.replace("/device:", "")} tail={6} />
                <output>{idle === null ? "–" : percent(1 - idle)}</output>
              </li>
            </Fragment>
          );
        })}
      </ul>
    </Panel>
  );
}

function Machines(part: Part) {
  const hosts = rowsOf(part.answer, "hosts");
  const columns: readonly ColumnOf<"overview", "devices">[] = [
    "device",
    "idle_share",
    "busy_ms",
    "events",
    "model",
    "memory_bytes",
  ];
  const shown: readonly ColumnOf<"overview", "hosts">[] = [
    "host",
    "span_ms",
    "op_ms",
    "op_count",
    "threads",
    "devices",
  ];
  return (
    <>
      {hosts > 1 || rowsOf(part.answer, "devices") > MANY_DEVICES ? (
        rowsOf(part.answer, "devices") > 0 && <Tiles {...part} />
      ) : (
        <TablePart {...part} table="devices" show={columns} />
      )}
      {hosts > 1 && <TablePart {...part} table="hosts" show={shown} sort={{ column: "span_ms", down: true }} />}
    </>
  );
}

const PROGRAMS: readonly ColumnOf<"overview", "programs">[] = [
  "program",
  "occurrences",
  "mean_ms",
  "total_ms",
  "share",
];

function Report(part: Part) {
  const { answer, page } = part;
  const sides = (["device", "host"] as const).filter((side) => rowsOf(answer, `${side}_ops`) > 0);
  const hasSteps = Boolean(answer.summary["step_count"]);
  const isTimed = !rowsOf(answer, "python_functions");
  const steps = page.tool.tables.find(({ name }) => name === "steps");
  const open = steps ? openerOf(page, steps) : stretchOpener(page);
  return (
    <>
      <Conclusion {...part}>
        {isTimed ? <StepLine {...part} /> : <NoTimeline {...part} />}
        {hasSteps && <SplitOf {...part} />}
        {hasSteps ? <SplitBar answer={answer} open={open} of={splitOf(page)} /> : <BusyBar {...part} />}
        <Figures answer={answer} page={page} groups={groupsFor(answer)} />
      </Conclusion>
      <div class="columns">
        <div class="stack">
          <StepChart
            {...part}
            noun="step"
            height={140}
            quiet
            hasLegend
            mean={number(answer.summary["step_time_typical_ms"])}
          />
          <LineChart {...part} />
          <PythonFunctions {...part} />
          <Machines {...part} />
          <Environment {...part} />
        </div>
        <div class="stack">
          {sides[0] && <TopOps {...part} side={sides[0]} />}
          <TablePart
            {...part}
            table="programs"
            show={PROGRAMS}
            class="short"
            find={{
              what: "Find in trace ▸",
              open: (row, { columns }) => page.navigate(searchInTrace(String(columns["program"]?.[row] ?? ""))),
            }}
          />
          <MoreFindings {...part} />
          {sides[1] && <TopOps {...part} side={sides[1]} />}
        </div>
      </div>
    </>
  );
}

export default stepsPage(Report);
