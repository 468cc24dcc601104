// Which columns of a table to show: those of the page, and others that hold something.
import { Popover } from "../shell/popover";
import type { Column, TableData, TableSpec } from "../types";
import { label } from "../units";
import { isEmpty, wanted } from "./columns";
import type { TableState } from "./table_parts";

interface Props {
  spec: TableSpec;
  data: TableData;
  show: readonly string[];
  state: TableState;
  setState: (state: TableState) => void;
  /** Names of columns that are shown in another way. */
  hidden?: readonly string[];
}

/** Nothing to choose where all are shown, and none was chosen. */
export function ColumnPicker({ spec, data, show, state, setState, hidden = [] }: Props) {
  const first = wanted(spec, show).map(({ name }) => name);
  const shown = state.columns ?? first;
  const rest = spec.columns.filter(({ name }) => !first.includes(name));
  const offered = [...wanted(spec, show), ...rest].filter(
    ({ name }) => !isEmpty(data.columns[name]) && !hidden.includes(name),
  );
  if (state.columns === null && offered.every(({ name }) => shown.includes(name))) return null;
  const turn = ({ name }: Column, on: boolean): void => {
    const next = on ? [...shown, name] : shown.filter((one) => one !== name);
    if (next.length) setState({ ...state, columns: next.join() === first.join() ? null : next });
  };
  const count = offered.filter(({ name }) => shown.includes(name)).length;
  const text = `Columns ${count}/${offered.length}`;
  return (
    <Popover
      label={`Columns of ${spec.title}`}
      button={
        <>
          {text} <i aria-hidden="true">▾</i>
        </>
      }
      class="columns-popover"
    >
      {() => (
        <>
          <ul>
            {offered.map((column) => (
              <li key={column.name}>
                <label title={column.help}>
                  <input
                    type="checkbox"
                    checked={shown.includes(column.name)}
                    onChange={(event) => turn(column, event.currentTarget.checked)}
                  />{" "}
                  {label(column)}
                </label>
              </li>
            ))}
          </ul>
          <p class="offers">
            <button type="button" onClick={() => setState({ ...state, columns: offered.map(({ name }) => name) })}>
              All
            </button>
            <button type="button" onClick={() => setState({ ...state, columns: null })}>
              Reset
            </button>
          </p>
        </>
      )}
    </Popover>
  );
}
