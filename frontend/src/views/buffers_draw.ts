// A program's memory in program order for uPlot: what is held throughout, temporary buffers on it, the peak marked.
import uPlot from "uplot";
import { colour } from "../theme";
import { formatNumber } from "../units";
import { AXIS, drawMark, INCREMENTS, UNIT } from "./area_draw";
import { colourOf, type Curve } from "./buffers";
import { tickText } from "./chart";

const HEIGHT_PX = 216;
/** Between ticks of what is counted. */
const WHOLE = [1, 2, 5]
  .flatMap((digit) => Array.from({ length: 9 }, (_, zeros) => digit * 10 ** zeros))
  .sort((a, b) => a - b);

export function optionsOf(curve: Curve, width: number, hover: (x: number | null) => void): uPlot.Options {
  const stepped = uPlot.paths.stepped!({ align: 1 });
  const filled = (kind: string): uPlot.Series => ({
    scale: "bytes",
    stroke: () => colour(colourOf(kind)),
    fill: () => colour(colourOf(kind)),
    width: 0,
    points: { show: false },
    paths: stepped,
  });
  const dashed: uPlot.Series = {
    scale: "bytes",
    show: curve.isPadded,
    stroke: () => colour("--text"),
    width: 1.25,
    dash: [5, 4],
    points: { show: false },
    paths: stepped,
  };
  const axis = { ...AXIS, stroke: () => colour("--soft") };
  return {
    width,
    height: HEIGHT_PX,
    padding: [14, 12, 0, 0],
    legend: { show: false },
    scales: { x: { time: false }, bytes: { range: (_plot, _low, high) => [0, (high || 1) * 1.06] } },
    axes: [
      {
        ...axis,
        size: 20,
        incrs: WHOLE,
        label: "event: what is allocated or freed, in program order",
        labelSize: 16,
        labelGap: 0,
        labelFont: AXIS.font,
        grid: { show: false },
        values: (_plot, ticks) => ticks.map((at) => (at < 0 ? "" : `${at}`)),
      },
      {
        ...axis,
        size: 62,
        scale: "bytes",
        space: 32,
        incrs: INCREMENTS,
        grid: { stroke: () => colour("--line"), width: 1 },
        values: (_plot, ticks) => ticks.map((tick) => tickText(tick, UNIT)),
      },
    ],
    series: [{}, filled("temporary"), ...[...curve.held].reverse().map(([kind]) => filled(kind)), dashed],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    hooks: {
      setCursor: [
        (plot) => {
          const left = plot.cursor.left ?? -1;
          hover(left < 0 ? null : plot.posToVal(left, "x"));
        },
      ],
      draw: [(plot) => drawPeak(plot, curve)],
    },
  };
}

function drawPeak(plot: uPlot, { events, live, peak, instructions }: Curve): void {
  const [x, y] = [plot.valToPos(events[peak]! + 0.5, "x", true), plot.valToPos(live[peak]!, "bytes", true)];
  drawMark(plot, x, y, `peak ${formatNumber(live[peak]!, UNIT)} at ${clipped(instructions[peak] ?? "")}`, -14, 0);
}

const MOST_LETTERS = 40;

function clipped(name: string): string {
  return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS)}…` : name;
}
