// The bodies that cross HTTP, as the Python side declares them; tests/test_static.py compares the field names.

export interface Column {
  name: string;
  dtype: string;
  unit: string;
  help: string;
}

export interface TableSpec {
  name: string;
  title: string;
  help: string;
  columns: Column[];
  count: string;
  /** Columns, or words of the page's address, that tell a row from the others. */
  key: string[];
  /** Columns whose numbers come from events that the trace can show, the row's main one first. */
  proved: string[];
}

export interface View {
  kind: "facts" | "table" | "bars" | "lines" | "stack" | "pie" | "tree" | "page";
  title: string;
  table: string;
  label: string;
  values: string[];
  show: string[];
}

export interface Option {
  name: string;
  kind: "text" | "integer" | "number" | "flag";
  default: Scalar;
  help: string;
  choices: string[];
  low: number | null;
  high: number | null;
  offers: string[];
}

export interface ToolSpec {
  name: string;
  title: string;
  question: string;
  help: string;
  aliases: string[];
  summary: Column[];
  tables: TableSpec[];
  views: View[];
  options: Option[];
  missing: string | null;
}

export type Scalar = number | string | boolean | null;
export type TableData = { columns: Record<string, Scalar[]> };

export interface Evidence {
  host: string;
  start_ps: number;
  end_ps: number;
  track: number;
  tracks: string;
}

export interface Finding {
  title: string;
  severity: "info" | "note" | "warning";
  share: number | null;
  detail: string;
  action: string;
  tool: string;
  evidence: Evidence[];
  search: string;
  match: string;
}

export interface Quality {
  events_in_file: number;
  events_kept: number;
  dropped: Record<string, number>;
  warnings: string[];
  decoder: string;
}

export interface Answer {
  tool: string;
  schema: number;
  run: string;
  hosts: string[];
  summary: Record<string, Scalar>;
  unknown: Record<string, string>;
  tables: Record<string, TableData>;
  titles: Record<string, string>;
  findings: Finding[];
  quality: Quality;
}

export interface Host {
  name: string;
  format: string;
  size_bytes: number;
}

export interface Run {
  name: string;
  captured_ms: number;
  modified_ms: number;
  size_bytes: number;
  hosts: Host[];
}

export interface Diagnosis {
  code: string;
  path: string;
  params: Record<string, string | number | null>;
  case: string;
  found: string;
  cause: string;
  fix: string;
  ok: boolean;
}

export interface Runs {
  schema: number;
  scanning: boolean;
  folders: number;
  roots: { name: string; path: string }[];
  notes: string[];
  runs: Run[];
  diagnosis?: Diagnosis[];
}

export interface Tools {
  schema: number;
  tools: ToolSpec[];
}
