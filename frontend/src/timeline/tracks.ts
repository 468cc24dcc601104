// The `tracks` table → processes and rows with their places on a tall page.
import type { TableData } from "../types";

export interface Track {
  /** `host:row`, the host percent-encoded: what the server takes and the address holds. */
  key: string;
  host: string;
  row: number;
  name: string;
  kind: string;
  lanes: number;
  events: number;
}

export interface Process {
  key: string;
  name: string;
  kind: string;
  tracks: Track[];
  events: number;
}

export const HEADER = 24;
export const LANE = 18;
export const GAP = 6;

export type Row = { top: number; height: number } & (
  { process: Process; track: null } | { process: Process; track: Track }
);

export interface Layout {
  rows: Row[];
  height: number;
  /** Key of a track → its row, if its process is open. */
  byTrack: Map<string, Row>;
}

export function keyOf(host: string, row: number): string {
  return `${encodeURIComponent(host)}:${row}`;
}

/** Processes in the order of their first track; several hosts' names are told apart. */
export function processesOf(table: TableData, hosts: number): Process[] {
  const c = table.columns;
  const found = new Map<string, Process>();
  (c["host"] ?? []).forEach((cell, i) => {
    const host = String(cell);
    const key = keyOf(host, Number(c["plane"]![i]));
    let process = found.get(key);
    if (!process) {
      const name = String(c["process"]![i]);
      process = {
        key,
        name: hosts > 1 ? `${host} ${name}` : name,
        kind: String(c["process_kind"]![i]),
        tracks: [],
        events: 0,
      };
      found.set(key, process);
    }
    const row = Number(c["track"]![i]);
    const events = Number(c["events"]![i]);
    process.tracks.push({
      key: keyOf(host, row),
      host,
      row,
      name: String(c["name"]![i]),
      kind: String(c["kind"]![i]),
      lanes: Number(c["lanes"]![i]),
      events,
    });
    process.events += events;
  });
  return [...found.values()];
}

/** Joins pages of the table: a process may go on in the next. */
export function joined(pages: readonly TableData[]): TableData {
  const names = Object.keys(pages[0]?.columns ?? {});
  return {
    columns: Object.fromEntries(names.map((name) => [name, pages.flatMap((page) => page.columns[name] ?? [])])),
  };
}

/** Rows from top to bottom: a header a process, under it its tracks that hold events unless it is closed. */
export function layout(processes: readonly Process[], closed: ReadonlySet<string>): Layout {
  const rows: Row[] = [];
  const byTrack = new Map<string, Row>();
  let top = 0;
  for (const process of processes) {
    rows.push({ top, height: HEADER, process, track: null });
    top += HEADER;
    if (closed.has(process.key)) continue;
    for (const track of process.tracks) {
      if (!track.events) continue;
      const row: Row = { top, height: track.lanes * LANE + GAP, process, track };
      rows.push(row);
      byTrack.set(track.key, row);
      top += row.height;
    }
  }
  return { rows, height: top, byTrack };
}

/** Rows that overlap top to bottom. */
export function rowsBetween({ rows }: Layout, top: number, bottom: number): Row[] {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle]!;
    if (row.top + row.height <= top) low = middle + 1;
    else high = middle;
  }
  const found: Row[] = [];
  for (let i = low; i < rows.length && rows[i]!.top < bottom; i++) found.push(rows[i]!);
  return found;
}
