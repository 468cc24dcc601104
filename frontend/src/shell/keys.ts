// The keys that work on every page.
import { useEffect } from "preact/hooks";
import type { Navigate } from "../page";
import type { ToolSpec } from "../types";

/** While a person types, keys are text. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
}

function press(id: string): void {
  document.getElementById(id)?.click();
}

/** Focus the page's search field, if it has one. */
function search(): boolean {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  field?.focus();
  return field !== null;
}

/** The column whose head has the focus. */
function columnAt(target: EventTarget | null): string {
  return (target instanceof Element && target.closest<HTMLElement>("th[data-column]")?.dataset["column"]) || "";
}

export function useKeys(
  tools: readonly ToolSpec[],
  navigate: Navigate,
  help: (column?: string) => void,
  searchAll: () => void,
): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // Also while a person types: a browser's own Ctrl K would leave the page.
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!document.querySelector("dialog[open]")) searchAll();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const tool = /^[1-9]$/.test(event.key) ? tools[Number(event.key) - 1] : undefined;
      if (event.key === "?") help(columnAt(event.target));
      else if (event.key === "R") press("run-picker");
      else if (event.key === "H") press("host-picker");
      else if (event.key === "S") press("range-picker");
      else if (event.key === "C") press("capture-button");
      else if (event.key === "A") press("all-runs");
      else if (tool) navigate({ tool: tool.name });
      else if (event.key !== "/" || !search()) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [tools, navigate, help, searchAll]);
}
