// Nodes and edges → where each stands, by dagre. Pure.
import { Graph as Laid, layout } from "@dagrejs/dagre";

export interface GraphNode {
  id: string;
  /** What is fed by it; null where it feeds nothing shown. */
  parent: string | null;
}

interface Placed {
  /** Left and top edges. */
  x: number;
  y: number;
  /** How many stand between it and what is fed first, and its place among those of that depth. */
  rank: number;
  order: number;
}

/** From a node up to what it feeds. */
interface Arrow {
  from: string;
  to: string;
  /** A path for SVG. */
  path: string;
}

interface Placement {
  width: number;
  height: number;
  nodes: ReadonlyMap<string, Placed>;
  arrows: readonly Arrow[];
  /** Whether it runs from left to right: many branches side by side would be far too wide. */
  across: boolean;
}

/** Of more nodes of one depth the graph runs across, and they stand below one another. */
const MOST_BESIDE = 4;
/** Beyond this a graph is no picture. */
export const MOST_NODES = 1000;

export const [NODE_WIDTH, NODE_HEIGHT] = [304, 46];
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

/** A way for the eye: straight where nodes stand in line, else round the corners that dagre gives. */
function pathOf(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const last = rest.pop() ?? first;
  const all = [first, ...rest, last];
  if ((["x", "y"] as const).some((axis) => all.every((point) => Math.abs(point[axis] - first[axis]) < 1)))
    return `M${first.x},${first.y}L${last.x},${last.y}`;
  let path = `M${first.x},${first.y}`;
  rest.forEach((point, i) => {
    const next = rest[i + 1] ?? last;
    const [x, y] = i + 1 < rest.length ? [(point.x + next.x) / 2, (point.y + next.y) / 2] : [next.x, next.y];
    path += `Q${point.x},${point.y} ${x},${y}`;
  });
  return path;
}

/** How many steps each node is from what is fed first. */
function depthsOf(parents: ReadonlyMap<string, string | null>): Map<string, number> {
  const depths = new Map<string, number>();
  for (const id of parents.keys()) {
    const way: string[] = [];
    for (let at: string | null = id; at !== null && !depths.has(at); at = parents.get(at) ?? null) way.push(at);
    for (const at of way.reverse()) {
      const parent = parents.get(at) ?? null;
      depths.set(at, parent === null ? 0 : depths.get(parent)! + 1);
    }
  }
  return depths;
}

function runsAcross(depths: ReadonlyMap<string, number>): boolean {
  const counts: number[] = [];
  for (const depth of depths.values()) counts[depth] = (counts[depth] ?? 0) + 1;
  return counts.some((count) => count > MOST_BESIDE);
}

/** What is fed on top, sources at the bottom; or from left to right. */
export function place(nodes: readonly GraphNode[]): Placement {
  const graph = new Laid();
  const parents = parentsOf(nodes);
  const depths = depthsOf(parents);
  const across = runsAcross(depths);
  const gaps = across ? { rankdir: "LR", nodesep: 8, ranksep: 40 } : { rankdir: "TB", nodesep: GAP_X, ranksep: GAP_Y };
  graph.setGraph({ ...gaps, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const [id, parent] of parents) if (parent !== null) graph.setEdge(parent, id);
  // A forest has no crossing lines to avoid, so nodes keep their order.
  layout(graph, { disableOptimalOrderHeuristic: true });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const arrows = graph.edges().map(({ v, w }) => {
    const { points } = graph.edge(v, w) as { points: { x: number; y: number }[] };
    return { from: w, to: v, path: pathOf([...points].reverse()) };
  });
  return { width, height, nodes: ranked(graph, nodes, depths), arrows, across };
}

function ranked(graph: Laid, nodes: readonly GraphNode[], depths: ReadonlyMap<string, number>) {
  const placed = nodes.map(({ id }) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return { id, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2, rank: depths.get(id)!, order: 0 };
  });
  placed.sort((a, b) => a.rank - b.rank || a.x - b.x || a.y - b.y);
  placed.forEach((one, i) => {
    const before = placed[i - 1];
    one.order = before?.rank === one.rank ? before.order + 1 : 0;
  });
  return new Map(placed.map(({ id, ...rest }) => [id, rest]));
}

/** Of a graph that runs across, an arrow means what another one means of one that runs down. */
const ACROSS: Readonly<Record<string, string>> = {
  ArrowLeft: "ArrowUp",
  ArrowRight: "ArrowDown",
  ArrowUp: "ArrowLeft",
  ArrowDown: "ArrowRight",
};

export function turned(key: string, across: boolean): string {
  return across ? (ACROSS[key] ?? key) : key;
}

/** Where an arrow key leads from a node: to what it feeds, to what feeds it, to its neighbours. */
export function movedNode(
  pressed: string,
  id: string,
  { nodes, across }: Placement,
  parents: ReadonlyMap<string, string | null>,
): string | null {
  const key = turned(pressed, across);
  if (key === "ArrowUp") return parents.get(id) ?? id;
  const ids = [...nodes.keys()];
  if (key === "ArrowDown") return ids.find((other) => parents.get(other) === id) ?? id;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const beside = ids[ids.indexOf(id) + (key === "ArrowRight" ? 1 : -1)];
  return beside !== undefined && nodes.get(beside)!.rank === nodes.get(id)!.rank ? beside : id;
}
