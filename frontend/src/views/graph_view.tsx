// A pipeline as a graph: a button a node, lines between them; scrolled, dragged and zoomed where it is large.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Keys } from "../page";
import { counted, percent } from "../units";
import { type GraphNode, MOST_NODES, movedNode, NODE_HEIGHT, NODE_WIDTH, parentsOf, place } from "./graph";
import { Name } from "./name";

/** For the help of a page that has a graph. */
export const KEYS: Keys = [
  ["↑ ↓ ← →", "in a graph: to the consumer, the producer, the neighbours", ".graph-scroll"],
  ["+ − 0", "in a graph: zoom in, out, fit", ".graph-scroll"],
];

/** What a node shows. */
export interface Stage extends GraphNode {
  name: string;
  /** Below its name, first. */
  value: string;
  /** After that, where there is room. */
  line: string;
  /** The bar at its foot: 0 to 1. */
  share: number | null;
  /** A word that marks it, beside its outline: the one to look at. */
  mark: string;
  /** On the way to the marked one: bold. */
  isCritical: boolean;
  /** Its own threads: dashed. */
  isAsync: boolean;
  /** Nobody waited for it: pale. */
  isPale: boolean;
  /** The node in words. */
  words: string;
}

interface GraphProps {
  title: string;
  stages: readonly Stage[];
  selected: string | null;
  select: (id: string) => void;
  /** How large it is drawn; null: as large as fits. */
  zoom: number | null;
  setZoom: (zoom: number | null) => void;
  /** The whole picture in words. */
  words: string;
  /** What the parts of the picture mean, below it. */
  legend: ComponentChildren;
  /** In the bar above. */
  children: ComponentChildren;
}

const [LEAST_ZOOM, MOST_ZOOM] = [0.25, 2];
export const ZOOM_STEP = 1.25;
/** Below this letters are no letters: a graph that does not fit is scrolled instead. */
const READABLE = 0.7;
const DRAG_PX = 4;

export function clamped(zoom: number): number {
  return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
}

/** As large as fits the box, at most full size, at least readable. */
function fitting(box: HTMLElement | null, width: number, height: number): number {
  if (!box?.clientWidth || !width) return 1;
  return Math.min(1, Math.max(READABLE, Math.min(box.clientWidth / width, box.clientHeight / height)));
}

/** Dragging the ground scrolls; a press on a node stays a press. */
export function usePan(scroller: RefObject<HTMLDivElement | null>) {
  const held = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent): void => {
      const box = scroller.current!;
      if (event.button !== 0 || event.pointerType === "touch" || (event.target as Element).closest("button")) return;
      held.current = { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop };
    },
    onPointerMove: (event: PointerEvent): void => {
      const [from, box] = [held.current, scroller.current!];
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.abs(dx) + Math.abs(dy) < DRAG_PX) return;
      if (!box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
      box.scrollTo(from.left - dx, from.top - dy);
    },
    onPointerUp: (): void => void (held.current = null),
    onPointerCancel: (): void => void (held.current = null),
  };
}

interface NodeProps {
  stage: Stage;
  at: { x: number; y: number };
  isSelected: boolean;
  isReached: boolean;
  press: () => void;
}

function Node({ stage, at, isSelected, isReached, press }: NodeProps) {
  const { name, value, line, share, mark, isCritical, isAsync, isPale, words } = stage;
  const looks = { marked: mark, critical: isCritical, async: isAsync, pale: isPale && !isCritical };
  const names = Object.entries(looks).flatMap(([look, on]) => (on ? [look] : []));
  return (
    <button
      type="button"
      class={["graph-node", ...names].join(" ")}
      style={{ left: `${at.x}px`, top: `${at.y}px`, width: `${NODE_WIDTH}px`, height: `${NODE_HEIGHT}px` }}
      data-node={stage.id}
      aria-label={words}
      aria-pressed={isSelected}
      tabIndex={isReached ? 0 : -1}
      title={words}
      onClick={press}
    >
      <span class="graph-row">
        <Name text={name} title={words} />
        {mark && <span class="graph-mark">{mark}</span>}
        <b class="grow number">{share !== null && share > 0 && percent(share)}</b>
      </span>
      <span class="graph-row soft">
        <span>{value}</span>
        <span class="graph-line">{line}</span>
      </span>
      {share !== null && <i class="graph-share" style={{ width: `${100 * Math.min(1, Math.max(0, share))}%` }} />}
    </button>
  );
}

