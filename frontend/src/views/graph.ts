// Nodes and who feeds whom → where each stands, by dagre. Pure.
import { Graph as Laid, layout } from "@dagrejs/dagre";

export interface GraphNode {
  id: string;
  /** What is fed by it; null where it feeds nothing shown. */
  parent: string | null;
}

export interface Placed {
  /** Left and top edges. */
  x: number;
  y: number;
  /** How many stand between it and the top, and its place from the left among those of that depth. */
  rank: number;
  order: number;
}

/** From a node up to what it feeds. */
export interface Arrow {
  from: string;
  to: string;
  /** A path for SVG. */
  path: string;
}

export interface Placement {
  width: number;
  height: number;
  nodes: ReadonlyMap<string, Placed>;
  arrows: readonly Arrow[];
}

/** Beyond this a graph is no picture. */
export const MOST_NODES = 1000;

export const [NODE_WIDTH, NODE_HEIGHT] = [288, 46];
const [GAP_X, GAP_Y, MARGIN] = [20, 22, 12];

/** Each node's parent, where that is a node; of parents in a circle one is left out, so that every way up ends. */
export function parentsOf(nodes: readonly GraphNode[]): Map<string, string | null> {
  const given = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const parents = new Map<string, string | null>();
  for (const { id } of nodes) {
    const way = new Set<string>();
    for (let at: string | null = id; at !== null && !parents.has(at);) {
      way.add(at);
      const above: string | null = given.get(at) ?? null;
      const next: string | null = above !== null && given.has(above) ? above : null;
      parents.set(at, next !== null && way.has(next) ? null : next);
      at = parents.get(at)!;
    }
  }
  return parents;
}

/** A way for the eye: straight down where nodes stand below one another, else round the corners that dagre gives. */
function pathOf(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const last = rest.pop() ?? first;
  if (rest.every(({ x }) => Math.abs(x - first.x) < 1) && Math.abs(last.x - first.x) < 1)
    return `M${first.x},${first.y}V${last.y}`;
  let path = `M${first.x},${first.y}`;
  rest.forEach((point, i) => {
    const next = rest[i + 1] ?? last;
    const [x, y] = i + 1 < rest.length ? [(point.x + next.x) / 2, (point.y + next.y) / 2] : [next.x, next.y];
    path += `Q${point.x},${point.y} ${x},${y}`;
  });
  return path;
}

/** What is fed on top, sources at the bottom. */
export function place(nodes: readonly GraphNode[]): Placement {
  const graph = new Laid();
  graph.setGraph({ rankdir: "TB", nodesep: GAP_X, ranksep: GAP_Y, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  const parents = parentsOf(nodes);
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const [id, parent] of parents) if (parent !== null) graph.setEdge(parent, id);
  // A forest has no crossing lines to avoid, so nodes keep their order.
  layout(graph, { disableOptimalOrderHeuristic: true });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const arrows = graph.edges().map(({ v, w }) => {
    const { points } = graph.edge(v, w) as { points: { x: number; y: number }[] };
    return { from: w, to: v, path: pathOf([...points].reverse()) };
  });
  return { width, height, nodes: ranked(graph, nodes, parents), arrows };
}

function ranked(graph: Laid, nodes: readonly GraphNode[], parents: ReadonlyMap<string, string | null>) {
  const depth = (id: string): number => {
    let steps = 0;
    for (let at = parents.get(id) ?? null; at !== null; at = parents.get(at) ?? null) steps++;
    return steps;
  };
  const placed = nodes.map(({ id }) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return { id, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2, rank: depth(id), order: 0 };
  });
  placed.sort((a, b) => a.rank - b.rank || a.x - b.x);
  placed.forEach((one, i) => {
    const before = placed[i - 1];
    one.order = before?.rank === one.rank ? before.order + 1 : 0;
  });
  return new Map(placed.map(({ id, ...rest }) => [id, rest]));
}

/** Where an arrow key leads from a node: to what it feeds, to what feeds it, to its neighbours. */
export function movedNode(
  key: string,
  id: string,
  { nodes }: Placement,
  parents: ReadonlyMap<string, string | null>,
): string | null {
  if (key === "ArrowUp") return parents.get(id) ?? id;
  const ids = [...nodes.keys()];
  if (key === "ArrowDown") return ids.find((other) => parents.get(other) === id) ?? id;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const beside = ids[ids.indexOf(id) + (key === "ArrowRight" ? 1 : -1)];
  return beside !== undefined && nodes.get(beside)!.rank === nodes.get(id)!.rank ? beside : id;
}
