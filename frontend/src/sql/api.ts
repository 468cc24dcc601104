// Questions in SQL and what they may be about, as the server has it.
import { address, get, post } from "../api";
import { asked } from "../asking";
import type { Cells } from "../types";

export interface Field {
  name: string;
  unit: string;
  help: string;
}

/** A table, or a view. */
export interface Named {
  name: string;
  help: string;
  columns: readonly Field[];
}

export interface Schema {
  /** Why queries are not answered; empty where they are. */
  why_not: string;
  tables: readonly Named[];
  views: readonly Named[];
  examples: readonly { question: string; query: string }[];
}

/** `hosts` empty: all. */
export interface Question {
  query: string;
  runs: readonly string[];
  hosts: readonly string[];
}

export interface Rows {
  columns: readonly { name: string; dtype: string; unit: string }[];
  /** Of each column. */
  cells: readonly Cells[];
  is_cut: boolean;
  left_out: readonly { host: string; why: string }[];
}

export function getSchema(signal: AbortSignal): Promise<Schema> {
  return asked(get(address("sql/schema", []), signal));
}

export function getRows(question: Question, signal: AbortSignal): Promise<Rows> {
  return asked(post(address("sql", []), question, signal));
}
