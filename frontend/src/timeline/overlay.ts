// What lies over the slices: names, values, outlines, areas, marks, arrows, the ruler. In CSS pixels.
import { formatNumber } from "../units";
import { drawArrows, drawCounter } from "./curves";
import type { Inks } from "./inks";
import type { Rows } from "./picture";
import { isOn, pixelsOf, type Stretches } from "./proof";
import { ruler, TICK_GAP } from "./ruler";
import { toX, type View } from "./scale";
import { type Area, type Mark, placeOf, RULER, type Scene, type Slice } from "./scene";
import { type Ctx, drawTexts, FONT, widthOf } from "./texts";
import type { TintBox } from "./tints";
import { topOf } from "./tracks";

/** More steps than one in so many pixels are not drawn apart on the ruler. */
const STEP_MIN = 4;

function outline(ctx: Ctx, scene: Scene, slice: Slice | null, colour: string, thickness: number): void {
  const place = slice && placeOf(scene, slice);
  if (!place || place.x > scene.width + 4 || place.x + place.width < -4) return;
  ctx.strokeStyle = colour;
  ctx.lineWidth = thickness;
  const width = Math.max(place.width, 4);
  ctx.strokeRect(place.x - (width - place.width) / 2 - 0.5, place.y - 0.5, width, place.height);
}

