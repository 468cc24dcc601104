import assert from "node:assert/strict";
import { test } from "node:test";
import { graphInWords, parametersOf, stagesOf } from "../src/views/stages";

const DATA = {
  columns: {
    parent: [-1, 0, 1],
    name: ["Root", "MapAndBatch", "TFRecord"],
    iterators: [1, 1, 3],
    duration_us: [1000, 900, 0],
    self_us: [20, 100, 0],
    function_us: [0, 700, 0],
    wait_us: [80, 100, 0],
    calls: [2, 2, 0],
    blocking_share: [0.02, 0.98, 0],
    blocking: [true, true, false],
    critical: [true, true, false],
    bottleneck: [false, true, false],
    async: [false, true, false],
  },
};

test("a row is a node that says what it does", () => {
  const [root, map, file] = stagesOf(DATA);
  assert.deepEqual([root!.parent, map!.parent, file!.parent], [null, "0", "1"]);
  assert.deepEqual([map!.value, map!.line, map!.mark], ["work 800 µs", "900 µs in 2 calls", "bottleneck"]);
  assert.deepEqual([map!.isCritical, map!.isAsync, map!.isPale], [true, true, false]);
  assert.deepEqual([file!.value, file!.line, file!.isPale], ["not called here", "3 iterators", true]);
  assert.equal(
    map!.words,
    "MapAndBatch: 2 calls, 900 µs in total, of which self 100 µs, function 700 µs, waiting 100 µs; " +
      "98.0 % of the program's waiting time; the bottleneck; runs on background threads",
  );
});

test("the graph in words", () => {
  assert.equal(
    graphInWords(DATA),
    "Pipeline of 3 stages. Critical path: Root > MapAndBatch. Bottleneck: MapAndBatch. " +
      "The program waited for: MapAndBatch 98.0 %, Root 2.00 %.",
  );
  assert.equal(
    graphInWords({ columns: { parent: [-1], name: ["Root"] } }),
    "Pipeline of 1 stage. No stage is the bottleneck. The program did not wait.",
  );
});

test("what is unknown is said to be", () => {
  const [only] = stagesOf({ columns: { parent: [-1], name: ["Root"], duration_us: [null], self_us: [null] } });
  assert.deepEqual([only!.value, only!.line, only!.share], ["", "? in ?", null]);
});

test("parameters are pairs, also with commas and spaces in their values", () => {
  assert.deepEqual(parametersOf("autotune=false, ram_usage_megabytes=6250 out of 25276 (24.73%), shapes=[32,3], x"), [
    ["autotune", "false"],
    ["ram_usage_megabytes", "6250 out of 25276 (24.73%)"],
    ["shapes", "[32,3], x"],
  ]);
  assert.deepEqual(parametersOf(""), []);
});

test("what calls waited for is called the bottleneck only where no other stage limits the pipeline", () => {
  const data = {
    columns: {
      name: ["Root", "Prefetch", "Map"],
      long_name: ["Iterator::Root", "Iterator::Root::Prefetch", "Iterator::Root::Prefetch::Map"],
      parent: [-1, 0, 1],
      bottleneck: [false, true, false],
    },
  };
  const marks = (limiter: string): string[] => stagesOf(data, limiter).map(({ mark }) => mark);
  assert.deepEqual(marks(""), ["", "bottleneck", ""]);
  assert.deepEqual(marks("Iterator::Root::Prefetch"), ["", "bottleneck", ""]);
  assert.deepEqual(marks("Iterator::Root::Prefetch::Map"), ["", "waited for", ""]);
  assert.match(graphInWords(data, "Iterator::Root::Prefetch::Map"), /Calls waited for: Prefetch\./);
});
