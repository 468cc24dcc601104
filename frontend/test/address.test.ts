import assert from "node:assert/strict";
import { test } from "node:test";
import { formatHash, isOurs, parseHash } from "../src/address";

const selection = { run: "train/a b", hosts: ["vm,1", "vm=2"], tool: "op_stats", params: { filter: "100% & more" } };

test("what is written is read again", () => {
  assert.deepEqual(parseHash(formatHash(selection)), selection);
});

test("other plugins' parts stay, ours are replaced", () => {
  const old = "#perfplugin&runSelectionState=abc&p.perfplugin.run=old&p.other.x=1";
  assert.equal(
    formatHash({ run: "r", hosts: [], tool: "overview", params: {} }, old),
    "#perfplugin&runSelectionState=abc&p.other.x=1&p.perfplugin.run=r&p.perfplugin.tool=overview",
  );
});

test("foreign and broken hashes give an empty selection", () => {
  const empty = { run: "", hosts: [], tool: "", params: {} };
  for (const hash of ["", "#", "#scalars", "#perfplugin&p.perfplugin", "#p.other.run=x"])
    assert.deepEqual(parseHash(hash), empty);
  assert.equal(parseHash("#perfplugin&p.perfplugin.run=%E0%A4%A").run, "%E0%A4%A");
});

test("whose tab a hash is", () => {
  assert.deepEqual(["", "#perfplugin&a=b", "#scalars", "#scalars&p.perfplugin.run=x"].map(isOurs), [
    true,
    true,
    false,
    false,
  ]);
});
