// Memory by step: from the least to the highest, and a line where each step leaves more behind; drawn by uPlot.
import { useMemo, useState } from "preact/hooks";
import type uPlot from "uplot";
import type { Keys } from "../page";
import { colour } from "../theme";
import { counted, formatNumber, formatValue } from "../units";
import { AXIS, INCREMENTS, mixed } from "./area_draw";
import { moved, tickText } from "./chart";
import { type Growth, growthOf, shortNames } from "./growth";
import { usePlot } from "./plot";
import { Links } from "./table";
import type { OfTable } from "./limited";

interface Props extends OfTable {
  /** What each step leaves more in use; null where unknown. */
  slope: number | null;
  /** Whether that is a leak, in a word: how sure it is. */
  sure: string;
  open: (start_ps: number, end_ps: number) => void;
}

/** For the help of a page with memory by step. */
export const KEYS: Keys = [
  ["← → Home End", "in memory by step: previous, next, first, last step", ".growth"],
  ["Enter", "in memory by step: show the step in the trace", ".growth"],
];

const HEIGHT_PX = 128;
const UNIT = "memory";
const PS_PER_MS = 1e9;

/** Not from zero: what grows is small beside what is in use. */
function rangeOf(_plot: uPlot, low: number | null, high: number | null): [number, number] {
  const [from, to] = [low ?? 0, high ?? 1];
  const room = Math.max((to - from) * 0.1, to * 0.01, 1);
  return [from - room < 0 || from < 0.2 * to ? 0 : from - room, to + room];
}

function optionsOf(growth: Growth, width: number, isLeak: boolean, hover: (row: number | null) => void): uPlot.Options {
  const line = (variable: string, more: Partial<uPlot.Series> = {}): uPlot.Series => ({
    scale: "bytes",
    stroke: () => colour(variable),
    width: 1.5,
    points: { show: growth.names.length < 40, size: 5 },
    ...more,
  });
  const short = shortNames(growth.names);
  return {
    width,
    height: HEIGHT_PX,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    scales: { x: { time: false }, bytes: { range: rangeOf } },
    axes: [
      {
        ...AXIS,
        size: 20,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 1e5, 1e6],
        stroke: () => colour("--soft"),
        grid: { show: false },
        values: (_plot, ticks) => ticks.map((tick) => (short[tick] ?? "").slice(0, 12)),
      },
      {
        ...AXIS,
        size: 66,
        scale: "bytes",
        space: 24,
        incrs: INCREMENTS,
        stroke: () => colour("--soft"),
        grid: { stroke: () => colour("--sunken"), width: 1 },
        values: (_plot, ticks) => ticks.map((tick) => tickText(tick, UNIT)),
      },
    ],
    series: [
      {},
      line("--memory-heap"),
      line("--host"),
      line(isLeak ? "--input" : "--soft", { dash: [6, 4], width: 2, points: { show: false } }),
    ],
    bands: [{ series: [1, 2], fill: () => mixed(colour("--memory-heap"), colour("--panel"), 0.35) }],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    hooks: { setCursor: [(plot) => hover((plot.cursor.left ?? -1) < 0 ? null : (plot.cursor.idx ?? null))] },
  };
}

/** Of what is in use, over all steps, growth of less than this is none. */
const FLAT = 0.001;

function isFlat({ names, most }: Growth, slope: number): boolean {
  const peak = most.reduce<number>((high, one) => Math.max(high, one ?? 0), 0);
  return Math.abs(slope) * names.length <= FLAT * peak;
}

export function GrowthChart(props: Props) {
  const growth = useMemo(() => growthOf(props.data, props.slope), [props.data, props.slope]);
  if (!growth) return null;
  return <Drawn {...props} growth={growth} />;
}

function Drawn({ title, spec, csv, json, slope, sure, open, growth }: Props & { growth: Growth }) {
  const [row, setRow] = useState<number | null>(null);
  const isLeak = growth.trend !== null && sure !== "none" && sure !== "";
  const { box, plot } = usePlot(() => {
    const { names, least, most, trend } = growth;
    return {
      options: (width) => optionsOf(growth, width, isLeak, setRow),
      points: [[...names.keys()], most, least, isLeak ? trend : names.map(() => null)],
    };
  }, [growth, isLeak]);
  const grows = slope === null ? "" : `${slope > 0 ? "+" : ""}${formatNumber(Math.round(slope), UNIT)} per step`;
  const words = [
    `${title}: ${counted(growth.names.length, "step")}.`,
    isLeak ? `Memory grows by ${grows}: a leak (${sure}).` : "No leak.",
  ].join(" ");
  const pointText =
    row === null
      ? null
      : `step ${growth.names[row]}: ${formatValue(growth.least[row], UNIT)} to ${formatValue(growth.most[row], UNIT)}`;
  const go = (): void => {
    const [start, length] = row === null ? [null, null] : [growth.starts[row], growth.lengths[row]];
    if (start == null || length == null) return;
    open(Math.floor(start * PS_PER_MS), Math.ceil((start + length) * PS_PER_MS));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(event.key, row, growth.names.length);
    if (next !== null) {
      plot.current?.setCursor({ left: plot.current.valToPos(next, "x"), top: 0 }, false);
      setRow(next);
    } else if (event.key === "Enter") go();
    else return;
    event.preventDefault();
  };
  return (
    <div class="growth">
      <div class="table-bar">
        <h2 title={spec.help}>{title}</h2>
        {isLeak ? (
          <span class="leak" title={`Confidence: ${sure}`}>
            leak: {grows}
          </span>
        ) : (
          grows && <span class="soft">{isFlat(growth, slope!) ? "no growth" : `${grows}, no leak`}</span>
        )}
        <span class="grow soft growth-point">{pointText}</span>
        <Links csv={csv} json={json} />
      </div>
      <div
        ref={box}
        class="growth-plot opens"
        tabIndex={0}
        role="slider"
        aria-label={title}
        aria-description={words}
        aria-valuemin={0}
        aria-valuemax={growth.names.length - 1}
        aria-valuenow={row ?? 0}
        aria-valuetext={pointText ?? words}
        title="Click to show this step in the trace"
        onClick={go}
        onKeyDown={onKeyDown}
      />
      <p class="legend">
        <span>
          <i style={{ background: "var(--memory-heap)" }} />
          highest
        </span>
        <span>
          <i style={{ background: "var(--host)" }} />
          lowest
        </span>
        {isLeak && (
          <span>
            <i class="dash leaks" />
            growth
          </span>
        )}
      </p>
    </div>
  );
}
