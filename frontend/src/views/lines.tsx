// A table as lines over its x column, drawn by uPlot; a press or Enter opens the place in the trace.
import { useMemo, useState } from "preact/hooks";
import uPlot from "uplot";
import { colour } from "../theme";
import type { View } from "../types";
import { formatNumber } from "../units";
import { categoryOf } from "./category";
import type { Chart, Line } from "./chart";
import {
  chartOf,
  exactLineValue,
  extent,
  intervalOf,
  inWords,
  lineName,
  lineValue,
  middle,
  moved,
  placeOf,
  points,
  rowAt,
  tickText,
} from "./chart";
import { usePlot } from "./plot";
import type { Opener } from "./proof";
import { Links } from "./table";
import type { OfTable } from "./limited";

/** For the help of a page that has a chart. */
export const KEYS: readonly (readonly [string, string])[] = [
  ["← → Home End", "in a chart: previous, next, first, last value (Page keys: further)"],
  ["Enter", "in a chart over time: show the interval in the trace"],
];

interface LinesProps extends OfTable {
  view: View;
  /** Shows an interval in the trace. */
  open?: Opener;
}

const HEIGHT_PX = 100;
const AXIS = { size: 48, gap: 4, font: "11px system-ui, sans-serif" };
/** How much of a line's colour the area below it has. */
const FILL = "30";

/** Fewer threads than this on average are next to none. */
const FEWEST = 0.1;

/** A share's axis shows all of it, every other starts at zero; nothing but zeros still has a height. */
function rangeOf(unit: string): (plot: uPlot, low: number | null, high: number | null) => [number, number] {
  const least = unit === "count" ? FEWEST : 0;
  return (_plot, _low, high) =>
    unit === "share" ? [0, Math.max(1, high ?? 1)] : [0, Math.max(high || 1, least) * 1.05];
}

function axisOf(unit: string, place: number): uPlot.Axis {
  return {
    ...AXIS,
    scale: unit || "value",
    side: place === 0 ? 3 : 1,
    space: 28,
    stroke: () => colour("--soft"),
    grid: { show: place === 0, stroke: () => colour("--sunken"), width: 1 },
    ticks: { show: false },
    values: (_plot, ticks) => ticks.map((tick) => tickText(tick, unit)),
  };
}

function seriesOf({ column }: Line, level: boolean): uPlot.Series {
  const stroke = (): string => colour(categoryOf(column.name));
  return {
    scale: column.unit || "value",
    stroke,
    fill: column.unit === "share" ? () => stroke() + FILL : undefined,
    width: 1.5,
    points: { show: false },
    paths: level ? uPlot.paths.stepped!({ align: 1 }) : undefined,
  } as uPlot.Series;
}

function optionsOf(chart: Chart, width: number, hover: (row: number | null) => void): uPlot.Options {
  const { x, units, lines, ends } = chart;
  return {
    width,
    height: HEIGHT_PX,
    padding: [8, units.length > 1 ? 0 : 24, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false },
      ...Object.fromEntries(units.map((unit) => [unit || "value", { range: rangeOf(unit) }])),
    },
    axes: [
      {
        ...AXIS,
        size: 20,
        stroke: () => colour("--soft"),
        grid: { stroke: () => colour("--sunken"), width: 1 },
        ticks: { show: false },
        values: (_plot, ticks) => ticks.map((tick) => tickText(tick, x.unit)),
      },
      ...units.map(axisOf),
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, ends !== null))],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    hooks: {
      setCursor: [
        (plot) => {
          const left = plot.cursor.left ?? -1;
          hover(left < 0 ? null : rowAt(chart, plot.posToVal(left, "x")));
        },
      ],
    },
  };
}

interface LegendProps {
  title: string;
  help: string;
  chart: Chart;
  row: number | null;
  csv: string;
  json: string;
}

function Legend({ title, help, chart, row, csv, json }: LegendProps) {
  return (
    <div class="lines-bar">
      <p class="legend">
        <b title={help}>{row === null ? title : placeOf(chart, row)}</b>
        {chart.lines.map((line) => (
          <span key={line.column.name} title={row === null ? line.column.help : exactLineValue(line, row)}>
            <i style={{ background: `var(${categoryOf(line.column.name)})` }} />
            {lineName(line)}
            <output>
              {row === null ? `⌀ ${formatNumber(extent(line, chart).mean, line.column.unit)}` : lineValue(line, row)}
            </output>
          </span>
        ))}
      </p>
      <Links csv={csv} json={json} />
    </div>
  );
}

export function Lines({ title, view, spec, data, csv, json, open }: LinesProps) {
  const chart = useMemo(() => chartOf(view, spec, data), [view, spec, data]);
  const words = useMemo(() => chart && inWords(chart), [chart]);
  const [row, setRow] = useState<number | null>(null);
  const { box, plot } = usePlot(
    () => chart && { options: (width) => optionsOf(chart, width, setRow), points: points(chart) },
    [chart],
    () => setRow(null),
  );
  if (!chart) return <p class="soft">Nothing to draw: no rows, or all values are unknown.</p>;
  const go = (): void => {
    const interval = row === null ? null : intervalOf(chart, row);
    if (interval) open?.({ data, row: chart.rows[row!]!, column: null }, interval);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(event.key, row, chart.starts.length);
    if (next !== null) {
      plot.current?.setCursor({ left: plot.current.valToPos(middle(chart, next), "x"), top: 0 });
      setRow(next);
    } else if (event.key === "Enter") go();
    else return;
    event.preventDefault();
  };
  const valueTexts = row === null ? null : chart.lines.map((line) => `${lineName(line)} ${lineValue(line, row)}`);
  return (
    <div class="lines">
      <Legend title={title} help={spec.help} chart={chart} row={row} csv={csv} json={json} />
      <div
        ref={box}
        class={open && chart.ends ? "plot opens" : "plot"}
        tabIndex={0}
        role="slider"
        aria-label={title}
        aria-description={words ?? ""}
        aria-valuemin={0}
        aria-valuemax={chart.starts.length - 1}
        aria-valuenow={row ?? 0}
        aria-valuetext={valueTexts && row !== null ? `${placeOf(chart, row)}: ${valueTexts.join(", ")}` : (words ?? "")}
        title={open && chart.ends ? "Click to show this interval in the trace" : undefined}
        onClick={go}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
