// The list of the host picker: all, the slowest, groups of names, what a search finds, one by one.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { apiFor } from "../api";
import type { Navigate, Selection } from "../page";
import { rangeOf } from "../range";
import type { Host, Run } from "../types";
import { counted, formatBytes } from "../units";
import { Name } from "../views/name";
import { Reading, reading, Shown } from "../views/states";
import { kindsOf } from "./files";
import {
  allFound,
  fits,
  foundHosts,
  groupsOf,
  type HostGroup,
  MOST_GROUPS,
  SLOWEST,
  slowestOf,
  toggled,
  withGroup,
} from "./host_choice";
import { type Choice, Picker, type Several } from "./picker";

/** Values of lines that are no hosts; no host is called so. */
const FOUND = "\n";
const SLOW = "\nslowest";
const GROUP = "\ngroup ";
const SLOW_WORDS = `slowest ${SLOWEST} hosts`;

function hostChoice(host: Host): Choice {
  const content = (
    <span class="host-line">
      <Name text={host.name} />
      <span class="soft" title={host.files.map(({ file }) => file).join("\n")}>
        {kindsOf(host)}
      </span>
      <span class="soft number">{formatBytes(host.size_bytes)}</span>
    </span>
  );
  return { value: host.name, content };
}

function groupChoice({ prefix, hosts }: HostGroup): Choice {
  const size = counted(hosts.length, "host");
  const about = fits(hosts) ? size : `${size}: too many names for an address`;
  const content = (
    <span class="host-line">
      <Name text={`${prefix}…`} />
      <span class="soft">group</span>
      <span class="soft number">{about}</span>
    </span>
  );
  return { value: fits(hosts) ? GROUP + prefix : null, content };
}

/** Groups that a search finds, where they are few enough to be looked through. */
function groupLines(groups: readonly HostGroup[], filter: string): Choice[] {
  const found = foundHosts(
    groups.map((group) => ({ ...group, name: group.prefix })),
    filter,
  );
  if (found.length <= MOST_GROUPS) return found.map(groupChoice);
  return [{ value: null, content: `${found.length} groups of names, ${found[0]!.prefix}… and so on: search for one` }];
}

/** The first line of the list: all, or all that were found. */
function allLine(count: number, together: readonly string[] | null): Choice[] {
  if (!together) return [];
  return together.length
    ? [{ value: FOUND, content: `all ${together.length} found` }]
    : [{ value: "", content: `all ${count} hosts` }];
}

function slowLine(count: number, filter: string): Choice[] {
  if (count <= SLOWEST || !SLOW_WORDS.includes(filter.trim().toLowerCase())) return [];
  const content = (
    <span class="host-line">
      <span>{SLOW_WORDS}</span>
      <span class="soft">by lag in the pod viewer</span>
    </span>
  );
  return [{ value: SLOW, content }];
}

interface AskProps {
  run: Run;
  selection: Selection;
  choose: (hosts: string[]) => void;
}

/** Asks the pod viewer which hosts are the slowest; chooses these, or says why it cannot. */
function AskSlowest({ run, selection, choose }: AskProps) {
  const { steps_from = "" } = selection.params;
  const range = rangeOf(selection.params);
  const key = JSON.stringify([run.name, steps_from, range]);
  const api = useMemo(() => apiFor({ run: run.name, hosts: [], tool: "pod_viewer" }, range), [key]);
  const asked = useAnswer(api, steps_from ? { steps_from } : {});
  const columns = asked.answer?.tables["workers"]?.columns;
  const names = run.hosts.map(({ name }) => name);
  const slowest = columns ? slowestOf(names, columns["host"] ?? [], columns["lag_ms"] ?? []) : null;
  useEffect(() => {
    if (slowest?.length) choose(slowest);
  }, [asked.answer]);
  return (
    <Reading.Provider value={reading(run, [])}>
      {slowest && !slowest.length ? (
        <p class="soft picker-note">No lag is known: the pod viewer finds no step that two hosts share.</p>
      ) : (
        <Shown asked={asked}>{() => null}</Shown>
      )}
    </Reading.Provider>
  );
}

export interface ListProps {
  run: Run;
  selection: Selection;
  navigate: Navigate;
  close: () => void;
}

export function HostList({ run, selection, navigate, close }: ListProps) {
  const [isAsking, setAsking] = useState(false);
  /** What the line of all that were found chooses. */
  const together = useRef<string[]>([]);
  const names = useMemo(() => run.hosts.map(({ name }) => name), [run]);
  const groups = useMemo(() => groupsOf(names), [names]);
  const choices = useCallback(
    (filter: string): Choice[] => {
      const hosts = foundHosts(run.hosts, filter);
      const all = allFound(
        names,
        hosts.map(({ name }) => name),
      );
      together.current = all ?? [];
      const quick = [...slowLine(names.length, filter), ...groupLines(groups, filter)];
      return [...allLine(names.length, all), ...quick, ...hosts.map(hostChoice)];
    },
    [run],
  );
  const groupOf = (line: string) => groups.find(({ prefix }) => GROUP + prefix === line)?.hosts;
  /** What a line chooses alone. */
  const hostsOf = (line: string): readonly string[] => {
    if (line === FOUND) return together.current;
    return groupOf(line) ?? (line ? [line] : []);
  };
  const whole = groups.filter(({ hosts }) => hosts.every((host) => selection.hosts.includes(host)));
  const several: Several = {
    chosen: selection.hosts.length ? [...selection.hosts, ...whole.map(({ prefix }) => GROUP + prefix)] : [""],
    toggle: (line) => {
      const group = groupOf(line);
      if (line === SLOW) setAsking(true);
      else if (group) navigate({ hosts: withGroup(names, selection.hosts, group) });
      else if (line && line !== FOUND) navigate({ hosts: toggled(names, selection.hosts, line) });
      else navigate({ hosts: [...hostsOf(line)] });
    },
    help: "One more host, or one less",
  };
  const choose = (hosts: readonly string[]): void => {
    navigate({ hosts: [...hosts] });
    close();
  };
  return (
    <>
      <Picker
        label="Host"
        hint={`Search ${counted(run.hosts.length, "host")}`}
        selected={selection.hosts[0] ?? ""}
        choices={choices}
        pick={(line) => (line === SLOW ? setAsking(true) : choose(hostsOf(line)))}
        {...(run.hosts.length > 1 ? { several } : {})}
      />
      {isAsking && <AskSlowest {...{ run, selection, choose }} />}
      {run.hosts.length > 1 && (
        <p class="soft picker-note">
          Enter: only this one{groups.length > 0 && ", or this group"}. ☐ or Ctrl Enter: one more.
        </p>
      )}
    </>
  );
}
