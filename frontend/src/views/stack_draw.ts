// Stacked bars on a canvas, in the theme's colours.
import { colour } from "../theme";
import { formatNumber } from "../units";
import { tickText } from "./chart";
import { type Bar, barsOf, ceilingOf, roundUp, type Stacked, ticksOf } from "./stacked";

const LEFT = 56;
const [TOP, RIGHT, BOTTOM] = [10, 8, 18];
/** A bar with its gap; of more rows several share one. */
const LEAST_BAR = 3;
const MOST_BAR = 200;
const MOST_SHARE = 1 / 4;
const FONT = "11px system-ui, sans-serif";

export interface Plot {
  width: number;
  height: number;
  from: number;
  to: number;
  bars: readonly Bar[];
  /** Left edge of the first bar, and the distance of two. */
  left: number;
  step: number;
  top: number;
}

export function plotOf(stacked: Stacked, from: number, to: number, width: number, height: number): Plot {
  const room = Math.max(LEAST_BAR, width - LEFT - RIGHT);
  const bars = barsOf(stacked, from, to, room / LEAST_BAR);
  const step = Math.min(Math.max(MOST_BAR, MOST_SHARE * room), room / bars.length);
  const left = LEFT + Math.max(0, (width - LEFT - RIGHT - step * bars.length) / 2);
  return { width, height, from, to, bars, left, step, top: ceilingOf(stacked, from, to) };
}

/** The bar under x, in pixels from the canvas's left. */
export function barAt({ bars, left, step }: Plot, x: number): number | null {
  const at = Math.floor((x - left) / step);
  return at >= 0 && at < bars.length ? at : null;
}

/** Name of the column whose part of a bar is under a point; null beside them. */
export function partAt(plot: Plot, { parts }: Stacked, x: number, y: number): string | null {
  const bar = barAt(plot, x);
  if (bar === null) return null;
  const base = plot.height - BOTTOM;
  let left = ((base - y) / (base - TOP)) * plot.top;
  if (left < 0) return null;
  const at = plot.bars[bar]!.parts.findIndex((part) => (left -= part) < 0);
  return parts[at]?.column.name ?? null;
}

export function barOf({ bars }: Plot, row: number): number {
  return bars.findIndex(({ last }) => row <= last);
}

export function centre({ left, step }: Plot, bar: number): number {
  return left + (bar + 0.5) * step;
}

type Ctx = CanvasRenderingContext2D;

/** Stripes of the ground's colour, which make a bar paler. */
function stripes(ctx: Ctx, ground: string): CanvasPattern | null {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d")!;
  pen.strokeStyle = ground;
  pen.lineWidth = 2.4;
  for (const shift of [-6, 0, 6]) {
    pen.moveTo(shift, 6);
    pen.lineTo(shift + 6, 0);
  }
  pen.stroke();
  return ctx.createPattern(tile, "repeat");
}

function axis(ctx: Ctx, plot: Plot, unit: string, y: (value: number) => number): void {
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const tick of ticksOf(plot.top)) {
    ctx.fillStyle = colour(tick ? "--sunken" : "--line");
    ctx.fillRect(LEFT, Math.round(y(tick)), plot.width - LEFT - RIGHT, 1);
    ctx.fillStyle = colour("--soft");
    ctx.fillText(tickText(tick, unit), LEFT - 6, y(tick));
  }
}

/** As many names below as there is room for, a round number of rows apart. */
function labels(ctx: Ctx, plot: Plot, names: readonly string[]): void {
  const { from, to, bars, step, width, height } = plot;
  const short = (row: number): string => (names[row]!.length > 16 ? `${names[row]!.slice(0, 15)}…` : names[row]!);
  const widest = Math.max(...[from, to - 1].map((row) => ctx.measureText(short(row)).width));
  const rowsApart = (((widest + 16) / step) * (to - from)) / bars.length;
  const every = Math.max(1, roundUp(rowsApart));
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  ctx.fillStyle = colour("--soft");
  let first = from;
  while (first < from + every && Number(names[first]) % every) first++;
  for (let row = first < from + every ? first : from; row < to; row += every) {
    const half = ctx.measureText(short(row)).width / 2;
    ctx.fillText(short(row), Math.max(half, Math.min(centre(plot, barOf(plot, row)), width - half)), height - 5);
  }
}

