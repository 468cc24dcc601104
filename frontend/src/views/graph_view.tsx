// A pipeline as a graph: a button a node, lines between them; scrolled, dragged and zoomed where it is large.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Keys } from "../page";
import { counted, percent } from "../units";
import { type GraphNode, MOST_NODES, movedNode, NODE_HEIGHT, NODE_WIDTH, parentsOf, place } from "./graph";
import { Name } from "./name";
import { Zoomed } from "./zoomed";

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
  /** Nothing waited for it: pale. */
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

/** Below this letters are no letters. */
const READABLE = 0.7;

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
      aria-pressed={isSelected}
      tabIndex={isReached ? 0 : -1}
      title={words}
      onClick={press}
    >
      <span class="offscreen">{words}</span>
      <span class="graph-row" aria-hidden="true">
        <Name text={name} title={words} />
        {mark && <span class="graph-mark">{mark}</span>}
        <b class="grow number">{share !== null && share > 0 && percent(share)}</b>
      </span>
      <span class="graph-row soft" aria-hidden="true">
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
  const { width, height, nodes } = placement;
  const reached = selected !== null && byId.has(selected) ? selected : (nodes.keys().next().value ?? null);
  const at = reached === null ? undefined : nodes.get(reached);
  const onKey = (event: KeyboardEvent): boolean => {
    const id = (event.target as HTMLElement).dataset["node"];
    const next = id === undefined ? null : movedNode(event.key, id, placement, parents);
    if (next === null) return false;
    select(next);
    const drawn = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[data-node]");
    [...drawn].find((node) => node.dataset["node"] === next)?.focus();
    return true;
  };
  return (
    <Zoomed
      title={title}
      words={words}
      width={width}
      height={height}
      readable={READABLE}
      zoom={chosen}
      setZoom={setZoom}
      middle={at && { ...at, width: NODE_WIDTH, height: NODE_HEIGHT }}
      placement={placement}
      onKey={onKey}
      bar={children}
      legend={<p class="legend">{legend}</p>}
    >
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
      {[...nodes].map(([id, place]) => (
        <Node
          key={id}
          stage={byId.get(id)!}
          at={place}
          isSelected={id === selected}
          isReached={id === reached}
          press={() => select(id)}
        />
      ))}
    </Zoomed>
  );
}
