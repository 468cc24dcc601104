// What a change makes of a selection. Pure.
import type { Selection } from "./page";

/** The selection after a change. Run and hosts outlive a change of tool, params do not; a change of run drops hosts. */
export function changed(old: Selection, change: Partial<Selection>): Selection {
  const params = change.tool !== undefined && change.tool !== old.tool ? {} : old.params;
  const hosts = change.run !== undefined && change.run !== old.run ? [] : old.hosts;
  return { ...old, params, hosts, ...change };
}
