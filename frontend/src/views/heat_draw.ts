// Steps × workers on a canvas: a cell each, or of several that share a pixel the one that is farthest from its median.
import { colour } from "../theme";
import { cutTo } from "./flame_draw";
import { AXIS_PX, type Cell, classOf, type Heat, type Layout, LETTER_PX, variableOf, type Window } from "./heat";

const FONT = '11px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
export interface Scene {
  heat: Heat;
  /** Places of `heat.workers`, in the order shown. */
  order: readonly number[];
  window: Window;
  layout: Layout;
  /** Cells, by place of step and worker in the order shown: the chosen one, and the one under the pointer. */
  chosen: Cell | null;
  hovered: Cell | null;
  /** Two corners of what is about to be zoomed to. */
  dragged: readonly [Cell, Cell] | null;
}

/** Bounds of as many bins as there is room for. */
function binned([from, to]: readonly [number, number], px: number): number[] {
  const count = Math.max(1, Math.min(to - from, Math.floor(px)));
  return Array.from({ length: count + 1 }, (_, i) => from + Math.round((i * (to - from)) / count));
}

/** Of some cells the deviation that is farthest from 0; NaN where none is known. */
function farthest({ heat, order }: Scene, rows: readonly [number, number], steps: readonly [number, number]): number {
  let most = NaN;
  for (let row = rows[0]; row < rows[1]; row++) {
    const begin = order[row]! * heat.steps.length;
    for (let step = steps[0]; step < steps[1]; step++) {
      const one = heat.deviations[begin + step]!;
      if (Number.isNaN(most) ? !Number.isNaN(one) : Math.abs(one) > Math.abs(most)) most = one;
    }
  }
  return most;
}

function drawCells(ctx: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, window } = scene;
  const fills = new Map<number, string>();
  const fill = (of: number): string => {
    if (!fills.has(of)) fills.set(of, colour(variableOf(of)));
    return fills.get(of)!;
  };
  const rows = binned(window.workers, layout.height - AXIS_PX);
  const steps = binned(window.steps, layout.width);
  const gap = (size: number): number => (size >= 4 ? 1 : 0);
  for (let i = 0; i + 1 < rows.length; i++) {
    const [y, bottom] = [rows[i]!, rows[i + 1]!].map((row) => Math.round((row - window.workers[0]) * layout.row)) as [
      number,
      number,
    ];
    for (let j = 0; j + 1 < steps.length; j++) {
      const of = classOf(farthest(scene, [rows[i]!, rows[i + 1]!], [steps[j]!, steps[j + 1]!]));
      if (of === null) continue;
      const x = layout.left + (steps[j]! - window.steps[0]) * layout.cell;
      const right = layout.left + (steps[j + 1]! - window.steps[0]) * layout.cell;
      ctx.fillStyle = fill(of);
      ctx.fillRect(x, y, right - x - gap(right - x), bottom - y - gap(bottom - y));
    }
  }
}

const LABEL_PX = 14;
const STEP_GAP_PX = 12;
const MOST_STEP_LETTERS = 12;

/** Names of workers, as many as there is room for, and of steps below. */
function drawNames(ctx: CanvasRenderingContext2D, { heat, order, window, layout }: Scene): void {
  const { left, cell, row, height } = layout;
  ctx.fillStyle = colour("--text");
  ctx.textBaseline = "middle";
  ctx.textAlign = "right";
  const letters = Math.floor((left - 8) / LETTER_PX);
  const every = Math.max(1, Math.ceil(LABEL_PX / row));
  for (let at = window.workers[0]; at < window.workers[1]; at += every)
    ctx.fillText(
      cutTo(heat.workers[order[at]!]!, letters),
      left - 6,
      Math.max(LABEL_PX / 2, (at - window.workers[0] + 0.5) * row),
    );
  ctx.fillStyle = colour("--soft");
  ctx.textAlign = "center";
  const widest = heat.steps.reduce((most, name) => Math.max(most, name.length), 1);
  const shown = Math.min(widest, MOST_STEP_LETTERS);
  const between = Math.max(1, Math.ceil((shown * LETTER_PX + STEP_GAP_PX) / cell));
  for (let at = window.steps[0]; at < window.steps[1]; at += between) {
    const half = (shown * LETTER_PX) / 2;
    const x = Math.min(left + layout.width - half, Math.max(left + half, left + (at - window.steps[0] + 0.5) * cell));
    ctx.fillText(cutTo(heat.steps[at]!, shown), x, height - AXIS_PX / 2);
  }
}

function outline(ctx: CanvasRenderingContext2D, { layout, window }: Scene, from: Cell, to: Cell, stroke: string): void {
  const [step, worker] = [Math.min(from.step, to.step), Math.min(from.worker, to.worker)];
  const x = layout.left + (step - window.steps[0]) * layout.cell;
  const y = (worker - window.workers[0]) * layout.row;
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 2;
  const wide = (Math.abs(from.step - to.step) + 1) * layout.cell;
  const high = (Math.abs(from.worker - to.worker) + 1) * layout.row;
  ctx.strokeRect(x + 1, y + 1, Math.max(2, wide - 3), Math.max(2, high - 3));
}

export function drawHeat(ctx: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, chosen, hovered, dragged } = scene;
  ctx.clearRect(0, 0, layout.left + layout.width, layout.height);
  ctx.font = FONT;
  drawCells(ctx, scene);
  drawNames(ctx, scene);
  if (hovered) outline(ctx, scene, hovered, hovered, colour("--text"));
  if (chosen) outline(ctx, scene, chosen, chosen, colour("--accent"));
  if (dragged) outline(ctx, scene, ...dragged, colour("--accent"));
}
