// How many there are of each size: bars side by side, of one or two shares each; a press on a size picks it.
import type { Column, ColumnName, TableData, TableSpec } from "../types";
import { exactCell, label } from "../units";
import { tickText } from "./chart";
import { rowCount } from "./rows";

interface Props {
  title: string;
  spec: TableSpec;
  data: TableData;
  /** Column with a size in words, and one with its low end, for the axis. */
  name: ColumnName;
  low: ColumnName;
  /** Columns whose values are the bars, and their colours. */
  bars: readonly (readonly [column: ColumnName, words: string, variable: string])[];
  /** Columns shown at the pointer. */
  inTitle: readonly ColumnName[];
  what?: string;
  pick?: (row: number) => void;
}

/** As many as there is room for beside each other. */
const MOST_TICKS = 8;

function columnOf({ columns }: TableSpec, name: string): Column | undefined {
  return columns.find((column) => column.name === name);
}

function number(data: TableData, name: ColumnName, row: number): number {
  const value = data.columns[name]?.[row];
  return typeof value === "number" && value > 0 ? value : 0;
}

/** From the first size that there is any of to the last. */
function filledRows(data: TableData, bars: Props["bars"]): number[] {
  const filled = Array.from({ length: rowCount(data) }, (_, row) => row).filter((row) =>
    bars.some(([name]) => number(data, name, row) > 0),
  );
  const [first, last] = [filled[0], filled[filled.length - 1]];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function barTitle({ spec, data, name, inTitle }: Props, row: number): string {
  const details = inTitle.flatMap((one) => {
    const column = columnOf(spec, one);
    const value = data.columns[one]?.[row];
    return column && value != null ? [`${label(column)}: ${exactCell(value, column)}`] : [];
  });
  return [String(data.columns[name]?.[row] ?? ""), ...details].join("\n");
}

export function Histogram(props: Props) {
  const { title, spec, data, name, low, bars, what, pick } = props;
  const rows = filledRows(data, bars);
  const most = Math.max(...rows.flatMap((row) => bars.map(([one]) => number(data, one, row))));
  const axis = columnOf(spec, low);
  if (!rows.length || !axis) return null;
  const peak = rows.reduce((best, row) =>
    number(data, bars[0]![0], row) > number(data, bars[0]![0], best) ? row : best,
  );
  const every = Math.ceil(rows.length / MOST_TICKS);
  return (
    <figure class="histogram" aria-label={`${title}; most frequent: ${String(data.columns[name]?.[peak] ?? "")}`}>
      <figcaption title={spec.help}>
        <b>{title}</b>
        <span class="legend">
          {bars.map(([one, words, variable]) => (
            <span key={one} title={columnOf(spec, one)?.help}>
              <i style={{ background: `var(${variable})` }} />
              {words}
            </span>
          ))}
        </span>
      </figcaption>
      <ul>
        {rows.map((row, i) => {
          const text = barTitle(props, row);
          return (
            <li key={row}>
              <button
                type="button"
                aria-label={text.replaceAll("\n", ", ")}
                title={pick && what ? `${text}\nClick: ${what}` : text}
                onClick={() => pick?.(row)}
              >
                {bars.map(([one, , variable]) => (
                  <b
                    key={one}
                    style={{ height: `${(100 * number(data, one, row)) / most}%`, background: `var(${variable})` }}
                  />
                ))}
              </button>
              <span aria-hidden="true">
                {i % every ? "" : tickText(Number(data.columns[low]?.[row] ?? 0), axis.unit)}
              </span>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
