// A table as labelled horizontal bars, longest row the full width, one segment a value column.
import type { Column, TableData, TableSpec, View } from "../types";
import { exactValue, formatNumber, formatValue, label } from "../units";
import { categoryOf } from "./category";
import { Name } from "./name";
import { rowCount } from "./rows";

const MOST_ROWS = 8;

interface Segment {
  column: Column;
  value: number;
}

function segments(columns: readonly Column[], data: TableData, row: number): Segment[] {
  return columns.flatMap((column) => {
    const value = data.columns[column.name]?.[row];
    return typeof value === "number" && value > 0 ? [{ column, value }] : [];
  });
}

function total(parts: readonly Segment[]): number {
  return parts.reduce((sum, part) => sum + part.value, 0);
}

function Bar({ parts, most, name }: { parts: readonly Segment[]; most: number; name: string }) {
  return (
    <span class="bar">
      {parts.map(({ column, value }) => (
        <b
          key={column.name}
          title={`${label(column)}: ${exactValue(value, column.unit)}`}
          style={{
            width: `${(100 * value) / most}%`,
            background: `var(${categoryOf(name || column.name)})`,
          }}
        />
      ))}
    </span>
  );
}

export function Bars({ view, spec, data }: { view: View; spec: TableSpec; data: TableData }) {
  const columns = spec.columns.filter((c) => view.values.includes(c.name));
  const seen = columns.filter((c) => data.columns[c.name]?.some((value) => typeof value === "number" && value > 0));
  const labels = data.columns[view.label] ?? [];
  const all = Array.from({ length: rowCount(data) }, (_, row) => ({ row, parts: segments(columns, data, row) }));
  const filled = all.filter(({ parts }) => parts.length);
  const most = Math.max(...filled.map(({ parts }) => total(parts)));
  const rest = filled.slice(MOST_ROWS).reduce((sum, { parts }) => sum + total(parts), 0);
  const unit = columns[0]?.unit ?? "";
  return (
    <div class="bars">
      {columns.length > 1 && (
        <p class="legend">
          {seen.map((c) => (
            <span key={c.name} title={c.help}>
              <i style={{ background: `var(${categoryOf(c.name)})` }} />
              {label(c)}
            </span>
          ))}
        </p>
      )}
      <ul>
        {filled.slice(0, MOST_ROWS).map(({ row, parts }) => (
          <li key={row}>
            <Name text={formatValue(labels[row], "")} />
            <Bar parts={parts} most={most} name={columns.length > 1 ? "" : String(labels[row])} />
            <span class="number">{formatNumber(total(parts), unit)}</span>
          </li>
        ))}
      </ul>
      {filled.length > MOST_ROWS && (
        <p class="soft">
          and {filled.length - MOST_ROWS} more, total {formatNumber(rest, unit)}
        </p>
      )}
      {!filled.length && <p class="soft">Nothing to draw: every value is zero or unknown.</p>}
    </div>
  );
}
