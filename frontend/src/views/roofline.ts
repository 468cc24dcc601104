// Tables of a roofline → what its chart draws: points, roofs and ticks on logarithmic axes. Pure.
import type { Scalar, TableData } from "../types";
import { formatNumber } from "../units";

export interface Point {
  row: number;
  name: string;
  group: string;
  /** FLOPs a byte, and GFLOP/s. */
  x: number;
  y: number;
  /** Part of the op time. */
  share: number;
  known: boolean;
}

export interface Roof {
  words: string;
  /** GFLOP/s of a level roof, GB/s of a slope. */
  gflops: number | null;
  gbs: number | null;
  /** The device's own memory, and the best rate, which make the roofline. */
  main: boolean;
}

interface Range {
  low: number;
  high: number;
}

export interface Frame {
  x: Range;
  y: Range;
}

/** Kinds of ops, by their category: words that it holds, and the colour. The first that fits. */
const GROUPS: readonly (readonly [pattern: RegExp, name: string, variable: string])[] = [
  [/all-|reduce-scatter|collective|permute|nccl|rccl/, "collectives", "--collective"],
  [/matmul|convolution|conv|dot|gemm|custom-call|custom fusion|attention/, "products", "--device16"],
  [
    /copy|memcpy|memset|data formatting|transpose|broadcast|slice|concat|pad|gather|scatter|embedding/,
    "data",
    "--copy",
  ],
  [/norm|softmax|reduc|pool|input fusion/, "norms and sums", "--launch"],
  [/fusion|elementwise/, "element by element", "--device"],
];
const REST = ["others", "--unknown"] as const;

export function groupOf(category: string): readonly [name: string, variable: string] {
  const lower = category.toLowerCase();
  const found = GROUPS.find(([pattern]) => pattern.test(lower));
  return found ? [found[1], found[2]] : REST;
}

function number(cell: Scalar | undefined): number {
  return typeof cell === "number" ? cell : NaN;
}

/** Ops with a place on the chart: those that compute, and whose bytes are known. */
export function pointsOf({ columns }: TableData): Point[] {
  const at = (name: string, row: number): Scalar | undefined => (columns as Record<string, Scalar[]>)[name]?.[row];
  return (columns["name" as keyof typeof columns] ?? []).flatMap((name, row) => {
    const [x, y] = [number(at("intensity", row)), number(at("gflop_s", row))];
    if (!(x > 0 && y > 0)) return [];
    const share = number(at("op_time_share", row)) || 0;
    const group = groupOf(String(at("category", row) ?? ""))[0];
    return [{ row, name: String(name), group, x, y, share, known: at("above_roof", row) !== true }];
  });
}

/** Precisions of one rate are one roof; of all of them only those that ops have, and the best. */
export function roofsOf(data: TableData, used: ReadonlySet<string>): Roof[] {
  const columns = data.columns as Record<string, Scalar[]>;
  const rows = (columns["roof"] ?? []).map((_, row) => row);
  const devices = new Set(columns["device"] ?? []);
  const level = new Map<number, string[]>();
  const slopes: Roof[] = [];
  const best = Math.max(
    ...rows.map((row) => (isNarrow(columns["roof"]?.[row]) ? 0 : number(columns["peak_gflop_s"]?.[row]) || 0)),
  );
  for (const row of rows) {
    const [roof, rate] = [String(columns["roof"]?.[row]), number(columns["peak_gflop_s"]?.[row])];
    const of = devices.size > 1 ? ` (${String(columns["device"]?.[row])})` : "";
    const gbs = number(columns["peak_gb_s"]?.[row]);
    if (rate > 0 && (rate === best || used.has(roof)))
      level.set(rate, [...(level.get(rate) ?? []), roof.toUpperCase() + of]);
    if (gbs > 0)
      slopes.push({ words: `${roof}${of} ${formatNumber(gbs, "gb_s")}`, gflops: null, gbs, main: roof === "HBM" });
  }
  const levels = [...level].map(([gflops, names]) => ({
    words: `${names.join(", ")} ${formatNumber(gflops, "gflop_s")}`,
    gflops,
    gbs: null,
    main: gflops === best,
  }));
  return [...slopes, ...levels];
}

