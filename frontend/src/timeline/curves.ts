// Values of counters as areas, and arrows between slices.
import { formatNumber } from "../units";
import type { Inks } from "./inks";
import type { Piece } from "./picture";
import { length } from "./scale";
import { type Arrow, pointOf, type Scene } from "./scene";
import type { Samples } from "./slices";
import { type Ctx, fitting } from "./texts";
import { GAP } from "./tracks";

/** Pixels beyond the screen that an arrow's end is drawn at, where it lies far outside. */
const OUTSIDE = 60;
const HEAD = 6;
/** More arrows than this are faint: what they cross stays readable. */
const CLEAR = 12;

/** First sample that holds at a time or begins after it. */
function firstSample(start: Float64Array, time: number): number {
  let low = 0;
  let high = start.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Values as heights above a lane's bottom. */
type Heights = (value: number) => number;

function heights(piece: Piece, low: number, high: number): Heights {
  const bottom = piece.top + piece.row.height - GAP;
  const range = high - low || 1;
  return (value) => bottom - ((value - low) / range) * (bottom - piece.top - 1);
}

interface Sample {
  left: number;
  right: number;
  least: number;
  most: number;
  last: number;
}

/** Samples that a piece shows, on whole pixels: one after the other, without seams. */
function shown({ slices, box, ratio, view, width }: Piece, samples: Samples): Sample[] {
  const { start, least, most, last } = samples;
  const scale = width / ratio / length(view);
  const offset = slices.window.start - view.start;
  const [from, to] = [box.left / ratio, box.right / ratio];
  const drawn: Sample[] = [];
  for (let i = firstSample(start, from / scale - offset); i < start.length; i++) {
    const left = Math.max(Math.round((start[i]! + offset) * scale), from);
    if (left >= to) break;
    const next = i + 1 < start.length ? Math.round((start[i + 1]! + offset) * scale) : to;
    const right = Math.min(next, to);
    const before = drawn[drawn.length - 1];
    if (right > left) drawn.push({ left, right, least: least[i]!, most: most[i]!, last: last[i]! });
    else if (before) {
      // Several within a pixel: the pixel has them all.
      before.least = Math.min(before.least, least[i]!);
      before.most = Math.max(before.most, most[i]!);
      before.last = last[i]!;
    }
  }
  return drawn;
}

/** An area from zero to the values, under a line; where a pixel holds several, the line is as high as they are apart. */
export function drawCounter(ctx: Ctx, piece: Piece, inks: Inks): void {
  const { samples } = piece.slices;
  if (!samples?.start.length) return;
  const { box, ratio } = piece;
  const [left, right] = [box.left / ratio, box.right / ratio];
  const [low, high] = [Math.min(0, samples.low), Math.max(0, samples.high)];
  const toY = heights(piece, low, high);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, box.top / ratio, right - left, (box.bottom - box.top) / ratio);
  ctx.clip();
  const [area, line] = [new Path2D(), new Path2D()];
  for (const { left: x, right: end, least, most, last } of shown(piece, samples)) {
    const [y, base] = [toY(last), toY(0)];
    area.rect(x, Math.min(y, base), end - x, Math.abs(base - y));
    line.rect(x, y - 0.5, end - x, 1);
    if (toY(least) - toY(most) > 1) line.rect(x, toY(most), 1, toY(least) - toY(most));
  }
  ctx.fillStyle = inks.device;
  ctx.globalAlpha = 0.35;
  ctx.fill(area);
  ctx.globalAlpha = 1;
  ctx.fill(line);
  ctx.fillStyle = inks.text;
  const text = `max ${formatNumber(high, samples.unit || "count")}`;
  ctx.fillText(fitting(ctx, text, right - left - 8), left + 4, toY(0) - 7);
  ctx.restore();
}

const KIND_INKS: Readonly<Record<string, keyof Inks>> = { launch: "launch", kernel: "launch", waits_for: "wait" };

function drawArrow(ctx: Ctx, scene: Scene, inks: Inks, arrow: Arrow, isFaint: boolean): void {
  const [from, to] = [pointOf(scene, arrow.from), pointOf(scene, arrow.to)];
  if (!from || !to) return;
  const clamp = (x: number): number => Math.min(Math.max(x, -OUTSIDE), scene.width + OUTSIDE);
  const [x0, x1] = [clamp(from.x), clamp(to.x)];
  if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > scene.width) return;
  const bend = Math.max(24, Math.abs(x1 - x0) / 3);
  const stroke = (colour: string, thick: number): void => {
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = thick;
    ctx.beginPath();
    ctx.moveTo(x0, from.y);
    ctx.bezierCurveTo(x0 + bend, from.y, x1 - bend, to.y, x1 - HEAD, to.y);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x1, to.y);
    ctx.lineTo(x1 - HEAD - 1, to.y - HEAD / 2 - thick / 4);
    ctx.lineTo(x1 - HEAD - 1, to.y + HEAD / 2 + thick / 4);
    ctx.fill();
  };
  if (!isFaint) stroke(inks.panel, 4);
  ctx.globalAlpha = isFaint ? 0.4 : 1;
  stroke(inks[KIND_INKS[arrow.kind] ?? "accent"] as string, isFaint ? 0.75 : 1.75);
  ctx.globalAlpha = 1;
}

export function drawArrows(ctx: Ctx, scene: Scene, inks: Inks): void {
  const arrows = scene.arrows ?? [];
  for (const arrow of arrows) drawArrow(ctx, scene, inks, arrow, arrows.length > CLEAR);
}
