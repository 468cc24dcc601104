// A scene → pixels. Everything is drawn in CSS pixels; the caller has scaled the context to the screen's.
import { formatNumber } from "../units";
import type { Palette } from "./palette";
import { ruler } from "./ruler";
import { length, toX, type View } from "./scale";
import { firstAfter, isOther, RULER, type Scene, type Slice } from "./scene";
import type { TrackSlices } from "./store";
import { GAP, LANE, rowsBetween, type Row } from "./tracks";

/** Colours of the theme's variables, and of names. */
export interface Inks {
  palette: Palette;
  panel: string;
  sunken: string;
  line: string;
  text: string;
  soft: string;
  accent: string;
}

type Ctx = CanvasRenderingContext2D;

const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const TICK_GAP = 110;
const TEXT_MIN = 20;
const widths = new Map<string, number>();

function widthOf(ctx: Ctx, text: string): number {
  let width = widths.get(text);
  if (width === undefined) {
    if (widths.size > 20_000) widths.clear();
    width = ctx.measureText(text).width;
    widths.set(text, width);
  }
  return width;
}

/** A text cut so that it fits; empty where nothing of it would be readable. */
function fitting(ctx: Ctx, text: string, room: number): string {
  const width = widthOf(ctx, text);
  if (width <= room) return text;
  const letters = [...text];
  let count = Math.floor((letters.length * (room - 8)) / width);
  while (count > 1 && widthOf(ctx, `${letters.slice(0, count).join("")}…`) > room) count--;
  return count < 2 ? "" : `${letters.slice(0, count).join("")}…`;
}

function drawText(ctx: Ctx, text: string, x: number, y: number, width: number): void {
  const left = Math.max(x, 0) + 3;
  const shown = fitting(ctx, text, x + width - left - 3);
  if (shown) ctx.fillText(shown, left, y + LANE / 2);
}

/** Density of a merged slice: how much of it is busy. */
function opacity(count: number, duration: number, idle: number): number {
  return count === 1 || duration === 0 ? 1 : 0.3 + 0.7 * (1 - idle / duration);
}

function drawLane(ctx: Ctx, scene: Scene, inks: Inks, slices: TrackSlices, depth: number, y: number): void {
  const scale = scene.width / length(scene.view);
  const offset = slices.window.start - scene.view.start;
  const [first, end] = firstAfter(slices, depth, -offset);
  let edge = -Infinity;
  for (let i = first; i < end; i++) {
    const from = (slices.start[i]! + offset) * scale;
    if (from > scene.width) break;
    // Whole pixels that the slice touches, so that none looks longer than what it lies in; a gap beside the one before.
    const left = Math.max(Math.floor(from), -2);
    const right = Math.max(Math.min(Math.ceil(from + slices.duration[i]! * scale), scene.width + 2), left + 1);
    const x = Math.max(left, right - left > 3 ? edge + 1 : edge);
    const width = right - x;
    if (width < 1) continue;
    edge = right;
    const name = slices.names[slices.name[i]!] ?? "";
    const paint = inks.palette.of(name);
    const dim = isOther(scene, name) ? 0.25 : 1;
    ctx.globalAlpha = dim * opacity(slices.count[i]!, slices.duration[i]!, slices.idle[i]!);
    ctx.fillStyle = paint.fill;
    ctx.fillRect(x, y, width, LANE - 1);
    if (width < TEXT_MIN) continue;
    ctx.globalAlpha = dim;
    ctx.fillStyle = paint.text;
    drawText(ctx, slices.count[i] === 1 ? name : `${slices.count[i]} × ${name}`, x, y, width);
  }
  ctx.globalAlpha = 1;
}

function within(ctx: Ctx, left: number, right: number, height: number, draw: () => void): void {
  if (right <= left) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, 0, right - left, height);
  ctx.clip();
  draw();
  ctx.restore();
}

function drawTrack(ctx: Ctx, scene: Scene, inks: Inks, row: Row, top: number): void {
  if (!row.track) return;
  const layers = scene.store.layers(row.track.key, scene.view);
  const lanes = (slices: TrackSlices) => (): void => {
    for (let depth = 0; depth < slices.lanes.length - 1; depth++) {
      const y = top + GAP / 2 + depth * LANE;
      if (y + LANE > RULER && y < scene.height) drawLane(ctx, scene, inks, slices, depth, y);
    }
  };
  const [below, above] = layers;
  if (below && above) {
    const left = toX(above.window.start, scene.view, scene.width);
    const right = toX(above.window.end, scene.view, scene.width);
    within(ctx, 0, Math.min(left, scene.width), scene.height, lanes(below));
    within(ctx, Math.max(right, 0), scene.width, scene.height, lanes(below));
    within(ctx, Math.max(left, 0), Math.min(right, scene.width), scene.height, lanes(above));
  } else if (below) lanes(below)();
}

