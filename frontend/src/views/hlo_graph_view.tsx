// A part of an XLA program as a graph: a button an instruction, lines between them; scrolled, dragged and zoomed.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Keys } from "../page";
import { formatNumber, percent } from "../units";
import { clamped, usePan, ZOOM_STEP } from "./graph_view";
import {
  type HloGraph,
  type HloNode,
  hloInWords,
  type HloPlacement,
  KINDS,
  kindOf,
  movedHlo,
  placeHlo,
  shortShape,
} from "./hlo_graph";
import { Name } from "./name";

/** For the help of a page that has such a graph. */
export const KEYS: Keys = [
  ["↑ ↓ ← →", "in a graph: to an operand, to a user, beside", ".hlo-scroll"],
  ["c", "in a graph: show what is around the selected instruction", ".hlo-scroll"],
  ["o", "in a graph: open or close the selected fusion, call or loop", ".hlo-scroll"],
  ["+ − 0", "in a graph: zoom in, out, fit", ".hlo-scroll"],
];

interface Props {
  title: string;
  graph: HloGraph;
  /** Row of the one in the middle, which the picture begins with. */
  middle: number;
  selected: number | null;
  select: (node: HloNode) => void;
  centre: (node: HloNode) => void;
  open: (node: HloNode) => void;
  words: string;
  /** In the bar above. */
  children: ComponentChildren;
}

interface ButtonProps {
  node: HloNode;
  box: { x: number; y: number; width: number; height: number };
  looks: string;
  isSelected: boolean;
  isReached: boolean;
  props: Pick<Props, "select" | "centre">;
}

function Time({ node }: { node: HloNode }) {
  const { share, selfUs } = node;
  if (selfUs === null) return null;
  return <b class="number">{share !== null && share > 0 ? percent(share) : formatNumber(selfUs, "us")}</b>;
}

function Instruction({ node, box, looks, isSelected, isReached, props }: ButtonProps) {
  const words = hloInWords(node);
  const [above, below] = [node.hiddenOperands, node.hiddenUsers];
  return (
    <button
      type="button"
      class={`hlo-node ${looks}`}
      style={{
        left: `${box.x}px`,
        top: `${box.y}px`,
        width: `${box.width}px`,
        height: `${box.height}px`,
        "--kind": `var(${KINDS[kindOf(node.opcode)][0]})`,
      }}
      data-node={node.id}
      aria-label={words}
      aria-pressed={isSelected}
      tabIndex={isReached ? 0 : -1}
      title={words}
      onClick={() => props.select(node)}
      onDblClick={() => props.centre(node)}
    >
      <span class="graph-row">
        <Name text={node.name} title={words} />
        <span class="grow" />
        <Time node={node} />
      </span>
      {!node.isOpen && (
        <span class="graph-row soft">
          <span class="hlo-opcode">
            {node.opcode}
            {node.canOpen && " ▸"}
          </span>
          <span class="graph-line">{shortShape(node.shape)}</span>
        </span>
      )}
      {!node.isOpen && node.share !== null && (
        <i class="graph-share" style={{ width: `${100 * Math.min(1, Math.max(0, node.share))}%` }} />
      )}
      {above > 0 && !node.isOpen && (
        <i class="hlo-more above" title={`${above} more operands`}>
          +{above}
        </i>
      )}
      {below > 0 && !node.isOpen && (
        <i class="hlo-more below" title={`${below} more users`}>
          +{below}
        </i>
      )}
    </button>
  );
}

/** As large as fits the box in width, at most full size, at least readable. */
const READABLE = 0.75;

function fitting(box: HTMLElement | null, { width, height }: HloPlacement): number {
  if (!box?.clientWidth || !width) return 1;
  return Math.min(1, Math.max(READABLE, Math.min(box.clientWidth / width, box.clientHeight / height)));
}

function Legend({ graph }: { graph: HloGraph }) {
  const kinds = new Set(graph.nodes.map(({ opcode }) => kindOf(opcode)));
  return (
    <p class="legend">
      {Object.entries(KINDS).map(([kind, [ink, words]]) =>
        kinds.has(kind as keyof typeof KINDS) ? (
          <span key={kind}>
            <i style={{ background: `var(${ink})` }} />
            {words}
          </span>
        ) : null,
      )}
      <span title="Self time ÷ that of all instructions of the program">
        <i class="bar-sample" />
        share of the program’s time
      </span>
    </p>
  );
}

/** The row of the instruction that the pointer is over. */
function nodeUnder(target: EventTarget | null): number | null {
  const node = (target as Element | null)?.closest<HTMLElement>("[data-node]");
  return node ? Number(node.dataset["node"]) : null;
}

