// What the parts of a program's page have in common: ways to another instruction, and scalars by their names.
import type { PageProps } from "../page";
import type { Answer, Scalar, SummaryName } from "../types";

/** The page's own words in the address, that depend on the instruction. */
const OF_INSTRUCTION = ["at", "open"];

type Say = (name: SummaryName) => Scalar;

export function told({ summary }: Answer): Say {
  return (name) => summary[name] ?? null;
}

/** The address with another instruction in the middle. */
export function useWays(page: PageProps) {
  const { params } = page.selection;
  const set = (change: Record<string, string>, how?: "replace"): void => {
    const next = Object.entries({ ...params, ...change }).filter(([, value]) => value);
    page.navigate({ params: Object.fromEntries(next) }, how);
  };
  const centre = (instruction: string): void =>
    set({ instruction, ...Object.fromEntries(OF_INSTRUCTION.map((name) => [name, ""])) });
  return { set, centre };
}
