// Light or dark: as TensorBoard's body says, live; where there is none, as the system prefers.
import { outer } from "./frame";

type Theme = "light" | "dark";
const listeners = new Set<(theme: Theme) => void>();
const system = window.matchMedia("(prefers-color-scheme: dark)");
let current: Theme | null = null;

function wanted(): Theme {
  const dark = outer === window ? system.matches : outer.document.body.classList.contains("dark-mode");
  return dark ? "dark" : "light";
}

function apply(): void {
  const theme = wanted();
  if (theme === current) return;
  current = theme;
  document.documentElement.dataset["theme"] = theme;
  for (const listener of listeners) listener(theme);
}

export function followTheme(): void {
  apply();
  system.addEventListener("change", apply);
  if (outer === window) return;
  new MutationObserver(apply).observe(outer.document.body, { attributes: true, attributeFilter: ["class"] });
}

/** Calls back at every change, not at once. Gives the function that ends it. For canvases, whose colours are drawn. */
export function onTheme(listener: (theme: Theme) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The value of a CSS variable of style.css, such as `--input`, in the current theme. */
export function colour(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
