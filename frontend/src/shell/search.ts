// What can be found in a run, over all its pages ↔ a text: results by group, each with the way to it. Pure.
import type { Selection } from "../page";
import type { Answer, ColumnName, TableName, ToolSpec } from "../types";
import { label } from "../units";
import { inTrace } from "../views/links";
import { onlyWith } from "../views/rows";

export interface Found {
  group: string;
  title: string;
  /** Where it is, or what it says. */
  detail: string;
  /** Its page; of a declared number its help, too. */
  way: Partial<Selection>;
  column?: string;
}

/** Tables whose rows are searched: by which column, and what they are called. */
const NAMED: readonly (readonly [tool: string, table: TableName, column: ColumnName, group: string])[] = [
  ["op_stats", "ops", "name", "Ops"],
  ["kernel_stats", "names", "short_name", "Kernels"],
  ["hlo_stats", "instructions", "instruction", "Instructions"],
  ["python_profile", "functions", "name", "Python functions"],
];
/** Whose answers are asked for: small ones, kept by the server. Others are only found by what they are called. */
export const SEARCHED: readonly string[] = ["overview", "input_pipeline", ...NAMED.map(([tool]) => tool)];
/** Of a group. */
const MOST = 8;
/** Rows that are looked at in a table. */
const MOST_ROWS = 50_000;
const GROUPS = ["Pages", "Findings", ...NAMED.map(([, , , group]) => group), "What numbers mean"];

/** Every word is in the text. */
function tester(text: string): (where: string) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (where) => {
    const lower = where.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

function pagesIn(tools: readonly ToolSpec[], passes: (text: string) => boolean): Found[] {
  return tools
    .filter(({ title, question }) => passes(`${title} ${question}`))
    .map(({ name, title, question }) => ({ group: "Pages", title, detail: question, way: { tool: name } }));
}

function numbersIn(tools: readonly ToolSpec[], passes: (text: string) => boolean): Found[] {
  const seen = new Set<string>();
  return tools.flatMap((tool) =>
    [{ title: "", columns: tool.summary }, ...tool.tables].flatMap(({ title, columns }) =>
      columns.flatMap((column) => {
        const name = label(column);
        if (!passes(`${name} ${column.name} ${column.help}`) || seen.has(name + column.help)) return [];
        seen.add(name + column.help);
        const found = {
          group: "What numbers mean",
          title: name,
          detail: `${tool.title}${title && `, ${title}`}: ${column.help}`,
        };
        return [{ ...found, way: { tool: tool.name }, column: column.name }];
      }),
    ),
  );
}

function findingsIn(answer: Answer, title: string, passes: (text: string) => boolean): Found[] {
  return answer.findings
    .filter((finding) => passes(`${finding.title} ${finding.action}`))
    .map((finding) => {
      const [where] = finding.tool === "trace_viewer" ? finding.evidence : [];
      const way = where ? inTrace(where, finding.evidence) : { tool: answer.tool };
      return { group: "Findings", title: finding.title.replaceAll("`", ""), detail: where ? "Trace" : title, way };
    });
}

function rowsIn({ tool, tables }: Answer, title: string, passes: (text: string) => boolean): Found[] {
  const named = NAMED.find(([name]) => name === tool);
  if (!named) return [];
  const [, table, column, group] = named;
  const names = new Set((tables[table]?.columns[column] ?? []).slice(0, MOST_ROWS).map((name) => String(name ?? "")));
  const found: Found[] = [];
  for (const name of names) {
    if (!name || !passes(name)) continue;
    const params: Record<string, string> = { [`${table}.filter`]: onlyWith(column, name) };
    found.push({ group, title: name, detail: title, way: { tool, params } });
    if (found.length === MOST) break;
  }
  return found;
}

/** What a text finds in the declarations and in the answers that are there: at most a few of each group, in one order. */
export function findAll(text: string, tools: readonly ToolSpec[], answers: readonly Answer[]): Found[] {
  if (!text.trim()) return [];
  const passes = tester(text);
  const titleOf = (name: string): string => tools.find((tool) => tool.name === name)?.title ?? name;
  const titles = new Set<string>();
  const findings = answers
    .flatMap((answer) => findingsIn(answer, titleOf(answer.tool), passes))
    .filter(({ title }) => !titles.has(title) && titles.add(title));
  const rows = answers.flatMap((answer) => rowsIn(answer, titleOf(answer.tool), passes));
  const all = [...pagesIn(tools, passes), ...findings, ...rows, ...numbersIn(tools, passes)];
  return GROUPS.flatMap((group) => all.filter((found) => found.group === group).slice(0, MOST));
}
