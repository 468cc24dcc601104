// The steps as a row above the time ruler: a press marks a step and shows it.
import { useEffect, useRef } from "preact/hooks";
import { colour, onTheme } from "../theme";
import { counted, formatNumber } from "../units";
import type { Board } from "./board";
import { openStep } from "./commands";
import { useFollow, useFrame } from "./follow";
import { toTime, toX } from "./scale";
import type { Step } from "./scene";
import { stepsOfHost } from "./steps";
import { FONT } from "./texts";

const HEIGHT = 18;
const TEXT_MIN = 18;

function stepsShown({ steps, selected }: Board): readonly Step[] {
  return stepsOfHost(steps, selected?.track.host);
}

/** Steps that overlap the view. */
function visible(board: Board, steps: readonly Step[]): Step[] {
  return steps.filter(({ start, end }) => end > board.view.start && start < board.view.end);
}

function colours(): Record<"panel" | "sunken" | "line" | "text" | "hover" | "accent", string> {
  const names = ["panel", "sunken", "line", "text", "hover", "accent"] as const;
  return Object.fromEntries(names.map((name) => [name, colour(`--${name}`)])) as ReturnType<typeof colours>;
}

function paint(canvas: HTMLCanvasElement, board: Board, steps: readonly Step[], ink: ReturnType<typeof colours>): void {
  const ratio = window.devicePixelRatio || 1;
  const { width, view, range } = board;
  const [wide, high] = [Math.round(width * ratio), Math.round(HEIGHT * ratio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const ctx = canvas.getContext("2d", { alpha: false });
  if (!ctx) return;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = ink.panel;
  ctx.fillRect(0, 0, width, HEIGHT);
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  let edge = -1;
  const shown = visible(board, steps);
  const parity = shown[0] ? steps.indexOf(shown[0]) : 0;
  const room = shown.reduce((sum, { start, end }) => sum + end - start, 0) / Math.max(shown.length, 1);
  const words = wordsOf(Math.min(room / (view.end - view.start), 1) * width);
  for (const [i, step] of shown.entries()) {
    const left = Math.max(Math.round(toX(step.start, view, width)), -1);
    const right = Math.min(Math.round(toX(step.end, view, width)), width + 1);
    if (right <= edge) continue;
    edge = right;
    const isMarked = range?.start === step.start && range.end === step.end;
    ctx.fillStyle = isMarked ? ink.hover : (parity + i) % 2 ? ink.panel : ink.sunken;
    ctx.fillRect(left, 0, right - left, HEIGHT);
    ctx.fillStyle = isMarked ? ink.accent : ink.line;
    ctx.fillRect(left, 0, 1, HEIGHT);
    ctx.fillRect(right - 1, 0, 1, HEIGHT);
    if (right - Math.max(left, 0) < TEXT_MIN) continue;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, 0, right - left - 2, HEIGHT);
    ctx.clip();
    ctx.fillStyle = ink.text;
    ctx.fillText(words(step), Math.max(left, 0) + 4, HEIGHT / 2);
    ctx.restore();
  }
  ctx.fillStyle = ink.line;
  ctx.fillRect(0, HEIGHT - 1, width, 1);
}

/** More of each where there is room. */
function wordsOf(room: number): (step: Step) => string {
  if (room < 60) return ({ number }) => String(number);
  if (room < 140) return ({ number }) => `step ${number}`;
  return ({ number, start, end }) => `step ${number} · ${formatNumber(end - start, "ps")}`;
}

/** Beside the row, whose place is kept until the server has given the steps. */
export function StepCount({ board }: { board: Board }) {
  useFollow(board, ({ selected, stepsKnown, asks }) => [selected?.track.host, stepsKnown, asks.failed]);
  const failed = board.asks.failed.get("steps");
  if (failed)
    return (
      <button type="button" class="link" title={failed.message} onClick={() => board.asks.again("steps")}>
        steps: try again
      </button>
    );
  if (!board.stepsKnown) return <span class="soft">steps: loading…</span>;
  const steps = stepsShown(board);
  if (!steps.length)
    return (
      <span class="soft" title="The capture does not show where steps begin and end.">
        no steps
      </span>
    );
  const text = counted(steps.length, "step") + (board.hostCount > 1 ? ` of ${steps[0]!.host}` : "");
  const { by = "", more = "", isGuess = false } = board.stepDetection ?? {};
  return (
    <span class={isGuess ? "fair" : "soft"} title={[text, by, more.replaceAll("`", "")].filter(Boolean).join("\n")}>
      {isGuess ? `${text}, a guess` : text}
    </span>
  );
}

export function StepRow({ board }: { board: Board }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ink = useRef<ReturnType<typeof colours> | null>(null);
  useFollow(board, ({ selected }) => [selected?.track.host]);
  const steps = stepsShown(board);
  useFrame(board, () => canvas.current && paint(canvas.current, board, steps, (ink.current ??= colours())));
  useEffect(
    () =>
      onTheme(() => {
        ink.current = null;
        board.changed();
      }),
    [board],
  );
  if (!steps.length) return <div class="trace-steps-row none" />;
  const stepAt = (x: number): Step | undefined => {
    const time = toTime(x, board.view, board.width);
    return visible(board, steps).find(({ start, end }) => start <= time && time < end);
  };
  return (
    <canvas
      ref={canvas}
      class="trace-steps-row"
      title={`Steps${board.hostCount > 1 ? ` of ${steps[0]!.host}` : ""}: click to show one; [ and ] go to the previous and next`}
      role="img"
      aria-label={`${steps.length} steps; [ and ] go to the previous and next`}
      onClick={(event) => {
        const step = stepAt(event.offsetX);
        if (step) openStep(board, step);
      }}
    />
  );
}
