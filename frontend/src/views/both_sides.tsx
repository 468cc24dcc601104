// What is known of two runs, side by side: figures of each and their difference, then what differs in how they were recorded.
import type { Answer, Column, SummaryName } from "../types";
import { exactValue, formatCell, percent, signed, threeDigits, UNKNOWN } from "../units";
import { number, rowCount } from "./rows";

interface Row {
  words: string;
  base: SummaryName;
  next: SummaryName;
  /** Not worth a line where both are so. */
  usual?: number | null;
  /** A difference says nothing of the program. */
  isChange?: false;
}

const ROWS: readonly Row[] = [
  { words: "Mean step", base: "step_time_base_ms", next: "step_time_new_ms" },
  { words: "Typical step", base: "typical_step_base_ms", next: "typical_step_new_ms" },
  { words: "Steps", base: "steps_base", next: "steps_new", usual: 0, isChange: false },
  { words: "Slow steps among them", base: "slow_base", next: "slow_new", usual: 0, isChange: false },
  { words: "Cut or warm-up steps, left out", base: "left_out_base", next: "left_out_new", usual: 0, isChange: false },
  { words: "Captures", base: "captures_base", next: "captures_new", usual: 1, isChange: false },
  { words: "Launches per step", base: "launches_base", next: "launches_new", usual: null },
  { words: "Memory peak", base: "memory_peak_base_bytes", next: "memory_peak_new_bytes", usual: null },
];

const SIDES = [
  ["A", "base"],
  ["B", "new"],
] as const;

interface Props {
  answer: Answer;
  columns: readonly Column<SummaryName>[];
}

/** From here on it is so many times as much. */
const TIMES = 10;

/** `+12.3 %`, of much more `× 34.5`. */
export function relative(ratio: number): string {
  if (ratio >= TIMES) return `× ${threeDigits(ratio)}`;
  return `${ratio > 1 ? "+" : ""}${percent(ratio - 1)}`;
}

function change(base: number | null, next: number | null, unit: string): string {
  if (base === null || next === null) return "";
  if (base === next) return "same";
  return `${signed(next - base, unit)}${base ? ` (${relative(next / base)})` : ""}`;
}

function Figure({ row, answer, columns }: Props & { row: Row }) {
  const { summary, unknown } = answer;
  const [base, next] = [number(summary[row.base]), number(summary[row.next])];
  const column = columns.find(({ name }) => name === row.base);
  const isChange = row.isChange !== false && summary["verdict"] !== "unlike";
  if (!column || (base === row.usual && next === row.usual)) return null;
  const cell = (name: SummaryName, value: number | null) => (
    <td class="number" title={value === null ? unknown[name] : exactValue(value, column.unit)}>
      {value === null ? UNKNOWN : formatCell(value, column)}
    </td>
  );
  return (
    <tr>
      <th scope="row" title={column.help}>
        {row.words}
      </th>
      {cell(row.base, base)}
      {cell(row.next, next)}
      <td class="number">{isChange ? change(base, next, column.unit) : ""}</td>
    </tr>
  );
}

/** How large the change may as well be. */
function Interval({ answer: { summary }, columns }: Props) {
  const [low, high] = [number(summary["change_low_ms"]), number(summary["change_high_ms"])];
  if (low === null || high === null) return null;
  return (
    <tr>
      <th scope="row" title={columns.find(({ name }) => name === "change_low_ms")?.help}>
        Interval of the change
      </th>
      <td class="number" colSpan={3}>
        {signed(low, "ms")} to {signed(high, "ms")}
      </td>
    </tr>
  );
}

interface Fact {
  fact: string;
  base: string;
  next: string;
}

function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function factsOf({ tables }: Answer, isDifferent: boolean): Fact[] {
  const { columns } = tables["conditions"] ?? { columns: {} };
  const rows = Array.from({ length: rowCount({ columns }) }, (_, row) => row);
  return rows
    .filter((row) => columns["differs"]?.[row] === isDifferent)
    .map((row) => ({
      fact: sentence(String(columns["fact"]?.[row] ?? "").replaceAll("_", " ")),
      base: String(columns["base"]?.[row] ?? ""),
      next: String(columns["new"]?.[row] ?? ""),
    }));
}

function Same({ facts }: { facts: readonly Fact[] }) {
  if (!facts.length) return null;
  return (
    <details class="soft">
      <summary>Recorded alike: {facts.length === 1 ? "one fact" : `${facts.length} facts`}</summary>
      <dl>
        {facts.map(({ fact, base }) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{base}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

export function BothSides({ answer, columns }: Props) {
  const different = factsOf(answer, true);
  return (
    <>
      <div class="sides-scroll">
        <table class="both-sides">
          <caption class="offscreen">A and B side by side</caption>
          <thead>
            <tr>
              <td />
              {SIDES.map(([letter, words]) => (
                <th key={letter} scope="col">
                  <span class="side-mark" data-side={letter}>
                    {letter}
                  </span>{" "}
                  {words}
                </th>
              ))}
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {ROWS.map((row) => (
              <Figure key={row.base} {...{ row, answer, columns }} />
            ))}
            <Interval {...{ answer, columns }} />
          </tbody>
          {different.length > 0 && (
            <tbody class="differs">
              {different.map(({ fact, base, next }) => (
                <tr key={fact}>
                  <th scope="row">{fact}</th>
                  <td>{base || UNKNOWN}</td>
                  <td>{next || UNKNOWN}</td>
                  <td class="number">differs</td>
                </tr>
              ))}
            </tbody>
          )}
        </table>
      </div>
      <Same facts={factsOf(answer, false)} />
    </>
  );
}
