// Tabs: one of several panels in one place, by pointer or by arrow keys.
import type { ComponentChildren } from "preact";

interface Props<Key extends string> {
  label: string;
  tabs: readonly (readonly [key: Key, words: string, help?: string])[];
  chosen: Key;
  choose: (key: Key) => void;
  /** Beside the tabs. */
  children?: ComponentChildren;
}

export function Tabs<Key extends string>({ label, tabs, chosen, choose, children }: Props<Key>) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const at = tabs.findIndex(([key]) => key === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (!by || !next) return;
    choose(next[0]);
    const list = event.currentTarget as HTMLElement;
    list.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="trace-tabs">
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(([key, words, help]) => (
          <button
            key={key}
            type="button"
            role="tab"
            title={help}
            aria-selected={key === chosen}
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
