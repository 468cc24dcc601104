// The bodies that cross HTTP, as the Python side declares them; tests/test_static.py compares the field names.
import type { ColumnName as DeclaredColumn, SummaryName, TableName } from "./generated/columns";

export type { OptionName, SummaryName, TableName, ToolName } from "./generated/columns";

/** Columns of answers, and those that pages add to them. */
export type ColumnName = DeclaredColumn | "skew_ms" | "why";
/** How many rows a table has without a limit, where its tool counts them. */
type RowCount = `${TableName}_rows`;

export interface Column<Name extends string = ColumnName> {
  name: Name;
  dtype: string;
  unit: string;
  help: string;
  title: string;
}

export interface TableSpec {
  name: TableName;
  title: string;
  help: string;
  columns: Column[];
  count: SummaryName | "";
  /** Columns, or words of the page's address, that distinguish a row from the others. */
  key: string[];
  /** Columns whose numbers come from events that the trace can show, the row's main one first. */
  proved: ColumnName[];
}

export interface View {
  kind: "facts" | "table" | "bars" | "lines" | "stack" | "pie" | "tree" | "page";
  title: string;
  table: TableName | "";
  label: ColumnName | "";
  values: ColumnName[];
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
  group: string;
  summary: Column<SummaryName>[];
  tables: TableSpec[];
  views: View[];
  options: Option[];
  /** What a range of steps or of time is to its answers: a part, a window, or nothing. */
  in_range: "part" | "window" | "whole";
  missing: string | null;
  /** The place of its columns in the documentation; empty where that is unknown. */
  documentation: string;
}

export type Scalar = number | string | boolean | null;
export type Cells = Scalar[];
/** Column → the column with the whole of its texts. */
export type FullNames = { readonly [Name in ColumnName]?: ColumnName };
export type TableData = { columns: { [Name in ColumnName | ""]?: Cells } };

export interface Evidence {
  host: string;
  start_ps: number;
  end_ps: number;
  track: number;
  tracks: string;
}

/** What a sentence is made of: numbers, names, and parts of it that are codes with parameters of their own. */
type Param = string | number | boolean | null | { code: string; params: Params } | Param[];
interface Params {
  [name: string]: Param;
}

export interface Finding {
  code: string;
  params: Params;
  severity: "info" | "note" | "warning";
  share: number | null;
  title: string;
  detail: string;
  action: string;
  tool: string;
  evidence: Evidence[];
  search: string;
  match: string;
  /** What the tool `whatif` leaves out or scales of it; empty where it can select nothing. */
  whatif: string;
}

/** Why a finding is given, and a threshold of the rules that give it. */
export interface Explained {
  code: string;
  when: string;
  unless: string;
  limits: Limit[];
  /** Its place in the documentation; empty where that is unknown. */
  documentation: string;
}

export interface Limit {
  name: string;
  value: string;
  why: string;
  source: string;
}

export interface Quality {
  events_in_file: number;
  events_kept: number;
  dropped: Record<string, number>;
  warnings: string[];
  dropped_codes: Record<string, number>;
  warning_codes: { code: string; params: Params }[];
  decoder: string;
  files: FileUse[];
}

/** One of several files of a host. select: the name that chooses it, where that may change the page. */
export interface FileUse {
  host: string;
  file: string;
  kind: string;
  format: string;
  used: boolean;
  why: string;
  select: string;
}

export interface Answer {
  tool: string;
  schema: number;
  run: string;
  hosts: string[];
  summary: { [Name in SummaryName | RowCount]?: Scalar };
  unknown: { [Name in SummaryName]?: string };
  tables: { [Name in TableName | ""]?: TableData };
  titles: Record<string, string>;
  findings: Finding[];
  quality: Quality;
}

interface HostFile {
  name: string;
  kind: string;
  format: string;
  file: string;
  size_bytes: number;
}

/** files: the host's, where it has several; else none. */
export interface Host {
  name: string;
  format: string;
  size_bytes: number;
  files: HostFile[];
}

export interface Run {
  name: string;
  captured_ms: number;
  modified_ms: number;
  size_bytes: number;
  /** What its first file holds: `trace`, `database`, `Python functions`, `memory`. */
  kind: string;
  hosts: Host[];
}

export interface Diagnosis {
  code: string;
  path: string;
  params: Params;
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

/** Rows of the table of runs that came after a serial. `table` comes with the first ones. */
export interface RunRows {
  schema: number;
  serial: number;
  runs: number;
  read: number;
  failed: number;
  working: boolean;
  table?: TableSpec;
  columns: TableData["columns"];
}

/** Of each tool, why a run has nothing for it. */
export interface Missing {
  schema: number;
  tools: Pick<ToolSpec, "name" | "missing">[];
}

export interface Tools {
  schema: number;
  tools: ToolSpec[];
}

/** How far the answer to a question is; `stage` is null, and nothing else there, where none is being made. */
export interface WorkProgress {
  stage: "waiting" | "reading" | "analysing" | "combining" | null;
  host?: string;
  hosts?: number;
  hosts_done?: number;
  size_bytes?: number;
  done_bytes?: number;
  elapsed_s?: number;
}
