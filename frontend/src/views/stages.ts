// The stages of a tf.data pipeline → nodes of a graph, and the whole in words. Pure.
import type { ColumnName, TableData } from "../types";
import { counted, formatNumber, percent } from "../units";
import type { Stage } from "./graph_view";
import { number, rowCount } from "./rows";

function time(value: number | null): string {
  return value === null ? "?" : formatNumber(value, "us");
}

export const BOTTLENECK = "bottleneck";
const WAITED = "waited for";

function inWords(data: TableData, row: number, limiter: string): string {
  const { columns } = data;
  const of = (name: ColumnName): number | null => number(columns[name]?.[row]);
  const [share, calls] = [of("blocking_share"), of("calls")];
  const mark = markOf(data, row, limiter);
  const worked = (["self", "function", "wait"] as const).flatMap((name) => {
    const value = of(`${name}_us`);
    return value ? [`${name === "wait" ? "waiting" : name} ${time(value)}`] : [];
  });
  return [
    `${String(columns["name"]?.[row])}: ${calls === null ? "calls unknown" : counted(calls, "call")}, ${time(of("duration_us"))} in total`,
    worked.length ? `, of which ${worked.join(", ")}` : "",
    share ? `; ${percent(share)} of the program's waiting time` : "; the program did not wait for it",
    mark === BOTTLENECK ? "; the bottleneck" : mark ? "; what calls waited for" : "",
    columns["async"]?.[row] === true ? "; runs on background threads" : "",
  ].join("");
}

/** What calls waited for is the bottleneck, unless another stage limits the pipeline: then only that is called so. */
export function markOf(data: TableData, row: number, limiter: string): string {
  if (data.columns["bottleneck"]?.[row] !== true) return "";
  const name = data.columns["long_name"]?.[row];
  return limiter === "" || name === undefined || name === limiter ? BOTTLENECK : WAITED;
}

/** A node a row; ids are row numbers. `limiter`: the whole name of the stage that limits the pipeline. */
export function stagesOf(data: TableData, limiter = ""): Stage[] {
  const { columns } = data;
  const is = (name: ColumnName, row: number): boolean => columns[name]?.[row] === true;
  return Array.from({ length: rowCount(data) }, (_, row) => {
    const of = (name: ColumnName): number | null => number(columns[name]?.[row]);
    const [parent, calls, iterators] = [of("parent"), of("calls"), of("iterators")];
    const work = (of("self_us") ?? 0) + (of("function_us") ?? 0);
    const line = [
      calls !== 0 && `${time(of("duration_us"))} in ${calls === null ? "?" : counted(calls, "call")}`,
      (iterators ?? 0) > 1 && counted(iterators!, "iterator"),
    ];
    return {
      id: String(row),
      parent: parent !== null && parent >= 0 ? String(parent) : null,
      name: String(columns["name"]?.[row] ?? ""),
      value: calls === 0 && !work ? "not called here" : of("self_us") === null ? "" : `work ${time(work)}`,
      line: line.filter(Boolean).join(" · "),
      share: of("blocking_share"),
      mark: markOf(data, row, limiter),
      isCritical: is("critical", row) || is("bottleneck", row),
      isAsync: is("async", row),
      isPale: !is("blocking", row),
      words: inWords(data, row, limiter),
    };
  });
}

/** `Pipeline of 7 stages, from Root to TFRecord. Critical path: Root > Prefetch > ParallelMapV2. …` */
export function graphInWords(data: TableData, limiter = ""): string {
  const names = (data.columns["name"] ?? []).map(String);
  const rows = [...names.keys()];
  const critical = rows.filter((row) => data.columns["critical"]?.[row] === true).map((row) => names[row]);
  const share = (row: number): number => number(data.columns["blocking_share"]?.[row]) ?? 0;
  const most = rows
    .filter((row) => share(row) > 0)
    .sort((a, b) => share(b) - share(a))
    .slice(0, 5)
    .map((row) => `${names[row]} ${percent(share(row))}`);
  const marked = rows.filter((row) => data.columns["bottleneck"]?.[row] === true).map((row) => names[row]);
  const isLimiter = rows.some((row) => markOf(data, row, limiter) === BOTTLENECK);
  return [
    `Pipeline of ${counted(names.length, "stage")}.`,
    critical.length ? `Critical path: ${critical.join(" > ")}.` : "",
    marked.length
      ? `${isLimiter ? "Bottleneck" : "Calls waited for"}: ${marked.join(", ")}.`
      : "No stage is the bottleneck.",
    most.length ? `The program waited for: ${most.join(", ")}.` : "The program did not wait.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** `autotune=true; parallelism=8` or with other separators → pairs, in order. */
export function parametersOf(text: string): [name: string, value: string][] {
  return text
    .split(/[;,]?\s+(?=[\w.]+=)|[;\n]\s*/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    });
}
