// Memory: how full it gets, what fills it at its peak, and whether it grows; or a device memory profile.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useAnswer } from "../answer";
import type { ColumnOf } from "../generated/columns";
import { type PageProps, type Part, setParams } from "../page";
import type { Answer, ColumnName, TableData, TableSpec, View } from "../types";
import { exactValue, formatNumber, inBinary, percent } from "../units";
import type { Mark, Window } from "../views/area_draw";
import { AreaChart, KEYS as AREA_KEYS } from "../views/area_view";
import { Bars } from "../views/bars";
import { common, tableOf, viewOf } from "../views/charts";
import { AllFigures, Figures, group, type Group } from "../views/figures";
import { FlameGraph, flameState, KEYS as FLAME_KEYS } from "../views/flame_view";
import { GrowthChart, KEYS as GROWTH_KEYS } from "../views/growth_view";
import { addresses } from "../views/limited";
import { eventsInTrace, memoryInTrace } from "../views/links";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { stretchOpener } from "../views/proof";
import { isRefused, Refused } from "../views/refused";
import { Conclusion, MoreFindings } from "../views/report";
import { number, rowCount } from "../views/rows";
import { Select } from "../views/select";
import { KEYS as STACK_KEYS, Stack } from "../views/stack";
import { Shown } from "../views/states";
import { TablePart } from "../views/table_panel";

/** All there is, as the last answer without a window had it; until then unknown. */
function useWhole({ answer, page }: Part, shown: Window): Window | null {
  const key = `${answer.run} ${answer.hosts.join()} ${String(answer.summary["memory"])}`;
  const whole = useRef<{ key: string; window: Window } | null>(null);
  const isPart = page.selection.params["start_ms"] !== undefined || page.selection.params["end_ms"] !== undefined;
  useEffect(() => {
    if (!isPart) whole.current = { key, window: shown };
  });
  return isPart ? (whole.current?.key === key ? whole.current.window : null) : shown;
}

function MemoryTimeline(part: Part & { spec: TableSpec; data: TableData }) {
  const { answer, page, spec, data } = part;
  const { summary } = answer;
  const { params } = page.selection;
  const shown = [number(summary["begin_ms"]) ?? 0, number(summary["end_ms"]) ?? 0] as const;
  const whole = useWhole(part, shown);
  const steps = useMemo(() => {
    const { step = [], start_ms = [] } = answer.tables["steps"]?.columns ?? {};
    return step.flatMap((name, row) =>
      typeof start_ms[row] === "number" ? [{ start_ms: start_ms[row], name: String(name) }] : [],
    );
  }, [answer]);
  const [at, bytes] = [number(summary["peak_ms"]), number(summary["peak_bytes"])];
  const peak = useMemo(
    (): Mark | null =>
      at === null || bytes === null ? null : { at_ms: at, bytes, words: `peak ${formatNumber(bytes, "memory")}` },
    [at, bytes],
  );
  const setWindow = (window: Window | null): void => {
    const { start_ms: _start, end_ms: _end, ...rest } = params;
    const cut = window && { start_ms: window[0].toFixed(6), end_ms: window[1].toFixed(6) };
    page.navigate({ params: { ...rest, ...cut } });
  };
  return (
    <Panel title={spec.title} bare>
      <AreaChart
        title={spec.title}
        spec={spec}
        data={data}
        {...addresses(page, "timeline")}
        window={shown}
        all={whole}
        peak={peak}
        steps={steps}
        free={params["free"] ?? ""}
        setFree={(free) => setParams(page, { free })}
        setWindow={setWindow}
        open={(...stretch) => page.navigate(memoryInTrace(answer, ...stretch))}
      />
    </Panel>
  );
}

export const keys = [...AREA_KEYS, ...STACK_KEYS, ...GROWTH_KEYS, ...FLAME_KEYS];

