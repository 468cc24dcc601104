// Selection ↔ `#perfplugin&p.perfplugin.run=…&p.perfplugin.tool=…`, the way TensorBoard writes a plugin's state.
import type { Selection } from "./page";

const PLUGIN = "perfplugin";
const PREFIX = `p.${PLUGIN}.`;

/** Percent-encoding is read leniently: a broken escape stays as typed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Hosts are one value, because TensorBoard keeps one value a key when it rewrites the hash. */
function hostList(text: string): string[] {
  return text ? text.split(",").map(decode) : [];
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
