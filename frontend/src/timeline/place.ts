// What is looked at and marked, and the choices of tracks ↔ words of the address.
import { decode } from "../address";
import { type Choices, NONE } from "./choices";
import { type Compared, compareText } from "./compare";
import { type Find, type Match, NO_FIND, type Where } from "./find";
import { NAME_MAX, NOTE_MAX } from "./marks";
import type { View } from "./scale";
import type { Area, Colours, Mark } from "./scene";
import { ranges } from "./store";
import { ROWS, rowsOf, rowsText, type Track } from "./tracks";

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

/** What of a board the address holds. */
export interface Place {
  view: View;
  range: View | null;
  area: Area | null;
  marks: readonly Mark[];
  compared: Compared | null;
  /** `host:row` of the selected event. */
  event: string;
  find: Find;
  choices: Choices;
  colours: Colours;
}

/** What the words are about: a board. */
export interface Times {
  span: View;
  /** What is added to times that count from a host's own start. */
  offsets: ReadonlyMap<string, number>;
  track(key: string): Track | null;
}

function stretch(text: string | undefined, offset: number): View | null {
  const [, from, to] = /^(-?\d+)-(-?\d+)$/.exec(text ?? "") ?? [];
  const view = { start: Number(from ?? NaN) + offset, end: Number(to ?? NaN) + offset };
  return view.end >= view.start ? view : null;
}

function stretchText({ start, end }: View): string {
  return `${Math.round(start)}-${Math.round(end)}`;
}

/** What an address has, which anybody may have written. */
const MARK = new RegExp(`^([^:]*):(-?\\d+--?\\d+)(?:@(${ROWS}))?(?:;([^;]*))?(?:;([^;]*))?$`);
/** Tracks of one mark that are read from an address. */
const MARK_TRACKS = 10_000;

/** `host:start-end@rows;name;note`, in the host's own time; without a host, in the timeline's. */
function marksOf(text: string | undefined, times: Times): Mark[] {
  return (text ?? "").split(",").flatMap((part): Mark[] => {
    const [, host = "", stretched, rows, name = "", note = ""] = MARK.exec(part) ?? [];
    const view = stretch(stretched, times.offsets.get(decode(host)) ?? 0);
    const keys = rows ? rowsOf(rows, MARK_TRACKS).map((row) => `${host}:${row}`) : [];
    const words = {
      ...(name ? { name: decode(name).slice(0, NAME_MAX) } : {}),
      ...(note ? { note: decode(note).slice(0, NOTE_MAX) } : {}),
    };
    return view ? [{ ...view, tracks: keys.flatMap((key) => times.track(key) ?? []), ...words }] : [];
  });
}

/** A mark on tracks of several hosts is one for each. */
function marksText(marks: readonly Mark[], { offsets }: Times): string {
  return marks
    .flatMap(({ start, end, tracks, name = "", note = "" }) => {
      const texts = [name, note].map((text) => `;${encodeURIComponent(text)}`);
      const words = note ? texts.join("") : name ? texts[0] : "";
      const hosts = [...new Set(tracks.map(({ host }) => host))];
      if (!hosts.length) return [`:${stretchText({ start, end })}${words}`];
      return hosts.map((host) => {
        const offset = offsets.get(host) ?? 0;
        const rows = rowsText(tracks.filter((track) => track.host === host).map(({ row }) => row));
        const when = stretchText({ start: start - offset, end: end - offset });
        return `${encodeURIComponent(host)}:${when}@${rows}${words}`;
      });
    })
    .join(",");
}

function areaOf(text: string | undefined, offset: number, times: Times): Area | null {
  const [stretched, keys] = (text ?? "").split("@");
  const view = stretch(stretched, offset);
  return view && view.end > view.start ? { view, tracks: keysOf(keys).flatMap((key) => times.track(key) ?? []) } : null;
}

function comparedOf(text: string | undefined): Compared | null {
  const [a, b] = (text ?? "").split(",").map((one) => stretch(one, 0));
  return a && b && a.end > a.start && b.end > b.start ? { a, b } : null;
}

const MATCHES: readonly Match[] = ["text", "exact", "regex", "row"];
const WHERES: readonly Where[] = ["names", "args", "all", "path"];

function findOf({ search = "", match, in: where, regex }: Params): Find {
  return {
    text: search,
    match: MATCHES.find((one) => one === match) ?? (regex === "true" ? "regex" : NO_FIND.match),
    in: WHERES.find((one) => one === where) ?? NO_FIND.in,
  };
}

/** `clock` is the host of whose own time the view, the range and the area are, if of one. */
export function placeOfParams(params: Params, times: Times): Place & { hasView: boolean } {
  const offset = times.offsets.get(params["clock"] ?? "") ?? 0;
  const view = stretch(`${params["start_ps"]}-${params["end_ps"]}`, offset);
  const hasView = view !== null && view.end > view.start;
  return {
    view: hasView ? view : times.span,
    hasView,
    range: stretch(params["range"], offset),
    area: areaOf(params["area"], offset, times),
    marks: marksOf(params["marks"], times),
    compared: comparedOf(params["compare"]),
    event: params["event"] ?? "",
    find: findOf(params),
    choices: choicesOf(params),
    colours: params["colours"] === "category" ? "category" : "name",
  };
}

/** What is as it is without saying is left out. */
export function paramsOfPlace(place: Place, times: Times): Params {
  const { view, range, area, marks, compared, event, find, choices, colours } = place;
  const isWhole = view.start === times.span.start && view.end === times.span.end;
  const all: Params = {
    start_ps: isWhole ? "" : String(Math.floor(view.start)),
    end_ps: isWhole ? "" : String(Math.ceil(view.end)),
    range: range ? stretchText(range) : "",
    area: area ? stretchText(area.view) + (area.tracks.length ? `@${ranges(area.tracks)}` : "") : "",
    marks: marksText(marks, times),
    compare: compared ? compareText(compared) : "",
    event,
    search: find.text,
    match: find.text && find.match !== NO_FIND.match ? find.match : "",
    in: find.text && find.in !== NO_FIND.in ? find.in : "",
    colours: colours === "category" ? colours : "",
    ...paramsOfChoices(choices),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}
