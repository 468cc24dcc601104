// Hosts with several files: what is said of them, and which of them a link into the trace means.
import assert from "node:assert/strict";
import { test } from "node:test";
import { firstRun } from "../src/shell/run_groups";
import { byKind, filesOfClock, isOfFilesAside } from "../src/shell/files";
import type { FileUse, Run } from "../src/types";

const host = (name: string) => ({
  name,
  format: "trace_events",
  size_bytes: 3,
  files: ["trace", "Python functions", "memory"].map((kind) => ({
    name: `${name} (${kind})`,
    kind,
    format: "",
    file: `${kind}_${name}`,
    size_bytes: 1,
  })),
});
const RUN: Run = {
  name: "r",
  captured_ms: 0,
  modified_ms: 0,
  size_bytes: 6,
  kind: "trace",
  hosts: [host("a"), host("b")],
};
const at = (clock: string, hosts: string[] = [], tool = "trace_viewer") => ({
  run: "r",
  tool,
  hosts,
  params: clock ? { clock } : {},
});

test("a link into a file's trace shows all files of its kind, of the hosts that were chosen", () => {
  assert.deepEqual(filesOfClock(RUN, at("b (memory)")), ["a (memory)", "b (memory)"]);
  assert.deepEqual(filesOfClock(RUN, at("b (memory)", ["b"])), ["b (memory)"]);
});

test("of a host's first file, of files that are shown already, and on other pages nothing is chosen", () => {
  const others = [at("b"), at(""), at("b (memory)", ["b (memory)"]), at("b (memory)", [], "overview"), at("c")];
  for (const selection of others) assert.equal(filesOfClock(RUN, selection), null);
  assert.equal(filesOfClock(undefined, at("b (memory)")), null);
});

test("an answer of files aside names what is no host", () => {
  assert.equal(isOfFilesAside(RUN, ["a", "b"]), false);
  assert.equal(isOfFilesAside(RUN, ["a (memory)"]), true);
});

test("files are told of by kind, those that are used first", () => {
  const use = (kind: string, file: string, used: boolean, select = ""): FileUse => ({
    ...{ host: "a", format: "", why: used ? "" : "why" },
    ...{ kind, file, used, select },
  });
  const files = [
    use("trace", "a.json", false, "a (trace)"),
    use("memory", "a.pickle", true),
    use("trace", "b.json", false, "b (trace)"),
    use("memory", "b.pickle", true),
  ];
  assert.deepEqual(
    byKind(files).map(({ kind, used, names, selects }) => [kind, used, names, selects]),
    [
      ["memory", true, ["a.pickle", "b.pickle"], []],
      ["trace", false, ["a.json", "b.json"], ["a (trace)", "b (trace)"]],
    ],
  );
});

test("what says when things ran opens before what was recorded later of memory alone", () => {
  const memory = { ...RUN, name: "later", kind: "memory" };
  assert.equal(firstRun([memory, RUN])?.name, "r");
  assert.equal(firstRun([memory])?.name, "later");
  assert.equal(firstRun([]), undefined);
});
