// The colours that a timeline is drawn with, in the current theme.
import { colour } from "../theme";
import { Palette } from "./palette";

/** Colours of the theme's variables, and of names. */
export interface Inks {
  palette: Palette;
  panel: string;
  sunken: string;
  line: string;
  text: string;
  soft: string;
  accent: string;
  /** Of device and host, where only these are distinguished. */
  device: string;
  host: string;
  /** Of arrows: launches, what was waited for. */
  launch: string;
  wait: string;
}

const VARIABLES = ["panel", "sunken", "line", "text", "soft", "accent", "device", "host", "launch"] as const;

export function inksOfTheme(): Inks {
  const dark = document.documentElement.dataset["theme"] === "dark";
  const colours = Object.fromEntries(VARIABLES.map((name) => [name, colour(`--${name}`)]));
  return { ...(colours as unknown as Inks), wait: colour("--bad"), palette: new Palette(dark, colour) };
}
