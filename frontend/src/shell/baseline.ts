// The run that all others are compared with: in the address, and remembered for the logdir.
import type { Runs } from "../types";

function key({ roots }: Runs): string {
  return `perfplugin.baseline:${roots.map(({ path }) => path).join(",")}`;
}

/** Empty where there is none, or where nothing may be stored. */
export function storedBaseline(runs: Runs): string {
  try {
    return localStorage.getItem(key(runs)) ?? "";
  } catch {
    return "";
  }
}

export function storeBaseline(runs: Runs, name: string): void {
  try {
    if (name) localStorage.setItem(key(runs), name);
    else localStorage.removeItem(key(runs));
  } catch {
    // It is in the address all the same.
  }
}
