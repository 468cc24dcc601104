import assert from "node:assert/strict";
import { test } from "node:test";
import table from "../../tests/units.json";
import {
  counted,
  exactCell,
  exactValue,
  formatAge,
  formatCell,
  formatNumber,
  formatValue,
  label,
  percent,
  threeDigits,
} from "../src/units";
import { sayTitles } from "../src/views/category";

test("three significant digits, unit scaled to the value", () => {
  const cases: [number, string, string][] = [
    [2860, "us", "2.86 ms"],
    [640, "us", "640 µs"],
    [0.5, "us", "500 ns"],
    [1_200_000_000, "bytes_per_s", "1.20 GB/s"],
    [36.98, "ms", "37.0 ms"],
    [1e12, "ps", "1.00 s"],
    [999_999, "ns", "1.00 ms"],
    [0, "ps", "0"],
    [-1500, "ps", "-1.50 ns"],
    [143_000_000, "bytes", "143 MB"],
    [12, "bytes", "12 B"],
    [7200, "s", "7,200 s"],
    [14132, "count", "14,132"],
    [14132, "id", "14132"],
    [0.123456, "", "0.123"],
    [3, "GHz", "3 GHz"],
  ];
  for (const [value, unit, text] of cases) assert.equal(formatNumber(value, unit), text, `${value} ${unit}`);
});

test("Python writes the same text of the same value", () => {
  process.env.TZ = "UTC";
  const differing = table.cells.filter(([value, unit, text]) => formatValue(value!, String(unit)) !== text);
  assert.deepEqual(differing, []);
  assert.ok(table.cells.length > 200);
  for (const [number, word, text] of table.counts) assert.equal(counted(Number(number), String(word)), text);
});

test("a small share does not read as nothing, nor a large one as all", () => {
  const cases: [number, string][] = [
    [0, "0 %"],
    [1, "100 %"],
    [0.92, "92.0 %"],
    [0.00001, "< 0.01 %"],
    [0.0042, "0.42 %"],
    [0.9996, "99.96 %"],
    [0.99999, "> 99.99 %"],
  ];
  for (const [share, text] of cases) assert.equal(percent(share), text);
});

test("no exponent where a person reads, big numbers whole", () => {
  assert.deepEqual([1234567, 999.7, 0.00123, 12.34].map(threeDigits), ["1,234,567", "1,000", "0.00123", "12.3"]);
});

test("titles give the exact value", () => {
  assert.equal(exactValue(1234.5678, "us"), "1,234.5678 µs");
  assert.equal(exactValue(0.123456789, "share"), "0.123456789");
  assert.equal(exactValue(null, "us"), "unknown");
});

test("a column is called by its title, a category as captures of this kind call it", () => {
  const column = { name: "waiting_ms", unit: "ms", dtype: "float64", help: "", title: "Waiting" };
  assert.equal(label(column), "Waiting");
  sayTitles({ waiting: "Dequeue" });
  assert.deepEqual([label(column), label({ ...column, unit: "us" })], ["Dequeue", "Waiting"]);
  sayTitles({});
});

test("a time of years is an instant", () => {
  assert.match(formatNumber(1_795_172_165_276, "ms"), /^2026-11-\d\d \d\d:\d\d$/);
  assert.equal(formatNumber(86_400_000, "ms"), "86,400 s");
});

test("units that nothing scales follow the number", () => {
  const clock = { name: "clock_mhz", unit: "", dtype: "float64", help: "", title: "Clock" };
  assert.equal(formatCell(1530, clock), "1,530 MHz");
  assert.equal(formatCell(null, clock), "–");
});

test("rates are scaled", () => {
  const column = (name: string) => ({ name, unit: "", dtype: "float64", help: "", title: "" });
  assert.equal(formatCell(12_345, column("gflop_s")), "12.3 TFLOP/s");
  assert.equal(formatCell(0.0125, column("gb_s")), "12.5 MB/s");
  assert.equal(exactCell(12_345.6, column("gflop_s")), "12,345.6 GFLOP/s");
});

test("bytes of memory are in powers of two, all others in powers of ten", () => {
  const column = (name: string) => ({ name, unit: "bytes", dtype: "int64", help: "", title: "" });
  assert.equal(formatCell(42_505_273_344, column("memory_bytes")), "39.6 GiB");
  assert.equal(formatCell(42_505_273_344, column("size_bytes")), "42.5 GB");
  assert.equal(exactCell(1024, column("self_cpu_memory_bytes")), "1,024 B");
});

test("percentages read as shares do", () => {
  const column = { name: "occupancy_percent", unit: "percent", dtype: "float64", help: "", title: "" };
  assert.equal(formatCell(62.5, column), "62.5 %");
});

test("ages and counts", () => {
  const now = 1_800_000_000_000;
  assert.equal(formatAge(now - 5_000, now), "just now");
  assert.equal(formatAge(now - 3 * 60_000, now), "3 min ago");
  assert.equal(formatAge(now - 5 * 3_600_000, now), "5 h ago");
  assert.equal(counted(1, "host"), "1 host");
  assert.equal(counted(1200, "run"), "1,200 runs");
});

test("differences have their sign", () => {
  const column = (name: string) => ({ name, unit: "ms", dtype: "float64", help: "", title: "" });
  assert.equal(formatCell(7, column("change_ms")), "+7.00 ms");
  assert.equal(formatCell(7, column("step_time_change_ms")), "+7.00 ms");
  assert.equal(formatCell(-7, column("change_ms")), "-7.00 ms");
  assert.equal(formatCell(0, column("change_ms")), "0");
  assert.equal(formatCell(7, column("new_ms")), "7.00 ms");
});
