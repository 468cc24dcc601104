// The dialog's fields as a person fills them ↔ the options of a capture; what is remembered of them. Pure, but for storage.
import type { CaptureOptions, Preset } from "./capture_api";

/** Texts, as inputs hold them. `seconds`, `delay` in seconds, `budget` in MiB, `advanced` a line each: `name=value`. */
export interface Form {
  addresses: string;
  root: string;
  seconds: string;
  delay: string;
  together: boolean;
  host: string;
  device: string;
  python: string;
  retries: string;
  budget: string;
  session: string;
  advanced: string;
}

const MIB = 2 ** 20;

/** What a preset sets; the rest a person has set for other reasons, and it stays. */
function recorded(options: CaptureOptions) {
  return {
    seconds: String(options.duration_ms / 1000),
    host: String(options.host_tracer_level),
    device: String(options.device_tracer_level),
    python: String(options.python_tracer_level),
    budget: String(options.budget_bytes / MIB),
  } satisfies Partial<Form>;
}

export function formOf(options: CaptureOptions, addresses: string, root: string): Form {
  return {
    addresses,
    root,
    ...recorded(options),
    delay: String(options.delay_ms / 1000),
    together: options.together,
    retries: String(options.retries),
    session: options.session,
    advanced: Object.entries(options.advanced)
      .map(([name, value]) => `${name}=${value}`)
      .join("\n"),
  };
}

/** The form with what the preset sets. */
export function withPreset(form: Form, preset: Preset): Form {
  return { ...form, ...recorded(preset.options) };
}

/** The preset that the form is, if it is one. */
export function presetOf(form: Form, presets: readonly Preset[]): Preset | undefined {
  return presets.find((preset) =>
    Object.entries(recorded(preset.options)).every(
      ([name, value]) => Number(form[name as keyof Form]) === Number(value),
    ),
  );
}

function typed(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The first line that is not `name=value`; empty when all are. */
export function advancedProblem(text: string): string {
  const line = text.split("\n").find((each) => each.trim() && !/^\s*[\w.-]+\s*=/.test(each));
  return line === undefined ? "" : `“${line.trim().slice(0, 60)}” is not name=value`;
}

function advancedOf(text: string): CaptureOptions["advanced"] {
  const lines = text.split("\n").filter((line) => line.includes("="));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at).trim(), typed(line.slice(at + 1).trim())];
    }),
  );
}

/** What the server is asked for; it checks it. */
export function optionsOf(form: Form): CaptureOptions {
  return {
    duration_ms: Math.round(Number(form.seconds) * 1000),
    delay_ms: Math.round(Number(form.delay) * 1000),
    together: form.together,
    host_tracer_level: Number(form.host),
    device_tracer_level: Number(form.device),
    python_tracer_level: Number(form.python),
    retries: Number(form.retries),
    budget_bytes: Math.round(Number(form.budget) * MIB),
    session: form.session.trim(),
    advanced: advancedOf(form.advanced),
  };
}

/** Messages begin with the address, which their line already has, and what it resolves to, which the title has. */
export function withoutAddress(message: string, address: string): string {
  const begins = message.startsWith(address) && /^(?: \([^)]*\))?[:,]? /.exec(message.slice(address.length));
  const rest = begins ? message.slice(address.length + begins[0].length) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** `1.2 s left`, of more than ten seconds whole ones. */
export function secondsLeft(seconds: number): string {
  return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s left`;
}

const KEY = "perfplugin.capture";

/** What is stored by a page of today, yesterday or tomorrow: only fields of the form, of their types. */
export function recalled(stored: string | null, form: Form): Form {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(stored ?? "null");
  } catch {
    // Something else under our name: as if there were nothing.
  }
  if (typeof parsed !== "object" || parsed === null) return form;
  const known = Object.entries(parsed).filter(
    ([name, value]) => name !== "session" && name in form && typeof value === typeof form[name as keyof Form],
  );
  return { ...form, ...Object.fromEntries(known) };
}

export function recall(form: Form): Form {
  try {
    return recalled(localStorage.getItem(KEY), form);
  } catch {
    // Storage may be forbidden.
    return form;
  }
}

/** All but the session's name, which is of one capture. */
export function remember({ session: _, ...form }: Form): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(form));
  } catch {
    // Forbidden, or full: then it is typed again.
  }
}
