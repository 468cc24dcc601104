import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../src/types";
import { FINDING } from "./answers";
import { inOneLine, questionOf } from "../src/views/what_if";

function finding(code: string, title: string, params: Finding["params"] = {}): Finding {
  return { ...FINDING, tool: "", evidence: [], code, title, params };
}

test("each of several categories takes half as long", () => {
  assert.deepEqual(questionOf("category:copy_in; category:copy_out", "scale"), {
    scale: "category:copy_in=0.5; category:copy_out=0.5",
  });
  assert.deepEqual(questionOf("op:Svd", "remove"), { remove: "op:Svd" });
});

test("the answer, its range and what is left in one line; else why there is none", () => {
  const params = { least_ps: 2.9e10, most_ps: 3.2e10, next: "`train_step/matmul`" };
  const title = "A step would take 31 ms instead of 44 ms";
  assert.equal(
    inOneLine({ unknown: {}, findings: [finding("whatif", title, params)] }),
    `${title} (29.0 ms to 32.0 ms); then most is \`train_step/matmul\`.`,
  );
  const nothing = "The steps that are replayed hold nothing of that";
  assert.equal(inOneLine({ unknown: {}, findings: [finding("whatif.nothing", nothing)] }), nothing);
  const why = "the capture holds no steps";
  assert.equal(inOneLine({ unknown: { step_count: why }, findings: [] }), why);
});