export function HloGraphView(props: Props) {
  const { title, graph, middle, selected, select, centre, open, words, children } = props;
  const placement = useMemo(() => placeHlo(graph), [graph]);
  const scroller = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState(1);
  const [chosen, setChosen] = useState<number | null>(null);
  const { width, height, boxes, paths } = placement;
  useLayoutEffect(() => {
    const measure = (): void => setFit(fitting(scroller.current, placement));
    const sizes = new ResizeObserver(measure);
    sizes.observe(scroller.current!);
    measure();
    return () => sizes.disconnect();
  }, [placement]);
  const zoom = chosen ?? fit;
  const change = (factor: number): void => setChosen(clamped(zoom * factor));
  const latest = useRef(change);
  latest.current = change;
  useLayoutEffect(() => {
    const [view, box] = [scroller.current!, boxes.get(middle)];
    if (!box) return;
    view.scrollLeft = (box.x + box.width / 2) * zoom - view.clientWidth / 2;
    view.scrollTop = (box.y + box.height / 2) * zoom - view.clientHeight / 2;
  }, [placement, middle, fit]);
  useEffect(() => {
    const view = scroller.current!;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
    };
    view.addEventListener("wheel", onWheel, { passive: false });
    return () => view.removeEventListener("wheel", onWheel);
  }, []);
  const reached = selected ?? middle;
  const [under, setUnder] = useState<number | null>(null);
  const lit = under ?? reached;
  const near = new Set([lit]);
  for (const { from, to } of graph.edges) if (from === lit || to === lit) for (const id of [from, to]) near.add(id);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = Number((event.target as HTMLElement).dataset["node"] ?? NaN);
    const node = graph.nodes[id];
    const next = node ? movedHlo(event.key, id, graph, placement) : null;
    if (next !== null) {
      select(graph.nodes[next]!);
      scroller.current!.querySelector<HTMLElement>(`[data-node="${next}"]`)?.focus();
    } else if (node && event.key === "c") centre(node);
    else if (node && event.key === "o" && (node.canOpen || node.isOpen)) open(node);
    else if (event.key === "+") change(ZOOM_STEP);
    else if (event.key === "-") change(1 / ZOOM_STEP);
    else if (event.key === "0") setChosen(null);
    else return;
    event.preventDefault();
  };
  const looks = ({ id, isOpen, isRoot }: HloNode): string =>
    [id === middle ? "middle" : "", isOpen ? "open" : "", isRoot ? "root" : ""].filter(Boolean).join(" ");
  const inOrder = [...graph.nodes].sort((a, b) => Number(b.isOpen) - Number(a.isOpen));
  return (
    <div class="graph">
      <div class="table-bar">
        <h2>{title}</h2>
        {children}
        <span class="grow" />
        <button type="button" title="Zoom out (−)" aria-label="Zoom out" onClick={() => change(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" title="Fit (0)" onClick={() => setChosen(null)}>
          {Math.round(100 * zoom)} %
        </button>
        <button type="button" title="Zoom in (+)" aria-label="Zoom in" onClick={() => change(ZOOM_STEP)}>
          +
        </button>
      </div>
      <div
        class="graph-scroll hlo-scroll"
        ref={scroller}
        role="group"
        aria-label={title}
        aria-description={words}
        onKeyDown={onKeyDown}
        onMouseOver={(event) => setUnder(nodeUnder(event.target))}
        onMouseLeave={() => setUnder(null)}
        {...usePan(scroller)}
      >
        <div class="graph-room" style={{ width: `${width * zoom}px`, height: `${height * zoom}px` }}>
          <div class="graph-plane" style={{ width: `${width}px`, height: `${height}px`, scale: `${zoom}` }}>
            {inOrder.map((node) =>
              node.isOpen ? (
                <Instruction
                  key={node.id}
                  node={node}
                  box={boxes.get(node.id)!}
                  looks={looks(node)}
                  isSelected={node.id === selected}
                  isReached={node.id === reached}
                  props={{ select, centre }}
                />
              ) : null,
            )}
            <svg width={width} height={height} aria-hidden="true" class="hlo-lines">
              <defs>
                <marker
                  id="hlo-arrow"
                  viewBox="0 0 8 8"
                  refX="7"
                  refY="4"
                  markerWidth="7"
                  markerHeight="7"
                  orient="auto"
                >
                  <path d="M0,0L8,4L0,8z" />
                </marker>
              </defs>
              {paths.map(({ edge, path }) => (
                <path
                  key={`${edge.from} ${edge.to}`}
                  d={path}
                  class={edge.from === lit ? "out" : edge.to === lit ? "in" : ""}
                  marker-end="url(#hlo-arrow)"
                />
              ))}
            </svg>
            {inOrder.map((node) =>
              node.isOpen ? null : (
                <Instruction
                  key={node.id}
                  node={node}
                  box={boxes.get(node.id)!}
                  looks={`${looks(node)} ${near.has(node.id) ? "near" : ""}`}
                  isSelected={node.id === selected}
                  isReached={node.id === reached}
                  props={{ select, centre }}
                />
              ),
            )}
          </div>
        </div>
      </div>
      <Legend graph={graph} />
      <p class="offscreen">{words}</p>
    </div>
  );
}
