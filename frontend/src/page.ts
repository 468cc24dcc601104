// What a tool's own page gets, and what its file exports.
import type { ComponentType } from "preact";
import type { ColumnsAnswer } from "./columns";
import type { Answer, ToolSpec } from "./types";

/** What is looked at. `run` empty: the newest; `hosts` empty: all. `params` are the page's own words in the address. */
export interface Selection {
  run: string;
  hosts: string[];
  tool: string;
  params: Record<string, string>;
}

/** `params` of a change replace the old ones as a whole; changing the tool alone brings back what was set there. */
export type Navigate = (change: Partial<Selection>, how?: "push" | "replace") => void;

/** Options of a request; one that is given several times is a list. */
export type Options = Readonly<Record<string, string | readonly string[]>>;

/** Requests for the current selection. Its identity changes exactly when run, hosts or tool change. */
export interface Api {
  /** Rejects with `ApiError`, or with the signal's reason. `work`: by which it is asked how far the answer is. */
  data(options: Options, signal?: AbortSignal, work?: string): Promise<Answer>;
  /** The same answer in its binary form: numeric columns are typed arrays. For answers with many rows. */
  columns(options: Options, signal?: AbortSignal, work?: string): Promise<ColumnsAnswer>;
  /** Address of the same answer; with `format: "csv", table: NAME` one table as CSV. */
  url(options: Options): string;
}

export interface PageProps {
  tool: ToolSpec;
  selection: Selection;
  navigate: Navigate;
  api: Api;
}

/** What a part of a tool's page draws: the answer, or some of it, and the page that it is on. */
export interface Part {
  answer: Answer;
  page: PageProps;
}

/** For the help: keys, what they do, and a selector of what has them where that is not on every page. */
export type Keys = readonly (readonly [keys: string, what: string, where?: string])[];

/** A file of src/tools: its page, and the keys it answers to, for the help. */
export interface PageModule {
  default: ComponentType<PageProps>;
  keys?: Keys;
}

/** Changes some of the page's own words in the address, without a step in the browser's history. */
export function setParams(
  { selection, navigate }: Pick<PageProps, "selection" | "navigate">,
  change: Selection["params"],
): void {
  navigate({ params: { ...selection.params, ...change } }, "replace");
}
