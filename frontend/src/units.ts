// Values → text: three significant digits, the unit scaled to the value; the exact value in the base unit for titles.
//
// The rule is that of tensorboard_perfplugin/units.py; tests/units.json holds both to it.
import type { Column, Scalar, ToolSpec } from "./types";
import { categoryTitle } from "./views/category";

type Scale = readonly (readonly [factor: number, symbol: string])[];

const TIME: Scale = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"],
];
const BYTES: Scale = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
  [1, "B"],
];
const MEMORY: Scale = [
  [2 ** 40, "TiB"],
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
  [1, "B"],
];
const BYTE_RATE: Scale = BYTES.map(([factor, symbol]) => [factor, `${symbol}/s`]);
const FLOP_RATE: Scale = [
  [1e15, "PFLOP/s"],
  [1e12, "TFLOP/s"],
  [1e9, "GFLOP/s"],
  [1e6, "MFLOP/s"],
  [1e3, "kFLOP/s"],
  [1, "FLOP/s"],
];

/** Unit → what one of it is in the last unit of its scale, and the scale. */
const SCALED: Readonly<Record<string, readonly [number, Scale]>> = {
  ps: [1, TIME],
  ns: [1e3, TIME],
  us: [1e6, TIME],
  ms: [1e9, TIME],
  s: [1e12, TIME],
  bytes: [1, BYTES],
  /** Bytes of memory, which comes in powers of two: what a page makes of `bytes`. */
  memory: [1, MEMORY],
  bytes_per_s: [1, BYTE_RATE],
  gb_s: [1e9, BYTE_RATE],
  gflop_s: [1e9, FLOP_RATE],
  tflops: [1e12, FLOP_RATE],
};

/** Units that a column's name ends in where its declaration gives none. */
const IN_NAMES = ["mhz", "gb_s", "gflop_s", "tflops"] as const;

function unitInName(name: string): string {
  return IN_NAMES.find((unit) => name === unit || name.endsWith(`_${unit}`)) ?? "";
}

function unitOf({ name, unit }: Column<string>): string {
  return unit === "bytes" && name.endsWith("memory_bytes") ? "memory" : unit || unitInName(name);
}

/** How units that are not scaled are written; all others as they are called. */
const SYMBOLS: Readonly<Record<string, string>> = { "": "", count: "", per_s: "/s", mhz: " MHz" };

/** How the exact value's unit is written. */
const EXACT: Readonly<Record<string, string>> = {
  us: "µs",
  bytes: "B",
  memory: "B",
  count: "",
  bytes_per_s: "B/s",
  gb_s: "GB/s",
  gflop_s: "GFLOP/s",
  tflops: "TFLOP/s",
  per_s: "/s",
  mhz: "MHz",
};

/** A time longer than three years counts from the epoch: no capture is so long. */
const EPOCH_PS = 3 * 365 * 86400 * 1e12;

export const UNKNOWN = "–";

/** Made once: a page of a thousand workers writes thousands of numbers. */
const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** 14132 → `14,132`. */
export function grouped(value: number): string {
  return GROUPED.format(value);
}

/** Halves away from zero, as `toPrecision` rounds them. */
function whole(value: number): string {
  return grouped(value < 0 ? -Math.round(-value) : Math.round(value));
}

/** Three significant digits, never an exponent for what a screen shows: 0.00123, 1.20, 27.0, 1,230. */
export function threeDigits(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 999.5) return whole(value);
  if (size < 1e-4) return value > 0 ? "< 0.0001" : "> -0.0001";
  return value.toPrecision(3);
}

function scaled(base: number, scale: Scale): string {
  const size = Math.abs(base);
  if (scale === TIME && size < 1) return base > 0 ? "< 1 ps" : "> -1 ps";
  const [factor, symbol] = scale.find(([f]) => size >= f * 0.9995) ?? scale[scale.length - 1]!;
  return `${factor === 1 && Number.isInteger(base) ? grouped(base) : threeDigits(base / factor)} ${symbol}`;
}