const FIGURES: readonly Group[] = [
  group("In use", {
    in_use_bytes: "{}",
    in_use_count: "{} buffers and programs",
  }),
  group("Peak", {
    peak_bytes: "{} in use",
    peak_share: "{} of capacity",
    peak_ms: "at {}",
    peak_step: "in step {}",
    stack_bytes: "stack {}",
    heap_bytes: "heap {}",
    free_bytes: "free {}",
    fragmentation_share: "fragmentation {}",
  }),
  group("Memory", {
    capacity_bytes: "capacity {}",
    lifetime_peak_bytes: "peak {} since the program started",
  }),
  group("Reserved", {
    reserved_bytes: "{} at the end",
    cached_bytes: "{} in free segments",
    split_bytes: "{} free between blocks",
    largest_free_bytes: "largest piece {}",
    pool_bytes: "private pools {}",
    allocator_settings: "{}",
  }),
  group("Capture", {
    allocations: "{} allocations",
    deallocations: "{} deallocations",
    step_allocated_bytes: "{} allocated per step",
  }),
];

/** Which memory system is shown: of several, each with its peak. */
function SystemPicker(part: Part) {
  const { answer, page } = part;
  const { columns } = answer.tables["systems"] ?? { columns: {} };
  const names = columns["memory"] ?? [];
  if (names.length < 2) return null;
  const offers = names.map((name, row) => {
    const [peak, share, kind] = (["peak_bytes", "peak_share", "kind"] as const).map((column) => columns[column]?.[row]);
    const texts = [
      String(name),
      kind ? String(kind) : "",
      typeof peak === "number" ? `peak ${formatNumber(peak, "memory")}` : "",
      typeof share === "number" ? percent(share) : "",
    ];
    return [String(name), texts.filter(Boolean).join(", ")] as const;
  });
  const choose = (memory: string): void => {
    const { start_ms: _start, end_ms: _end, at: _at, ...rest } = page.selection.params;
    page.navigate({ params: { ...rest, memory } });
  };
  return (
    <Select
      name="memory"
      help={`Memory system. ${String(answer.summary["memory_rule"] ?? "")}`}
      value={String(answer.summary["memory"] ?? "")}
      offers={offers}
      choose={choose}
    />
  );
}

/** What the rows shown add up to, beside the peak. */
function Sum({ answer, data }: { answer: Answer; data: TableData }) {
  const sum = (data.columns["total_bytes"] ?? []).reduce<number>((all, one) => all + (number(one) ?? 0), 0);
  const peak = number(answer.summary["peak_bytes"]);
  const [total, whole] = [formatNumber(sum, "memory"), peak === null ? "" : formatNumber(peak, "memory")];
  return (
    <span class="soft sum" title={`${exactValue(sum, "memory")} of ${exactValue(peak, "memory")}`}>
      {sum === peak ? `total ${total}, the peak` : `total ${total} of the peak of ${whole}`}
    </span>
  );
}

/** What is seen around the peak, as a part of all that is shown. */
const PEAK_ROOM = 0.01;

function PeakInTrace({ answer, page }: Part) {
  const [at, begin, end] = (["peak_ms", "begin_ms", "end_ms"] as const).map((name) => number(answer.summary[name]));
  if (at == null) return null;
  const [ps, room] = [Math.round(at * PS_PER_MS), ((end ?? at) - (begin ?? at)) * PEAK_ROOM * PS_PER_MS];
  const way = memoryInTrace(answer, ps, ps, Math.ceil(Math.max(room, 1e6)));
  return (
    <button type="button" class="link" title="The trace at the time of the peak" onClick={() => page.navigate(way)}>
      peak in trace ▸
    </button>
  );
}

/** What memory is for, over time. */
function Categories(part: Part) {
  const shown = viewOf(part, "stack", "categories");
  if (!shown) return null;
  const { page } = part;
  return (
    <Panel title={shown.spec.title} help={shown.spec.help} bare>
      <Stack
        {...shown}
        {...common(page, shown.view, shown.spec)}
        open={stretchOpener(page)}
        noun="interval"
        height={140}
      />
    </Panel>
  );
}

const MOMENTS = [
  ["peak", "at the peak"],
  ["oom", "at the first failed allocation"],
  ["end", "when it was written"],
] as const;

/** When the call stacks of a snapshot are shown. */
function Moment({ answer, page }: Part) {
  const { params } = page.selection;
  const offers = MOMENTS.filter(([name]) => name !== "oom" || (number(answer.summary["failure_rows"]) ?? 0) > 0);
  return (
    <Select
      name="in use"
      help="When what is in use is shown by call stack."
      value={params["moment"] ?? "peak"}
      offers={offers}
      choose={(moment) => page.navigate({ params: { ...params, at: "", moment: moment === "peak" ? "" : moment } })}
    />
  );
}

