// Selection ↔ `#perfplugin&p.perfplugin.run=…&p.perfplugin.tool=…`, the way TensorBoard writes a plugin's state.
import type { Selection } from "./page";

const PLUGIN = "perfplugin";
const PREFIX = `p.${PLUGIN}.`;

/** Percent-encoding is read leniently: a broken escape stays as typed. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Hosts are one value, because TensorBoard keeps one value a key when it rewrites the hash. Each is percent-encoded before
 * they are joined by commas: a name's own comma is `%252C` in the address.
 */
function hostList(text: string): string[] {
  return text ? text.split(",").map(decode) : [];
}

/**
 * Hosts of an address that was written without that: pieces that no host is called are put together again where a host of
 * the run is called so. The same array where all stay.
 */
export function wholeHosts(hosts: string[], names: readonly string[]): string[] {
  const known = new Set(names);
  const most = Math.max(0, ...names.map((name) => name.split(",").length));
  if (most < 2 || hosts.every((host) => known.has(host))) return hosts;
  const whole: string[] = [];
  for (let at = 0; at < hosts.length;) {
    let end = Math.min(hosts.length, at + most);
    while (end > at + 1 && !known.has(hosts.slice(at, end).join(","))) end--;
    whole.push(hosts.slice(at, end).join(","));
    at = end;
  }
  return whole.length < hosts.length ? whole : hosts;
}

export function parseHash(hash: string): Selection {
  const selection: Selection = { run: "", hosts: [], tool: "", params: {} };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at < 0 || !part.startsWith(PREFIX)) continue;
    const name = decode(part.slice(PREFIX.length, at));
    const value = decode(part.slice(at + 1));
    if (name === "run") selection.run = value;
    else if (name === "tool") selection.tool = value;
    else if (name === "host") selection.hosts = hostList(value);
    else selection.params[name] = value;
  }
  return selection;
}

/** The hash for a selection; what other plugins keep in the old hash stays. */
export function formatHash(selection: Selection, old = ""): string {
  const others = old
    .replace(/^#/, "")
    .split("&")
    .filter((part) => part.includes("=") && !part.startsWith(PREFIX));
  const fields: [string, string][] = [
    ["run", selection.run],
    ["host", selection.hosts.map(encodeURIComponent).join(",")],
    ["tool", selection.tool],
    ...Object.entries(selection.params),
  ];
  const parts = fields
    .filter(([, value]) => value)
    .map(([k, v]) => `${PREFIX}${encodeURIComponent(k)}=${encodeURIComponent(v)}`);
  return `#${[PLUGIN, ...others, ...parts].join("&")}`;
}

/** Whether the hash belongs to this plugin's tab, or to none yet. */
export function isOurs(hash: string): boolean {
  const tab = hash
    .replace(/^#/, "")
    .split("&")
    .find((part) => part && !part.includes("="));
  return tab === undefined || tab === PLUGIN;
}