function drawRows(ctx: Ctx, scene: Scene, inks: Inks): void {
  for (const row of rowsBetween(scene.layout, scene.scroll, scene.scroll + scene.height - RULER)) {
    const top = RULER + row.top - scene.scroll;
    if (row.track) drawTrack(ctx, scene, inks, row, top);
    else {
      ctx.fillStyle = inks.sunken;
      ctx.fillRect(0, top, scene.width, row.height);
    }
    ctx.fillStyle = inks.line;
    ctx.fillRect(0, top + row.height - 1, scene.width, 1);
  }
}

/** Where a slice is on the canvas; null when its track is not on it. */
export function placeOf(scene: Scene, slice: Slice): { x: number; y: number; width: number } | null {
  const row = scene.layout.byTrack.get(slice.track.key);
  if (!row) return null;
  const x = toX(slice.start, scene.view, scene.width);
  const end = toX(slice.start + slice.duration, scene.view, scene.width);
  const left = Math.max(x, -4);
  return {
    x: left,
    y: RULER + row.top - scene.scroll + GAP / 2 + slice.depth * LANE,
    width: Math.max(Math.min(end, scene.width + 4) - left, 1),
  };
}

function outline(ctx: Ctx, scene: Scene, slice: Slice | null, colour: string, thickness: number): void {
  const place = slice && placeOf(scene, slice);
  if (!place || place.x > scene.width + 4 || place.x + place.width < -4) return;
  ctx.strokeStyle = colour;
  ctx.lineWidth = thickness;
  const width = Math.max(place.width, 4);
  ctx.strokeRect(place.x - (width - place.width) / 2 - 0.5, place.y - 0.5, width, LANE);
}

function drawGrid(ctx: Ctx, scene: Scene, inks: Inks): void {
  ctx.fillStyle = inks.line;
  ctx.globalAlpha = 0.5;
  for (const tick of ruler(scene.view, scene.width, TICK_GAP, scene.origin).ticks) {
    ctx.fillRect(Math.round(toX(tick.time, scene.view, scene.width)), RULER, 1, scene.height);
  }
  ctx.globalAlpha = 1;
}

/** The length of the marked range, where it is said on the ruler. */
function chipOf(ctx: Ctx, scene: Scene, range: View): { left: number; width: number; text: string } {
  const text = formatNumber(range.end - range.start, "ps");
  const width = widthOf(ctx, text) + 12;
  const middle = (toX(range.start, scene.view, scene.width) + toX(range.end, scene.view, scene.width)) / 2;
  return { left: Math.min(Math.max(middle, width / 2), scene.width - width / 2) - width / 2, width, text };
}

function drawRuler(ctx: Ctx, scene: Scene, inks: Inks): void {
  const { ticks, base } = ruler(scene.view, scene.width, TICK_GAP, scene.origin);
  ctx.fillStyle = inks.panel;
  ctx.fillRect(0, 0, scene.width, RULER);
  ctx.fillStyle = inks.line;
  ctx.fillRect(0, RULER - 1, scene.width, 1);
  const chip = scene.range && chipOf(ctx, scene, scene.range);
  const clear = base ? widthOf(ctx, base) + 16 : 0;
  for (const { time, label } of ticks) {
    const x = Math.round(toX(time, scene.view, scene.width));
    ctx.fillStyle = inks.line;
    ctx.fillRect(x, RULER - 7, 1, 6);
    ctx.fillStyle = inks.soft;
    const end = x + 4 + widthOf(ctx, label);
    const isCovered = chip !== null && x < chip.left + chip.width && end > chip.left;
    if (x >= clear && end <= scene.width && !isCovered) ctx.fillText(label, x + 4, RULER / 2);
  }
  ctx.fillStyle = inks.text;
  if (base) ctx.fillText(base, 4, RULER / 2);
}

function drawRange(ctx: Ctx, scene: Scene, inks: Inks, range: View): void {
  const left = toX(range.start, scene.view, scene.width);
  const right = toX(range.end, scene.view, scene.width);
  ctx.fillStyle = inks.accent;
  ctx.globalAlpha = 0.14;
  ctx.fillRect(left, 0, right - left, scene.height);
  ctx.globalAlpha = 1;
  for (const x of [left, right]) ctx.fillRect(Math.round(x), 0, 1, scene.height);
  const chip = chipOf(ctx, scene, range);
  ctx.fillRect(chip.left, 3, chip.width, RULER - 7);
  ctx.fillStyle = inks.panel;
  ctx.fillText(chip.text, chip.left + 6, RULER / 2);
}

export function draw(ctx: Ctx, scene: Scene, inks: Inks): void {
  if (!scene.width || !scene.height) return;
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  ctx.direction = "ltr";
  ctx.fillStyle = inks.panel;
  ctx.fillRect(0, 0, scene.width, scene.height);
  drawGrid(ctx, scene, inks);
  drawRows(ctx, scene, inks);
  outline(ctx, scene, scene.hover, inks.text, 1);
  outline(ctx, scene, scene.selected, inks.accent, 2);
  drawRuler(ctx, scene, inks);
  if (scene.range) drawRange(ctx, scene, inks, scene.range);
}
