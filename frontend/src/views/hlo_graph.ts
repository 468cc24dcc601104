// Instructions and their operands → where each stands, by dagre: operands above, users below. Pure.
import { Graph as Laid, layout } from "@dagrejs/dagre";
import type { Cells, TableData } from "../types";
import { counted, formatNumber, percent } from "../units";
import { number } from "./rows";
import { turned } from "./graph";

/** An instruction that is shown; `id` is its row. */
export interface HloNode {
  id: number;
  /** The opened one that it is in; -1 for none. */
  parent: number;
  name: string;
  opcode: string;
  category: string;
  shape: string;
  op: string;
  source: string;
  share: number | null;
  selfUs: number | null;
  executions: number | null;
  distance: number;
  isRoot: boolean;
  isOpen: boolean;
  canOpen: boolean;
  hiddenOperands: number;
  hiddenUsers: number;
}

interface HloEdge {
  from: number;
  to: number;
  /** Numbers of the operands, where one takes another more than once. */
  operands: readonly number[];
  shape: string;
}

export interface HloGraph {
  nodes: readonly HloNode[];
  edges: readonly HloEdge[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface HloPlacement {
  width: number;
  height: number;
  /** Left, top and size of each node; of an opened one the box around what is in it. */
  boxes: ReadonlyMap<number, Box>;
  /** Whether it runs from left to right: instructions are wide, and many side by side would be far wider. */
  across: boolean;
  paths: readonly { edge: HloEdge; path: string }[];
}

export const [HLO_WIDTH, HLO_HEIGHT] = [216, 46];
const [GAP_X, GAP_Y, MARGIN] = [14, 34, 14];
/** Room for an opened one's name above what is in it. */
const HEAD = 22;

export function hloGraph(nodes: TableData | undefined, edges: TableData | undefined): HloGraph {
  const of = (name: keyof TableData["columns"], table = nodes): Cells => table?.columns[name] ?? [];
  const text = (name: keyof TableData["columns"], row: number): string => String(of(name)[row] ?? "");
  return {
    nodes: of("name").map((name, id) => ({
      id,
      parent: Number(of("parent")[id] ?? -1),
      name: String(name),
      opcode: text("opcode", id),
      category: text("category", id),
      shape: text("shape", id),
      op: text("op", id),
      source: text("source", id),
      share: number(of("program_share")[id]),
      selfUs: number(of("self_us")[id]),
      executions: number(of("executions")[id]),
      distance: Number(of("distance")[id] ?? 0),
      isRoot: of("is_root")[id] === true,
      isOpen: of("is_open")[id] === true,
      canOpen: of("can_open")[id] === true,
      hiddenOperands: Number(of("hidden_operands")[id] ?? 0),
      hiddenUsers: Number(of("hidden_users")[id] ?? 0),
    })),
    edges: joinedEdges(of("from_row", edges), of("to_row", edges), of("operand", edges), of("shape", edges)),
  };
}

/** One for each pair, however often one takes the other. */
function joinedEdges(from: Cells, to: Cells, operand: Cells, shape: Cells): HloEdge[] {
  const edges = new Map<string, { from: number; to: number; operands: number[]; shape: string }>();
  from.forEach((source, i) => {
    const key = `${String(source)} ${String(to[i])}`;
    const edge = edges.get(key);
    if (edge) edge.operands.push(Number(operand[i]));
    else
      edges.set(key, {
        from: Number(source),
        to: Number(to[i]),
        operands: [Number(operand[i])],
        shape: String(shape[i] ?? ""),
      });
  });
  return [...edges.values()];
}

interface Point {
  x: number;
  y: number;
}

/** A way for the eye: it leaves a box in the middle of one side, and comes to another in the middle of the opposite one. */
function curve(points: readonly Point[], from: Box, to: Box, across: boolean): string {
  const [start, end] = across
    ? [
        { x: from.x + from.width, y: from.y + from.height / 2 },
        { x: to.x, y: to.y + to.height / 2 },
      ]
    : [
        { x: from.x + from.width / 2, y: from.y + from.height },
        { x: to.x + to.width / 2, y: to.y },
      ];
  // Between neighbouring ranks dagre gives the middle, which a curve passes anyway.
  const between = points.length > 3 ? points.slice(1, -1) : [];
  let path = `M${round(start.x)},${round(start.y)}`;
  let at = start;
  for (const next of [...between, end]) {
    const [x, y] = [(at.x + next.x) / 2, (at.y + next.y) / 2];
    const [first, second] = across
      ? [`${round(x)},${round(at.y)}`, `${round(x)},${round(next.y)}`]
      : [`${round(at.x)},${round(y)}`, `${round(next.x)},${round(y)}`];
    path += `C${first} ${second} ${round(next.x)},${round(next.y)}`;
    at = next;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Of more instructions beside one another the graph runs across, and they stand below one another. */
const MOST_BESIDE = 6;
/** Up to so many, lines are kept from crossing; of more that takes too long. */
const MOST_ORDERED = 150;

/** How many instructions are as far from the first ones, at most. */
function mostBeside(nodes: readonly HloNode[], edges: readonly HloEdge[]): number {
  const into = new Map(nodes.map(({ id }) => [id, 0]));
  const users = new Map<number, number[]>();
  for (const { from, to } of edges) {
    into.set(to, (into.get(to) ?? 0) + 1);
    users.set(from, [...(users.get(from) ?? []), to]);
  }
  const depths = new Map<number, number>();
  // What is in a circle is left out: its turn never comes.
  const waiting = nodes.flatMap(({ id }) => (into.get(id) ? [] : [id]));
  for (const id of waiting) {
    for (const user of users.get(id) ?? []) {
      depths.set(user, Math.max(depths.get(user) ?? 0, (depths.get(id) ?? 0) + 1));
      into.set(user, into.get(user)! - 1);
      if (!into.get(user)) waiting.push(user);
    }
  }
  const counts: number[] = [];
  for (const { id, isOpen } of nodes) if (!isOpen) counts[depths.get(id) ?? 0] = (counts[depths.get(id) ?? 0] ?? 0) + 1;
  return Math.max(0, ...counts.filter(Boolean));
}

/** Operands above, users below, or left and right; what is opened is a box around what it runs. */
export function placeHlo({ nodes, edges }: HloGraph): HloPlacement {
  const open = new Set(nodes.flatMap(({ id, isOpen }) => (isOpen ? [id] : [])));
  const drawn = edges.filter(({ from, to }) => !open.has(from) && !open.has(to) && from !== to);
  const across = mostBeside(nodes, drawn) > MOST_BESIDE;
  const graph = new Laid({ compound: open.size > 0 });
  const gaps = across ? { rankdir: "LR", nodesep: 10, ranksep: 56 } : { rankdir: "TB", nodesep: GAP_X, ranksep: GAP_Y };
  graph.setGraph({ ...gaps, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, isOpen } of nodes) graph.setNode(String(id), isOpen ? {} : { width: HLO_WIDTH, height: HLO_HEIGHT });
  for (const { id, parent } of nodes) if (open.has(parent)) graph.setParent(String(id), String(parent));
  for (const { from, to } of drawn) graph.setEdge(String(from), String(to));
  layout(graph, { disableOptimalOrderHeuristic: nodes.length > MOST_ORDERED });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const boxes = boxesOf(graph, nodes);
  const paths = drawn.map((edge) => {
    const { points } = graph.edge(String(edge.from), String(edge.to)) as { points: Point[] };
    return { edge, path: curve(points, boxes.get(edge.from)!, boxes.get(edge.to)!, across) };
  });
  return { width, height: height + (open.size ? HEAD : 0), boxes, across, paths };
}

function boxesOf(graph: Laid, nodes: readonly HloNode[]): Map<number, Box> {
  return new Map(
    nodes.map(({ id, isOpen }) => {
      const node = graph.node(String(id)) as Box;
      const box = { ...node, x: node.x - node.width / 2, y: node.y - node.height / 2 };
      return [id, isOpen ? { ...box, y: box.y - HEAD / 2, height: box.height + HEAD / 2 } : box];
    }),
  );
}

/** Where an arrow key leads: to the first operand, the first user, or what stands beside; null for other keys. */
export function movedHlo(pressed: string, id: number, graph: HloGraph, placement: HloPlacement): number | null {
  const { boxes, across } = placement;
  const key = turned(pressed, across);
  if (key === "ArrowUp") return graph.edges.find(({ to }) => to === id)?.from ?? id;
  if (key === "ArrowDown") return graph.edges.find(({ from }) => from === id)?.to ?? id;
  const step = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
  const here = boxes.get(id);
  if (!step || !here) return null;
  const [rank, order] = across ? (["x", "y"] as const) : (["y", "x"] as const);
  const beside = graph.nodes
    .filter(({ id: other, isOpen }) => !isOpen && Math.abs(boxes.get(other)![rank] - here[rank]) < HLO_HEIGHT / 2)
    .sort((a, b) => boxes.get(a.id)![order] - boxes.get(b.id)![order]);
  return beside[beside.findIndex((one) => one.id === id) + step]?.id ?? id;
}

/** The colour of a kind of instruction, and what the kind is called. */
export const KINDS = {
  product: ["--device64", "matrix product or convolution"],
  fusion: ["--device", "fusion"],
  elementwise: ["--device16", "elementwise, reduction"],
  copy: ["--copy", "copy, layout, slice"],
  collective: ["--collective", "collective"],
  call: ["--launch", "custom call"],
  control: ["--runtime", "loop, branch, call"],
  input: ["--input", "infeed, outfeed"],
  plain: ["--idle", "parameter, constant, tuple"],
} as const;
type Kind = keyof typeof KINDS;

const RULES: readonly (readonly [RegExp, Kind])[] = [
  [
    /^(parameter|constant|tuple|get-tuple-element|bitcast|iota|after-all|opt-barrier|partition-id|replica-id)$/,
    "plain",
  ],
  [/^(all-|reduce-scatter|collective|ragged-all|send|recv)/, "collective"],
  [/^(infeed|outfeed)/, "input"],
  [/^(dot|convolution|ragged-dot|scaled-dot|cholesky|triangular-solve|fft)$/, "product"],
  [/^fusion$/, "fusion"],
  [/^custom-call/, "call"],
  [/^(while|conditional|call|async)/, "control"],
  [/^(copy|transpose|reshape|slice|dynamic-|concatenate|pad|gather|reverse|broadcast)/, "copy"],
];

export function kindOf(opcode: string): Kind {
  return RULES.find(([rule]) => rule.test(opcode))?.[1] ?? "elementwise";
}

/** `f32[16,32]`, without its layout. */
export function shortShape(shape: string): string {
  return shape.replace(/\{[^{}]*\}/g, "");
}

/** An instruction in words. */
export function hloInWords({ name, opcode, shape, share, selfUs, executions, op, isRoot }: HloNode): string {
  const time =
    selfUs === null
      ? "no event of the capture is it"
      : `${formatNumber(selfUs, "us")}${share === null ? "" : `, ${percent(share)} of the program`}` +
        (executions ? `, in ${counted(executions, "execution")}` : "");
  return [`${name}: ${opcode}, ${shape}`, time, op, isRoot ? "the result of its computation" : ""]
    .filter(Boolean)
    .join("\n");
}
