import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../src/api";
import type { ColumnsAnswer } from "../src/columns";
import { Feed } from "../src/timeline/feed";

const VIEW = { start: 0, end: 8 };

test("a timeline that is left asks a server that does not answer no more", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { window: globalThis });
  let asked = 0;
  const feed = new Feed({
    missing: () => ({ options: { start_ps: "0", end_ps: "8" }, asked: 1 }),
    ahead: () => [],
    view: () => VIEW,
    ask: (): Promise<ColumnsAnswer> => {
      asked++;
      return Promise.reject(new ApiError("unreachable", "no"));
    },
    receive: () => 1,
    changed: () => undefined,
  });
  const pass = async (ms: number): Promise<void> => {
    mock.timers.tick(ms);
    for (let i = 0; i < 9; i++) await Promise.resolve();
  };
  feed.want(0);
  await pass(1000);
  assert.deepEqual([asked, feed.error?.kind], [1, "unreachable"]);
  await pass(5000);
  await pass(1000);
  assert.equal(asked, 2);
  feed.dispose();
  await pass(5000);
  await pass(1000);
  assert.equal(asked, 2);
});
