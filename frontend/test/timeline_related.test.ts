import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrowsOf,
  callersOf,
  groupsOf,
  kindInWords,
  type Link,
  placeOfFacts,
  relatedOf,
  shownFact,
} from "../src/timeline/related";
import type { Answer, Finding, TableData } from "../src/types";
import { answerWith } from "./answers";

const keyOf = (host: string, row: number): string => `${host}:${row}`;

function answer(tables: Record<string, TableData>, findings: Partial<Finding>[] = []): Answer {
  return answerWith({ tables, findings: findings as Finding[] });
}

const FACTS = [
  ["event", "name", "gemm"],
  ["event", "host", "h"],
  ["event", "track", "3"],
  ["event", "depth", "1"],
  ["event", "row", "7"],
  ["event", "start_ps", "5000"],
  ["event", "duration_ps", "2000"],
  ["event", "self_ps", "1500"],
  ["event", "category", "compute_16bit"],
  ["event", "op", "model/dense"],
  ["event", "grid", "15,1,1"],
  ["event", "launch", "2 cuLaunchKernel"],
  ["stat", "correlation_id", "10"],
  ["stat", "kernel_details", "regs:48 grid:15,1,1"],
  ["stat", "gb_s", "1200"],
  ["copy", "bytes", "4096"],
];

const EVENT: TableData = {
  columns: {
    group: FACTS.map((row) => row[0]!),
    key: FACTS.map((row) => row[1]!),
    value: FACTS.map((row) => row[2]!),
  },
};

const LINKS: TableData = {
  columns: {
    kind: ["launch", "previous", "kernel"],
    host: ["h", "h", "h"],
    track: [0, 3, 4],
    depth: [0, 1, 0],
    start_ps: [1000, 2000, 9000],
    duration_ps: [500, 2900, 10],
    row: [2, 6, 9],
    name: ["cuLaunchKernel", "conv", "late"],
    text: ["", "", ""],
  },
};

test("what is known of an event: why, facts, relatives, the stack with frames that lead nowhere", () => {
  const related = relatedOf(
    answer(
      {
        event: EVENT,
        links: LINKS,
        stack: { columns: { name: ["main", "step"], row: [-1, 4], start_ps: [null, 5], duration_ps: [null, 6] } },
      },
      [
        { title: "The 2 hosts are drawn each from its own start", evidence: [] },
        {
          title: "began 38 µs after its launch",
          evidence: [{ host: "h", start_ps: 5000, end_ps: 7000, track: 3, tracks: "" }],
        },
      ],
    ),
  );
  assert.equal(related.why, "began 38 µs after its launch");
  assert.equal(related.facts.length, FACTS.length);
  assert.deepEqual(
    related.links.map(({ kind, row, start }) => [kind, row, start]),
    [
      ["launch", 2, 1000],
      ["previous", 6, 2000],
      ["kernel", 9, 9000],
    ],
  );
  assert.deepEqual(
    related.stack.map(({ name, row, duration }) => [name, row, duration]),
    [
      ["main", null, null],
      ["step", 4, 6],
    ],
  );
  assert.deepEqual(placeOfFacts(related.facts), {
    ...{ host: "h", track: 3, depth: 1, start: 5000, duration: 2000, row: 7, name: "gemm" },
  });
});

test("facts come in groups; details of a kernel are told one by one, what is a link is not told twice", () => {
  const related = relatedOf(answer({ event: EVENT, links: LINKS }));
  assert.deepEqual(
    groupsOf(related).map(({ title, facts }) => [title, ...facts.map(({ key }) => key)]),
    [
      ["Event", "start_ps", "duration_ps", "self_ps", "category"],
      ["Op and step", "op"],
      ["Launch", "grid"],
      ["Stats", "correlation_id", "gb_s"],
      ["Copy", "bytes"],
      ["Kernel details", "regs", "grid"],
    ],
  );
  const alone = relatedOf(answer({ event: EVENT }));
  assert.ok(groupsOf(alone)[0]!.facts.some(({ key }) => key === "launch"));
});

