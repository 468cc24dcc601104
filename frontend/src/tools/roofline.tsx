// The roofline: how near ops and steps are to what the devices could do, and what limits them.
import { useMemo, useRef, useState } from "preact/hooks";
import type { ColumnOf } from "../generated/columns";
import { type Keys, type Part, setParams } from "../page";
import type { Scalar, TableData, TableName } from "../types";
import { formatNumber, grouped, percent } from "../units";
import { group, type Group } from "../views/figures";
import { Panel } from "../views/panel";
import { ProgramPicker } from "../views/program_picker";
import { answerPage, ShortConclusion } from "../views/report";
import {
  filterOf,
  type Frame,
  frameOf,
  groupOf,
  inWords,
  lineOf,
  place,
  type Point,
  pointsOf,
  type Roof,
  roofsOf,
  ticks,
  tickText,
  valueAt,
} from "../views/roofline";
import { rowCount, rowTest } from "../views/rows";
import { Select } from "../views/select";
import { Switch } from "../views/switch";
import { TablePart } from "../views/table_panel";
import { tableState, toggleFilter } from "../views/table_state";
import { useWidth } from "../views/use_canvas";

export const keys: Keys = [
  ["← →", "on the roofline: the op with more, with less time", ".roofline-plot"],
  ["Enter", "on the roofline: the table shows that op alone; again all", ".roofline-plot"],
];

const FIGURES: readonly Group[] = [
  group("Reached", { step_compute_share: "{} of the peak rate", step_memory_share: "{} of the bandwidth" }),
  group("Op time", {
    hbm_bound_share: "{} bound by memory",
    compute_bound_share: "{} by the FLOP rate",
    only_wait_share: "{} only waits",
    unknown_share: "{} of unknown costs",
  }),
  group("Peaks", { peak_tflops: "{}", peak_gb_s: "{}", ridge: "ridge at {} FLOPs per byte" }),
];

const OPS: readonly ColumnOf<"roofline", "ops">[] = [
  ...(["name", "shapes", "program", "category", "precision", "self_us", "op_time_share", "occurrences"] as const),
  ...(["bound_by", "roof_share", "gflop_s", "hbm_gb_s", "intensity", "compute_share", "memory_share"] as const),
  ...(["vmem_gb_s", "cmem_gb_s", "above_roof", "costs_from", "total_share"] as const),
];
const TABLES = [
  ["ops", "ops", OPS],
  ["steps", "steps", []],
  ["roofs", "roofs", []],
] as const;

const HEIGHT = 340;
const EDGE = { left: 78, right: 22, top: 12, bottom: 40 } as const;
/** Radius of what takes no time, and of what takes all. */
const DOT = [3, 26] as const;
/** How far along their slopes labels stand, so that those of near ones do not cover each other. */
const LABELS = [0.42, 0.6, 0.24, 0.78, 0.12] as const;
/** A press that moves less is none of a rectangle. */
const CLICK_PX = 4;

function cells({ columns }: TableData, name: string): readonly Scalar[] {
  return (columns as Record<string, readonly Scalar[]>)[name] ?? [];
}

/** The table of ops with a filter, or without where it has that one. */
/** Pixels of a frame in a box. */
class Scale {
  constructor(
    readonly frame: Frame,
    readonly width: number,
  ) {}

  x(value: number): number {
    return EDGE.left + place(value, this.frame.x) * (this.width - EDGE.left - EDGE.right);
  }

  y(value: number): number {
    return HEIGHT - EDGE.bottom - place(value, this.frame.y) * (HEIGHT - EDGE.top - EDGE.bottom);
  }

  xAt(px: number): number {
    return valueAt((px - EDGE.left) / (this.width - EDGE.left - EDGE.right), this.frame.x);
  }

  yAt(px: number): number {
    return valueAt((HEIGHT - EDGE.bottom - px) / (HEIGHT - EDGE.top - EDGE.bottom), this.frame.y);
  }
}

