// What lies on the graphics card: buffers of slices and textures of colours, made when first drawn, bounded in bytes.
import type { TrackSlices } from "../slices";
import { type Tints, TINTS_WIDTH, weightOf } from "../tints";

/** start low, start high, duration low, duration high, depth and weight, name. */
export const WORDS = 6;
export const BYTES = 4 * WORDS;
const TWO_32 = 2 ** 32;

/** A whole number as the low and high word of its two's complement. */
export function words(value: number): [low: number, high: number] {
  return [((value % TWO_32) + TWO_32) % TWO_32, Math.floor(value / TWO_32) >>> 0];
}

export function packed(slices: TrackSlices): Uint32Array {
  const { lanes, start, duration, idle, count, name } = slices;
  const into = new Uint32Array(WORDS * start.length);
  for (let depth = 0; depth < lanes.length - 1; depth++) {
    for (let i = lanes[depth]!; i < lanes[depth + 1]!; i++) {
      const at = WORDS * i;
      const [begin, long] = [start[i]!, duration[i]!];
      // Storing keeps the low 32 bits, also of what is negative.
      into[at] = begin;
      into[at + 1] = Math.floor(begin / TWO_32);
      into[at + 2] = long;
      into[at + 3] = Math.floor(long / TWO_32);
      into[at + 4] = (depth << 8) | weightOf(count[i]!, long, idle[i]!);
      into[at + 5] = name[i]!;
    }
  }
  return into;
}

const MOST_BYTES = 64e6;
/** What was drawn in the last so many frames stays. */
const FRAMES_KEPT = 2;

interface Kept<Thing> {
  thing: Thing;
  bytes: number;
  used: number;
}

/** Things by number; those that were used longest ago are dropped beyond `most` bytes. */
export class Shelf<Thing> {
  bytes = 0;
  private readonly kept = new Map<number, Kept<Thing>>();

  constructor(
    private readonly drop: (thing: Thing) => void,
    private readonly most = MOST_BYTES,
  ) {}

  get(id: number, frame: number): Thing | null {
    const cached = this.kept.get(id);
    if (!cached) return null;
    cached.used = frame;
    // Last in the order: the first are those used longest ago.
    this.kept.delete(id);
    this.kept.set(id, cached);
    return cached.thing;
  }

  put(id: number, thing: Thing, bytes: number, frame: number): Thing {
    this.kept.set(id, { thing, bytes, used: frame });
    this.bytes += bytes;
    return thing;
  }

  trim(frame: number): void {
    for (const [id, { thing, bytes, used }] of this.kept) {
      if (this.bytes <= this.most || used > frame - FRAMES_KEPT) return;
      this.kept.delete(id);
      this.bytes -= bytes;
      this.drop(thing);
    }
  }
}

export class Cache {
  frame = 0;
  private readonly buffers: Shelf<WebGLBuffer>;
  private readonly textures: Shelf<WebGLTexture>;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.buffers = new Shelf((buffer) => gl.deleteBuffer(buffer));
    this.textures = new Shelf((texture) => gl.deleteTexture(texture), MOST_BYTES / 8);
  }

  nextFrame(): void {
    this.frame++;
    this.buffers.trim(this.frame);
    this.textures.trim(this.frame);
  }

  /** Binds the slices' buffer, filling it when it is new. */
  bindSlices(slices: TrackSlices): void {
    const { gl, frame } = this;
    const cached = this.buffers.get(slices.id, frame);
    if (cached) return gl.bindBuffer(gl.ARRAY_BUFFER, cached);
    const buffer = gl.createBuffer();
    const words = packed(slices);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, words, gl.STATIC_DRAW);
    this.buffers.put(slices.id, buffer, words.byteLength, frame);
  }

  bindTints(tints: Tints): void {
    const { gl, frame } = this;
    const cached = this.textures.get(tints.stamp, frame);
    if (cached) return gl.bindTexture(gl.TEXTURE_2D, cached);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
    const rows = tints.rgba.length / 4 / TINTS_WIDTH;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, TINTS_WIDTH, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, tints.rgba);
    this.textures.put(tints.stamp, texture, tints.rgba.length, frame);
  }
}