export function Graph(props: GraphProps) {
  if (props.stages.length > MOST_NODES)
    return (
      <div class="graph">
        <div class="table-bar">
          <h2>{props.title}</h2>
          {props.children}
        </div>
        <p class="soft">
          {counted(props.stages.length, "node")} are too many to draw (the limit is {counted(MOST_NODES, "node")}): they
          are in the table below.
        </p>
      </div>
    );
  return <Drawn {...props} />;
}

function Drawn({ title, stages, selected, select, zoom: chosen, setZoom, words, legend, children }: GraphProps) {
  const placement = useMemo(() => place(stages), [stages]);
  const parents = useMemo(() => parentsOf(stages), [stages]);
  const byId = useMemo(() => new Map(stages.map((stage) => [stage.id, stage])), [stages]);
  const scroller = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState(1);
  const { width, height } = placement;
  useLayoutEffect(() => {
    const measure = (): void => setFit(fitting(scroller.current, width, height));
    const sizes = new ResizeObserver(measure);
    sizes.observe(scroller.current!);
    measure();
    return () => sizes.disconnect();
  }, [width, height]);
  const zoom = chosen === null ? fit : clamped(chosen);
  const change = (factor: number): void => setZoom(Number(clamped(zoom * factor).toFixed(3)));
  const latest = useRef(change);
  latest.current = change;
  const centred = useRef(false);
  const reached = selected !== null && byId.has(selected) ? selected : (placement.nodes.keys().next().value ?? null);
  const nodeOf = (id: string): HTMLElement | undefined =>
    [...scroller.current!.querySelectorAll<HTMLElement>("[data-node]")].find((node) => node.dataset["node"] === id);
  useEffect(() => {
    const [box, at] = [scroller.current!, reached === null ? undefined : placement.nodes.get(reached)];
    if (!at || (chosen !== null && centred.current)) return;
    centred.current = true;
    box.scrollLeft = (at.x + NODE_WIDTH / 2) * zoom - box.clientWidth / 2;
    box.scrollTop = (at.y + NODE_HEIGHT / 2) * zoom - box.clientHeight / 2;
  }, [placement, fit]);
  useEffect(() => {
    const box = scroller.current!;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
    };
    box.addEventListener("wheel", onWheel, { passive: false });
    return () => box.removeEventListener("wheel", onWheel);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = (event.target as HTMLElement).dataset["node"];
    const next = id === undefined ? null : movedNode(event.key, id, placement, parents);
    if (next !== null) {
      select(next);
      nodeOf(next)?.focus();
    } else if (event.key === "+") change(ZOOM_STEP);
    else if (event.key === "-") change(1 / ZOOM_STEP);
    else if (event.key === "0") setZoom(null);
    else return;
    event.preventDefault();
  };
  return (
    <div class="graph">
      <div class="table-bar">
        <h2>{title}</h2>
        {children}
        <span class="grow" />
        <button type="button" title="Zoom out (−)" aria-label="Zoom out" onClick={() => change(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" title="Fit (0)" onClick={() => setZoom(null)}>
          {Math.round(100 * zoom)} %
        </button>
        <button type="button" title="Zoom in (+)" aria-label="Zoom in" onClick={() => change(ZOOM_STEP)}>
          +
        </button>
      </div>
      <div
        class="graph-scroll"
        ref={scroller}
        role="group"
        aria-label={title}
        aria-description={words}
        onKeyDown={onKeyDown}
        {...usePan(scroller)}
      >
        <div class="graph-room" style={{ width: `${width * zoom}px`, height: `${height * zoom}px` }}>
          <div class="graph-plane" style={{ width: `${width}px`, height: `${height}px`, scale: `${zoom}` }}>
            <svg width={width} height={height} aria-hidden="true">
              {placement.arrows.map(({ from, to, path }) => {
                const [source, target] = [byId.get(from)!, byId.get(to)!];
                const isCritical = source.isCritical && target.isCritical;
                return (
                  <path
                    key={`${from} ${to}`}
                    d={path}
                    class={[isCritical ? "critical" : "", source.isAsync ? "async" : ""].join(" ")}
                  />
                );
              })}
            </svg>
            {[...placement.nodes].map(([id, at]) => (
              <Node
                key={id}
                stage={byId.get(id)!}
                at={at}
                isSelected={id === selected}
                isReached={id === reached}
                press={() => select(id)}
              />
            ))}
          </div>
        </div>
      </div>
      <p class="legend">{legend}</p>
      <p class="offscreen">{words}</p>
    </div>
  );
}
