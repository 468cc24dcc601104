// Memory over time for uPlot: areas in the theme's colours, steps above, the peak marked.
import uPlot from "uplot";
import { colour } from "../theme";
import type { Area, Points } from "./area";
import { tickText } from "./chart";

export interface Mark {
  at_ms: number;
  bytes: number;
  words: string;
}

export interface StepMark {
  start_ms: number;
  name: string;
}

export type Window = readonly [from: number, to: number];

const HEIGHT_PX = 220;
export const UNIT = "memory";
export const AXIS = { gap: 4, font: "11px system-ui, sans-serif", ticks: { show: false } };
const DRAG_PX = 5;
/** Lines at round binary sizes. */
export const INCREMENTS = Array.from({ length: 51 }, (_, power) => [2 ** power, 1.5 * 2 ** power])
  .flat()
  .filter(Number.isInteger);

/** Colour a over b. */
export function mixed(a: string, b: string, part: number): string {
  const channels = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const [one, two] = [channels(a), channels(b)];
  return `#${one
    .map((value, i) =>
      Math.round(value * part + two[i]! * (1 - part))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

const LAYERS: readonly { name: keyof Points; fill: () => string }[] = [
  { name: "all", fill: () => colour("--memory-free") },
  { name: "most", fill: () => mixed(colour("--memory-heap"), colour("--panel"), 0.5) },
  { name: "least", fill: () => colour("--memory-heap") },
  { name: "stack", fill: () => colour("--memory-stack") },
];

export interface Scene {
  area: Area;
  points: Points;
  window: Window;
  free: boolean;
  peak: Mark | null;
  steps: readonly StepMark[];
}

export function optionsOf(
  scene: Scene,
  width: number,
  events: { hover: (x: number | null) => void; zoom: (w: Window) => void },
) {
  const { area, window, free } = scene;
  const stepped = uPlot.paths.stepped!({ align: 1 });
  const series: uPlot.Series[] = LAYERS.map(({ name, fill }) => ({
    scale: "bytes",
    show: name !== "all" || free,
    stroke: name === "most" ? () => colour("--memory-heap") : fill,
    width: name === "most" ? 1 : 0,
    fill,
    points: { show: false },
    paths: stepped,
  }));
  const line: uPlot.Series = {
    scale: "share",
    show: area.hasFragmentation,
    stroke: () => colour("--text"),
    width: 1.25,
    dash: [5, 4],
    points: { show: false },
    paths: stepped,
  };
  const options: uPlot.Options = {
    width,
    height: HEIGHT_PX,
    padding: [12, area.hasFragmentation ? 0 : 12, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false, range: () => [...window] as [number, number] },
      bytes: { range: (_plot, _low, high) => [0, (high || 1) * 1.06] },
      share: { range: () => [0, 1] },
    },
    axes: [
      {
        ...AXIS,
        size: 20,
        stroke: () => colour("--soft"),
        grid: { show: false },
        values: (_plot, ticks) => ticks.map((tick) => tickText(tick, "ms")),
      },
      {
        ...AXIS,
        size: 62,
        scale: "bytes",
        space: 32,
        incrs: INCREMENTS,
        stroke: () => colour("--soft"),
        grid: { stroke: () => colour("--line"), width: 1 },
        values: (_plot, ticks) => ticks.map((tick) => tickText(tick, UNIT)),
      },
      {
        ...AXIS,
        size: 44,
        scale: "share",
        side: 1,
        show: area.hasFragmentation,
        space: 40,
        stroke: () => colour("--soft"),
        grid: { show: false },
        values: (_plot, ticks) => ticks.map((tick) => tickText(tick, "share")),
      },
    ],
    series: [{}, ...series, line],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: DRAG_PX } },
    hooks: {
      setCursor: [
        (plot) => {
          const left = plot.cursor.left ?? -1;
          events.hover(left < 0 ? null : plot.posToVal(left, "x"));
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: wide } = plot.select;
          if (wide < DRAG_PX) return;
          events.zoom([plot.posToVal(left, "x"), plot.posToVal(left + wide, "x")]);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      draw: [(plot) => drawSteps(plot, scene), (plot) => drawPeak(plot, scene)],
    },
  };
  return options;
}

/** A tick where each step begins, with its name where there is room. */
function drawSteps({ ctx, bbox, valToPos }: uPlot, { steps, window }: Scene): void {
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.font = `${10 * ratio}px system-ui, sans-serif`;
  ctx.fillStyle = colour("--soft");
  ctx.textBaseline = "top";
  // The axes' is left behind.
  ctx.textAlign = "left";
  let free = -Infinity;
  for (const { start_ms, name } of steps) {
    if (start_ms < window[0] || start_ms > window[1]) continue;
    const x = Math.round(valToPos(start_ms, "x", true));
    const wide = ctx.measureText(name).width;
    if (x < free) continue;
    free = x + wide + 12 * ratio;
    ctx.fillRect(x, bbox.top - 10 * ratio, ratio, 9 * ratio);
    if (x + 4 * ratio + wide > bbox.left + bbox.width) continue;
    ctx.fillText(name, x + 4 * ratio, bbox.top - 11 * ratio);
  }
  ctx.restore();
}

/** A dot with words beside it, on the side with room: from `top` to `bottom` below it, in pixels. */
export function drawMark({ ctx, bbox }: uPlot, x: number, y: number, words: string, top: number, bottom: number): void {
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.font = `600 ${11 * ratio}px system-ui, sans-serif`;
  const wide = ctx.measureText(words).width;
  const isLeft = x + wide + 12 * ratio > bbox.left + bbox.width;
  ctx.fillStyle = colour("--panel");
  ctx.globalAlpha = 0.85;
  ctx.fillRect(
    isLeft ? x - wide - 12 * ratio : x + 6 * ratio,
    y + top * ratio,
    wide + 6 * ratio,
    (bottom - top) * ratio,
  );
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour("--text");
  ctx.beginPath();
  ctx.arc(x, y, 3.5 * ratio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.textBaseline = "middle";
  ctx.textAlign = isLeft ? "right" : "left";
  ctx.fillText(words, isLeft ? x - 9 * ratio : x + 9 * ratio, y + Math.ceil((top + bottom) / 2) * ratio);
  ctx.restore();
}

function drawPeak(plot: uPlot, { peak, window }: Scene): void {
  if (!peak || peak.at_ms < window[0] || peak.at_ms > window[1]) return;
  const [x, y] = [plot.valToPos(peak.at_ms, "x", true), plot.valToPos(peak.bytes, "bytes", true)];
  drawMark(plot, x, y, peak.words, 2, 17);
}
