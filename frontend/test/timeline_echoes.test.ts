import assert from "node:assert/strict";
import { test } from "node:test";
import { Echoes } from "../src/timeline/address";

test("what a page wrote is not somebody else's, also where more was written before the first was seen", () => {
  const echoes = new Echoes();
  assert.equal(echoes.isOthers({ search: "conv" }), true);
  echoes.wrote({ search: "conv", start_ps: "1" });
  echoes.wrote({ search: "conv", start_ps: "2" });
  assert.equal(echoes.isOthers({ start_ps: "1", search: "conv" }), false);
  assert.deepEqual(echoes.current, { search: "conv", start_ps: "2" });
  assert.equal(echoes.isOthers({ start_ps: "2", search: "conv" }), false);
  assert.equal(echoes.isOthers({ start_ps: "2", search: "conv" }), false);
});

test("what was written before, seen again after a later one, is a person's way back", () => {
  const echoes = new Echoes();
  echoes.wrote({ event: "1" });
  echoes.wrote({ event: "2" });
  assert.equal(echoes.isOthers({ event: "2" }), false);
  assert.equal(echoes.isOthers({ event: "1" }), true);
  assert.deepEqual(echoes.current, { event: "1" });
});

test("somebody else's change ends what was under way", () => {
  const echoes = new Echoes();
  echoes.wrote({ event: "1" });
  assert.equal(echoes.isOthers({}), true);
  assert.equal(echoes.isOthers({ event: "1" }), true);
});
