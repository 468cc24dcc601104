// An area of the trace ↔ options of a request; the answer → its summary. Pure.
import type { Answer, Column, ColumnName, Scalar, TableData, TableName, TableSpec } from "../types";
import { counted, formatNumber, percent } from "../units";
import { length } from "./scale";
import type { Area } from "./scene";
import { ranges } from "./store";
import type { Track } from "./tracks";

export function areaOptions({ view, tracks }: Area): Record<string, string> {
  return {
    area: "true",
    start_ps: String(Math.floor(view.start)),
    end_ps: String(Math.max(Math.floor(view.start) + 1, Math.ceil(view.end))),
    ...(tracks.length ? { tracks: ranges(tracks) } : {}),
  };
}

/** `12,345 events on 8 tracks · busy 3.20 ms of 8 × 1.00 ms, 40.0 %`. */
export function sumsOf({ summary }: Answer, area: Area): string[] {
  const [events, tracks, busy] = (["area_events", "area_tracks", "area_busy_ps"] as const).map((name) =>
    Number(summary[name] ?? 0),
  );
  const long = length(area.view);
  const all = long * tracks!;
  return [
    `${counted(events!, "event")} on ${counted(tracks!, "track")}`,
    `busy ${formatNumber(busy!, "ps")} of ${tracks! > 1 ? `${tracks} × ` : ""}${formatNumber(long, "ps")}` +
      (all > 0 ? `, ${percent(busy! / all)}` : ""),
  ];
}

/** How many rows a table would have without a bound. */
export function rowsOfAll({ summary }: Answer, table: TableName): number | null {
  const rows = summary[`${table}_rows`];
  return typeof rows === "number" ? rows : null;
}

/** Gaps as they are read: tracks by name, begins as on the ruler, the sentence of the cause without its quotes. */
export function readableGaps(
  spec: TableSpec,
  { columns }: TableData,
  origin: number,
  track: (host: string, row: number) => Track | null,
): { spec: TableSpec; data: TableData } {
  const cells = (name: ColumnName): Scalar[] => [...(columns[name] ?? [])];
  const tracks = cells("track").map((cell, i) => track(String(columns["host"]?.[i]), Number(cell)));
  const isOne = (key: "group" | "host"): boolean => new Set(tracks.flatMap((one) => one?.[key] ?? [])).size < 2;
  const [oneGroup, oneHost] = [isOne("group"), isOne("host")];
  // Streams of several devices have the same names.
  const named = (cell: Scalar, i: number): string => {
    const one = tracks[i];
    if (!one) return String(Number(cell));
    const group = decodeURIComponent(one.group.slice(one.group.lastIndexOf("/") + 1));
    const places = [oneHost ? "" : one.host, oneGroup ? "" : group, one.name || String(one.row)];
    return places.filter(Boolean).join(" · ");
  };
  const changed: Readonly<Record<string, Partial<Column>>> = {
    track: { dtype: "text" },
    text: { name: "why", title: "Why" },
  };
  const data = {
    ...columns,
    track: cells("track").map(named),
    start_ps: cells("start_ps").map((cell) => Number(cell) - origin),
    why: cells("text").map((cell) => String(cell).replaceAll("`", "")),
  };
  return {
    spec: { ...spec, columns: spec.columns.map((column) => ({ ...column, ...changed[column.name] })) },
    data: { columns: data },
  };
}

/** The table with categories called as everywhere. */
export function withCategoryTitles({ columns }: TableData, titleOf: (key: string) => string): TableData {
  return { columns: { ...columns, category: [...(columns["category"] ?? [])].map((key) => titleOf(String(key))) } };
}
