// What a word of a query may become, and where a row of its answer leads.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Named, Schema } from "../src/sql/api";
import { tablesWith } from "../src/sql/beside";
import { complete } from "../src/sql/complete";
import { barsOf, drawable, namedIn, rowsOf, tableOf, toJson, wayOf } from "../src/sql/result";

function named(name: string, ...columns: string[]): Named {
  return {
    name,
    help: `Rows of ${name}.`,
    columns: columns.map((one) => ({ name: one, unit: "", help: `The ${one}.` })),
  };
}

const TABLES = [
  named("ops", "run", "name", "self_us"),
  named("steps", "run", "step", "group"),
  named("overview.split", "category"),
];
const SCHEMA: Schema = {
  why_not: "",
  tables: TABLES,
  views: [named("device_events", "name", "start_ps")],
  examples: [],
};

/** Completions where `|` is, as they would be written. */
function at(query: string, isAsked = false): string[] {
  const caret = query.indexOf("|");
  return complete(query.replace("|", ""), caret, SCHEMA, isAsked).items.map(({ text }) => text);
}

const CASES: readonly (readonly [query: string, words: readonly string[]])[] = [
  // Tables come after FROM, JOIN and a comma of these; those of the query itself first.
  ["select * from |", ["device_events", "ops", "steps", "overview.split"]],
  ["select * from o|", ["ops", "overview.split"]],
  ["from ops, s|", ["steps", "overview.split"]],
  ["from ops join ste|", ["steps"]],
  ["with slow as (from ops) from sl|", ["slow"]],
  ["from overview.|", ["overview.split"]],
  // Columns are of the tables that the query reads, also of one that is named later, or by another name.
  ["select self| from ops", ["self_us"]],
  ["select ste| from steps s", ["step", "steps"]],
  ["select s.| from steps s", ["run", "step", '"group"']],
  ["select split.| from overview.split", ["category"]],
  ["select ops.na| from ops", ["name"]],
  ["select sum(self_us) as total from ops order by tot|", ["total"]],
  // Without a table, of all.
  ["select start|", ["start_ps"]],
  ["from (select self| from ops) x", ["self_us"]],
  // A whole word, a text, a comment, a number: nothing.
  ["from ops|", []],
  ["select name from ops where name = 'se|", []],
  ["select name from ops -- se|", []],
  ["select 1|", []],
  ["select na| from ops where name = '|'", ["name"]],
];

test("what a word may become", () => {
  for (const [query, words] of CASES) assert.deepEqual(at(query), words, query);
  assert.deepEqual(at("select | from ops").length, 0);
  assert.deepEqual(at("select | from ops", true).slice(0, 3), ["run", "name", "self_us"]);
  assert.equal(complete("select ops.na", 13, SCHEMA).from, 7);
  assert.equal(complete("from ops o where o.na", 21, SCHEMA).from, 19);
});

test("tables and columns are searched by name and meaning", () => {
  const names = (text: string): string[] =>
    tablesWith(text, TABLES).map(({ name, columns }) => `${name} ${columns.length}`);
  assert.deepEqual(names(""), ["ops 3", "steps 3", "overview.split 1"]);
  assert.deepEqual(names("step"), ["steps 3"]);
  assert.deepEqual(names("the self"), ["ops 1"]);
});

const ROWS = {
  columns: [
    { name: "name", dtype: "text", unit: "" },
    { name: "self_us", dtype: "float64", unit: "us" },
    { name: "__proto__", dtype: "int64", unit: "" },
  ],
  cells: [
    ["gemm", "relu"],
    [6, null],
    [0, 0],
  ],
  is_cut: false,
  left_out: [],
};

test("rows of a query as a table", () => {
  const table = tableOf(ROWS, namedIn("select name, self_us from OPS", TABLES));
  assert.deepEqual(
    table.spec.columns.map(({ name, title, help }) => [name, title, help]),
    [
      ["name", "name", "The name."],
      ["self_us", "self_us", "The self_us."],
      ["__proto__", "__proto__", ""],
    ],
  );
  assert.deepEqual(
    drawable(table).map(({ name }) => name),
    ["self_us"],
  );
  assert.equal(barsOf(table, table.spec.columns[1]!).label, "name");
  assert.deepEqual(rowsOf(table.data, [1]).columns.name, ["relu"]);
  assert.deepEqual(
    JSON.parse(toJson(table, [1, 0]))[0],
    JSON.parse('{"name": "relu", "self_us": null, "__proto__": 0}'),
  );
});

test("a row with a time leads into the trace of its run", () => {
  const way = (columns: Record<string, string | number | null>, runs = ["r"], host = ""): unknown => {
    const cells = Object.entries(columns).map(([name, cell]) => [name, [cell]]);
    return wayOf({ columns: Object.fromEntries(cells) }, 0, { runs, host });
  };
  const view = { start_ps: "900", end_ps: "2100" };
  const time = { start_ps: 1000, duration_ps: 1000 };
  assert.deepEqual(way({ ...time, host: "a:b", track_id: 3 }), {
    run: "r",
    tool: "trace_viewer",
    params: { ...view, clock: "a:b", marks: "a%3Ab:1000-2000@3" },
  });
  assert.deepEqual(way({ ...time, event: 7 }, ["r", "s"], "h"), null);
  assert.deepEqual(way({ ...time, event: 7, run: "s" }, ["r", "s"], "h"), {
    run: "s",
    tool: "trace_viewer",
    params: { ...view, clock: "h", event: "h:7" },
  });
  assert.deepEqual(way({ start_ms: 0.000001, end_ms: 0.000002 }), {
    run: "r",
    tool: "trace_viewer",
    params: { ...view, range: "1000-2000" },
  });
  assert.deepEqual(way({ event: 7, host: "h" }), { run: "r", tool: "trace_viewer", params: { event: "h:7" } });
  assert.deepEqual(
    [way({ start_ps: 1 }), way({ start_ps: null, duration_ps: 5 }), way({ event: "x", host: "h" })],
    [null, null, null],
  );
});