/** Fewer than 16 bits. */
function isNarrow(roof: Scalar | undefined): boolean {
  return ["fp8", "int8", "fp4"].includes(String(roof));
}

function spread(values: readonly number[], least: number): Range {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [Math.floor(Math.log10(low / 1.3)), Math.ceil(Math.log10(high * 1.3))];
  return { low: 10 ** from, high: 10 ** Math.max(to, from + least) };
}

/** So many decades are drawn; what is further down stands at the edge. */
const MOST_DECADES = 7;

function narrowed({ low, high }: Range): Range {
  return { low: Math.max(low, high / 10 ** MOST_DECADES), high };
}

/** From decade to decade around all points, the ridge of the main roofs, and their height. */
export function frameOf(points: readonly Point[], roofs: readonly Roof[]): Frame {
  const slope = roofs.find(({ main, gbs }) => main && gbs)?.gbs;
  const tops = roofs.flatMap(({ gflops }) => (gflops ? [gflops] : []));
  const ridges = slope ? tops.map((top) => top / slope) : [];
  const x = spread([...points.map((point) => point.x), ...ridges, 1], 2);
  const y = spread([...points.map((point) => point.y), ...tops, ...(points.length || tops.length ? [] : [1])], 2);
  return { x: narrowed(x), y: narrowed(y) };
}

/** Part of the way from the low end to the high one. */
export function place(value: number, { low, high }: Range): number {
  return Math.log(Math.min(Math.max(value, low), high) / low) / Math.log(high / low);
}

export function valueAt(part: number, { low, high }: Range): number {
  return low * (high / low) ** part;
}

/** `0.01`, `10 TFLOP/s`: a decade without the zeros that other numbers have for their digits. */
export function tickText(value: number, unit: string): string {
  const text = unit ? formatNumber(value, unit) : String(Number(value.toPrecision(1)));
  return text.replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");
}

/** The decades, at most so many. */
export function ticks({ low, high }: Range, most: number): number[] {
  const count = Math.round(Math.log10(high / low));
  const every = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.floor(count / every) + 1 }, (_, i) => low * 10 ** (i * every));
}

/** A roof from where it enters the frame to where it leaves it, or meets the highest level; null where it is outside. */
export function lineOf(
  roof: Roof,
  roofs: readonly Roof[],
  { x, y }: Frame,
): [x1: number, y1: number, x2: number, y2: number] | null {
  const top = Math.max(...roofs.map(({ gflops }) => gflops ?? 0)) || y.high;
  if (roof.gbs) {
    const from = Math.max(x.low, y.low / roof.gbs);
    const to = Math.min(x.high, Math.min(top, y.high) / roof.gbs);
    return from < to ? [from, from * roof.gbs, to, to * roof.gbs] : null;
  }
  const slope = roofs.find(({ main, gbs }) => main && gbs)?.gbs;
  const level = roof.gflops ?? 0;
  const from = slope ? Math.max(x.low, level / slope) : x.low;
  return from < x.high && level <= y.high ? [from, level, x.high, level] : null;
}

/** What a filter of the table takes for a rectangle: `intensity>=1 intensity<=10 gflop_s>=5 gflop_s<=50`. */
export function filterOf(x: Range, y: Range): string {
  const text = (value: number): string => value.toPrecision(3).replace("e+", "e");
  return `intensity>=${text(x.low)} intensity<=${text(x.high)} gflop_s>=${text(y.low)} gflop_s<=${text(y.high)}`;
}

/** For screen readers. */
export function inWords(points: readonly Point[], roofs: readonly Roof[]): string {
  const most = [...points].sort((a, b) => b.share - a.share)[0];
  const tops = roofs.map(({ words }) => words).join(", ");
  const largest = most
    ? `; the largest, ${most.name}, computes ${formatNumber(most.y, "gflop_s")} at ${formatNumber(most.x, "")} FLOPs a byte`
    : "";
  return `${points.length} ops${largest}; roofs: ${tops || "none known"}`;
}
