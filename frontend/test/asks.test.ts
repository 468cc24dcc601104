import assert from "node:assert/strict";
import { test } from "node:test";
import { heard, heardNothing, whenBack } from "../src/again";
import { ApiError } from "../src/api";
import { Asks } from "../src/asks";
import { grouped } from "../src/timeline/trace_notes";

const away = (): ApiError => {
  heardNothing();
  return new ApiError("unreachable", "away");
};

async function rest(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

test("what waits for a server is called once: after a while, or when it has answered another question", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let calls = 0;
  whenBack(() => calls++);
  heard();
  assert.equal(calls, 0);
  heardNothing();
  heard();
  heard();
  assert.equal(calls, 1);
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
  whenBack(() => calls++);
  whenBack(() => calls++)();
  mock.timers.tick(60_000);
  assert.equal(calls, 2);
});

test("a question that fails is asked until it is answered, and known as failed until then", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const asks = new Asks(() => undefined);
  let left = 2;
  const answer = asks.ask("steps", async () => {
    if (left--) throw away();
    return 7;
  });
  await rest();
  assert.equal(asks.failed.get("steps")?.kind, "unreachable");
  mock.timers.tick(60_000);
  await rest();
  assert.equal(asks.failed.size, 1);
  heard();
  assert.equal(await answer, 7);
  assert.equal(asks.failed.size, 0);
});

test("an error that does not pass is asked again by hand only", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const asks = new Asks(() => undefined);
  let asked = 0;
  const answer = asks.ask("steps", async () => {
    if (!asked++) throw new ApiError("internal", "broken");
    return 7;
  });
  await rest();
  mock.timers.tick(60_000);
  await rest();
  assert.deepEqual([asked, asks.isStuck("steps")], [1, true]);
  asks.again();
  assert.equal(await answer, 7);
  assert.deepEqual([asked, asks.isStuck("steps")], [2, false]);
});

test("nobody waits for what is asked anew, dropped, or left", async () => {
  const asks = new Asks(() => undefined);
  const never = (): Promise<number> => Promise.reject(new ApiError("internal", "broken"));
  const first = asks.ask("event", never);
  await rest();
  const second = asks.ask("event", never);
  assert.equal(await first, null);
  await rest();
  asks.drop("event");
  assert.equal(await second, null);
  const third = asks.ask("event", () => new Promise<number>(() => undefined));
  asks.dispose();
  assert.equal(asks.failed.size, 0);
  assert.equal(await Promise.race([third, rest().then(() => "waits")]), "waits");
});

test("errors of one cause are one", () => {
  const failed = new Map([
    ["steps", away()],
    ["tracks", away()],
    ["event", new ApiError("not_found", "no event")],
  ]);
  assert.deepEqual(
    grouped(away(), failed).map(([{ kind }, missing]) => [kind, missing]),
    [
      ["unreachable", ["events on the screen", "steps", "tracks"]],
      ["not_found", ["event"]],
    ],
  );
  assert.deepEqual(grouped(null, new Map()), []);
});
