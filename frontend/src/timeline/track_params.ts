// Choices of tracks ↔ words of the address.
import { NONE, type Choices } from "./choices";

type Params = Record<string, string>;

/** More keys than this are not read from an address. */
const KEYS_MAX = 200_000;
const TRACK = /^(.*):(\d+)(?:-(\d+))?$/;

/** `a:3`, `a:1`, `a:2`, `b/x` → `b/x,a:1-3`. Keys are percent-encoded, so that none holds a comma. */
export function keysText(keys: Iterable<string>): string {
  const groups: string[] = [];
  const hosts = new Map<string, number[]>();
  for (const key of keys) {
    const [, host, row] = TRACK.exec(key) ?? [];
    if (host === undefined || row === undefined) groups.push(key);
    else if (hosts.has(host)) hosts.get(host)!.push(Number(row));
    else hosts.set(host, [Number(row)]);
  }
  const parts = [...hosts].flatMap(([host, rows]) => rangesOf(rows).map((range) => `${host}:${range}`));
  return [...groups.sort(), ...parts].join(",");
}

function rangesOf(rows: number[]): string[] {
  const found: [first: number, last: number][] = [];
  for (const row of rows.sort((a, b) => a - b)) {
    const before = found[found.length - 1];
    if (before && row <= before[1] + 1) before[1] = row;
    else found.push([row, row]);
  }
  return found.map(([first, last]) => (last > first ? `${first}-${last}` : String(first)));
}

export function keysOf(text: string | undefined): string[] {
  const keys: string[] = [];
  for (const part of (text ?? "").split(",").filter(Boolean)) {
    const [, host, first, last = first] = TRACK.exec(part) ?? [];
    if (host === undefined) keys.push(part);
    else
      for (let row = Number(first); row <= Number(last) && keys.length < KEYS_MAX; row++) keys.push(`${host}:${row}`);
  }
  return keys;
}

export function choicesOf(params: Params): Choices {
  const [, start, end] = /^(-?\d+)-(-?\d+)$/.exec(params["busy"] ?? "") ?? [];
  const order = (params["order"] ?? "").split(",").flatMap((move): [string, string][] => {
    const [key, before] = move.split("<");
    return key && before !== undefined ? [[key, before]] : [];
  });
  return {
    ...NONE,
    filter: params["filter"] ?? "",
    busy: Number(end) > Number(start) ? { start: Number(start), end: Number(end) } : null,
    pin: keysOf(params["pin"]),
    hide: new Set(keysOf(params["hide"])),
    fold: new Set(keysOf(params["fold"])),
    unfold: new Set(keysOf(params["unfold"])),
    compact: new Set(keysOf(params["compact"])),
    order: new Map(order),
  };
}

/** What is not chosen is left out. */
export function paramsOfChoices({ filter, busy, pin, hide, fold, unfold, compact, order }: Choices): Params {
  const all: Params = {
    filter,
    busy: busy ? `${Math.floor(busy.start)}-${Math.ceil(busy.end)}` : "",
    pin: pin.join(","),
    hide: keysText(hide),
    fold: keysText(fold),
    unfold: keysText(unfold),
    compact: keysText(compact),
    order: [...order].map(([key, before]) => `${key}<${before}`).join(","),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}