/** A share between 0 and 1 in percent: three digits, at most two decimals; only nothing is 0 %, only all is 100 %. */
export function percent(share: number): string {
  return formatPercent(share * 100);
}

function formatPercent(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0 %";
  if (size < 0.01) return value > 0 ? "< 0.01 %" : "> -0.01 %";
  if (value > 99.99 && value < 100) return "> 99.99 %";
  return `${size < 9.995 || (size >= 99.95 && size < 100) ? value.toFixed(2) : threeDigits(value)} %`;
}

/** As people read it. */
export function formatNumber(value: number, unit: string): string {
  if (!Number.isFinite(value)) return UNKNOWN;
  if (unit === "share") return percent(value);
  if (unit === "percent") return formatPercent(value);
  if (unit === "id") return String(value);
  const [one, scale] = SCALED[unit] ?? [];
  if (!one || !scale) {
    const text = Number.isInteger(value) ? grouped(value) : threeDigits(value);
    return text + (SYMBOLS[unit] ?? ` ${unit}`);
  }
  const base = value * one;
  if (base === 0) return "0";
  return scale === TIME && base > EPOCH_PS ? formatTime(Math.round(base / 1e9)) : scaled(base, scale);
}

export function formatValue(value: Scalar | undefined, unit: string): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? formatNumber(value, unit) : value;
}

/** A difference: what is more has its sign, too. */
export function signed(value: number, unit: string): string {
  return (value > 0 ? "+" : "") + formatNumber(value, unit);
}

/** What is the difference of two others. */
const CHANGES = /(^|_)change_/;

/** As people read it, in the column's unit. */
export function formatCell(value: Scalar | undefined, column: Column<string>): string {
  if (typeof value === "number" && CHANGES.test(column.name)) return signed(value, unitOf(column));
  return formatValue(value, unitOf(column));
}

/** The exact value of a column, for titles. */
export function exactCell(value: Scalar | undefined, column: Column<string>): string {
  return exactValue(value, unitOf(column));
}

/** The exact value with its own unit, for titles. */
export function exactValue(value: Scalar | undefined, unit: string): string {
  if (value === null || value === undefined) return "unknown";
  if (typeof value !== "number") return String(value);
  if (unit === "share" || unit === "id" || unit === "") return String(value);
  return `${grouped(value)} ${EXACT[unit] ?? unit}`.trim();
}

export function isNumeric(column: Column<string>): boolean {
  return column.dtype !== "text" && column.dtype !== "bool";
}

function plural(word: string): string {
  if (/(s|x|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** What heads a column: its declared title, or of a category what captures of the shown kind call it. */
export function label(column: Column<string>): string {
  return (column.unit === "ms" && categoryTitle(column.name.replace(/_ms$/, ""))) || column.title;
}

/** 143000000 → `143 MB`. */
export function formatBytes(bytes: number): string {
  return formatNumber(bytes, "bytes");
}

/** `2026-11-20 10:05`, local time. */
export function formatTime(ms: number): string {
  const date = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `3 min ago`; beyond a day, the date. */
export function formatAge(ms: number, now: number): string {
  const seconds = (now - ms) / 1000;
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return formatTime(ms);
}

/** 1 → `1 host`, 3 → `3 hosts`. */
export function counted(count: number, word: string): string {
  return `${grouped(count)} ${count === 1 ? word : plural(word)}`;
}

function memory<Name extends string>(column: Column<Name>): Column<Name> {
  return column.unit === "bytes" ? { ...column, unit: "memory" } : column;
}

/** The tool with its memory in KiB, MiB, GiB. `which`: names of the columns that hold memory; not all bytes do, some are copied. */
export function inBinary(tool: ToolSpec, which = /./): ToolSpec {
  const inMemory = <Name extends string>(column: Column<Name>): Column<Name> =>
    which.test(column.name) ? memory(column) : column;
  return {
    ...tool,
    summary: tool.summary.map(inMemory),
    tables: tool.tables.map((spec) => ({ ...spec, columns: spec.columns.map(inMemory) })),
  };
}
