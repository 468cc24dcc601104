// A query and where the caret is in it → what the word there may become. Pure.
import type { Field, Named, Schema } from "./api";

export interface Proposal {
  name: string;
  /** What takes the word's place: a name that SQL means otherwise is quoted. */
  text: string;
  kind: "table" | "column" | "word";
  detail: string;
}

/** `from`: where the word begins that they replace. */
export interface Proposals {
  from: number;
  items: readonly Proposal[];
}

const MOST = 40;
/** Letters that are looked for anywhere in a name; fewer only where a part of it begins. */
const ANYWHERE = 3;
const NONE: Proposals = { from: 0, items: [] };

/** Texts and comments, closed or not. */
const NO_CODE = /'(?:[^']|'')*(?:'|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g;
const TOKEN = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?|[(),;]/g;
const CLAUSES = ["select", "from", "join", "where", "group", "order", "having", "on", "using", "limit", "qualify"];
const WORDS = [
  ...["select", "from", "where", "group by all", "group by", "order by", "having", "limit", "join", "left join"],
  ...["using", "on", "as", "with", "distinct", "union all", "and", "or", "not", "in", "between", "like", "ilike"],
  ...["is null", "is not null", "case when", "then", "else", "end", "desc", "exclude", "over", "partition by"],
  ...["count(*)", "sum", "avg", "min", "max", "median", "quantile_cont", "arg_min", "arg_max", "round", "coalesce"],
  ...["any_value", "lag", "lead", "row_number", "regexp_matches", "describe", "summarize"],
];
const KEYWORDS = new Set([...WORDS.flatMap((words) => words.split(" ")), ...CLAUSES, "left", "inner", "cross", "by"]);
/** Names of columns that are words of SQL. */
const RESERVED = new Set(["all", "case", "column", "desc", "end", "from", "group", "limit", "order", "table", "when"]);

export function quoted(name: string): string {
  return RESERVED.has(name) || !/^[a-z_][\w.]*$/i.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

/** The query with blanks for texts and comments; null where the caret is within one. */
function codeOf(text: string, caret: number): string | null {
  for (const { 0: found, index } of text.matchAll(NO_CODE)) {
    const end = index + found.length;
    const isOpen = found.startsWith("--") || (end === text.length && !/.(?:'|\*\/)$/s.test(found));
    if (index < caret && (caret < end || (caret === end && isOpen))) return null;
  }
  return text.replace(NO_CODE, (found) => " ".repeat(found.length));
}

/** What tables are called in a query → the table: its name, the part after its point, and the name it is given. */
function usedIn(code: string, known: ReadonlyMap<string, Named>): Map<string, Named> {
  const used = new Map<string, Named>();
  const outer: string[] = [];
  let clause = "";
  let isNext = false;
  let last: Named | undefined;
  for (const [token] of code.toLowerCase().matchAll(TOKEN)) {
    if (token === "as") continue;
    if (isNext && known.has(token)) {
      last = known.get(token)!;
      used.set(token, last).set(token.replace(/^.*\./, ""), last);
    } else if (last && /^\w/.test(token) && !KEYWORDS.has(token)) {
      used.set(token, last);
      last = undefined;
    } else last = undefined;
    if (token === "(") outer.push(clause);
    if (token === ")") clause = outer.pop() ?? "";
    else if (token === "(" || token === ";") clause = "";
    else if (CLAUSES.includes(token)) clause = token;
    isNext = clause === "from" || clause === "join" ? token === clause || token === "," : false;
  }
  return used;
}

/** Whether a table comes next after `before`. */
function isTable(before: string): boolean {
  const [last] = [...before.toLowerCase().matchAll(/\w+/g)]
    .map(([word]) => word)
    .filter((w) => CLAUSES.includes(w))
    .slice(-1);
  return (last === "from" || last === "join") && /(?:\b(?:from|join)|,)\s+$/i.test(before);
}

function columnsOf(tables: Iterable<Named>): Proposal[] {
  const found = new Map<string, Field>();
  for (const { columns } of new Set(tables))
    for (const one of columns) if (!found.has(one.name)) found.set(one.name, one);
  return [...found.values()].map(({ name, unit, help }) => ({
    name,
    text: quoted(name),
    kind: "column",
    detail: plain(unit ? `${unit} · ${help}` : help),
  }));
}

function plain(help: string): string {
  return help.replaceAll("`", "");
}

/** Names that the query itself gives: of subqueries, and of what it selects. */
function givenIn(code: string, pattern: RegExp, kind: Proposal["kind"]): Proposal[] {
  const names = new Set([...code.matchAll(pattern)].map(([, name]) => name!));
  return [...names].map((name) => ({ name, text: name, kind, detail: "of this query" }));
}

/** How well a name fits what is typed: 0 best; none does not. */
function rank(name: string, typed: string): number {
  const [lower, part] = [name.toLowerCase(), typed.toLowerCase()];
  if (lower.startsWith(part)) return 0;
  if (lower.split(/[_.]/).some((one) => one.startsWith(part))) return 1;
  return part.length >= ANYWHERE && lower.includes(part) ? 2 : NaN;
}

function fitting(from: number, typed: string, all: readonly Proposal[]): Proposals {
  // What is typed whole is left alone, so that Enter begins a line.
  if (typed && all.some(({ name }) => name.toLowerCase() === typed.toLowerCase())) return NONE;
  const ranked = all.map((one) => ({ one, by: rank(one.name, typed) })).filter(({ by }) => !Number.isNaN(by));
  const items = ranked.sort((a, b) => a.by - b.by).map(({ one }) => one);
  return { from, items: items.slice(0, MOST) };
}

/** `isAsked`: also where nothing is typed yet. */
export function complete(text: string, caret: number, schema: Schema, isAsked = false): Proposals {
  const code = codeOf(text, caret);
  const typed = code === null ? "" : /[\w.]*$/.exec(code.slice(0, caret))![0];
  if (code === null || /^\d/.test(typed)) return NONE;
  const from = caret - typed.length;
  const all = [...schema.views, ...schema.tables];
  const used = usedIn(code, new Map(all.map((one) => [one.name, one])));
  const [, owner, column] = /^(.+)\.(\w*)$/.exec(typed) ?? [];
  const owned = owner && used.get(owner.toLowerCase());
  if (owned) return fitting(caret - column!.length, column!, columnsOf([owned]));
  const tables: Proposal[] = [
    ...givenIn(code, /(?:\bwith|,)\s+(\w+)\s+as\s*\(/gi, "table"),
    ...all.map(({ name, help }) => ({ name, text: name, kind: "table" as const, detail: plain(help) })),
  ];
  if (isTable(code.slice(0, from))) return fitting(from, typed, tables);
  if (!typed && !isAsked) return NONE;
  const words: Proposal[] = WORDS.map((name) => ({ name, text: name, kind: "word", detail: "" }));
  const named = givenIn(code, /\bas\s+(\w+)\b(?!\s*\()/gi, "column").filter(({ name }) => !used.has(name));
  const columns = [...columnsOf(used.size ? used.values() : all), ...named.filter(({ name }) => name !== typed)];
  return fitting(from, typed, [...columns, ...words, ...tables]);
}
