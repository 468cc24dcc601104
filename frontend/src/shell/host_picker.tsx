// The host picker of the top bar. Its list is loaded when it is first opened.
import type { ComponentChildren } from "preact";
import type { Run } from "../types";
import { Name } from "../views/name";
import type { ListProps } from "./host_list";
import { Lazy, useSoon } from "./lazy";
import { Popover } from "./popover";

const loadList = () => import("./host_list");

/** Names as far as they fit a button. */
function chosenText(hosts: readonly string[]): string {
  return hosts.length > 3 ? `${hosts.length} chosen` : hosts.join(", ");
}

function shownText(run: Run, hosts: readonly string[]): string {
  const all = run.hosts.length > 1 ? `all ${run.hosts.length}` : (run.hosts[0]?.name ?? "none");
  return chosenText(hosts) || all;
}

export function HostPicker({ run, selection, navigate }: Omit<ListProps, "close">) {
  useSoon(loadList);
  const shown = shownText(run, selection.hosts);
  const button: ComponentChildren = (
    <>
      <span class="soft">host</span> <Name text={shown} /> <i>▾</i>
    </>
  );
  return (
    <Popover
      id="host-picker"
      label="Host"
      class="host-picker"
      value={shown}
      style={{ "--letters": shown.length }}
      button={button}
    >
      {(close) => (
        <Lazy load={loadList}>{({ HostList }) => <HostList {...{ run, selection, navigate, close }} />}</Lazy>
      )}
    </Popover>
  );
}
