// Slices → the bytes that the graphics card draws from: six 32-bit words a slice, exact to the picosecond.
import { weightOf } from "../tints";
import type { TrackSlices } from "../slices";

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
