// Time ↔ pixels. Times are picoseconds as numbers: whole up to 2.5 hours, which is why nothing here adds what it can subtract.

/** The part of the time axis on the screen. */
export interface View {
  start: number;
  end: number;
}

/** No closer than this many picoseconds across the screen. */
export const CLOSEST_PS = 20;
/** Nor than so much of the latest time: there a number's last bit is a third of a pixel. */
const CLOSEST_SHARE = 2 ** -41;

/** How many picoseconds the screen shows at least. */
export function closest(span: View): number {
  return Math.max(CLOSEST_PS, CLOSEST_SHARE * Math.max(Math.abs(span.start), Math.abs(span.end)));
}

export function length(view: View): number {
  return view.end - view.start;
}

export function toX(time: number, view: View, width: number): number {
  return ((time - view.start) / length(view)) * width;
}

export function toTime(x: number, view: View, width: number): number {
  return view.start + (x / width) * length(view);
}

/** The view moved and shortened so that it stays within the span and keeps a least length. */
export function clamped(view: View, span: View): View {
  const least = closest(span);
  const long = Math.min(Math.max(length(view), least), Math.max(length(span), least));
  const start = Math.min(Math.max(view.start, span.start), Math.max(span.end - long, span.start));
  return { start, end: start + long };
}

export function timeAt(view: View, share: number): number {
  return view.start + share * length(view);
}

/** Zoomed so that the time `at`, which is at `share` (0 left, 1 right), stays there; a factor below 1 comes closer. */
export function zoomed(view: View, factor: number, share: number, span: View, at = timeAt(view, share)): View {
  const least = closest(span);
  const long = Math.min(Math.max(length(view) * factor, least), Math.max(length(span), least));
  return clamped({ start: at - share * long, end: at + (1 - share) * long }, span);
}

/** Moved by a share of its length. */
export function panned(view: View, share: number, span: View): View {
  const by = share * length(view);
  return clamped({ start: view.start + by, end: view.end + by }, span);
}

/** A view in which an interval takes a share of the width. */
export function around(start: number, end: number, share: number, span: View): View {
  const long = Math.max(end - start, 1) / share;
  const middle = start + (end - start) / 2;
  return clamped({ start: middle - long / 2, end: middle + long / 2 }, span);
}

export function overlaps(view: View, start: number, end: number): boolean {
  return start < view.end && end > view.start;
}