function Growth(part: Part) {
  const { answer, page } = part;
  const table = tableOf(part, "steps");
  if (!table || rowCount(table.data) < 2) return null;
  return (
    <Panel title="Lowest and highest use by step" bare>
      <GrowthChart
        title="Lowest and highest use by step"
        {...table}
        {...addresses(page, "steps")}
        slope={number(answer.summary["growth_bytes"])}
        sure={String(answer.summary["growth_confidence"] ?? "")}
        open={(...stretch) => page.navigate(memoryInTrace(answer, ...stretch))}
      />
    </Panel>
  );
}

const LIFETIMES: View = {
  kind: "bars",
  title: "",
  table: "lifetimes",
  label: "lifetime",
  values: ["total_bytes"],
};

function Lifetimes(part: Part) {
  const table = tableOf(part, "lifetimes");
  if (!table) return null;
  return (
    <Panel title={table.spec.title} help={table.spec.help} class="lifetimes">
      <Bars view={LIFETIMES} {...table} />
    </Panel>
  );
}

function Stacks(part: Part) {
  const { answer, page } = part;
  const table = tableOf(part, "stacks");
  if (!table) return null;
  const isSnapshot = tableOf(part, "timeline") !== null;
  const title = number(answer.summary["reserved_bytes"]) === null ? table.spec.title : "In use by call stack";
  return (
    <Panel title={`${title}: flame graph`} bare>
      {isSnapshot && (
        <div class="figure-line">
          <Moment {...part} />
        </div>
      )}
      <FlameGraph
        title={title}
        {...table}
        {...addresses(page, "stacks")}
        value="bytes"
        self="self_bytes"
        {...flameState(page)}
      />
    </Panel>
  );
}

const PEAK: readonly ColumnOf<"memory_profile", "peak">[] = [
  "op",
  "total_bytes",
  "share",
  "count",
  "allocation_bytes",
  "requested_bytes",
  "region",
  "data_type",
  "shape",
  "kind",
];
const OPS: readonly ColumnOf<"memory_profile", "ops">[] = [
  "op",
  "peak_bytes",
  "allocated_bytes",
  "allocations",
  "live_bytes",
  "mean_lifetime_us",
];
const HOLDERS: readonly ColumnOf<"memory_profile", "ops">[] = ["op", "live_bytes", "live_allocations"];
const STEPS: readonly ColumnOf<"memory_profile", "steps">[] = [
  "step",
  "lowest_bytes",
  "peak_bytes",
  "net_bytes",
  "allocated_bytes",
  "freed_bytes",
  "kept_bytes",
];
const SYSTEMS: readonly ColumnOf<"memory_profile", "systems">[] = [
  "memory",
  "kind",
  "peak_bytes",
  "peak_share",
  "capacity_bytes",
  "heap_bytes",
  "stack_bytes",
  "fragmentation_share",
  "allocations",
  "growth_bytes",
];
const FAILURES: readonly ColumnOf<"memory_profile", "failures">[] = [
  "op",
  "asked_bytes",
  "free_bytes",
  "largest_free_bytes",
  "pieces",
  "device_free_bytes",
  "in_way_bytes",
  "in_way_op",
  "reserved_bytes",
  "time_ms",
];
const SEGMENTS: readonly ColumnOf<"memory_profile", "segments">[] = [
  "address",
  "layout",
  "segment_bytes",
  "used_bytes",
  "free_bytes",
  "largest_free_bytes",
  "blocks",
  "op",
  "segment_kind",
];
const STACKS: readonly ColumnOf<"memory_profile", "stacks">[] = [
  "name",
  "self_bytes",
  "bytes",
  "share",
  "count",
  "file",
  "line",
];

const PS_PER_MS = 1e9;
/** Of names in half of the page. */
const NAME_PX = 160;
/** Beside the picture of memory over time: its scales, and the page's edges. */
const MARGIN_PX = 150;

