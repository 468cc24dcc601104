// Declared scalars as cards; what is unknown folds into one line, which opens into the reasons.
import type { ComponentChildren } from "preact";
import type { Column, Scalar } from "../types";
import { exactValue, formatCell, label } from "../units";

interface Props {
  columns: readonly Column[];
  values: Readonly<Record<string, Scalar>>;
  unknown: Readonly<Record<string, string>>;
  /** Said beside what is unknown. */
  children?: ComponentChildren;
}

/** Reason → labels of what is unknown for it. */
function reasons({ columns, unknown }: Props): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const column of columns) {
    const reason = unknown[column.name];
    if (reason !== undefined) found.set(reason, [...(found.get(reason) ?? []), label(column)]);
  }
  return found;
}

export function Facts(props: Props) {
  const { columns, values, children } = props;
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
      <div class="aside soft">
        <Unknown {...props} />
        {children}
      </div>
    </div>
  );
}

/** Names in one line; a press tells why. */
function Unknown(props: Props) {
  const found = [...reasons(props)];
  if (!found.length) return null;
  return (
    <details>
      <summary title={found.map(([reason, labels]) => `${labels.join(", ")}: ${reason}`).join("\n")}>
        Unknown: {found.flatMap(([, labels]) => labels).join(", ")}
      </summary>
      <ul>
        {found.map(([reason, labels]) => (
          <li key={reason}>
            {labels.join(", ")}: {reason}.
          </li>
        ))}
      </ul>
    </details>
  );
}
