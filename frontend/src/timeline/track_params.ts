// Choices of tracks ↔ words of the address.
import { type Choices, NONE } from "./choices";
import { ROWS, rowsOf, rowsText } from "./tracks";

type Params = Record<string, string>;

/** More keys than this are not read from an address. */
const KEYS_MAX = 200_000;
const TRACKS = new RegExp(`^(.*):(${ROWS})$`);

/** `a:3`, `a:1`, `a:2`, `a:7`, `b/x` → `b/x,a:1-3.7`. Keys are percent-encoded, so that none holds a comma. */
export function keysText(keys: Iterable<string>): string {
  const groups: string[] = [];
  const hosts = new Map<string, number[]>();
  for (const key of keys) {
    const [, host, row] = /^(.*):(\d+)$/.exec(key) ?? [];
    if (host === undefined || row === undefined) groups.push(key);
    else if (hosts.has(host)) hosts.get(host)!.push(Number(row));
    else hosts.set(host, [Number(row)]);
  }
  const parts = [...hosts].map(([host, rows]) => `${host}:${rowsText(rows)}`);
  return [...groups.sort(), ...parts].join(",");
}

export function keysOf(text: string | undefined): string[] {
  const keys: string[] = [];
  for (const part of (text ?? "").split(",").filter(Boolean)) {
    const [, host, rows] = TRACKS.exec(part) ?? [];
    if (host === undefined || rows === undefined) keys.push(part);
    else for (const row of rowsOf(rows, KEYS_MAX - keys.length)) keys.push(`${host}:${row}`);
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
