// What TensorBoard imports: `render()` draws the plugin into the empty document of its frame.
import { render as renderInto } from "preact";
import { parseHash } from "./address";
import { embedded } from "./embedded";
import { outer } from "./frame";
import { FIRST_TOOL } from "./selection";
import { App } from "./shell/app";
import { preload } from "./shell/use_page";
import { followTheme } from "./theme";

function stylesheet(): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL("style.css", import.meta.url).href;
  return new Promise((resolve) => {
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });
}

export async function render(): Promise<void> {
  if (!embedded) document.title = "Profile";
  document.documentElement.lang = "en";
  followTheme();
  preload(parseHash(outer.location.hash).tool || FIRST_TOOL);
  // A report has its style in itself.
  if (!embedded) await stylesheet();
  renderInto(<App />, document.body);
}
