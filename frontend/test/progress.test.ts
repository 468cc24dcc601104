import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords, secondsLeft } from "../src/views/progress";

test("of one file the stage and the time are known, and no more is said", () => {
  const one = { stage: "reading", host: "h", hosts: 1, hosts_done: 0, size_bytes: 143e6, done_bytes: 0 } as const;
  assert.equal(inWords(one, 3.2), "reading, 3 s");
  assert.equal(secondsLeft({ ...one, elapsed_s: 3 }), null);
  assert.equal(inWords({ stage: null }, 1.1), "1 s");
});

test("of several hosts it is known how many are done, and what is left at that speed", () => {
  const some = { stage: "analysing", host: "h3", hosts: 8, hosts_done: 2, size_bytes: 80e6, done_bytes: 20e6 } as const;
  assert.equal(secondsLeft({ ...some, elapsed_s: 4 }), 12);
  assert.equal(
    inWords({ ...some, elapsed_s: 4 }, 4),
    "analysing h3, 2 of 8 hosts, 20.0 MB of 80.0 MB, 4 s, about 12 s left",
  );
  assert.equal(secondsLeft({ ...some, done_bytes: 80e6, elapsed_s: 4 }), null);
});
