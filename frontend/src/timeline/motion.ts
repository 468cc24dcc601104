// Zooming and panning that begins at once, quickens while a key is held, and glides to its end. Pure but for the view it moves.
import { length, panned, timeAt, zoomed, type View } from "./scale";

/** What one press gives at least: a share of the screen, and a factor as its logarithm. */
const PAN_STEP = 0.12;
const ZOOM_STEP = Math.log(1.35);
/** Of what is left to go this time takes 1 - 1/e. */
const GLIDE_MS = 45;
/** A key counts as held after this; from then on it goes on at a rate that grows to the highest in the time below. */
const HELD_MS = 160;
const FULL_MS = 900;
/** Screens, or e-fold zooms, a second. */
const RATE = { pan: [0.7, 2.6], zoom: [1.6, 4.5] } as const;
/** What is less than this share of a pixel's worth is over. */
const OVER = 0.0004;
/** A frame that took longer is not made up for. */
const FRAME_MAX_MS = 100;

export type Way = "in" | "out" | "left" | "right";

interface Held {
  since: number;
}

/** What stays where it is while zooming, and the view that this left: anew from each view it would drift by its roundings. */
interface Anchor {
  time: number;
  share: number;
  view: View;
}

/** Less than this share of the screen counts as the same place. */
const SAME = 1e-3;

function placeOf(time: number, view: View): number {
  return (time - view.start) / length(view);
}

export class Motion {
  private readonly held = new Map<Way, Held>();
  private pan = 0;
  private zoom = 0;
  private share = 0.5;
  private last = 0;
  private anchor: Anchor | null = null;

  /** `glides` false: everything happens at once, as `prefers-reduced-motion` asks. */
  constructor(private readonly glides = true) {}

  get isActive(): boolean {
    return this.held.size > 0 || this.pan !== 0 || this.zoom !== 0;
  }

  press(way: Way, now: number, share: number): void {
    if (this.held.has(way)) return;
    this.begin(now);
    this.held.set(way, { since: now });
    this.add(way, 1, share);
  }

  release(way: Way): void {
    this.held.delete(way);
  }

  /** All keys are up: their release may have gone elsewhere. */
  stop(): void {
    this.held.clear();
  }

  /** Zooms by a factor around a share of the width, soon. */
  zoomBy(factor: number, share: number, now: number): void {
    this.begin(now);
    this.share = share;
    this.zoom += Math.log(factor);
  }

  panBy(share: number, now: number): void {
    this.begin(now);
    this.pan += share;
  }

  /** The view after the time since the frame before. */
  advance(view: View, span: View, now: number): View {
    const passed = Math.min(Math.max(now - this.last, 0), FRAME_MAX_MS);
    this.last = now;
    for (const [way, { since }] of this.held) {
      const kind = way === "in" || way === "out" ? "zoom" : "pan";
      const [slow, fast] = RATE[kind];
      const grown = Math.min(Math.max((now - since - HELD_MS) / FULL_MS, 0), 1);
      const rate = now - since < HELD_MS ? 0 : slow + (fast - slow) * grown;
      this.add(way, (rate * passed) / 1000 / (kind === "zoom" ? ZOOM_STEP : PAN_STEP), this.share);
    }
    const part = this.glides ? 1 - Math.exp(-passed / GLIDE_MS) : 1;
    const zoom = this.take("zoom", part);
    const pan = this.take("pan", part);
    const next = zoom ? this.zoomed(view, Math.exp(zoom), span) : view;
    return pan ? panned(next, pan, span) : next;
  }

  private zoomed(view: View, factor: number, span: View): View {
    const { anchor, share } = this;
    const isKept = anchor && anchor.share === share && anchor.view.start === view.start;
    const time = isKept && Math.abs(placeOf(anchor.time, view) - share) < SAME ? anchor.time : timeAt(view, share);
    const next = zoomed(view, factor, share, span, time);
    this.anchor = { time, share, view: next };
    return next;
  }

  private begin(now: number): void {
    if (!this.isActive) this.last = now;
  }

  private add(way: Way, steps: number, share: number): void {
    this.share = share;
    if (way === "in") this.zoom -= steps * ZOOM_STEP;
    else if (way === "out") this.zoom += steps * ZOOM_STEP;
    else this.pan += (way === "left" ? -steps : steps) * PAN_STEP;
  }

  private take(kind: "zoom" | "pan", part: number): number {
    const left = this[kind];
    const taken = Math.abs(left * (1 - part)) < OVER ? left : left * part;
    this[kind] = left - taken;
    return taken;
  }
}
