// Declared scalars as cards; what is unknown folds into one line, which opens into the reasons.
import type { Answer, Column, SummaryName } from "../types";
import { exactValue, formatCell, label } from "../units";

interface Props {
  columns: readonly Column<SummaryName>[];
  values: Answer["summary"];
  unknown: Answer["unknown"];
}

/** Reason → labels of what is unknown for it. */
export function reasons(columns: readonly Column<SummaryName>[], unknown: Props["unknown"]): Map<string, string[]> {
  const byReason = new Map<string, string[]>();
  for (const column of columns) {
    const reason = unknown[column.name];
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), label(column)]);
  }
  return byReason;
}

export function Facts(props: Props) {
  const { columns, values } = props;
  const known = columns.filter((column) => values[column.name] !== null && values[column.name] !== undefined);
  return (
    <div class="facts">
      <dl>
        {known.map((column) => (
          <div key={column.name} title={`${column.help}\n${exactValue(values[column.name], column.unit)}`}>
            <dt>{label(column)}</dt>
            <dd>{formatCell(values[column.name], column)}</dd>
          </div>
        ))}
      </dl>
      <Unknown {...props} />
    </div>
  );
}

/** A number in one line; a press shows what and why. */
function Unknown({ columns, unknown }: Props) {
  const reasonList = [...reasons(columns, unknown)];
  if (!reasonList.length) return null;
  const names = reasonList.flatMap(([, labels]) => labels);
  return (
    <details class="soft">
      <summary title={names.join(", ")}>
        {names.length > 3 ? `${names.length} figures are unknown` : `Unknown: ${names.join(", ")}`}
      </summary>
      <ul>
        {reasonList.map(([reason, labels]) => (
          <li key={reason}>
            {labels.join(", ")}: {reason}.
          </li>
        ))}
      </ul>
    </details>
  );
}
