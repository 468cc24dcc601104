// Steps × workers as a heat map on one canvas: hovered, zoomed, walked by keys; a press leads to the worker's trace.
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { Keys } from "../page";
import {
  BOUNDS,
  boundText,
  type Cell,
  cellAt,
  cellInWords,
  type Heat,
  heatInWords,
  layoutOf,
  movedTo,
  type Quantity,
  variableOf,
  type Window,
  windowOf,
  windowText,
  zoomedTo,
} from "./heat";
import { drawHeat, type Scene } from "./heat_draw";
import { useCanvas, useWidth } from "./use_canvas";

/** For the help of a page with a heat map. */
export const KEYS: Keys = [
  ["← ↑ → ↓ Home End", "in the heat map: another step or worker (Page keys: ten workers)", ".heat"],
  ["+ −, or drag", "in the heat map: zoom in, out; 0 or Esc: all", ".heat"],
  ["Enter, or click", "in the heat map: show the worker's step in its trace", ".heat"],
];

interface Props {
  title: string;
  heat: Heat;
  quantity: Quantity;
  /** Places of `heat.workers`, in the order to show. */
  order: readonly number[];
  /** As the address has it. */
  zoom: string;
  setZoom: (zoom: string) => void;
  /** The cell that was opened last, by its place in the heat; -1 for none. */
  opened: number;
  open: (cell: number) => void;
  bar: ComponentChildren;
}

const ZOOM = 2;
const DRAG_PX = 5;
const [LEAST, MOST] = [-4, 4];

/** What the colours mean: classes of distance from the step's median. */
function HeatLegend() {
  const classes = Array.from({ length: MOST - LEAST + 1 }, (_, i) => LEAST + i);
  const words = (of: number): string => {
    if (!of) return `within ${boundText(0)} of a step of its median`;
    const at = Math.abs(of);
    const range = at === MOST ? `${boundText(at - 1)} or more` : `${boundText(at - 1)} to ${boundText(at)}`;
    return `${range} of a step ${of < 0 ? "less" : "more"}`;
  };
  return (
    <p class="tone-legend">
      <span class="soft">less than the step's median</span>
      <span class="tones" role="img" aria-label={classes.map(words).join("; ")}>
        {classes.map((of) => (
          <i key={of} title={words(of)} style={{ background: `var(${variableOf(of)})` }} />
        ))}
      </span>
      <span class="soft">more</span>
      <span class="soft">limits {BOUNDS.map((_, of) => boundText(of)).join(", ")} of a step</span>
    </p>
  );
}

const MOVES: Readonly<Record<string, readonly [step: number, worker: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [0, -10],
  PageDown: [0, 10],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};

function clamped(value: number, end: number): number {
  return Math.max(0, Math.min(end - 1, value));
}

