// The choice of one of the capture's XLA programs, or of all.
import { type Part, setParams } from "../page";
import type { Scalar } from "../types";
import { formatNumber, percent } from "../units";
import { Select } from "./select";

const OPTION = "program";
/** A list longer than this is nothing to choose from: the table of programs has them all, and its filter. */
const MOST = 500;

/** `all`: what no choice is called, where the page can show all programs at once. */
export function ProgramPicker({ answer, page, all }: Part & { all?: string }) {
  const { program = [], self_share = [], size_bytes = [] } = answer.tables["programs"]?.columns ?? {};
  if (program.length < 2) return null;
  const option = page.tool.options.find(({ name }) => name === OPTION);
  const words = (row: number): string => {
    const share = self_share[row];
    const about = share ? percent(Number(share)) : formatNumber(Number(size_bytes[row] ?? 0), "bytes");
    return `${String(program[row])} · ${about}`;
  };
  const offers = program.slice(0, MOST).map((name, row) => [String(name), words(row)] as const);
  const shown =
    page.selection.params[OPTION] ?? (all ? "" : String((answer.summary as Record<string, Scalar>)[OPTION] ?? ""));
  const choose = (value: string): void => setParams(page, { [OPTION]: value });
  return (
    <Select
      name="program"
      help={option?.help ?? ""}
      value={shown}
      offers={all ? [["", all], ...offers] : offers}
      choose={choose}
    />
  );
}
