// The overview: the answer in one sentence, where a step's time goes, the largest ops, the machines, what it means.
import { type ComponentChildren, Fragment } from "preact";
import { useAnswer } from "../answer";
import type { PageProps } from "../page";
import type { Answer, Scalar } from "../types";
import { counted, exactValue, formatCell, formatTime, formatValue, label, percent } from "../units";
import { Facts } from "../views/facts";
import { Findings, Headline } from "../views/findings";
import { LineChart, StepChart } from "../views/charts";
import { KEYS as LINE_KEYS } from "../views/lines";
import { stretchInTrace } from "../views/links";
import { Name } from "../views/name";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { rowCount } from "../views/rows";
import { SplitBar } from "../views/split_bar";
import { KEYS as STACK_KEYS } from "../views/stack";
import { StepLine } from "../views/step_line";
import { ShownSteps } from "../views/steps_from";
import { TablePart } from "../views/table_panel";

export const keys = [...STACK_KEYS, ...LINE_KEYS];

interface Part {
  answer: Answer;
  page: PageProps;
}

function number(value: Scalar | undefined): number | null {
  return typeof value === "number" ? value : null;
}

function rows(answer: Answer, table: string): number {
  return rowCount(answer.tables[table] ?? { columns: {} });
}

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
  const [busy, variable, name] = idle === null ? [host!, "--host", "host ops"] : [1 - idle, "--device", "devices busy"];
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

const ABOUT_TIME = [
  "device_idle_share",
  "device_busy_ms",
  "device_wait_share",
  "host_op_share",
  "host_wait_share",
  "unassigned_share",
  "flop_utilization_share",
  "bandwidth_utilization_share",
  "compute_8bit_share",
  "compute_16bit_share",
  "compute_tf32_share",
  "compute_32bit_share",
  "compute_64bit_share",
  "device_eager_share",
  "host_eager_share",
  "device_op_count",
  "host_op_count",
  "launch_count",
  "kernel_count",
];
const ABOUT_RUN = ["host_count", "device_count", "device_type", "framework", "span_ms"];

/** What is zero says nothing on its own: it folds into one line. */
function Summary({ answer, page }: Part) {
  const columns = page.tool.summary.filter((c) => ABOUT_TIME.includes(c.name));
  const zero = columns.filter((c) => answer.summary[c.name] === 0);
  const none = zero.map((c) => label(c)).join(", ");
  return (
    <Facts columns={columns.filter((c) => !zero.includes(c))} values={answer.summary} unknown={answer.unknown}>
      {none && <span title={none}>None: {none}</span>}
    </Facts>
  );
}

/** The largest ops of a side; the part of their time that only waits where it is known. */
function TopOps({ answer, page, side }: Part & { side: string }) {
  const table = `${side}_ops`;
  const isKnown = answer.tables[table]?.columns["wait_share"]?.some((share) => share !== null);
  const show = ["name", "self_ms", "self_share", ...(isKnown ? ["wait_share"] : []), "occurrences"];
  const more = (
    <p>
      <Link tool="op_stats" page={page}>
        all {side} ops ▸
      </Link>
    </p>
  );
  return <TablePart answer={answer} page={page} table={table} show={show} more={more} />;
}

function Environment({ answer, page }: Part) {
  const { key = [], value = [] } = answer.tables["environment"]?.columns ?? {};
  const start = number(answer.summary["start_ms"]);
  const facts = page.tool.summary.filter((c) => ABOUT_RUN.includes(c.name) && answer.summary[c.name] !== 0);
  return (
    <Panel title="Environment" class="environment">
      <Facts columns={facts} values={answer.summary} unknown={{}}>
        {start !== null && <span title={exactValue(start, "ms")}>Captured {formatTime(start)}</span>}
      </Facts>
      <dl class="pairs">
        {key.map((name, i) => (
          <div key={i}>
            <dt>{formatValue(name, "").replaceAll("_", " ")}</dt>
            <dd>
              <Name text={formatValue(value[i], "")} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** More than these are drawn as small bars: how busy each is. */
const MANY_DEVICES = 4;

function Tiles({ answer, page }: Part) {
  const { columns } = answer.tables["devices"]!;
  const spec = page.tool.tables.find(({ name }) => name === "devices")!;
  const names = columns["device"] ?? [];
  const several = new Set(columns["host"]).size > 1;
  const models = [...new Set(columns["model"])].filter((model) => model !== null);
  const told = (row: number): string =>
    spec.columns.map((c) => `${label(c)}: ${formatCell(columns[c.name]?.[row], c)}`).join("\n");
  return (
    <Panel title={`${counted(names.length, "device")}, busy part of the capture`} class="tiles">
      <ul>
        {names.map((name, row) => {
          const idle = number(columns["idle_share"]?.[row]);
          const host = columns["host"]?.[row];
          return (
            <Fragment key={row}>
              {several && host !== columns["host"]?.[row - 1] && <li class="soft tiles-host">{host}</li>}
              <li title={told(row)}>
                <span class="share">
                  {idle !== null && <b style={{ width: `${100 * (1 - idle)}%`, background: "var(--device)" }} />}
                </span>
                {String(name).replace("/device:", "")} <output>{idle === null ? "–" : percent(1 - idle)}</output>
              </li>
            </Fragment>
          );
        })}
      </ul>
      {models.length > 0 && <p class="soft">{models.join(", ")}</p>}
    </Panel>
  );
}

function Machines(part: Part) {
  const hosts = rows(part.answer, "hosts");
  const columns = ["device", "idle_share", "busy_ms", "kernels", "model", "memory_bytes"];
  const shown = ["host", "span_ms", "op_ms", "op_count", "threads", "devices"];
  return (
    <>
      {rows(part.answer, "devices") > MANY_DEVICES ? (
        <Tiles {...part} />
      ) : (
        <TablePart {...part} table="devices" show={hosts > 1 ? ["host", ...columns] : columns} />
      )}
      {hosts > 1 && <TablePart {...part} table="hosts" show={shown} sort={{ column: "span_ms", down: true }} />}
    </>
  );
}

function Report(part: Part) {
  const { answer, page } = part;
  const [first, ...more] = answer.findings;
  const sides = ["device", "host"].filter((side) => rows(answer, `${side}_ops`) > 0);
  const hasSteps = rows(answer, "split") > 0;
  const open = (...stretch: [number, number]): void => page.navigate(stretchInTrace(...stretch));
  return (
    <>
      <Panel title="" class="answer">
        {first && <Headline finding={first} navigate={page.navigate} />}
        <StepLine {...part} />
        {hasSteps ? <SplitBar answer={answer} open={open} /> : <BusyBar {...part} />}
        <Summary {...part} />
      </Panel>
      <div class="columns">
        <div class="stack">
          <StepChart {...part} noun="step" height={150} quiet mean={number(answer.summary["step_time_ms"])} />
          <LineChart {...part} />
          <Machines {...part} />
          <Environment {...part} />
        </div>
        <div class="stack">
          {sides[0] && <TopOps {...part} side={sides[0]} />}
          {more.length > 0 && (
            <Panel title="More findings">
              <Findings findings={more} navigate={page.navigate} />
            </Panel>
          )}
          {sides[1] && <TopOps {...part} side={sides[1]} />}
        </div>
      </div>
    </>
  );
}

export default function Overview(page: PageProps) {
  const asked = useAnswer(page.api, given(page));
  return (
    <div class="page">
      <ShownSteps asked={asked} page={page}>
        {(answer) => <Report answer={answer} page={page} />}
      </ShownSteps>
    </div>
  );
}
