import assert from "node:assert/strict";
import test from "node:test";
import {
  allFound,
  fits,
  foundHosts,
  groupsOf,
  MOST_LETTERS,
  SLOWEST,
  slowestOf,
  toggled,
  withGroup,
} from "../src/shell/host_choice";

const NAMES = ["rack1-a", "rack1-b", "rack2-a"];

test("hosts are found by every word that is typed, in any case", () => {
  const found = (filter: string) =>
    foundHosts(
      NAMES.map((name) => ({ name })),
      filter,
    ).map(({ name }) => name);
  assert.deepEqual(found(""), NAMES);
  assert.deepEqual(found("RACK1"), ["rack1-a", "rack1-b"]);
  assert.deepEqual(found("-a rack2"), ["rack2-a"]);
  assert.deepEqual(found("rack3"), []);
});

test("one more host is chosen in the run's order, and all are none", () => {
  assert.deepEqual(toggled(NAMES, [], "rack2-a"), ["rack2-a"]);
  assert.deepEqual(toggled(NAMES, ["rack2-a"], "rack1-a"), ["rack1-a", "rack2-a"]);
  assert.deepEqual(toggled(NAMES, ["rack1-a", "rack2-a"], "rack1-a"), ["rack2-a"]);
  assert.deepEqual(toggled(NAMES, ["rack1-a", "rack2-a"], "rack1-b"), []);
});

test("all that were found are one choice, where they are several and fit an address", () => {
  const many = Array.from({ length: 900 }, (_, i) => `h${100 + i}`);
  const most = Math.floor(MOST_LETTERS / "&host=h100".length);
  assert.deepEqual(allFound(NAMES, NAMES), []);
  assert.deepEqual(allFound(NAMES, NAMES.slice(0, 2)), ["rack1-a", "rack1-b"]);
  assert.equal(allFound(NAMES, ["rack2-a"]), null);
  assert.deepEqual(allFound(many, many.slice(0, most)), many.slice(0, most));
  assert.equal(allFound(many, many.slice(0, most + 1)), null);
  assert.equal(allFound(["one"], ["one"]), null);
});

test("letters that an address writes as three count as three", () => {
  const most = Math.floor(MOST_LETTERS / "&host=%2C".length);
  assert.deepEqual(
    [fits(new Array<string>(most).fill(",")), fits(new Array<string>(most + 1).fill(","))],
    [true, false],
  );
});

test("groups are the shortest beginnings that tell some hosts from others", () => {
  const groups = (...names: string[]): [string, number][] =>
    groupsOf(names).map(({ prefix, hosts }) => [prefix, hosts.length]);
  assert.deepEqual(groups("slice0-w0", "slice0-w1", "slice1-w0", "slice1-w1"), [
    ["slice0-", 2],
    ["slice1-", 2],
  ]);
  assert.deepEqual(groups("job-a-0", "job-a-1", "job-b-0", "job-b-1", "job-b-2"), [
    ["job-a-", 2],
    ["job-b-", 3],
  ]);
  assert.deepEqual(groups("10.0.1.1", "10.0.1.2", "10.0.2.1"), [["10.0.1.", 2]]);
  assert.deepEqual(groups("vm-0", "vm-1", "evaluator"), [["vm-", 2]]);
  assert.deepEqual(groups("w0.cluster", "w1.cluster", "host2", "host3"), []);
  assert.deepEqual(groups("vm-0", "vm-1"), []);
});

test("a group is added to what is chosen, taken away where it is all chosen, and all are none", () => {
  const rack1 = ["rack1-a", "rack1-b"];
  assert.deepEqual(withGroup(NAMES, [], rack1), rack1);
  assert.deepEqual(withGroup(NAMES, ["rack1-b"], rack1), rack1);
  assert.deepEqual(withGroup(NAMES, ["rack2-a"], rack1), []);
  assert.deepEqual(withGroup(NAMES, ["rack1-a", "rack1-b"], rack1), []);
  assert.deepEqual(withGroup([...NAMES, "x"], ["rack1-a", "rack1-b", "x"], rack1), ["x"]);
});

test("the slowest are those whose slowest device lags most; of what has no lag nothing is known", () => {
  const names = ["a", "b", "c", "d"];
  assert.deepEqual(slowestOf(names, ["a", "b", "c", "c", "d"], [3, 1, 0, 4, null], 2), ["a", "c"]);
  assert.deepEqual(slowestOf(names, ["d", "gone"], [null, 9], 2), []);
  const many = Array.from({ length: SLOWEST + 1 }, (_, i) => `h${i}`);
  const lags = Float64Array.from(many, (_, i) => i);
  assert.deepEqual(slowestOf(many, many, lags), many.slice(1));
});
