// Tabs: one of several panels in one place, by pointer or by keys.
import type { ComponentChildren } from "preact";

interface Props<Key extends string> {
  /** Of the tabs and their panel, as the document knows them. */
  id: string;
  label: string;
  tabs: readonly (readonly [key: Key, words: string, help?: string])[];
  chosen: Key;
  choose: (key: Key) => void;
  /** Beside the tabs. */
  children?: ComponentChildren;
}

/** Where a key leads among `count` tabs: around at both ends; null for a key that leads nowhere. */
function moved(key: string, at: number, count: number): number | null {
  if (key === "Home" || key === "End") return key === "Home" ? 0 : count - 1;
  const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  return by ? (at + by + count) % count : null;
}

function tabId(id: string, key: string): string {
  return `${id}-tab-${key}`;
}

export function Tabs<Key extends string>({ id, label, tabs, chosen, choose, children }: Props<Key>) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(([key]) => key === chosen);
    const to = moved(event.key, at, tabs.length);
    const next = to === null ? undefined : tabs[to];
    if (to === null || !next) return;
    choose(next[0]);
    const list = event.currentTarget as HTMLElement;
    list.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="trace-tabs">
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(([key, words, help]) => (
          <button
            key={key}
            id={tabId(id, key)}
            type="button"
            role="tab"
            title={help}
            aria-selected={key === chosen}
            aria-controls={id}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => choose(key)}
          >
            {words}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}

interface PanelProps {
  id: string;
  chosen: string;
  class: string;
  /** There are no tabs: it is no panel of any. */
  isAlone?: boolean;
  children: ComponentChildren;
}

/** What the chosen tab shows. */
export function TabPanel({ id, chosen, class: name, isAlone = false, children }: PanelProps) {
  const panel = isAlone ? {} : { role: "tabpanel" as const, id, "aria-labelledby": tabId(id, chosen) };
  return (
    <div {...panel} class={name}>
      {children}
    </div>
  );
}
