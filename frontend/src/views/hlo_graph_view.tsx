// A part of an XLA program as a graph: a button an instruction, lines between them; scrolled, dragged and zoomed.
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Keys } from "../page";
import { formatNumber, percent } from "../units";
import { type HloGraph, type HloNode, hloInWords, KINDS, kindOf, movedHlo, placeHlo, shortShape } from "./hlo_graph";
import { Name } from "./name";
import { Zoomed } from "./zoomed";

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
      aria-pressed={isSelected}
      tabIndex={isReached ? 0 : -1}
      title={words}
      onClick={() => props.select(node)}
      onDblClick={() => props.centre(node)}
    >
      <span class="offscreen">{words}</span>
      <span class="graph-row" aria-hidden="true">
        <Name text={node.name} title={words} />
        <span class="grow" />
        <Time node={node} />
      </span>
      {!node.isOpen && (
        <span class="graph-row soft" aria-hidden="true">
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
        <i class="hlo-more above" aria-hidden="true" title={`${above} more operands`}>
          +{above}
        </i>
      )}
      {below > 0 && !node.isOpen && (
        <i class="hlo-more below" aria-hidden="true" title={`${below} more users`}>
          +{below}
        </i>
      )}
    </button>
  );
}

/** Below this letters are no letters. */
const READABLE = 0.75;

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
  const [zoom, setZoom] = useState<number | null>(null);
  const { width, height, boxes, paths } = placement;
  const shown = useMemo(() => ({}), [placement, middle]);
  const reached = selected ?? middle;
  const [under, setUnder] = useState<number | null>(null);
  const lit = under ?? reached;
  const near = new Set([lit]);
  for (const { from, to } of graph.edges) if (from === lit || to === lit) for (const id of [from, to]) near.add(id);
  const onKey = (event: KeyboardEvent): boolean => {
    const id = Number((event.target as HTMLElement).dataset["node"] ?? NaN);
    const node = graph.nodes[id];
    const next = node ? movedHlo(event.key, id, graph, placement) : null;
    if (next !== null) {
      select(graph.nodes[next]!);
      (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-node="${next}"]`)?.focus();
    } else if (node && event.key === "c") centre(node);
    else if (node && event.key === "o" && (node.canOpen || node.isOpen)) open(node);
    else return false;
    return true;
  };
  const looks = ({ id, isOpen, isRoot }: HloNode): string =>
    [id === middle ? "middle" : "", isOpen ? "open" : "", isRoot ? "root" : ""].filter(Boolean).join(" ");
  const inOrder = [...graph.nodes].sort((a, b) => Number(b.isOpen) - Number(a.isOpen));
  return (
    <Zoomed
      title={title}
      words={words}
      width={width}
      height={height}
      readable={READABLE}
      zoom={zoom}
      setZoom={setZoom}
      middle={boxes.get(middle)}
      placement={shown}
      follows
      onKey={onKey}
      bar={children}
      ground={{
        class: "hlo-scroll",
        onMouseOver: (event) => setUnder(nodeUnder(event.target)),
        onMouseLeave: () => setUnder(null),
      }}
      legend={<Legend graph={graph} />}
    >
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
          <marker id="hlo-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
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
    </Zoomed>
  );
}
