import assert from "node:assert/strict";
import { test } from "node:test";
import { formatHash, isOurs, parseHash, wholeHosts } from "../src/address";

const selection = { run: "train/a b", hosts: ["vm,1", "vm=2"], tool: "op_stats", params: { filter: "100% & more" } };

test("what is written is read again", () => {
  assert.deepEqual(parseHash(formatHash(selection)), selection);
});

test("a host's own comma is told from the commas between hosts", () => {
  const hosts = ["vm,1", "vm", "1", "a%2Cb", ",", "50%"];
  const hash = formatHash({ run: "r", hosts, tool: "", params: {} });
  assert.equal(
    hash,
    "#perfplugin&p.perfplugin.run=r&p.perfplugin.host=vm%252C1%2Cvm%2C1%2Ca%25252Cb%2C%252C%2C50%2525",
  );
  assert.deepEqual(parseHash(hash).hosts, hosts);
});

test("a comma that was typed as it is belongs to a host where the run has one of that name", () => {
  const of = (typed: string, ...names: string[]): readonly string[] =>
    wholeHosts(parseHash(`#perfplugin&p.perfplugin.host=${typed}`).hosts, names);
  assert.deepEqual(of("vm,1", "vm,1", "vm"), ["vm,1"]);
  assert.deepEqual(of("a,vm,1,b", "a", "b", "vm,1"), ["a", "vm,1", "b"]);
  assert.deepEqual(of("rack,2,x,rack,2", "rack,2", "rack,2,x"), ["rack,2,x", "rack,2"]);
  assert.deepEqual(of("vm,1", "vm,1", "vm", "1"), ["vm", "1"]);
  assert.deepEqual(of("vm,2", "vm,1", "vm"), ["vm", "2"]);
  assert.deepEqual(of("vm (memory),vm,1", "vm,1", "a"), ["vm (memory)", "vm,1"]);
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
