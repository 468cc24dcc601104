// Workers below each other, each a stacked bar: of one step, or of the mean of all.
import { useMemo, useRef, useState } from "preact/hooks";
import type { TableData, TableSpec, View } from "../types";
import { formatNumber } from "../units";
import { useChosen } from "./chosen";
import { Name } from "./name";
import type { Opener } from "./proof";
import { Legend, Parts } from "./stack";
import { stackedOf, type Stacked, stretchOf, whyCut } from "./stacked";
import { useVirtualRows } from "./virtual";
import { ordered } from "./workers";

const ROW_PX = 24;
const MOST_ROWS = 16;
/** Of the mark of the one that is late. */
const MARK_CH = 2;

interface Props {
  title: string;
  view: View;
  spec: TableSpec;
  /** One row a worker. */
  data: TableData;
  by: "name" | "time";
  /** The worker, or the host of workers, that the others wait for. */
  late: string;
  open: Opener;
}

export function WorkerBars(props: Props) {
  const { view, spec, data } = props;
  const stacked = useMemo(() => stackedOf({ ...view, label: "worker" }, spec, data), [view, spec, data]);
  return stacked ? <Bars {...props} stacked={stacked} /> : <p class="soft">No worker has time in this step.</p>;
}

interface BarProps {
  stacked: Stacked;
  row: number;
  most: number;
  go: (row: number, part: string | null) => void;
}

function Bar({ stacked, row, most, go }: BarProps) {
  return (
    <span class="bar">
      {stacked.parts.map(({ column, variable, values }) =>
        values[row]! > 0 ? (
          <b
            key={column.name}
            style={{ width: `${(100 * values[row]!) / most}%`, background: `var(${variable})` }}
            class={stacked.cut[row] ? "cut" : ""}
            onClick={(event) => {
              event.stopPropagation();
              go(row, column.name);
            }}
          />
        ) : null,
      )}
    </span>
  );
}

/** What workers are compared by: their own work, where it is known. */
function workOf({ columns }: TableData, { totals }: Stacked): number[] {
  const work = columns["work_ms"] ?? [];
  return totals.map((total, row) => (typeof work[row] === "number" ? work[row] : total));
}

function Bars({ title, data, by, late, open, stacked }: Props & { stacked: Stacked }) {
  const { names, totals, unit } = stacked;
  const work = useMemo(() => workOf(data, stacked), [stacked]);
  // The workers of another step mostly are the same.
  const byName = useMemo(() => ordered(names, [], "name"), [names.join("\n")]);
  const rows = useMemo(() => (by === "time" ? ordered(names, work, by) : byName), [work, by, byName]);
  const most = totals.reduce((best, total) => Math.max(best, total), 0);
  const widest = names.reduce((best, name) => Math.max(best, name.length), 0);
  const scroller = useRef<HTMLUListElement>(null);
  const virtual = useVirtualRows(scroller, rows.length, ROW_PX);
  const [text, setText] = useState("");
  const chosen = useChosen(data, rows, text, setText, (index) => virtual.scrollToIndex(index));
  const [hover, setHover] = useState<number | null>(null);
  const go = (row: number | undefined, part: string | null = null): void => {
    if (row !== undefined) open({ data, row, column: part }, stretchOf(stacked, row));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!chosen.onKey(event) && event.key === "Enter") go(chosen.at);
  };
  const looked = hover ?? chosen.at;
  const at = looked !== undefined && looked < names.length ? looked : undefined;
  return (
    <div class="workers">
      <Legend stacked={stacked} quiet={false} />
      <ul
        ref={scroller}
        role="listbox"
        tabIndex={0}
        aria-label={title}
        style={{ height: `${ROW_PX * Math.min(rows.length, MOST_ROWS)}px`, "--name": `${widest + MARK_CH}ch` }}
        onKeyDown={onKeyDown}
        onMouseLeave={() => setHover(null)}
      >
        <li role="presentation" style={{ height: `${virtual.getTotalSize()}px` }} />
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!;
          const isLate = late && [names[row], data.columns["host"]?.[row]].includes(late);
          return (
            <li
              key={row}
              role="option"
              aria-selected={row === at}
              style={{ top: `${start}px` }}
              class={open.always || stacked.starts ? "opens" : ""}
              onMouseEnter={() => setHover(row)}
              onClick={() => go(row)}
            >
              <Name text={`${isLate ? "▲ " : ""}${names[row]!}`} />
              <Bar {...{ stacked, row, most, go }} />
              <span class="number" title="Time excluding exposed communication">
                {formatNumber(work[row]!, unit)}
              </span>
              <span class="soft" title={String(data.columns["bottleneck"]?.[row] ?? "")}>
                {String(data.columns["bottleneck"]?.[row] ?? "")}
              </span>
            </li>
          );
        })}
      </ul>
      {at !== undefined && (
        <div class="chart-tip" role="tooltip">
          <p>
            <b>{names[at]}</b> {formatNumber(totals[at]!, unit)}, {formatNumber(work[at]!, unit)} without communication
          </p>
          {stacked.cut[at] && <p class="cut">{whyCut(stacked.cut[at])}</p>}
          <Parts stacked={stacked} row={at} />
        </div>
      )}
    </div>
  );
}
