import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column, ColumnName } from "../src/types";
import { find, hasInside, openedFirst, treeOf, turnedAll, turnedOf, visible, withTurn } from "../src/views/nested";

const column = (name: ColumnName, dtype: string): Column => ({ name, dtype, unit: "", help: "", title: "" });
const COLUMNS = [column("name", "text"), column("self_us", "float64")];
//  model          60
//    dense        10
//      matmul      8
//      add         2
//    conv         50
//  loss            5
const DATA = {
  columns: {
    name: ["model", "dense", "matmul", "add", "conv", "loss"],
    parent: [-1, 0, 1, 1, 0, -1],
    self_us: [60, 10, 8, 2, 50, 5],
  },
};
const TREE = treeOf(DATA, null);
const all = new Map([0, 1].map((row) => [row, true] as const));
const names = (places: number[], tree = TREE) => places.map((at) => DATA.columns.name[tree.rows[at]!]);

test("a closed row hides what lies in it, an open one shows it", () => {
  assert.deepEqual(names(visible(TREE, null, new Map())), ["model", "loss"]);
  assert.deepEqual(names(visible(TREE, null, new Map([[0, true]]))), ["model", "dense", "conv", "loss"]);
  assert.deepEqual(names(visible(TREE, null, all)), ["model", "dense", "matmul", "add", "conv", "loss"]);
  assert.deepEqual([...TREE.depths], [0, 1, 2, 2, 1, 0]);
});

test("sorting sorts what lies in the same row, and keeps that together", () => {
  const tree = treeOf(DATA, { column: "self_us", down: false });
  assert.deepEqual(names(visible(tree, null, all), tree), ["loss", "model", "dense", "add", "matmul", "conv"]);
});

test("a search shows what it finds with all that it lies in", () => {
  const found = find(TREE, DATA, COLUMNS, "mat");
  assert.deepEqual(names(visible(TREE, found, new Map())), ["model", "dense", "matmul"]);
  assert.equal(found?.count, 1);
});

test("what lies in a found row is a press away", () => {
  const found = find(TREE, DATA, COLUMNS, "dense");
  assert.deepEqual(names(visible(TREE, found, new Map())), ["model", "dense"]);
  assert.deepEqual(names(visible(TREE, found, new Map([[1, true]]))), ["model", "dense", "matmul", "add"]);
});

test("a row that a search opened can be closed", () => {
  const found = find(TREE, DATA, COLUMNS, "mat");
  assert.deepEqual(names(visible(TREE, found, new Map([[0, false]]))), ["model"]);
  assert.equal(find(TREE, DATA, COLUMNS, "  "), null);
});

test("as much is open at first as fits", () => {
  assert.deepEqual([...openedFirst(TREE, 4).keys()], [0]);
  assert.deepEqual([...openedFirst(TREE, 20).keys()], [0, 1]);
  assert.deepEqual([...openedFirst(TREE, 1).keys()], []);
  assert.deepEqual([hasInside(TREE, 0), hasInside(TREE, 2)], [true, false]);
});

test("a parent that is no row before counts as none", () => {
  const tree = treeOf({ columns: { name: ["a", "b", "c"], parent: [1, 7, null] } }, null);
  assert.deepEqual([...tree.parents], [-1, -1, -1]);
});

test("a chain of 100,000 rows is as good as any other", () => {
  const parent = Array.from({ length: 100_000 }, (_, row) => row - 1);
  const data = { columns: { name: parent.map((row) => `n${row}`), parent } };
  const tree = treeOf(data, null);
  assert.equal(tree.ends[0], 100_000);
  assert.equal(visible(tree, null, new Map(parent.map((_, row) => [row, true]))).length, 100_000);
  assert.equal(find(tree, data, COLUMNS, "n99998")?.holds[0], 1);
});

test("what is opened and closed is a word in the address", () => {
  const tree = treeOf({ columns: { parent: [-1, 0, 1, 0, -1] } }, null);
  const first = new Map([[0, true]]);
  const text = withTurn(withTurn(withTurn("", tree, 1, true), tree, 0, false), tree, 1, false);
  assert.equal(text, "5..-0.-1");
  assert.deepEqual(
    [...turnedOf(text, tree, first)],
    [
      [0, false],
      [1, false],
    ],
  );
  assert.deepEqual([...turnedOf("4..-0", tree, first)], [[0, true]]);
  assert.ok([0, 1, 2, 3, 4].every((row) => turnedOf(turnedAll(tree, true), tree, first).get(row)));
  assert.equal(turnedOf(withTurn(turnedAll(tree, false), tree, 3, true), tree, first).get(3), true);
});
