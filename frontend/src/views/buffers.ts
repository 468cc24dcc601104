// The tables of a program's buffers → its curve, and what is live at its peak. Pure.
import type { Answer, ColumnName, SummaryName, TableData } from "../types";
import { number, numbers } from "./rows";

/** What kinds are called, and their colours, the same in the curve, bars and legend; from the bottom up. */
export const KINDS = [
  ["parameter", "parameters", "--host"],
  ["output", "outputs", "--device"],
  ["constant", "constants", "--python"],
  ["temporary", "temporaries", "--memory-heap"],
] as const;

export function colourOf(kind: string): string {
  return KINDS.find(([name]) => name === kind)?.[2] ?? "--unknown";
}

/** By event of the heap simulation. held: tops of what is there throughout, by kind, from the bottom up. */
export interface Curve {
  events: number[];
  live: number[];
  logical: number[];
  instructions: string[];
  changes: string[];
  ops: string[];
  places: (number | null)[];
  held: readonly (readonly [kind: string, top: number])[];
  /** The row of the peak. */
  peak: number;
  isPadded: boolean;
}

/** Zero where one is unknown. */
function amounts(data: TableData, name: ColumnName): number[] {
  return numbers(data, name).map((value) => value ?? 0);
}

function texts({ columns }: TableData, name: ColumnName): string[] {
  return (columns[name] ?? []).map((cell) => String(cell ?? ""));
}

/** Null where XLA gives no simulation. */
export function curveOf({ summary, tables }: Pick<Answer, "summary" | "tables">): Curve | null {
  const data = tables["curve"];
  const [events, live, logical] = (["event", "live_bytes", "logical_bytes"] as const).map((name) =>
    data ? amounts(data, name) : [],
  ) as [number[], number[], number[]];
  if (!data || events.length < 2) return null;
  let top = 0;
  const held = KINDS.slice(0, 3).map(([kind]) => {
    top += number(summary[`${kind}_bytes` as SummaryName]) ?? 0;
    return [kind, top] as const;
  });
  const peak = events.indexOf(number(summary["peak_event"]) ?? -2);
  return {
    events,
    live,
    logical,
    instructions: texts(data, "instruction"),
    changes: texts(data, "change"),
    ops: texts(data, "op"),
    places: numbers(data, "place"),
    held,
    peak: peak < 0 ? live.indexOf(Math.max(...live)) : peak,
    isPadded: logical.some((value, row) => value < live[row]!),
  };
}

/** Columns of points: the curve, what is held by kind from the top down, the curve without padding. */
export function pointsOf({ events, live, logical, held }: Curve): number[][] {
  const end = events[events.length - 1]! + 1;
  const closed = (values: number[]): number[] => [...values, values[values.length - 1]!];
  const levels = [...held].reverse().map(([, top]) => [...events, end].map(() => top));
  return [[...events, end], closed(live), ...levels, closed(logical)];
}

/** One buffer at the peak. row: in the table. */
export interface Live {
  row: number;
  name: string;
  kind: string;
  bytes: number;
  logical: number;
  first: number | null;
  last: number | null;
  op: string;
  shape: string;
  saves: string;
}

export type Order = "size" | "program";

/** Largest first, or in the order in which the program makes them. */
export function liveAtPeak(data: TableData, order: Order): Live[] {
  const [names, kinds, ops, shapes, saves] = (["instruction", "kind", "op", "shape", "saves"] as const).map((name) =>
    texts(data, name),
  ) as [string[], string[], string[], string[], string[]];
  const [sizes, logical] = [amounts(data, "bytes"), amounts(data, "logical_bytes")];
  const [first, last] = (["first_place", "last_place"] as const).map((name) => numbers(data, name)) as [
    (number | null)[],
    (number | null)[],
  ];
  const live = names.flatMap((name, row) =>
    data.columns["at_peak"]?.[row] === true
      ? [
          {
            row,
            name,
            kind: kinds[row]!,
            bytes: sizes[row]!,
            logical: logical[row]!,
            first: first[row] ?? null,
            last: last[row] ?? null,
            op: ops[row]!,
            shape: shapes[row]!,
            saves: saves[row]!,
          },
        ]
      : [],
  );
  const bySize = (a: Live, b: Live): number => b.bytes - a.bytes || a.row - b.row;
  const byPlace = (a: Live, b: Live): number => (a.first ?? -1) - (b.first ?? -1) || bySize(a, b);
  return live.sort(order === "size" ? bySize : byPlace);
}
