import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWith } from "./answers";
import { isSlow, level } from "../src/shell/quality";

const { quality } = answerWith({});

test("whatever the format, what is not compiled is slow", () => {
  for (const decoder of ["protobuf", "plain", "compiled,plain", "compiled,protobuf"])
    assert.ok(isSlow({ ...quality, decoder }), decoder);
  for (const decoder of ["", "compiled"]) assert.ok(!isSlow({ ...quality, decoder }), decoder);
});

test("all, most, and less than half of the events", () => {
  const of = (events_kept: number, warnings: string[] = []) =>
    level({ ...quality, events_in_file: 4, events_kept, warnings });
  assert.deepEqual([of(4), of(4, ["cut"]), of(3), of(2), of(1), of(0)], ["good", "fair", "fair", "fair", "bad", "bad"]);
  assert.equal(level({ ...quality, events_in_file: 0, events_kept: 0 }), "bad");
});