function meanLine(ctx: Ctx, plot: Plot, mean: number, unit: string, y: (value: number) => number): void {
  if (mean <= 0 || mean >= plot.top) return;
  const text = `⌀ ${formatNumber(mean, unit)}`;
  const [right, at] = [plot.width - RIGHT, Math.round(y(mean)) + 0.5];
  ctx.strokeStyle = colour("--text");
  ctx.setLineDash([4, 3]);
  ctx.beginPath();
  ctx.moveTo(LEFT, at);
  ctx.lineTo(right, at);
  ctx.stroke();
  ctx.setLineDash([]);
  const { width } = ctx.measureText(text);
  const above = at > TOP + 12;
  ctx.fillStyle = colour("--panel");
  ctx.globalAlpha = 0.85;
  ctx.fillRect(right - width - 6, above ? at - 15 : at + 1, width + 6, 14);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour("--text");
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  ctx.fillText(text, right - 3, above ? at - 8 : at + 8);
}

/** `mean` is drawn as a line; `at` is the bar that is looked at. */
export function drawStack(ctx: Ctx, plot: Plot, stacked: Stacked, mean: number, at: number | null): void {
  const { width, height, bars, step, top } = plot;
  const base = height - BOTTOM;
  const y = (value: number): number => base - (Math.min(value, top) / top) * (base - TOP);
  ctx.clearRect(0, 0, width, height);
  ctx.font = FONT;
  axis(ctx, plot, stacked.unit, y);
  const ground = colour("--panel");
  const fills = stacked.parts.map(({ variable }) => colour(variable));
  const [hatch, text, soft] = [stripes(ctx, ground), colour("--text"), colour("--soft")];
  const gap = step >= 4 ? Math.min(6, Math.max(1, step * 0.12)) : 0;
  bars.forEach((bar, i) => {
    const [begin, end] = [i, i + 1].map((n) => plot.left + n * step).map((px) => (gap ? px : Math.round(px)));
    const [x, wide] = [begin! + gap / 2, end! - begin! - gap];
    if (i === at) {
      ctx.fillStyle = colour("--hover");
      ctx.fillRect(x - gap / 2, TOP - 4, step, base - TOP + 4);
    }
    let sum = 0;
    bar.parts.forEach((part, k) => {
      if (part <= 0) return;
      const [low, high] = [y(sum), y((sum += part))];
      ctx.fillStyle = fills[k]!;
      ctx.fillRect(x, high, wide, low - high);
    });
    if (bar.cut && hatch) {
      ctx.fillStyle = hatch;
      ctx.fillRect(x, y(sum), wide, base - y(sum));
    }
    ctx.fillStyle = soft;
    if (bar.last > bar.first) ctx.fillRect(x, y(stacked.totals[bar.slowest]!) - 1, wide, 1.5);
    if (stacked.totals[bar.slowest]! > top) arrow(ctx, x, wide, ground, text);
  });
  labels(ctx, plot, stacked.labels);
  meanLine(ctx, plot, mean, stacked.unit, y);
}

/** The bar goes on beyond the chart. */
function arrow(ctx: Ctx, x: number, wide: number, ground: string, text: string): void {
  ctx.fillStyle = ground;
  ctx.fillRect(x, TOP + 3, wide, 2);
  ctx.fillStyle = text;
  ctx.beginPath();
  ctx.moveTo(x + wide / 2 - 4, TOP);
  ctx.lineTo(x + wide / 2, TOP - 6);
  ctx.lineTo(x + wide / 2 + 4, TOP);
  ctx.fill();
}
