// The overview: the answer in one sentence, where a step's time goes, the largest ops, the machines, what it means.
import type { ComponentChildren } from "preact";
import { useAnswer } from "../answer";
import type { PageProps } from "../page";
import type { Answer, Scalar, TableSpec } from "../types";
import { exactValue, formatTime, formatValue, label, percent } from "../units";
import { Boundary } from "../views/boundary";
import { Facts } from "../views/facts";
import { Findings, Headline } from "../views/findings";
import { KEYS as LINE_KEYS, Lines } from "../views/lines";
import { searchInTrace, stretchInTrace } from "../views/links";
import { Name } from "../views/name";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { rowCount, type Sort } from "../views/rows";
import { SplitBar } from "../views/split_bar";
import { KEYS as STACK_KEYS } from "../views/stack";
import { StepChart } from "../views/step_chart";
import { StepLine } from "../views/step_line";
import { ShownSteps } from "../views/steps_from";
import { DataTable } from "../views/table";
import { useTableState } from "../views/table_state";

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

const FACTS = [
  "span_ms",
  "host_count",
  "device_count",
  "device_type",
  "framework",
  "device_busy_ms",
  "device_idle_share",
  "host_op_share",
  "unassigned_share",
  "flop_utilization_share",
  "bandwidth_utilization_share",
  "device_op_count",
  "host_op_count",
  "device_eager_share",
  "host_eager_share",
  "launch_count",
  "kernel_count",
];

/** What is zero says nothing on its own: it folds into the line below. */
function Summary({ answer, page }: Part) {
  const columns = page.tool.summary.filter((c) => FACTS.includes(c.name));
  const zero = columns.filter((c) => answer.summary[c.name] === 0);
  const start = number(answer.summary["start_ms"]);
  return (
    <Facts columns={columns.filter((c) => !zero.includes(c))} values={answer.summary} unknown={answer.unknown}>
      {zero.length > 0 && <span>None: {zero.map((c) => label(c)).join(", ")}</span>}
      {start !== null && <span title={exactValue(start, "ms")}>Captured {formatTime(start)}</span>}
    </Facts>
  );
}

/** When what the bar sums up happened. */
function Activity({ answer, page }: Part) {
  const view = page.tool.views.find(({ kind }) => kind === "lines");
  const spec = page.tool.tables.find(({ name }) => name === view?.table);
  const data = spec && answer.tables[spec.name];
  if (!view || !spec || !data || !view.values.some((name) => data.columns[name]?.some((cell) => cell !== null)))
    return null;
  return (
    <Panel title={spec.title} bare>
      <Lines
        {...{ view, spec, data, title: spec.title }}
        csv={page.api.url({ ...given(page), format: "csv", table: spec.name })}
        json={page.api.url(given(page))}
        open={(...stretch) => page.navigate(stretchInTrace(...stretch))}
      />
    </Panel>
  );
}

interface TablePartProps extends Part {
  table: string;
  show: readonly string[];
  /** Of many rows of which few matter: these come first, the rest is a scroll away. */
  sort?: Sort | null;
  more?: ComponentChildren;
}

/** `Top 10 device ops` of one row → `Device op`. */
function titleFor(title: string, count: number): string {
  const [, ten, rest = title] = /^(Top 10 )?(.+)$/.exec(title) ?? [];
  const whole = ten && count < 10 ? rest.charAt(0).toUpperCase() + rest.slice(1) : title;
  return count === 1 ? whole.replace(/s$/, "") : whole;
}

function TablePanel({ answer, page, table, show, sort = null, more }: TablePartProps) {
  const spec: TableSpec | undefined = page.tool.tables.find((t) => t.name === table);
  const data = answer.tables[table];
  const { state, setState } = useTableState(page.selection, page.navigate, table);
  if (!spec || !data || !rowCount(data)) return null;
  const title = titleFor(spec.title, rowCount(data));
  return (
    <Panel title={title} bare class={sort ? "short" : ""}>
      <DataTable
        title={title}
        spec={spec}
        data={data}
        show={show}
        csv={page.api.url({ ...given(page), format: "csv", table })}
        json={page.api.url(given(page))}
        find={(name) => page.navigate(searchInTrace(name))}
        setState={setState}
        state={{ ...state, sort: state.sort ?? sort }}
      />
      {more}
    </Panel>
  );
}

function TablePart(props: TablePartProps) {
  return (
    <Boundary what={props.table}>
      <TablePanel {...props} />
    </Boundary>
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

function Environment({ answer }: Part) {
  const { key = [], value = [] } = answer.tables["environment"]?.columns ?? {};
  if (!key.length) return null;
  return (
    <Panel title="Environment">
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

/** More than these: the busiest first. */
const MANY_DEVICES = 8;

function Machines(part: Part) {
  const several = rows(part.answer, "hosts") > 1;
  const columns = ["device", "idle_share", "busy_ms", "kernels", "model", "memory_bytes"];
  const sort = rows(part.answer, "devices") > MANY_DEVICES ? { column: "busy_ms", down: true } : null;
  return (
    <>
      <TablePart {...part} table="devices" show={several ? ["host", ...columns] : columns} sort={sort} />
      <TablePart {...part} table="hosts" show={["host", "span_ms", "op_ms", "op_count", "threads", "devices"]} />
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
          <StepChart {...part} noun="step" mean={number(answer.summary["step_time_ms"])} />
          <Activity {...part} />
          <Machines {...part} />
          {sides[1] && <TopOps {...part} side={sides[1]} />}
        </div>
        <div class="stack">
          {sides[0] && <TopOps {...part} side={sides[0]} />}
          {more.length > 0 && (
            <Panel title="More findings">
              <Findings findings={more} navigate={page.navigate} />
            </Panel>
          )}
          <Environment {...part} />
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