function Axes({ scale }: { scale: Scale }) {
  const { frame, width } = scale;
  return (
    <g class="roofline-axes">
      {ticks(frame.x, Math.max(2, Math.floor(width / 90))).map((value) => (
        <g key={value}>
          <line x1={scale.x(value)} x2={scale.x(value)} y1={EDGE.top} y2={HEIGHT - EDGE.bottom} />
          <text x={scale.x(value)} y={HEIGHT - EDGE.bottom + 14} text-anchor="middle">
            {tickText(value, "")}
          </text>
        </g>
      ))}
      {ticks(frame.y, 8).map((value) => (
        <g key={value}>
          <line x1={EDGE.left} x2={width - EDGE.right} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={EDGE.left - 6} y={scale.y(value) + 4} text-anchor="end">
            {tickText(value, "gflop_s")}
          </text>
        </g>
      ))}
      <text x={(EDGE.left + width - EDGE.right) / 2} y={HEIGHT - 6} text-anchor="middle">
        FLOPs per byte of device memory
      </text>
    </g>
  );
}

function Roofs({ roofs, scale }: { roofs: readonly Roof[]; scale: Scale }) {
  return (
    <g class="roofline-roofs">
      {roofs.map((roof, i) => {
        const line = lineOf(roof, roofs, scale.frame);
        if (!line) return null;
        const [x1, y1, x2, y2] = [scale.x(line[0]), scale.y(line[1]), scale.x(line[2]), scale.y(line[3])];
        const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
        const [tx, ty] = roof.gbs
          ? [x1 + (x2 - x1) * LABELS[i % LABELS.length]!, y1 + (y2 - y1) * LABELS[i % LABELS.length]!]
          : [x2 - 4, y2];
        return (
          <g key={roof.words} class={roof.main ? "main" : ""}>
            <line {...{ x1, y1, x2, y2 }} />
            <text
              x={tx}
              y={ty - 5}
              text-anchor={roof.gbs ? "middle" : "end"}
              transform={roof.gbs ? `rotate(${turn} ${tx} ${ty})` : undefined}
            >
              {roof.words}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Dots({
  points,
  scale,
  at,
  shown,
}: {
  points: readonly Point[];
  scale: Scale;
  at: Point | null;
  shown: (row: number) => boolean;
}) {
  const drawn = [...points].sort((a, b) => b.share - a.share);
  return (
    <g class="roofline-dots">
      {drawn.map((point) => (
        <circle
          key={point.row}
          cx={scale.x(point.x)}
          cy={scale.y(point.y)}
          r={DOT[0] + (DOT[1] - DOT[0]) * Math.sqrt(Math.min(point.share, 1))}
          fill={`var(${variableOf(point.group)})`}
          class={`${shown(point.row) ? "" : "dim"} ${point.row === at?.row ? "at" : ""} ${point.known ? "" : "odd"}`}
        />
      ))}
    </g>
  );
}

const VARIABLES = new Map(
  ["all-reduce", "matmul", "copy", "softmax", "fusion", ""].map((category) => groupOf(category)),
);

function variableOf(name: string): string {
  return VARIABLES.get(name) ?? "--unknown";
}

/** The average step, else all that ran, as a cross. */
function StepMark({ data, scale }: { data: TableData; scale: Scale }) {
  const row = Math.max(cells(data, "step").indexOf("average"), 0);
  const [x, y] = [cells(data, "intensity")[row], cells(data, "gflop_s")[row]];
  if (typeof x !== "number" || typeof y !== "number" || !(x > 0 && y > 0)) return null;
  if (x < scale.frame.x.low || x > scale.frame.x.high || y < scale.frame.y.low) return null;
  const [px, py] = [scale.x(x), scale.y(y)];
  const words = cells(data, "step")[row] === "average" ? "average step, idle included" : "all that ran, idle included";
  return (
    <g class="roofline-step">
      <path d={`M${px - 6},${py}H${px + 6}M${px},${py - 6}V${py + 6}`} />
      <text x={px + 9} y={py + 4}>
        {words}
      </text>
    </g>
  );
}

function Tip({ point, data }: { point: Point; data: TableData }) {
  const text = (name: string): string => String(cells(data, name)[point.row] ?? "");
  const share = (name: string): string => {
    const value = cells(data, name)[point.row];
    return typeof value === "number" ? percent(value) : "–";
  };
  return (
    <p class="roofline-tip" role="status">
      <b>{point.name}</b> {text("shapes").slice(0, 80)}{" "}
      <span>
        {text("category")}
        {text("precision") && ` in ${text("precision").toUpperCase()}`} · {share("op_time_share")} of the op time ·{" "}
        {formatNumber(point.y, "gflop_s")} · {formatNumber(Number(cells(data, "hbm_gb_s")[point.row] ?? 0), "gb_s")} ·{" "}
        {formatNumber(point.x, "")} FLOPs per byte
        {text("bound_by") && ` · bound by ${text("bound_by")}, at ${share("roof_share")} of its roof`}
        {!point.known && " · above its roof: an estimate is wrong, or caches deliver"}
      </span>
    </p>
  );
}

function Legend({ points, left }: { points: readonly Point[]; left: string }) {
  const groups = [...new Set(points.map(({ group }) => group))];
  return (
    <p class="legend">
      {groups.map((name) => (
        <span key={name}>
          <i style={{ background: `var(${variableOf(name)})` }} />
          {name}
        </span>
      ))}
      <span class="soft">area: op time{left}</span>
    </p>
  );
}

interface Box {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** Ops without arithmetic, or whose costs are not known, have no place. */
function leftOut(data: TableData, points: readonly Point[]): string {
  const shown = new Set(points.map(({ row }) => row));
  const shares = cells(data, "op_time_share");
  const rest = shares.reduce<number>((sum, share, row) => sum + (shown.has(row) ? 0 : Number(share ?? 0)), 0);
  const count = rowCount(data) - points.length;
  return count ? `; ${grouped(count)} without FLOPs or bytes, ${percent(rest)} of the time, are in the table only` : "";
}

function Chart(part: Part) {
  const { answer, page } = part;
  const data = answer.tables["ops"];
  const spec = page.tool.tables.find(({ name }) => name === "ops");
  const tops = answer.tables["roofs"];
  const [at, setAt] = useState<Point | null>(null);
  const [drag, setDrag] = useState<Box | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const points = useMemo(() => (data ? pointsOf(data) : []), [data]);
  const roofs = useMemo(
    () => (tops && data ? roofsOf(tops, new Set(cells(data, "precision").map(String))) : []),
    [tops, data],
  );
  const { filter } = tableState(page.selection.params, "ops");
  const shown = useMemo(() => (data && spec ? rowTest(filter, spec.columns, data) : () => true), [filter, data, spec]);
  if (!data || !tops || !spec) return null;
  const scale = new Scale(frameOf(points, roofs), Math.max(width, 300));
  const order = [...points].sort((a, b) => b.share - a.share);
  const nearest = (x: number, y: number): Point | null => {
    const far = (point: Point): number => Math.hypot(scale.x(point.x) - x, scale.y(point.y) - y);
    const best = order.reduce<Point | null>(
      (found, point) => (!found || far(point) < far(found) ? point : found),
      null,
    );
    return best && far(best) < DOT[1] ? best : null;
  };
  const where = (event: PointerEvent): [number, number] => {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const onPointerDown = (event: PointerEvent): void => {
    const [x, y] = where(event);
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    setDrag({ x1: x, y1: y, x2: x, y2: y });
  };
  const onPointerMove = (event: PointerEvent): void => {
    const [x, y] = where(event);
    if (drag) setDrag({ ...drag, x2: x, y2: y });
    else setAt(nearest(x, y));
  };
  const onPointerUp = (): void => {
    if (!drag) return;
    setDrag(null);
    const { x1, x2, y1, y2 } = drag;
    if (Math.abs(x2 - x1) < CLICK_PX && Math.abs(y2 - y1) < CLICK_PX) {
      const point = nearest(x2, y2);
      if (point) toggleFilter(part.page, "ops", onlyRow(point, data));
      return;
    }
    const range = (a: number, b: number) => ({ low: Math.min(a, b), high: Math.max(a, b) });
    toggleFilter(part.page, "ops", filterOf(range(scale.xAt(x1), scale.xAt(x2)), range(scale.yAt(y1), scale.yAt(y2))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && order.length) {
      const next = at ? order.findIndex(({ row }) => row === at.row) + step : 0;
      setAt(order[Math.min(Math.max(next, 0), order.length - 1)] ?? null);
    } else if (event.key === "Enter" && at) toggleFilter(part.page, "ops", onlyRow(at, data));
    else return;
    event.preventDefault();
  };
  return (
    <Panel title="Roofline" bare>
      <Legend points={points} left={leftOut(data, points)} />
      <div
        ref={box}
        class="roofline-plot"
        tabIndex={0}
        role="img"
        aria-label={`Roofline: ${inWords(points, roofs)}. The table below has all numbers.`}
        {...{ onPointerDown, onPointerMove, onPointerUp, onKeyDown }}
        onPointerLeave={() => setAt(null)}
      >
        <svg width={scale.width} height={HEIGHT} aria-hidden="true">
          <Axes scale={scale} />
          <Roofs roofs={roofs} scale={scale} />
          {answer.tables["steps"] && <StepMark data={answer.tables["steps"]} scale={scale} />}
          <Dots {...{ points, scale, at, shown }} />
          {drag && (
            <rect
              class="roofline-drag"
              x={Math.min(drag.x1, drag.x2)}
              y={Math.min(drag.y1, drag.y2)}
              width={Math.abs(drag.x2 - drag.x1)}
              height={Math.abs(drag.y2 - drag.y1)}
            />
          )}
        </svg>
      </div>
      {at ? (
        <Tip point={at} data={data} />
      ) : (
        <p class="roofline-tip soft">
          {points.length
            ? "Drag a rectangle to filter the table; click an op to show it alone. "
            : "No op has a place on the chart: FLOPs and bytes of none are known. "}
          {!roofs.length && `No roofs: ${answer.unknown["peak_tflops"] ?? "the devices differ"}.`}
        </p>
      )}
    </Panel>
  );
}

function onlyRow(point: Point, data: TableData): string {
  return `rank=${String(cells(data, "rank")[point.row])}`;
}

/** Peaks that a person gives, where none are known, or others are wanted. */
function Peaks({ answer, page }: Part) {
  const { params } = page.selection;
  const shown = answer.unknown["peak_tflops"] !== undefined || params["peak_tflops"] || params["peak_gb_s"];
  if (!shown) return null;
  const set = (name: string, value: string): void => {
    const { [name]: _old, ...rest } = params;
    page.navigate({ params: Number(value) > 0 ? { ...rest, [name]: value } : rest }, "replace");
  };
  return (
    <>
      {(
        [
          ["peak_tflops", "peak TFLOP/s"],
          ["peak_gb_s", "peak GB/s"],
        ] as const
      ).map(([name, words]) => (
        <label key={name} class="select" title={page.tool.options.find((option) => option.name === name)?.help}>
          {words}{" "}
          <input
            type="number"
            min="0"
            step="any"
            class="roofline-peak"
            value={params[name] ?? ""}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        </label>
      ))}
    </>
  );
}

function StepPicker({ answer, page }: Part) {
  const names = (answer.tables["steps"] ? cells(answer.tables["steps"], "step") : []).map(String).slice(2, 202);
  if (names.length < 2) return null;
  const { step: _old, ...rest } = page.selection.params;
  return (
    <Select
      name="step"
      help={page.tool.options.find(({ name }) => name === "step")?.help ?? ""}
      value={page.selection.params["step"] ?? ""}
      offers={[["", "all"], ...names.map((name) => [name, name] as const)]}
      choose={(value) => page.navigate({ params: value ? { ...rest, step: value } : rest }, "replace")}
    />
  );
}

function RooflinePickers({ table, ...part }: Part & { table: TableName }) {
  const { answer, page } = part;
  const set = (value: string): void => setParams(page, { table: value === "ops" ? "" : value });
  const count = (name: TableName): number => {
    const data = answer.tables[name];
    return name === "ops" ? Number(answer.summary["ops_rows"] ?? 0) : data ? rowCount(data) : 0;
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
      <StepPicker {...part} />
      <Peaks {...part} />
    </div>
  );
}

function Report(part: Part) {
  const { params } = part.page.selection;
  const [table, , show] = TABLES.find(([name]) => name === params["table"]) ?? TABLES[0];
  return (
    <>
      <ShortConclusion {...part} groups={FIGURES} />
      <Chart {...part} />
      <TablePart
        {...part}
        {...{ table, show }}
        above={<RooflinePickers {...part} table={table} />}
        class="main-table"
      />
    </>
  );
}

export default answerPage(Report);
