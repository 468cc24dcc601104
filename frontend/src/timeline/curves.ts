// Values of counters as areas, and arrows between slices.
import type { Inks } from "./inks";
import { pointOf } from "./places";
import type { Piece } from "./picture";
import { length } from "./scale";
import type { Arrow, Scene } from "./scene";
import { fitting, type Ctx } from "./texts";
import { formatNumber } from "../units";

/** Pixels beyond the screen that an arrow's end is drawn at, where it lies far outside. */
const OUTSIDE = 60;
const HEAD = 6;

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

/** An area from zero to the values; where a pixel holds several, the band between them is darker. */
export function drawCounter(ctx: Ctx, piece: Piece, inks: Inks): void {
  const { samples, window } = piece.slices;
  if (!samples?.start.length) return;
  const { box, ratio, view, row } = piece;
  const { start, least, most, last, unit } = samples;
  const scale = piece.width / ratio / length(view);
  const offset = window.start - view.start;
  const [left, right] = [box.left / ratio, box.right / ratio];
  const top = piece.top;
  const bottom = top + row.height - 6;
  const [low, high] = [Math.min(0, samples.low), Math.max(0, samples.high)];
  const toY = (value: number): number => bottom - ((value - low) / (high - low || 1)) * (bottom - top - 1);
  const base = toY(0);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, box.top / ratio, right - left, (box.bottom - box.top) / ratio);
  ctx.clip();
  ctx.fillStyle = inks.device;
  for (let i = firstSample(start, left / scale - offset); i < start.length; i++) {
    const x = Math.max((start[i]! + offset) * scale, left);
    if (x > right) break;
    const next = i + 1 < start.length ? (start[i + 1]! + offset) * scale : right;
    const end = Math.max(Math.min(next, right), x + 1);
    const y = toY(last[i]!);
    ctx.globalAlpha = 0.35;
    ctx.fillRect(x, Math.min(y, base), end - x, Math.abs(base - y));
    ctx.globalAlpha = 1;
    ctx.fillRect(x, y - 0.5, end - x, 1);
    const [from, to] = [toY(most[i]!), toY(least[i]!)];
    if (to - from > 1) ctx.fillRect(x, from, 1, to - from);
  }
  ctx.fillStyle = inks.soft;
  ctx.fillText(fitting(ctx, `≤ ${formatNumber(high, unit || "count")}`, right - left - 8), left + 4, top + 7);
  ctx.restore();
}

const KIND_INKS: Readonly<Record<string, keyof Inks>> = { launch: "launch", kernel: "launch", waits_for: "wait" };

function drawArrow(ctx: Ctx, scene: Scene, inks: Inks, arrow: Arrow): void {
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
  stroke(inks.panel, 4);
  stroke(inks[KIND_INKS[arrow.kind] ?? "accent"] as string, 1.75);
}

export function drawArrows(ctx: Ctx, scene: Scene, inks: Inks): void {
  for (const arrow of scene.arrows ?? []) drawArrow(ctx, scene, inks, arrow);
}
