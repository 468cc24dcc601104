import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Find,
  findOptions,
  highlightOf,
  NO_FIND,
  type Page,
  pageOf,
  pageStart,
  rowInWords,
  sameName,
  stepped,
} from "../src/timeline/find";
import type { Answer } from "../src/types";

const NONE: Page = { total: 0, hitText: "", first: 0, hits: [], names: [], tracks: [] };
const named = (...names: string[]): Page => ({ ...NONE, names: names.map((name) => ({ name, hits: 1, total: 1 })) });

test("a plain text is asked for as before; the rest is sent only where it is set", () => {
  assert.deepEqual(findOptions({ ...NO_FIND, text: "conv" }, "", 0), { search: "conv", offset: "0" });
  assert.deepEqual(findOptions({ text: "a+", match: "regex", in: "all" }, "h:3", 200), {
    ...{ search: "a+", offset: "200", match: "regex", in: "all", tracks: "h:3" },
  });
});

test("derived tracks are searched, too, but for the numbers of other pages and where one track is chosen", () => {
  const find = { ...NO_FIND, text: "conv" };
  const asked = (...[of, only]: [Find, string]) => findOptions(of, only, 0, null, true)["derived"];
  assert.deepEqual(
    [asked(find, ""), asked(find, "h:3"), asked({ ...find, match: "row" }, ""), findOptions(find, "", 0)["derived"]],
    ["true", undefined, undefined, undefined],
  );
});

test("a search keeps to the stretch of time that is marked, by whole picoseconds", () => {
  const options = findOptions({ ...NO_FIND, text: "x" }, "", 0, { start: 1.5, end: 9.1 });
  assert.deepEqual([options["start_ps"], options["end_ps"]], ["1", "10"]);
});

test("one page of the hits, the tracks with the most first", () => {
  const answer = {
    summary: { hit_count: 5 },
    tables: {
      hits: {
        columns: { host: ["h"], track: [2], depth: [0], start_ps: [7], duration_ps: [1], name: ["x"], row: [9] },
      },
      hit_tracks: { columns: { host: ["h", "h"], track: [2, 4], hits: [1, 4] } },
      hit_names: { columns: { name: ["x"], hits: [5], total_ps: [10] } },
    },
  } as unknown as Answer;
  assert.deepEqual(pageOf(answer, 200), {
    total: 5,
    hitText: "",
    first: 200,
    hits: [{ host: "h", track: 2, depth: 0, start: 7, duration: 1, row: 9, name: "x" }],
    names: [{ name: "x", hits: 5, total: 10 }],
    tracks: [
      { key: "h:4", hits: 4 },
      { key: "h:2", hits: 1 },
    ],
  });
});

test("names cut in the middle are the same as long as what is left agrees", () => {
  assert.ok(sameName("abc", "abc"));
  assert.ok(!sameName("abc", "abd"));
  assert.ok(sameName("abcdef…uvwxyz", "abcdefghijklmnopqrstuvwxyz"));
  assert.ok(sameName("abcdef…uvwxyz", "abc…yz"));
  assert.ok(!sameName("abcdef…uvwxyz", "abcdefghijklmnopqrstuvwxy"));
  assert.ok(!sameName("abX…yz", "abc…yz"));
  assert.ok(sameName("abc…", "abcdef"));
});

test("a text stays bright before and after the answer, with what was found by its op", () => {
  const find = { text: "Conv", match: "text", in: "names" } as const;
  assert.ok(highlightOf(find, null)!.matches("my_conv2d"));
  assert.ok(!highlightOf(find, null)!.matches("gemm"));
  assert.ok(highlightOf(find, named("gemm"))!.matches("gemm"));
  assert.equal(highlightOf({ ...find, text: "" }, null), null);
});

test("an exact name is that name alone; an expression is what the server found", () => {
  const exact = highlightOf({ text: "conv", match: "exact", in: "names" }, null)!;
  assert.deepEqual([exact.matches("conv"), exact.matches("conv2d")], [true, false]);
  const find = { text: "^c.*v$", match: "regex", in: "names" } as const;
  assert.equal(highlightOf(find, null), null);
  const found = highlightOf(find, named("conv", "c…v"))!;
  assert.deepEqual([found.matches("conv"), found.matches("cu…rv"), found.matches("gemm")], [true, true, false]);
  assert.equal(highlightOf({ ...find, text: "args", in: "args", match: "text" }, null), null);
  assert.equal(highlightOf({ ...find, text: "op", in: "path", match: "text" }, null), null);
});

test("stepping goes around at both ends; a hit is on the page that begins before it", () => {
  assert.deepEqual([stepped(-1, 1, 3), stepped(2, 1, 3), stepped(0, -1, 3), stepped(-1, -1, 3)], [0, 0, 2, 2]);
  assert.deepEqual([pageStart(0, 100), pageStart(99, 100), pageStart(100, 100), pageStart(5, 0)], [0, 0, 100, 0]);
});

test("a number of another page is called by its column and what tells its row", () => {
  assert.equal(rowInWords("overview.steps.input_wait_ms?step=7&start_ms=1.5"), "input wait · step 7");
  assert.equal(rowInWords("op_stats.ops.self_us?side=device&name=a%2Eb_c%20d"), "self · side device · a.b_c d");
  assert.equal(rowInWords("kernel_stats.durations.total_us"), "total");
  assert.equal(rowInWords("nonsense"), "nonsense");
});

test("what a number was made of is asked for as such, and dims nothing", () => {
  const find: Find = { text: "overview.steps.idle_ms?step=7", match: "row", in: "names" };
  assert.deepEqual(findOptions(find, "", 0), { search: find.text, offset: "0", match: "row" });
  assert.equal(highlightOf(find, { ...NONE, names: [{ name: "a", hits: 1, total: 1 }] }), null);
});
