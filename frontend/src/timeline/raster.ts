// The picture without a graphics card: pixels in memory, put onto a 2D canvas once a frame. A lane is drawn as one row of
// pixels, and the row repeated: a hundred thousand slices take a few milliseconds, where software WebGL takes a second.
import { laneBand, lanesIn, span, type Box, type Painter, type Strip } from "./painter";
import { length } from "./scale";
import { mixed, weightOf, type Rgb, type Tints } from "./tints";

type Ctx = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const OPAQUE = 0xff000000;
/** Shorter runs of pixels are written one by one. */
const RUN = 16;

/** 0xaabbggrr, as the bytes of an image lie in memory. */
function pixelOf(red: number, green: number, blue: number): number {
  return (OPAQUE | (blue << 16) | (green << 8) | red) >>> 0;
}

export class Raster implements Painter {
  private under: Rgb = { red: 0, green: 0, blue: 0 };
  private image: ImageData | null = null;
  private pixels = new Uint32Array(0);
  private width = 0;
  private height = 0;

  constructor(private readonly ctx: Ctx) {}

  begin(width: number, height: number, background: Rgb): void {
    if (!this.image || width !== this.width || height !== this.height) {
      [this.width, this.height] = [width, height];
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.under = background;
    this.pixels.fill(pixelOf(background.red, background.green, background.blue));
  }

  /** What of a box is on the canvas; null when nothing. */
  private clipped(box: Box): Box | null {
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
    const [right, bottom] = [Math.min(box.right, this.width), Math.min(box.bottom, this.height)];
    return right > left && bottom > top ? { left, top, right, bottom } : null;
  }

  /** Rows of a box become like its first. */
  private repeat({ left, top, right, bottom }: Box): void {
    const { pixels, width } = this;
    const from = top * width;
    for (let at = from + width; at < bottom * width; at += width)
      pixels.copyWithin(at + left, from + left, from + right);
  }

  fill(given: Box, { red, green, blue }: Rgb): void {
    const box = this.clipped(given);
    if (!box) return;
    const row = box.top * this.width;
    this.pixels.fill(pixelOf(red, green, blue), row + box.left, row + box.right);
    this.repeat(box);
  }

  strip(strip: Strip, tints: Tints): void {
    const box = this.clipped(strip.box);
    if (!box) return;
    lanesIn(strip, (depth, first, end) => {
      const [top, bottom] = laneBand(strip, depth);
      const lane = this.clipped({ ...box, top: Math.max(top, box.top), bottom: Math.min(bottom, box.bottom) });
      if (!lane) return;
      this.row(strip, tints, lane, first, end);
      this.repeat(lane);
    });
  }

  /** Slices of a lane into its first row of pixels. */
  private row({ slices, view, width, ratio }: Strip, tints: Tints, lane: Box, first: number, end: number): void {
    const { start, duration, idle, count, name, window } = slices;
    const { pixels, under } = this;
    const at = lane.top * this.width;
    const scale = width / length(view);
    const offset = window.start - view.start;
    for (let i = first; i < end; i++) {
      const from = (start[i]! + offset) * scale;
      const [a, b] = span(from, from + duration[i]! * scale, ratio);
      const left = Math.max(a, lane.left);
      const right = Math.min(b, lane.right);
      const weight = count[i] === 1 ? 255 : weightOf(count[i]!, duration[i]!, idle[i]!);
      const full = tints.pixels[name[i]!]!;
      const pixel = weight === 255 && full >= OPAQUE ? full : mixed(tints.rgba, name[i]!, weight, under);
      if (right - left > RUN) pixels.fill(pixel, at + left, at + right);
      else for (let x = left; x < right; x++) pixels[at + x] = pixel;
    }
  }

  end(): void {
    if (this.image) this.ctx.putImageData(this.image, 0, 0);
  }
}
