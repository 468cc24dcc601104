// Answers and findings of which a test cares for a part.
import type { ColumnsAnswer } from "../src/columns";
import type { Answer, Finding } from "../src/types";

const EMPTY: Answer = {
  tool: "trace_viewer",
  schema: 1,
  run: "r",
  hosts: ["h"],
  unknown: {},
  findings: [],
  summary: {},
  tables: {},
  titles: {},
  quality: {
    events_in_file: 0,
    events_kept: 0,
    dropped: {},
    dropped_codes: {},
    warning_codes: [],
    warnings: [],
    decoder: "compiled",
    files: [],
  },
};

export function answerWith<T extends Partial<Answer> | Partial<ColumnsAnswer>>(part: T): Omit<Answer, keyof T> & T {
  return { ...EMPTY, ...part };
}

/** Rows are [track, depth, start, duration, name, count]; they are numbered from `first` on. */
export function sliceColumns(rows: readonly (readonly number[])[], first = 0) {
  const column = (i: number): number[] => rows.map((row) => row[i]!);
  return {
    track: column(0),
    depth: column(1),
    start_ps: column(2),
    duration_ps: column(3),
    idle_ps: rows.map(() => 0),
    name: column(4),
    count: column(5),
    row: rows.map((_, i) => first + i),
  };
}

export const FINDING = {
  title: "",
  severity: "info",
  share: null,
  detail: "",
  action: "",
  code: "",
  params: {},
  match: "text",
  whatif: "",
  search: "",
} as const satisfies Partial<Finding>;