interface Band {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Pixels of a time range on some tracks, or on all: one band for each run of rows. */
function bandsOf(scene: Scene, { start, end }: View, tracks: readonly string[]): Band[] {
  const left = Math.max(toX(start, scene.view, scene.width), -2);
  const right = Math.max(Math.min(toX(end, scene.view, scene.width), scene.width + 2), left + 2);
  if (left > scene.width || right < 0) return [];
  if (!tracks.length) return [{ left, right, top: RULER, bottom: scene.height }];
  const rows = tracks.flatMap((key) => scene.layout.byTrack.get(key) ?? []);
  const bands = rows.map((row) => {
    const top = RULER + topOf(scene.layout, row, scene.scroll);
    return { left, right, top, bottom: top + row.height };
  });
  bands.sort((a, b) => a.top - b.top);
  const joined: Band[] = [];
  for (const band of bands) {
    const before = joined[joined.length - 1];
    if (before && before.bottom >= band.top) before.bottom = Math.max(before.bottom, band.bottom);
    else joined.push(band);
  }
  return joined.filter(({ top, bottom }) => bottom > RULER && top < scene.height);
}

function tinted(ctx: Ctx, { left, right, top, bottom }: Band, colour: string, alpha: number, thick = 1): void {
  ctx.fillStyle = ctx.strokeStyle = colour;
  ctx.globalAlpha = alpha;
  ctx.fillRect(left, top, right - left, bottom - top);
  ctx.globalAlpha = 1;
  ctx.lineWidth = thick;
  ctx.strokeRect(
    Math.round(left) + 0.5,
    top + 0.5,
    Math.max(Math.round(right) - Math.round(left) - 1, 1),
    bottom - top - 1,
  );
}

function drawArea(ctx: Ctx, scene: Scene, inks: Inks, { view, tracks }: Area): void {
  const keys = tracks.map(({ key }) => key);
  for (const band of bandsOf(scene, view, keys)) tinted(ctx, band, inks.accent, tracks.length ? 0.1 : 0.05);
}

/** Intervals that another page speaks of: each on its track, and once on the ruler. */
function drawMarks(ctx: Ctx, scene: Scene, inks: Inks, marks: readonly Mark[]): void {
  const seen = new Set<string>();
  for (const { start, end, tracks, name = "" } of marks) {
    const keys = tracks.map(({ key }) => key);
    for (const band of bandsOf(scene, { start, end }, keys)) {
      const key = `${Math.round(band.left)} ${Math.round(band.right)} ${Math.round(band.top)} ${Math.round(band.bottom)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      tinted(ctx, band, inks.accent, 0.08, 2);
    }
    const [place] = bandsOf(scene, { start, end }, []);
    if (!place) continue;
    ctx.fillRect(place.left, RULER - 4, Math.max(place.right - place.left, 2), 3);
    if (tracks.length) continue;
    drawName(ctx, scene, inks, name, [place.left, place.right], RULER + 9);
    ctx.fillStyle = ctx.strokeStyle = inks.accent;
  }
}

/** Wider ones have a border; narrower ones would be nothing but border. */
const BORDER_FROM = 6;
/** Below a closed header that has some. */
const HEADER_LINE = 3;

/** The name of what has room for it, in its middle. */
function drawName(ctx: Ctx, scene: Scene, inks: Inks, name: string, [left, right]: [number, number], y: number): void {
  const width = widthOf(ctx, name);
  const [from, to] = [Math.max(left, 0), Math.min(right, scene.width)];
  if (!name || to - from < width + 8) return;
  ctx.fillStyle = inks.accent;
  ctx.fillText(name, (from + to - width) / 2, y);
}

/** What a number was made of, or gaps: on their tracks, below headers that hide them, and on the ruler. */
function drawStretches(ctx: Ctx, scene: Scene, inks: Inks, rows: Rows, stretches: readonly Stretches[]): void {
  ctx.fillStyle = ctx.strokeStyle = inks.accent;
  for (const one of stretches) {
    const pixels = pixelsOf(one, scene.view, scene.width);
    if (!pixels.length) continue;
    for (const { row, top } of rows) {
      const tracks = row.track ? [row.track] : row.open ? [] : (row.group?.tracks ?? []);
      if (!tracks.some((track) => isOn(one, track))) continue;
      for (const [left, right] of pixels) {
        const low = top + row.height;
        const [from, to] = row.track ? [top, low] : [low - HEADER_LINE, low];
        const isWide = row.track && right - left >= BORDER_FROM;
        if (isWide) {
          tinted(ctx, { left, right, top: from, bottom: to }, inks.accent, 0.08, 2);
          drawName(ctx, scene, inks, one.name, [left, right], (from + to) / 2);
        } else {
          ctx.globalAlpha = row.track ? 0.4 : 1;
          ctx.fillRect(left, from, right - left, to - from);
          ctx.globalAlpha = 1;
        }
      }
    }
  }
}

function drawOnRuler(ctx: Ctx, scene: Scene, inks: Inks, stretches: readonly Stretches[]): void {
  ctx.fillStyle = inks.accent;
  for (const one of stretches)
    for (const [left, right] of pixelsOf(one, scene.view, scene.width)) ctx.fillRect(left, RULER - 4, right - left, 3);
}

/** Label of the length of a time range on the ruler; null where none of it is on the screen. */
function chipOf(ctx: Ctx, scene: Scene, range: View): { left: number; width: number; text: string } | null {
  if (range.end < scene.view.start || range.start > scene.view.end) return null;
  const text = formatNumber(range.end - range.start, "ps");
  const width = widthOf(ctx, text) + 12;
  const middle = (toX(range.start, scene.view, scene.width) + toX(range.end, scene.view, scene.width)) / 2;
  return { left: Math.min(Math.max(middle, width / 2), scene.width - width / 2) - width / 2, width, text };
}

/** Every other step of the first host is shaded. */
function drawSteps(ctx: Ctx, scene: Scene, inks: Inks): void {
  const steps = scene.steps ?? [];
  const host = steps[0]?.host;
  const shown = steps.filter(
    (step) => step.host === host && step.end > scene.view.start && step.start < scene.view.end,
  );
  if (shown.length * STEP_MIN > scene.width) return;
  ctx.fillStyle = inks.accent;
  for (const { number, start, end } of shown) {
    const left = toX(start, scene.view, scene.width);
    ctx.globalAlpha = number % 2 ? 0.12 : 0.04;
    ctx.fillRect(left, 0, toX(end, scene.view, scene.width) - left, RULER - 1);
  }
  ctx.globalAlpha = 1;
}

function drawRuler(ctx: Ctx, scene: Scene, inks: Inks): void {
  const { ticks, base } = ruler(scene.view, scene.width, TICK_GAP, scene.origin);
  ctx.fillStyle = inks.panel;
  ctx.fillRect(0, 0, scene.width, RULER);
  drawSteps(ctx, scene, inks);
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
  // Colours below keep their meaning: little over the slices, more on the ruler.
  ctx.globalAlpha = 0.05;
  ctx.fillRect(left, RULER, right - left, scene.height - RULER);
  ctx.globalAlpha = 0.14;
  ctx.fillRect(left, 0, right - left, RULER);
  ctx.globalAlpha = 1;
  for (const x of [left, right]) ctx.fillRect(Math.round(x), 0, 1, scene.height);
  const chip = chipOf(ctx, scene, range);
  if (!chip) return;
  ctx.fillRect(chip.left, 3, chip.width, RULER - 7);
  ctx.fillStyle = inks.panel;
  ctx.fillText(chip.text, chip.left + 6, RULER / 2);
}

function clipped(ctx: Ctx, scene: Scene, top: number, bottom: number, draw: () => void): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, top, scene.width, bottom - top);
  ctx.clip();
  draw();
  ctx.restore();
}

function drawRows(ctx: Ctx, scene: Scene, inks: Inks, rows: Rows, tints: TintBox): void {
  for (const { pieces } of rows)
    for (const piece of pieces) {
      const { names, samples } = piece.slices;
      if (samples) drawCounter(ctx, piece, inks);
      drawTexts(ctx, piece, tints.of(names, inks.palette, scene.colours ?? "name", scene.highlight ?? null));
    }
}

export function drawOverlay(ctx: Ctx, scene: Scene, inks: Inks, rows: Rows, tints: TintBox): void {
  const stretches = [...(scene.proof?.stretches ?? []), ...(scene.gaps ?? [])];
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  ctx.direction = "ltr";
  const pinnedEnd = RULER + scene.layout.pinnedHeight;
  const part = (isPinned: boolean): Rows => rows.filter(({ row }) => row.pinned === isPinned);
  clipped(ctx, scene, pinnedEnd, scene.height, () => drawRows(ctx, scene, inks, part(false), tints));
  clipped(ctx, scene, RULER, pinnedEnd, () => drawRows(ctx, scene, inks, part(true), tints));
  clipped(ctx, scene, RULER - 4, scene.height, () => {
    if (scene.area) drawArea(ctx, scene, inks, scene.area);
    drawStretches(ctx, scene, inks, rows, stretches);
    outline(ctx, scene, scene.hover, inks.text, 1);
    outline(ctx, scene, scene.selected, inks.accent, 2);
    drawArrows(ctx, scene, inks);
  });
  drawRuler(ctx, scene, inks);
  drawOnRuler(ctx, scene, inks, stretches);
  if (scene.marks?.length) drawMarks(ctx, scene, inks, scene.marks);
  if (scene.range) drawRange(ctx, scene, inks, scene.range);
}