export function HeatMap(props: Props) {
  const { title, heat, quantity, order, zoom, setZoom, opened, open, bar } = props;
  const all: Window = { steps: [0, heat.steps.length], workers: [0, order.length] };
  const shown = windowOf(zoom, heat.steps.length, order.length) ?? all;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const layout = layoutOf(width, heat.workers, shown);
  const [at, setAt] = useState<Cell | null>(null);
  const [hovered, setHovered] = useState<Cell | null>(null);
  const [from, setFrom] = useState<{ cell: Cell; x: number; y: number; isDrag: boolean } | null>(null);
  const place = useMemo(() => new Map(order.map((worker, i) => [worker, i])), [order]);
  const last = place.get(Math.floor(opened / heat.steps.length));
  const chosen = at ?? (opened < 0 || last === undefined ? null : { step: opened % heat.steps.length, worker: last });
  const isIn = (cell: Cell | null): boolean =>
    !!cell &&
    cell.step >= shown.steps[0] &&
    cell.step < shown.steps[1] &&
    cell.worker >= shown.workers[0] &&
    cell.worker < shown.workers[1];
  const scene: Scene = {
    ...{ heat, order, layout, window: shown },
    chosen: isIn(chosen) ? chosen : null,
    hovered: isIn(hovered) ? hovered : null,
    dragged: from?.isDrag && hovered ? [from.cell, hovered] : null,
  };
  const size = { width: layout.width > 1 ? layout.left + layout.width : 0, height: layout.height };
  const { canvas } = useCanvas(size, (context) => drawHeat(context, scene));
  const words = useMemo(() => heatInWords(heat, quantity), [heat, quantity]);
  const cellOf = ({ step, worker }: Cell): number => order[worker]! * heat.steps.length + step;
  const show = (window: Window | null): void => setZoom(window ? windowText(window) : "");
  const whole = { steps: heat.steps.length, workers: order.length };
  const zoomBy = (factor: number, cell: Cell | null): void => {
    const middle = (side: readonly [number, number]): number => Math.floor((side[0] + side[1]) / 2);
    const around = cell ?? { step: middle(shown.steps), worker: middle(shown.workers) };
    show(zoomedTo(shown, around, factor, whole));
  };
  const under = (event: MouseEvent): Cell | null => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    return cellAt(layout, shown, event.clientX - left, event.clientY - top);
  };
  const go = (cell: Cell | null): void => {
    if (cell && heat.rows[cellOf(cell)]! >= 0) open(cellOf(cell));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    if (move) {
      const start = chosen ?? {
        step: shown.steps[0] - Math.sign(move[0]),
        worker: shown.workers[0] - Math.sign(move[1]),
      };
      const next = {
        step: clamped(start.step + move[0], whole.steps),
        worker: clamped(start.worker + move[1], whole.workers),
      };
      setAt(next);
      if (!isIn(next)) show(movedTo(shown, next));
    } else if (event.key === "Enter") go(chosen);
    else if (event.key === "+") zoomBy(ZOOM, chosen);
    else if (event.key === "-") zoomBy(1 / ZOOM, chosen);
    else if (event.key === "0" || (event.key === "Escape" && zoom)) show(null);
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent): void => {
    const cell = event.button === 0 ? under(event) : null;
    if (!cell) return;
    setFrom({ cell, x: event.clientX, y: event.clientY, isDrag: false });
    canvas.current!.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const cell = under(event);
    if (cell || !from) setHovered(cell);
    if (from && !from.isDrag && Math.abs(event.clientX - from.x) + Math.abs(event.clientY - from.y) > DRAG_PX)
      setFrom({ ...from, isDrag: true });
  };
  const onPointerUp = (): void => {
    if (from?.isDrag && hovered) {
      const side = (a: number, b: number): [number, number] => [Math.min(a, b), Math.max(a, b) + 1];
      const window = {
        steps: side(from.cell.step, hovered.step),
        workers: side(from.cell.worker, hovered.worker),
      };
      show(window);
    } else if (from) go(from.cell);
    setFrom(null);
  };
  const looked = hovered ?? chosen;
  return (
    <div class="heat" ref={box}>
      <div class="table-bar">
        <h2>{title}</h2>
        {bar}
        <span class="zooms">
          <button type="button" title="Zoom out (−)" aria-label="Zoom out" onClick={() => zoomBy(1 / ZOOM, chosen)}>
            −
          </button>
          <button type="button" title="Zoom in (+)" aria-label="Zoom in" onClick={() => zoomBy(ZOOM, chosen)}>
            +
          </button>
          <button type="button" title="All steps and workers (0)" disabled={!zoom} onClick={() => show(null)}>
            All
          </button>
        </span>
      </div>
      <p class="heat-line" aria-live="polite">
        {looked && looked.worker < order.length ? (
          cellInWords(heat, cellOf(looked), quantity)
        ) : (
          <span class="soft">Click a cell for the worker's trace; hover for its numbers; drag to zoom.</span>
        )}
      </p>
      <div
        class="heat-cells"
        tabIndex={0}
        role="application"
        aria-roledescription="heat map"
        aria-label={title}
        aria-description={words}
        onKeyDown={onKeyDown}
      >
        <canvas
          ref={canvas}
          aria-hidden="true"
          style={{ height: `${layout.height}px` }}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => setFrom(null)}
          onPointerLeave={() => setHovered(null)}
        />
      </div>
      <HeatLegend />
      <p class="offscreen">{words}</p>
    </div>
  );
}
