// What a change makes of a selection. Pure.
import type { Selection } from "./page";

type Params = Selection["params"];

/** The page of all runs: no tool's. */
export const ALL_RUNS = "runs";
/** Where a run is opened. */
export const FIRST_TOOL = "overview";

/** What pages share: set on one of them, it holds on the others, until it is set to nothing. */
const SHARED = ["steps_from", "base", "repeat", "baseline", "steps", "time", "base_steps", "base_time"];

/** What a page had set when it was left: `op_stats~ops.filter`. It is the page's own again when that is opened. */
const KEPT = /^\w+~/;

function isShared(name: string): boolean {
  return SHARED.includes(name) || KEPT.test(name);
}

function withShared(old: Params, next: Params): Params {
  const shared = Object.entries(old).filter(([name]) => isShared(name));
  return Object.fromEntries(Object.entries({ ...Object.fromEntries(shared), ...next }).filter(([, value]) => value));
}

/** A page's own params, without those that it shares with others. */
export function ownParams(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !isShared(name)));
}

/** What a person arranged on a page: a link into it with words of its own leaves that as it is. */
const ARRANGED = ["marks", "pin", "hide", "fold", "unfold", "compact", "order", "colours"];

/** Marks of a link, beside those that have a name: a person's. */
function withMarks(arranged: Params, given: Params): Params {
  const named = (arranged["marks"] ?? "").split(",").filter((mark) => mark.includes(";"));
  const marks = [...new Set([...named, ...(given["marks"] ?? "").split(",")])].filter(Boolean).join();
  return { ...arranged, ...given, marks };
}

/** The params of `tool`, as it was left; with words of a link, these in what was arranged there. */
function opened(kept: Params, tool: string, given: Params | undefined): Params {
  const prefix = `${tool}~`;
  const own = Object.entries(kept).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
  );
  if (!given) return Object.fromEntries(own);
  const arranged = Object.fromEntries(own.filter(([name]) => ARRANGED.includes(name)));
  return arranged["marks"] ? withMarks(arranged, given) : { ...arranged, ...given };
}

/** All params when another tool is opened: those of the old one are put away, those of the new one come back. */
function exchanged(params: Params, from: string, to: string, given: Params | undefined): Params {
  const left = Object.entries(from ? ownParams(params) : {}).map(
    ([name, value]) => [`${from}~${name}`, value] as const,
  );
  const shared = Object.entries(params).filter(([name]) => isShared(name) && !name.startsWith(`${from}~`));
  const kept = Object.fromEntries([...shared, ...left]);
  const others = Object.entries(kept).filter(([name]) => !name.startsWith(`${to}~`));
  return { ...Object.fromEntries(others), ...opened(kept, to, given) };
}

/** Places in one run, and names of what it holds: elsewhere in another one, or not there at all. */
const PLACES = [
  ...["start_ps", "end_ps", "start_ms", "end_ms", "range", "event", "clock", "at", "step", "bars", "steps", "time"],
  ...["memory", "pipeline", "execution", "zoom"],
  ...["both", "repeat"],
  ...["area", "marks", "compare", "busy", "pin", "hide", "fold", "unfold", "compact", "order", "align"],
];

function withoutPlaces(params: Params): Params {
  const isPlace = (full: string): boolean => {
    const name = full.replace(KEPT, "");
    return PLACES.includes(name) || /\.(rows|open)$/.test(name) || /^[AB]\./.test(name);
  };
  return Object.fromEntries(Object.entries(params).filter(([name]) => !isPlace(name)));
}

/** What a run was compared with is not compared with itself when it is opened in its turn. */
function withoutItself({ run, params }: Selection): Params {
  const { base = "", ...others } = params;
  const left = runsIn(base).filter((one) => one !== run);
  if (left.length) return { ...others, base: runsText(left) };
  const { base_steps: _, base_time: __, ...rest } = others;
  return rest;
}

/** Names of runs as one value of the address; a comma of a name is encoded. */
export function runsText(runs: readonly string[]): string {
  return runs.map((run) => run.replace(/[%,]/g, encodeURIComponent)).join(",");
}

export function runsIn(text: string): string[] {
  const runs = text
    .split(",")
    .filter(Boolean)
    .map((run) => run.replace(/%(25|2C)/gi, decodeURIComponent));
  return [...new Set(runs)];
}

/**
 * The selection after a change. Run and hosts outlive a change of tool, params are put away until the tool is opened
 * again; a change of run drops hosts and places. A run that is chosen where all are shown opens.
 */
export function changed(old: Selection, given: Partial<Selection>): Selection {
  const opens = old.tool === ALL_RUNS && !!given.run && given.tool === undefined;
  const change = opens ? { ...given, tool: FIRST_TOOL } : given;
  const isOther = change.run !== undefined && change.run !== old.run;
  const kept = isOther ? withoutPlaces(old.params) : old.params;
  const { tool = old.tool } = change;
  const isOtherTool = tool !== old.tool;
  const hosts = isOther ? [] : old.hosts;
  const params = isOtherTool ? exchanged(kept, old.tool, tool, change.params) : (change.params ?? kept);
  const next = { ...old, hosts, ...change, params };
  const shared = isOtherTool
    ? { ...next, params: withShared({}, params) }
    : { ...next, params: withShared(isOther ? kept : old.params, params) };
  return isOther && change.params?.["base"] === undefined ? { ...shared, params: withoutItself(shared) } : shared;
}

/**
 * Whether a page that was drawn for `shown` asks for a change of its own params after the address has gone elsewhere: they
 * are places of what was shown. What `shown` left open was filled in since.
 */
export function isLate(shown: Selection, latest: Selection, change: Partial<Selection>): boolean {
  if (change.run !== undefined || change.tool !== undefined || change.hosts !== undefined) return false;
  const isOther = (a: string, b: string): boolean => a !== "" && a !== b;
  return (
    isOther(shown.run, latest.run) ||
    isOther(shown.tool, latest.tool) ||
    isOther(JSON.stringify(shown.hosts), JSON.stringify(latest.hosts))
  );
}