test("a fact whose key ends in a unit reads in it, and keeps its exact value", () => {
  const shown = (key: string, value: string, group = "stat") => shownFact({ group, key, value }, 1000);
  assert.deepEqual(shown("duration_ps", "2080969"), { name: "duration", text: "2.08 µs", exact: "2,080,969 ps" });
  assert.deepEqual(shown("bytes", "4096"), { name: "size", text: "4.10 kB", exact: "4,096 B" });
  assert.equal(shown("occupancy_percent", "50").text, "50.0 %");
  assert.equal(shown("category", "compute_16bit", "event").text, "Compute 16-bit");
  assert.equal(shown("gb_s", "1.5").text, "1.50 GB/s");
  assert.equal(shown("correlation_id", "10").text, "10");
  assert.deepEqual(shown("size_bytes", "unknown"), { name: "size bytes", text: "unknown", exact: "" });
  assert.deepEqual(shown("bytes", ""), { name: "size", text: "", exact: "" });
});

test("an arrow leaves where the first ends, or where it begins when the second did not wait for its end", () => {
  const { links } = relatedOf(answer({ links: LINKS }));
  const event = { host: "h", track: 3, depth: 1, start: 5000, duration: 2000, row: 7, name: "gemm" };
  assert.deepEqual(arrowsOf(event, links, keyOf), [
    { kind: "launch", from: { track: "h:0", depth: 0, time: 1500 }, to: { track: "h:3", depth: 1, time: 5000 } },
    { kind: "kernel", from: { track: "h:3", depth: 1, time: 7000 }, to: { track: "h:4", depth: 0, time: 9000 } },
  ]);
  const long: Link = { ...links[0]!, duration: 90_000 };
  assert.equal(arrowsOf(event, [long], keyOf)[0]!.from.time, 1000);
  assert.deepEqual(
    arrowsOf(event, links, keyOf, links[1]).map(({ kind }) => kind),
    ["launch", "previous", "kernel"],
  );
});

test("an answer without these tables is empty", () => {
  assert.deepEqual(relatedOf(answer({})), { why: "", last: "", facts: [], links: [], stack: [] });
});

test("callers are told once, innermost first, and are no fact besides", () => {
  const facts = [
    { group: "event", key: "python_stack", value: "a.py(3): f ← b.py(1): <module>" },
    { group: "stat", key: "Call stack", value: "a.py(3): f;b.py(1): <module>" },
  ];
  assert.deepEqual(callersOf({ facts }), ["a.py(3): f", "b.py(1): <module>"]);
  assert.deepEqual(callersOf({ facts: facts.slice(1) }), ["a.py(3): f", "b.py(1): <module>"]);
  assert.deepEqual(callersOf({ facts: [] }), []);
  assert.deepEqual(groupsOf({ facts, links: [] } as unknown as Parameters<typeof groupsOf>[0]), []);
});

test("what a derived event is made of stands by itself; its kernels are no arrows", () => {
  const made = [...FACTS.slice(0, 8), ["derived", "kernels", "3"], ["derived", "kernel_time_ps", "110"]];
  const [group, key, value] = [0, 1, 2].map((i) => made.map((row) => row[i]!));
  const under = { ...LINKS.columns, kind: ["launch", "under", "under"] };
  const related = relatedOf(
    answer({ event: { columns: { group, key, value } as TableData["columns"] }, links: { columns: under } }),
  );
  assert.deepEqual(
    groupsOf(related).map(({ title, facts }) => [title, facts.map((fact) => fact.key)]),
    [
      ["Event", ["start_ps", "duration_ps", "self_ps"]],
      ["Made of", ["kernels", "kernel_time_ps"]],
    ],
  );
  assert.equal(kindInWords("under"), "made of");
  assert.deepEqual(
    arrowsOf(placeOfFacts(related.facts), related.links, keyOf).map(({ kind }) => kind),
    ["launch"],
  );
});
