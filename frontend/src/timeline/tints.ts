// The names of an answer → their colours as bytes: red, green, blue, and how bright they stay beside what is highlighted.
import type { Palette } from "./palette";
import type { Colours, Highlight } from "./scene";
import type { Names } from "./slices";

/** Weight, of 255, of a name that is none of the highlighted ones. */
export const DIM = 56;
/** Names of a row of the texture that holds the bytes. */
export const TINTS_WIDTH = 1024;

export interface Tints {
  /** Four bytes a name, filled up to whole rows of the texture. */
  rgba: Uint8Array;
  /** The same bytes, a word a name: `0xaabbggrr`. */
  pixels: Uint32Array;
  /** Whether letters on it are dark. */
  dark: Uint8Array;
  /** Another number for other bytes. */
  stamp: number;
}

export interface Rgb {
  red: number;
  green: number;
  blue: number;
}

/** `#rgb`, `#rrggbb`; grey for what is neither. */
export function rgbOf(colour: string): Rgb {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!hex) return { red: 128, green: 128, blue: 128 };
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  const bits = parseInt(long, 16);
  return { red: bits >> 16, green: (bits >> 8) & 255, blue: bits & 255 };
}

/** Share of a merged slice in which something ran → weight of its colour, of 255. */
export function weightOf(count: number, duration: number, idle: number): number {
  return count === 1 || duration <= 0 ? 255 : Math.round(255 * (0.3 + 0.7 * (1 - idle / duration)));
}

/** A name's colour over a background, weighted by both weights, as the word of a pixel. */
export function mixed(rgba: Uint8Array, name: number, weight: number, under: Rgb): number {
  const share = (weight * rgba[4 * name + 3]!) / (255 * 255);
  const one = (over: number, below: number): number => Math.round(below + (over - below) * share);
  const red = one(rgba[4 * name]!, under.red);
  const green = one(rgba[4 * name + 1]!, under.green);
  const blue = one(rgba[4 * name + 2]!, under.blue);
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

let stamps = 0;

function tinted(names: Names, palette: Palette, colours: Colours, highlight: Highlight | null): Tints {
  const rows = Math.max(1, Math.ceil(names.text.length / TINTS_WIDTH));
  const rgba = new Uint8Array(4 * TINTS_WIDTH * rows);
  const dark = new Uint8Array(TINTS_WIDTH * rows);
  names.text.forEach((name, i) => {
    const paint = colours === "category" ? palette.ofCategory(names.category[i] ?? "", name) : palette.of(name);
    const { red, green, blue } = rgbOf(paint.fill);
    rgba.set([red, green, blue, !highlight || highlight.matches(name) ? 255 : DIM], 4 * i);
    dark[i] = paint.text === "#000000" ? 1 : 0;
  });
  return { rgba, pixels: new Uint32Array(rgba.buffer), dark, stamp: ++stamps };
}

/** Colours of names, made once for each way to colour. */
export class TintBox {
  private made = new WeakMap<Names, Tints>();
  private palette: Palette | null = null;
  private colours: Colours = "name";
  private highlight: Highlight | null = null;

  of(names: Names, palette: Palette, colours: Colours, highlight: Highlight | null): Tints {
    if (palette !== this.palette || colours !== this.colours || highlight !== this.highlight) {
      [this.palette, this.colours, this.highlight] = [palette, colours, highlight];
      this.made = new WeakMap();
    }
    let tints = this.made.get(names);
    if (!tints) this.made.set(names, (tints = tinted(names, palette, colours, highlight)));
    return tints;
  }
}
