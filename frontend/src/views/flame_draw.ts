// The frames of a flame graph on a canvas, in stable hues, the outermost on top.
import { colour } from "../theme";
import { Palette } from "../timeline/palette";
import { boxesOf, type Flame, type Span } from "./flame";

export const ROW_PX = 18;
const FONT = '11px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const LETTER_PX = 6.63;
/** What is narrower is not drawn by itself. */
const LEAST_PX = 1;
const PADDING_PX = 4;

interface Scene {
  flame: Flame;
  span: Span;
  width: number;
  height: number;
  /** How far down the frames are scrolled. */
  top: number;
  /** The frame that is looked at, and the one under the pointer. */
  at: number | null;
  hovered: number | null;
  matches: ((frame: number) => boolean) | null;
  /** The CSS variable of a frame's colour, where not its name gives it. */
  tone?: ((frame: number) => string) | undefined;
}

/** Colours of the theme that is shown. */
export function paletteNow(): Palette {
  return new Palette(document.documentElement.dataset["theme"] === "dark", colour);
}

/** As many letters as there is room for; what is left out is left out in the middle. */
export function cutTo(text: string, letters: number): string {
  if (text.length <= letters) return text;
  if (letters < 3) return "";
  const tail = Math.floor((letters - 1) / 2);
  return `${text.slice(0, letters - 1 - tail)}…${tail ? text.slice(-tail) : ""}`;
}

export function drawFlame(ctx: CanvasRenderingContext2D, palette: Palette, scene: Scene): void {
  const { flame, span, width, height, top, at, hovered, matches, tone } = scene;
  ctx.clearRect(0, 0, width, height);
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  const [edge, filler] = [colour("--text"), colour("--unknown")];
  const [first, last] = [Math.floor(top / ROW_PX), Math.ceil((top + height) / ROW_PX)];
  let outlined: [frame: number, x: number, y: number, wide: number][] = [];
  for (const { frame, depth, left, right } of boxesOf(flame, span, LEAST_PX / width, first, last)) {
    const [x, y] = [left * width, depth * ROW_PX - top];
    const room = (right - left) * width;
    const wide = room > 3 ? room - 1 : room;
    if (frame < 0) {
      ctx.globalAlpha = matches ? 0.2 : 0.5;
      ctx.fillStyle = filler;
      ctx.fillRect(x, y, Math.max(1, wide), ROW_PX - 1);
      continue;
    }
    const paint = tone ? palette.ofVariable(tone(frame)) : palette.of(flame.names[frame]!);
    const isCaller = flame.values[frame]! > (span.to - span.from) * 1.000001;
    ctx.globalAlpha = matches && !matches(frame) ? 0.22 : isCaller ? 0.6 : 1;
    ctx.fillStyle = paint.fill;
    ctx.fillRect(x, y, wide, ROW_PX - 1);
    ctx.globalAlpha = 1;
    write(ctx, flame.names[frame]!, matches && !matches(frame) ? edge : paint.text, x, y, wide);
    if (frame === at || frame === hovered) outlined = [...outlined, [frame, x, y, wide]];
  }
  ctx.globalAlpha = 1;
  for (const [frame, x, y, wide] of outlined) {
    ctx.strokeStyle = frame === at ? colour("--accent") : edge;
    ctx.lineWidth = 2;
    ctx.strokeRect(x + 1, y + 1, Math.max(1, wide - 2), ROW_PX - 3);
  }
}

function write(ctx: CanvasRenderingContext2D, name: string, fill: string, x: number, y: number, wide: number): void {
  const text = cutTo(name, Math.floor((wide - 2 * PADDING_PX) / LETTER_PX));
  if (!text) return;
  ctx.fillStyle = fill;
  ctx.fillText(text, x + PADDING_PX, y + ROW_PX / 2, wide - 2 * PADDING_PX);
}