/** What a press on a row of each table does, and what its button says. */
function waysOf({ answer, page }: Part) {
  const { navigate, selection } = page;
  const text = (data: TableData, name: ColumnName, row: number): string => String(data.columns[name]?.[row] ?? "");
  return {
    op: {
      find: {
        what: "Find in trace ▸",
        /** What was there before, or what the runtime reserved, is no op. */
        can: (row: number, data: TableData): boolean => (data.columns["kind"]?.[row] ?? "op") === "op",
        open: (row: number, data: TableData): void => navigate(eventsInTrace(text(data, "op", row))),
      },
    },
    step: {
      find: {
        what: "Show in trace ▸",
        open: (row: number, data: TableData): void => {
          const [start, length] = (["start_ms", "duration_ms"] as const).map((name) =>
            number(data.columns[name]?.[row]),
          );
          if (start == null || length == null) return;
          navigate(memoryInTrace(answer, Math.floor(start * PS_PER_MS), Math.ceil((start + length) * PS_PER_MS)));
        },
      },
    },
    system: {
      what: "Show this memory",
      open: (row: number, data: TableData): void =>
        navigate({ params: { ...selection.params, start_ms: "", end_ms: "", memory: text(data, "memory", row) } }),
    },
    holder: {
      what: "Find in flame graph",
      open: (row: number, data: TableData): void =>
        navigate(
          { params: { ...selection.params, at: "", find: text(data, "op", row).replace(/ \(.*$/, "") } },
          "replace",
        ),
    },
    frame: {
      what: "Show in flame graph",
      open: (row: number): void => navigate({ params: { ...selection.params, at: String(row) } }, "replace"),
    },
  };
}

function OfStacks(part: Part) {
  const ways = waysOf(part);
  return (
    <>
      <MoreFindings {...part} />
      <Stacks {...part} />
      <div class="columns">
        <TablePart {...part} table="ops" show={HOLDERS} class="tall" {...ways.holder} />
        <TablePart
          {...part}
          table="stacks"
          show={STACKS}
          sort={{ column: "self_bytes", down: true }}
          class="tall"
          {...ways.frame}
        />
      </div>
    </>
  );
}

function OfEvents(part: Part & { timeline: { spec: TableSpec; data: TableData } }) {
  const { answer, timeline } = part;
  const peak = tableOf(part, "peak");
  const ways = waysOf(part);
  return (
    <>
      {tableOf(part, "failures") && <TablePart {...part} table="failures" show={FAILURES} class="tall" />}
      <MemoryTimeline {...part} {...timeline} />
      <Categories {...part} />
      <TablePart
        {...part}
        table="peak"
        show={PEAK}
        more={peak && <Sum answer={answer} data={peak.data} />}
        class="tall"
        {...ways.op}
      />
      <Stacks {...part} />
      <div class="columns">
        <div class="stack">
          <TablePart {...part} table="ops" show={OPS} room={NAME_PX} class="tall" {...ways.op} />
          <Lifetimes {...part} />
        </div>
        <div class="stack">
          <MoreFindings {...part} />
          <Growth {...part} />
          <TablePart {...part} table="steps" show={STEPS} room={NAME_PX} class="tall" {...ways.step} />
        </div>
      </div>
    </>
  );
}

function Report(part: Part) {
  const { answer, page } = part;
  const timeline = tableOf(part, "timeline");
  const systems = tableOf(part, "systems");
  return (
    <>
      <Conclusion {...part}>
        <div class="figure-line">
          <SystemPicker {...part} />
          <Figures answer={answer} page={page} groups={FIGURES} />
          <PeakInTrace {...part} />
          <AllFigures answer={answer} columns={page.tool.summary} />
        </div>
      </Conclusion>
      {!timeline && tableOf(part, "stacks") && <OfStacks {...part} />}
      {timeline && <OfEvents {...part} timeline={timeline} />}
      {tableOf(part, "segments") && <TablePart {...part} table="segments" show={SEGMENTS} class="tall" />}
      {systems && rowCount(systems.data) > 1 && (
        <TablePart {...part} table="systems" show={SYSTEMS} class="tall" {...waysOf(part).system} />
      )}
    </>
  );
}

export default function MemoryProfile(given_: PageProps) {
  const tool = useMemo(() => inBinary(given_.tool), [given_.tool]);
  const page = { ...given_, tool };
  const pixels = useMemo(() => String(Math.max(1000, Math.ceil((window.innerWidth - MARGIN_PX) / 100) * 100)), []);
  const asked = useAnswer(page.api, { pixels, ...given(page) });
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
