// Values → text: three significant digits, the unit scaled to the value; the exact value in the base unit for titles.
import type { Column, Scalar } from "./types";
import { ownTitle } from "./views/category";

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
const FLOPS: Scale = [
  [1e15, "PFLOP/s"],
  [1e12, "TFLOP/s"],
  [1e9, "GFLOP/s"],
  [1e6, "MFLOP/s"],
  [1e3, "kFLOP/s"],
  [1, "FLOP/s"],
];
const BINARY: Scale = [
  [2 ** 40, "TiB"],
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
  [1, "B"],
];
const COUNTS: Scale = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
];

/** unit → what one of it is in the scale's base, and the scale. */
const SCALED: Readonly<Record<string, readonly [number, Scale, string]>> = {
  ps: [1, TIME, ""],
  ns: [1e3, TIME, ""],
  us: [1e6, TIME, ""],
  ms: [1e9, TIME, ""],
  s: [1e12, TIME, ""],
  bytes: [1, BYTES, ""],
  /** Bytes of memory, which comes in powers of two: what a page makes of `bytes`. */
  memory: [1, BINARY, ""],
  bytes_per_s: [1, BYTES, "/s"],
  per_s: [1, COUNTS, "/s"],
  gb_s: [1e9, BYTES, "/s"],
  gflop_s: [1e9, FLOPS, ""],
};

/** Units that only a name's end tells: scaled ones, and what cells say after the number. */
const SPOKEN: Readonly<Record<string, string>> = { mhz: "MHz", gb_s: "gb_s", tflops: "TFLOP/s", gflop_s: "gflop_s" };

function spoken(name: string): string {
  return Object.keys(SPOKEN).find((suffix) => name === suffix || name.endsWith(`_${suffix}`)) ?? "";
}

/** A time longer than this counts from the epoch: no capture is three years long. */
const EPOCH_PS = 3 * 365 * 86400 * 1e12;

const SYMBOLS: Readonly<Record<string, string>> = {
  us: "µs",
  bytes: "B",
  bytes_per_s: "B/s",
  per_s: "/s",
  gb_s: "GB/s",
  gflop_s: "GFLOP/s",
};

export const UNKNOWN = "–";

/** 14132 → `14,132`. */
export function grouped(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 20 });
}

/** Three significant digits, never an exponent for what a screen shows: 0.00123, 1.20, 27.0, 1,230. */
export function threeDigits(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 999.5) return grouped(Math.round(value));
  if (size < 1e-4) return value > 0 ? "< 0.0001" : "> -0.0001";
  return value.toPrecision(3);
}

function scaled(value: number, [one, scale, suffix]: readonly [number, Scale, string]): string {
  const base = value * one;
  const size = Math.abs(base);
  const [factor, symbol] = scale.find(([f]) => size >= f * 0.9995) ?? scale[scale.length - 1]!;
  const text = factor === 1 && Number.isInteger(base) ? grouped(base) : threeDigits(base / factor);
  return `${text} ${symbol}${suffix}`;
}

/** A share between 0 and 1 as a percentage; what is not nothing does not read as nothing. */
export function percent(share: number): string {
  const value = share * 100;
  if (value !== 0 && Math.abs(value) < 0.01) return "< 0.01 %";
  if (value === 0 || Math.abs(value) >= 99.95) return `${Math.round(value)} %`;
  return `${value.toPrecision(Math.abs(value) < 1 ? 2 : 3)} %`;
}

/** As people read it. */
export function formatNumber(value: number, unit: string): string {
  if (unit === "share") return percent(value);
  if (unit === "percent") return percent(value / 100);
  if (unit === "id") return String(value);
  const scale = SCALED[unit];
  if (scale?.[1] === TIME && value * scale[0] > EPOCH_PS) return formatTime((value * scale[0]) / 1e9);
  if (scale) return value === 0 ? "0" : scaled(value, scale);
  const text = Number.isInteger(value) ? grouped(value) : threeDigits(value);
  return unit && unit !== "count" ? `${text} ${unit}` : text;
}

export function formatValue(value: Scalar | undefined, unit: string): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? formatNumber(value, unit) : value;
}

/** As people read it, in the column's unit. */
export function formatCell(value: Scalar | undefined, column: Column): string {
  return formatValue(value, column.unit || (SPOKEN[spoken(column.name)] ?? ""));
}

/** The exact value of a column, for titles. */
export function exactCell(value: Scalar | undefined, column: Column): string {
  return exactValue(value, column.unit || (SPOKEN[spoken(column.name)] ?? ""));
}

/** The exact value with its own unit, for titles. */
export function exactValue(value: Scalar | undefined, unit: string): string {
  if (value === null || value === undefined) return "unknown";
  if (typeof value !== "number") return String(value);
  if (unit === "share" || unit === "id" || unit === "") return String(value);
  return `${grouped(value)} ${unit === "count" ? "" : (SYMBOLS[unit] ?? unit)}`.trim();
}

export function isNumeric(column: Column): boolean {
  return column.dtype !== "text" && column.dtype !== "bool";
}

function plural(word: string): string {
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Units of a part of a whole. */
const PARTS = ["share", "percent"];

/** Names that their words do not tell. */
const NAMED: Readonly<Record<string, string>> = { gb_s: "Bandwidth", bottleneck_us: "Bottleneck time" };

/** `self_us` → `Self`, `idle_share` → `Idle %`, `host_count` → `Hosts`: cells carry the unit. */
export function label(column: Column): string {
  const suffix = column.unit === "memory" ? "bytes" : column.unit || spoken(column.name);
  const stem =
    suffix && suffix !== "gflop_s" && column.name.endsWith(`_${suffix}`)
      ? column.name.slice(0, -suffix.length - 1)
      : column.name;
  const isPlural = column.unit === "count" && stem !== column.name;
  const own = column.unit === "ms" ? ownTitle(stem) : undefined;
  if (own) return own;
  if (NAMED[column.name]) return NAMED[column.name]!;
  if (column.dtype === "bool" && stem.startsWith("tensor_core_")) return stem.replace("tensor_core_", "TC ");
  const words = (isPlural ? plural(stem) : stem)
    .replace(/(^|_)gflop_s$/, "$1FLOP_rate")
    .replaceAll("_", " ")
    .replace(/(\d)bit\b/, "$1-bit")
    .replace(/\b(tf32|mxu|hbm|flop|cpu)\b/, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1) + (PARTS.includes(column.unit) ? " %" : "");
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
