// What a change makes of a selection. Pure.
import type { Selection } from "./page";

type Params = Selection["params"];

/** The page of all runs: no tool's. */
export const ALL_RUNS = "runs";
/** Where a run is opened. */
export const FIRST_TOOL = "overview";

/** What pages share: set on one of them, it holds on the others, until it is set to nothing. */
const SHARED = ["steps_from", "base", "repeat", "baseline", "steps", "time", "base_steps", "base_time"];

function withShared(old: Params, next: Params): Params {
  const shared = SHARED.flatMap((name) => (old[name] === undefined ? [] : [[name, old[name]] as const]));
  return Object.fromEntries(Object.entries({ ...Object.fromEntries(shared), ...next }).filter(([, value]) => value));
}

/** A page's own params, without those that it shares with others. */
export function ownParams(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !SHARED.includes(name)));
}

/** Places in one run, and names of what it holds: elsewhere in another one, or not there at all. */
const PLACES = [
  ...["start_ps", "end_ps", "start_ms", "end_ms", "range", "event", "clock", "at", "step", "bars", "steps", "time"],
  ...["memory", "pipeline", "execution", "zoom"],
  ...["both", "repeat"],
  ...["area", "marks", "compare", "busy", "pin", "hide", "fold", "unfold", "compact", "order", "align"],
];

function withoutPlaces(params: Params): Params {
  const isPlace = (name: string): boolean =>
    PLACES.includes(name) || /\.(rows|open)$/.test(name) || /^[AB]\./.test(name);
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
 * The selection after a change. Run and hosts outlive a change of tool, params do not; a change of run drops hosts and
 * places. A run that is chosen where all are shown opens.
 */
export function changed(old: Selection, given: Partial<Selection>): Selection {
  const opens = old.tool === ALL_RUNS && !!given.run && given.tool === undefined;
  const change = opens ? { ...given, tool: FIRST_TOOL } : given;
  const isOther = change.run !== undefined && change.run !== old.run;
  const kept = isOther ? withoutPlaces(old.params) : old.params;
  const params = change.tool !== undefined && change.tool !== old.tool ? {} : kept;
  const hosts = isOther ? [] : old.hosts;
  const next = { ...old, params, hosts, ...change };
  const shared = { ...next, params: withShared(isOther ? kept : old.params, next.params) };
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
