// Texts of slices: what of them fits, and where. Widths and cuts are kept, because every frame asks for the same ones.
import { lanesIn } from "./painter";
import { length } from "./scale";
import type { Piece } from "./picture";
import type { Tints } from "./tints";
import { DIM } from "./tints";

export type Ctx = CanvasRenderingContext2D;

export const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
/** Narrower slices, and lower lanes, have no text. */
const TEXT_MIN = 20;
const LANE_WITH_TEXT = 12;
const KEPT = 20_000;
/** Cut texts of all names: a name that is zoomed into is cut at every length. */
const CUTS_KEPT = 100_000;
const PADDING = 3;
/** Fewer letters are not cut in the middle; share of the letters that are left of the end. */
const MIDDLE_FROM = 10;
const TAIL = 0.4;
/** How far texts of dimmed slices are dimmed: they stay readable. */
const DIM_TEXT = 0.45;

interface Measured {
  width: number;
  letters: string[] | null;
  /** Count of letters → the cut text, and its width. */
  cuts: Map<number, readonly [text: string, width: number]>;
}

const measured = new Map<string, Measured>();
let cutsKept = 0;

function forget(): void {
  measured.clear();
  cutsKept = 0;
}

function measure(ctx: Ctx, text: string): Measured {
  let textSize = measured.get(text);
  if (!textSize) {
    if (measured.size > KEPT || cutsKept > CUTS_KEPT) forget();
    textSize = { width: ctx.measureText(text).width, letters: null, cuts: new Map() };
    measured.set(text, textSize);
  }
  return textSize;
}

export function widthOf(ctx: Ctx, text: string): number {
  return measure(ctx, text).width;
}

/** Cut in the middle, because names differ at their ends; where that leaves crumbs, the begin alone. */
function cutTo(ctx: Ctx, letters: string[], textSize: Measured, count: number): readonly [text: string, width: number] {
  let cut = textSize.cuts.get(count);
  if (!cut) {
    const tail = count < MIDDLE_FROM ? 0 : Math.floor(count * TAIL);
    const end = tail ? letters.slice(-tail) : [];
    const shown = `${letters.slice(0, count - tail).join("")}…${end.join("")}`;
    cut = [shown, ctx.measureText(shown).width];
    textSize.cuts.set(count, cut);
    cutsKept++;
  }
  return cut;
}

/** A text cut so that it fits; empty where nothing of it would be readable. */
export function fitting(ctx: Ctx, text: string, room: number): string {
  const textSize = measure(ctx, text);
  if (textSize.width <= room) return text;
  // What a kernel returns gives no information.
  const bare = text.replace(/^void /, "");
  if (bare !== text) return fitting(ctx, bare, room);
  const letters = (textSize.letters ??= [...text]);
  for (let count = Math.floor((letters.length * (room - 8)) / textSize.width); count > 1; count--) {
    const [shown, width] = cutTo(ctx, letters, textSize, count);
    if (width <= room) return shown;
  }
  return "";
}

/** The names of a piece's slices, where they have room. */
export function drawTexts(ctx: Ctx, piece: Piece, tints: Tints): void {
  const { slices, view, ratio, box, lane, top } = piece;
  if (lane < LANE_WITH_TEXT) return;
  const { start, duration, name, count, names } = slices;
  const scale = piece.width / ratio / length(view);
  const offset = slices.window.start - view.start;
  const [low, high] = [box.left / ratio, box.right / ratio];
  const least = TEXT_MIN / scale;
  let ink = -1;
  lanesIn(piece, (depth, first, end) => {
    const y = top + depth * lane + lane / 2;
    for (let i = first; i < end; i++) {
      if (duration[i]! < least) continue;
      const from = (start[i]! + offset) * scale;
      const left = Math.max(from, low) + PADDING;
      const room = Math.min(from + duration[i]! * scale, high) - left - PADDING;
      if (room < TEXT_MIN - 2 * PADDING) continue;
      const text = names.text[name[i]!] ?? "";
      const shown = fitting(ctx, count[i] === 1 ? text : `${count[i]} × ${text}`, room);
      if (!shown) continue;
      const wanted = 2 * tints.dark[name[i]!]! + (tints.rgba[4 * name[i]! + 3] === DIM ? 1 : 0);
      if (wanted !== ink) {
        ctx.fillStyle = wanted & 2 ? "#000000" : "#ffffff";
        ctx.globalAlpha = wanted & 1 ? DIM_TEXT : 1;
        ink = wanted;
      }
      ctx.fillText(shown, left, y);
    }
  });
  ctx.globalAlpha = 1;
}
