// A scene → what lies under the texts: grid, headers, slices.
import type { Box, Painter, Strip } from "./painter";
import { ruler, TICK_GAP } from "./ruler";
import { toX } from "./scale";
import { layersOf, RULER, type Scene } from "./scene";
import { GAP, rowsOnScreen, type Row } from "./tracks";
import { rgbOf, TintBox, type Rgb } from "./tints";
import type { Inks } from "./inks";

/** Slices of a row, from one layer. */
export interface Piece extends Strip {
  row: Row;
}

interface Part {
  left: number;
  right: number;
}

/** What is left of parts without the pixels from left to right. */
function without(parts: readonly Part[], { left, right }: Part): Part[] {
  return parts.flatMap((part) => [
    ...(part.left < left ? [{ left: part.left, right: Math.min(part.right, left) }] : []),
    ...(part.right > right ? [{ left: Math.max(part.left, right), right: part.right }] : []),
  ]);
}

/** What parts have in common with the pixels from left to right. */
function inside(parts: readonly Part[], { left, right }: Part): Part[] {
  return parts
    .map((part) => ({ left: Math.max(part.left, left), right: Math.min(part.right, right) }))
    .filter((part) => part.left < part.right);
}

/** The pixels of a row, each from the finest layer that holds it. `top` is where the row begins. */
function piecesOfRow(scene: Scene, row: Row, top: number, ratio: number, bounds: Box): Piece[] {
  const { view } = scene;
  const width = scene.width * ratio;
  const box = {
    top: Math.max(bounds.top, Math.round(top * ratio)),
    bottom: Math.min(bounds.bottom, Math.round((top + row.height - 1) * ratio)),
  };
  if (box.bottom <= box.top) return [];
  const pieces: Piece[] = [];
  let free: Part[] = [{ left: bounds.left, right: bounds.right }];
  for (const slices of layersOf(scene, row.key).reverse()) {
    const { start, end } = slices.window;
    const window = { left: Math.round(toX(start, view, width)), right: Math.round(toX(end, view, width)) };
    const strip = { row, slices, view, width, ratio, top: top + GAP / 2, lane: row.lane };
    pieces.push(...inside(free, window).map((part) => ({ ...strip, box: { ...box, ...part } })));
    free = without(free, window);
    if (!free.length) break;
  }
  return pieces;
}

/** All rows on the screen with their pieces: those that scroll, then the pinned ones. */
export function piecesOf(scene: Scene, ratio: number): { row: Row; top: number; pieces: Piece[] }[] {
  const [right, bottom] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
  const scrolled = Math.round((RULER + scene.layout.pinnedHeight) * ratio);
  return rowsOnScreen(scene.layout, scene.scroll, scene.height - RULER).map(({ row, y }) => {
    const bounds = { left: 0, right, top: row.pinned ? Math.round(RULER * ratio) : scrolled, bottom };
    const top = RULER + y;
    return { row, top, pieces: row.track ? piecesOfRow(scene, row, top, ratio, bounds) : [] };
  });
}

export type Rows = ReturnType<typeof piecesOf>;

/** Lines as grey as half of their colour would be. */
function half(a: Rgb, b: Rgb): Rgb {
  return { red: (a.red + b.red) >> 1, green: (a.green + b.green) >> 1, blue: (a.blue + b.blue) >> 1 };
}

function paintGrid(painter: Painter, scene: Scene, colour: Rgb, ratio: number, height: number): void {
  const thick = Math.max(1, Math.floor(ratio));
  for (const { time } of ruler(scene.view, scene.width, TICK_GAP, scene.origin).ticks) {
    const left = Math.round(toX(time, scene.view, scene.width * ratio));
    painter.fill({ left, right: left + thick, top: Math.round(RULER * ratio), bottom: height }, colour);
  }
}

export class Picture {
  readonly tints = new TintBox();

  paint(painter: Painter, scene: Scene, inks: Inks, rows: Rows, ratio: number): void {
    const [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
    const [panel, sunken, line] = [rgbOf(inks.panel), rgbOf(inks.sunken), rgbOf(inks.line)];
    const thick = Math.max(1, Math.floor(ratio));
    painter.begin(width, height, panel);
    paintGrid(painter, scene, half(panel, line), ratio, height);
    for (const { row, top, pieces } of rows) {
      const box = {
        left: 0,
        right: width,
        top: Math.round(top * ratio),
        bottom: Math.round((top + row.height) * ratio),
      };
      if (row.pinned || !row.track) painter.fill(box, row.pinned ? panel : sunken);
      for (const piece of pieces) {
        if (!piece.slices.start.length) continue;
        const { names } = piece.slices;
        painter.strip(piece, this.tints.of(names, inks.palette, scene.colours ?? "name", scene.highlight ?? null));
      }
      painter.fill({ ...box, top: box.bottom - thick }, line);
    }
    painter.end();
  }
}
