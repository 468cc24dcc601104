// The whole capture in one strip: devices above, hosts below, and the window that the view is of it, to be dragged.
import { useEffect, useRef } from "preact/hooks";
import { onTheme } from "../theme";
import { formatNumber } from "../units";
import type { Board } from "./board";
import { inksOfTheme, type Inks } from "./inks";
import { busyOf, type Busy } from "./minimap_data";
import { length, toTime, toX, type View } from "./scale";

const HEIGHT = 32;
/** Pixels beside the window's edge that take hold of it. */
const GRIP = 5;
const WINDOW_MIN = 4;

/** The strip without its window, drawn once. */
interface Made {
  strip: HTMLCanvasElement;
  width: number;
  version: number;
  ratio: number;
}

/** Pixels of the view's window; never too narrow to be seen. */
function windowOf(view: View, span: View, width: number): [left: number, right: number] {
  const [left, right] = [toX(view.start, span, width), toX(view.end, span, width)];
  const more = Math.max(WINDOW_MIN - (right - left), 0) / 2;
  return [left - more, right + more];
}

function bars(ctx: CanvasRenderingContext2D, values: Float64Array, from: number, direction: 1 | -1): void {
  values.forEach((value, x) => {
    const high = value > 0 ? Math.max(1, Math.round(value * (HEIGHT / 2 - 2))) : 0;
    if (high) ctx.fillRect(x, direction > 0 ? from : from - high, 1, high);
  });
}

/** A context in CSS pixels on a canvas of so many of the screen's. */
function sized(canvas: HTMLCanvasElement, width: number, ratio: number): CanvasRenderingContext2D {
  const [wide, high] = [Math.round(width * ratio), Math.round(HEIGHT * ratio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const ctx = canvas.getContext("2d", { alpha: false })!;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return ctx;
}

function stripOf({ device, host }: Busy, inks: Inks, width: number, ratio: number): HTMLCanvasElement {
  const strip = document.createElement("canvas");
  const ctx = sized(strip, width, ratio);
  ctx.fillStyle = inks.panel;
  ctx.fillRect(0, 0, width, HEIGHT);
  const hasDevice = device.some((value) => value > 0);
  const middle = hasDevice ? HEIGHT / 2 : HEIGHT - 1;
  ctx.fillStyle = inks.device;
  bars(ctx, device, middle, -1);
  ctx.fillStyle = inks.host;
  bars(ctx, host, middle, hasDevice ? 1 : -1);
  return strip;
}

function paint(canvas: HTMLCanvasElement, board: Board, { strip, ratio }: Made, inks: Inks): void {
  const { width, view, span } = board;
  const ctx = sized(canvas, width, ratio);
  ctx.drawImage(strip, 0, 0, width, HEIGHT);
  const [left, right] = windowOf(view, span, width).map(Math.round) as [number, number];
  ctx.fillStyle = inks.panel;
  ctx.globalAlpha = 0.6;
  ctx.fillRect(0, 0, left, HEIGHT);
  ctx.fillRect(right, 0, width - right, HEIGHT);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = inks.accent;
  ctx.lineWidth = 1;
  ctx.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 1), HEIGHT - 1);
}

/** Position of the view, for screen readers. */
function say(canvas: HTMLCanvasElement, { view, span, origin }: Board): void {
  const long = Math.max(length(span), 1);
  const now = String(Math.round((100 * (view.start + view.end - 2 * span.start)) / 2 / long));
  const text = `${formatNumber(length(view), "ps")} from ${formatNumber(view.start - origin, "ps")}`;
  if (canvas.getAttribute("aria-valuenow") !== now) canvas.setAttribute("aria-valuenow", now);
  if (canvas.getAttribute("aria-valuetext") !== text) canvas.setAttribute("aria-valuetext", text);
}

function follow(canvas: HTMLCanvasElement, board: Board): () => void {
  let inks = inksOfTheme();
  let made: Made | null = null;
  const draw = (): void => {
    const { width, store, groups, span } = board;
    if (width < 1) return;
    const ratio = window.devicePixelRatio || 1;
    const version = store.wholes + groups.length;
    if (made?.width !== width || made.version !== version || made.ratio !== ratio) {
      const busy = busyOf(groups, (key) => store.whole(key), span, Math.floor(width));
      made = { strip: stripOf(busy, inks, width, ratio), width, version, ratio };
    }
    paint(canvas, board, made, inks);
    say(canvas, board);
  };
  const ends = [
    board.subscribe(draw),
    onTheme(() => {
      inks = inksOfTheme();
      made = null;
      board.changed();
    }),
  ];
  draw();
  return () => ends.forEach((end) => end());
}

type Hold = "left" | "right" | "whole";

function holdAt(board: Board, x: number): Hold | null {
  const [left, right] = windowOf(board.view, board.span, board.width);
  // In the middle of a narrow window its whole is meant.
  const grip = Math.min(GRIP, (right - left) / 4);
  if (Math.abs(x - left) <= GRIP && x < left + grip) return "left";
  if (Math.abs(x - right) <= GRIP && x > right - grip) return "right";
  return x >= left && x <= right ? "whole" : null;
}

/** Drag the window, or its edges; a press beside it brings it there. */
function followPointer(canvas: HTMLCanvasElement, board: Board): () => void {
  let held: { hold: Hold; from: number; view: View } | null = null;
  const timeAt = (event: PointerEvent): number => toTime(event.offsetX, board.span, Math.max(1, board.width));
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const from = timeAt(event);
    const hold = holdAt(board, event.offsetX);
    if (!hold) {
      const half = length(board.view) / 2;
      board.look({ start: from - half, end: from + half });
    }
    held = { hold: hold ?? "whole", from, view: board.view };
  };
  const move = (event: PointerEvent): void => {
    if (!held) {
      const hold = holdAt(board, event.offsetX);
      canvas.style.cursor = hold === "whole" ? "grab" : hold ? "ew-resize" : "pointer";
      return;
    }
    const by = timeAt(event) - held.from;
    const start = held.view.start + (held.hold === "right" ? 0 : by);
    const end = held.view.end + (held.hold === "left" ? 0 : by);
    board.look({ start: Math.min(start, end), end: Math.max(start, end) });
  };
  const up = (): void => {
    held = null;
  };
  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
  const whole = (): void => board.look(board.span);
  canvas.addEventListener("dblclick", whole);
  for (const [name, listener] of Object.entries(listeners)) canvas.addEventListener(name, listener as EventListener);
  return () => {
    canvas.removeEventListener("dblclick", whole);
    for (const [name, listener] of Object.entries(listeners))
      canvas.removeEventListener(name, listener as EventListener);
  };
}

/** As wide as the timeline's canvas; the keys that move the view move its window. */
export function Minimap({ board }: { board: Board }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => follow(canvas.current!, board), [board]);
  useEffect(() => followPointer(canvas.current!, board), [board]);
  return (
    <canvas
      ref={canvas}
      class="trace-minimap"
      role="slider"
      tabIndex={0}
      aria-label="Visible part of the capture"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={50}
    />
  );
}
