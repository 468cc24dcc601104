// The rows of a table as stacked bars side by side; a press or Enter opens the row's place in the trace.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { onTheme } from "../theme";
import type { View } from "../types";
import { counted, exactValue, formatNumber, percent } from "../units";
import { moved } from "./chart";
import type { Opener } from "./proof";
import { barAt, barOf, centre, drawStack, partAt, type Plot, plotOf } from "./stack_draw";
import { rowInWords, stackedOf, type Stacked, stackInWords, stretchOf, whyCut } from "./stacked";
import { Links } from "./table";
import type { OfTable } from "./limited";

/** For the help of a page that has a chart of bars. */
export const KEYS: readonly (readonly [string, string])[] = [
  ["← → Home End", "in a bar chart: previous, next, first, last bar (Page keys: further)"],
  ["Enter", "in a bar chart: show the bar in the trace"],
  ["+ −, or drag", "in a bar chart: fewer bars, or more; Esc: all"],
];

interface StackProps extends OfTable {
  view: View;
  /** Where the mean is known better than from the rows. */
  mean?: number | null | undefined;
  height?: number;
  quiet?: boolean;
  /** The colours have a legend above; here only those of parts of rows that are not in the mean. */
  hasLegend?: boolean;
  /** What a row is. */
  noun?: string;
  /** Which rows are shown, as `first-end`; else all. */
  bars: string;
  setBars: (bars: string) => void;
  /** Makes some rows, `from` to before `to`, the range of all pages. */
  choose?: ((from: number, to: number) => void) | undefined;
  open?: Opener;
}

interface Range {
  from: number;
  to: number;
}

const HEIGHT_PX = 180;
/** On a high screen charts grow, at most so much. */
const NORMAL_PX = 900;
const MOST_GROWTH = 2;

/** The height of a chart that is `px` high on a screen of usual height. */
function grown(px: number): number {
  return Math.round(px * Math.min(MOST_GROWTH, Math.max(1, window.innerHeight / NORMAL_PX)));
}

/** Parts below this share stand together, where room is short and the numbers are shown elsewhere. */
const SMALL = 0.01;
/** A shorter way of the pointer is a press. */
const DRAG_PX = 5;

export function Legend({ stacked, quiet }: { stacked: Stacked; quiet: boolean }) {
  const { parts, none, unit, mean } = stacked;
  const small = quiet ? parts.filter((part) => part.mean < SMALL * mean) : [];
  return (
    <p class="legend">
      {(small.length > 1 ? parts.filter((part) => !small.includes(part)) : parts).map((part) => (
        <span key={part.column.name} title={`${part.column.help}\n⌀ ${exactValue(part.mean, unit)}`}>
          <i style={{ background: `var(${part.variable})` }} />
          {part.title}
          {!quiet && ` ${formatNumber(part.mean, unit)} `}
          {!quiet && <span class="soft">{percent(mean ? part.mean / mean : 0)}</span>}
        </span>
      ))}
      {small.length > 1 && (
        <span title={small.map(({ title, mean: part }) => `${title} ${formatNumber(part, unit)}`).join("\n")}>
          {small.map(({ column, variable }) => (
            <i key={column.name} style={{ background: `var(${variable})` }} />
          ))}
          {small.length} others
        </span>
      )}
      {none.length > 0 && !quiet && (
        <span class="soft none" title={none.join(", ")}>
          +{counted(none.length, "zero category")}
        </span>
      )}
    </p>
  );
}

interface TipProps {
  stacked: Stacked;
  plot: Plot;
  row: number;
  noun: string;
}

/** What one row is made of. */
export function Parts({ stacked, row }: { stacked: Stacked; row: number }) {
  const { parts, totals, unit } = stacked;
  const shown = parts.filter(({ values }) => values[row]! > 0).reverse();
  return (
    <table>
      <tbody>
        {shown.map(({ column, title, variable, values }) => (
          <tr key={column.name}>
            <td>
              <i style={{ background: `var(${variable})` }} /> {title}
            </td>
            <td class="number">{formatNumber(values[row]!, unit)}</td>
            <td class="number soft">{percent(values[row]! / totals[row]!)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Tip({ stacked, plot, row, noun }: TipProps) {
  const bar = plot.bars[barOf(plot, row)];
  if (!bar) return null;
  const x = centre(plot, barOf(plot, row));
  const style = x > plot.width / 2 ? { right: `${plot.width - x + 12}px` } : { left: `${x + 12}px` };
  const among = bar.last > bar.first ? `of ${counted(bar.last - bar.first + 1, noun)} here, ` : "";
  return (
    <div class="chart-tip" style={style} role="tooltip">
      <p>
        <b>{stacked.names[row]}</b> {formatNumber(stacked.totals[row]!, stacked.unit)}
      </p>
      {among && (
        <p class="soft">
          {row === bar.slowest ? `the longest ${among}` : among}
          {formatNumber(bar.total, stacked.unit)} on average
        </p>
      )}
      {stacked.cut[row] && <p class="cut">{whyCut(stacked.cut[row])}</p>}
      <Parts stacked={stacked} row={row} />
    </div>
  );
}

/** The canvas as wide as its box, drawn after every change, also of the theme. */
function useCanvas(stacked: Stacked | null, range: Range, row: number | null, mean: number, height: number) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [painted, again] = useState(0);
  const plot = useMemo(
    () => (stacked && width ? plotOf(stacked, range.from, range.to, width, height) : null),
    [stacked, range, width, height],
  );
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    setWidth(element.clientWidth);
    const end = onTheme(() => again((n) => n + 1));
    return () => {
      sizes.disconnect();
      end();
    };
  }, [stacked]);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !plot || !stacked) return;
    const ratio = window.devicePixelRatio || 1;
    context.canvas.width = Math.round(width * ratio);
    context.canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawStack(context, plot, stacked, stacked.names.length > 1 ? mean : 0, row === null ? null : barOf(plot, row));
  }, [plot, row, mean, painted]);
  return { canvas, plot };
}

function rangeOf(bars: string, rows: number): Range | null {
  const [, from, to] = (/^(\d{1,9})-(\d{1,9})$/.exec(bars) ?? []).map(Number);
  return from !== undefined && to !== undefined && from < to && to <= rows ? { from, to } : null;
}

/** A range of `1 / factor` times as many rows, around one of them. */
function zoomed({ from, to }: Range, row: number, factor: number, rows: number): Range {
  const size = Math.max(1, Math.min(rows, Math.round((to - from) / factor)));
  const begin = Math.max(0, Math.min(rows - size, Math.round(row - ((row - from) / (to - from)) * size)));
  return { from: begin, to: begin + size };
}

export function Stack(props: StackProps) {
  const { view, spec, data } = props;
  const stacked = useMemo(() => stackedOf(view, spec, data), [view, spec, data]);
  if (!stacked) return <p class="soft">{props.title}: nothing to draw; no row, or every value is zero or unknown.</p>;
  return <Chart {...props} stacked={stacked} />;
}

function Chart({
  title,
  spec,
  data,
  csv,
  json,
  open,
  stacked,
  noun = "row",
  quiet = false,
  hasLegend = false,
  ...given
}: StackProps & { stacked: Stacked }) {
  const { height: usual = HEIGHT_PX, mean = stacked.mean } = given;
  const height = grown(usual);
  const rows = stacked.names.length;
  const all = useMemo(() => ({ from: 0, to: rows }), [stacked]);
  const [row, setRow] = useState<number | null>(null);
  useEffect(() => setRow(null), [all]);
  const range = useMemo(() => rangeOf(given.bars, rows) ?? all, [given.bars, all]);
  const setZoom = ({ from, to }: Range): void => given.setBars(to - from < rows ? `${from}-${to}` : "");
  const { canvas, plot } = useCanvas(stacked, range, row, mean ?? stacked.mean, height);
  const words = useMemo(() => stackInWords(stacked, noun), [stacked, noun]);
  const leads = open !== undefined && (open.always || stacked.starts !== null);
  const go = (part: string | null): void => {
    if (row !== null) open?.({ data, row, column: part }, stretchOf(stacked, row));
  };
  const pointer = usePointer(plot, stacked, setRow, go, setZoom);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(event.key, row, rows);
    if (next !== null) {
      setRow(next);
      const size = range.to - range.from;
      if (next < range.from || next >= range.to)
        setZoom(zoomed({ from: next - (size >> 1), to: next - (size >> 1) + size }, next, 1, rows));
    } else if (event.key === "Enter") go(null);
    else if (event.key === "+" || event.key === "-")
      setZoom(zoomed(range, row ?? (range.from + range.to) >> 1, event.key === "+" ? 2 : 0.5, rows));
    else if (event.key === "Escape" && range !== all) setZoom(all);
    else return;
    event.preventDefault();
  };
  return (
    <div class="stacked">
      <div class="lines-bar">
        <b title={spec.help}>{title}</b>
        <span class="grow soft">
          {range.to - range.from < rows && (
            <button type="button" class="link" onClick={() => setZoom(all)}>
              {counted(range.to - range.from, noun)} of {rows}, show all
            </button>
          )}
          {range.to - range.from < rows && given.choose && (
            <button
              type="button"
              class="link"
              title="Every page is then of these steps alone"
              onClick={() => given.choose?.(range.from, range.to)}
            >
              only these on every page
            </button>
          )}
        </span>
        <Links csv={csv} json={json} />
      </div>
      <Legend
        stacked={hasLegend ? { ...stacked, parts: stacked.parts.filter((part) => !part.mean) } : stacked}
        quiet={quiet}
      />
      <div
        class={leads ? "bars-plot opens" : "bars-plot"}
        tabIndex={0}
        role="slider"
        aria-label={title}
        aria-description={words}
        aria-valuemin={0}
        aria-valuemax={rows - 1}
        aria-valuenow={row ?? 0}
        aria-valuetext={row === null ? words : rowInWords(stacked, row)}
        onKeyDown={onKeyDown}
        onBlur={() => setRow(null)}
        {...pointer.on}
      >
        <canvas ref={canvas} style={{ height: `${height}px` }} />
        {pointer.drag && <b class="drag" style={pointer.drag} />}
        {plot && row !== null && !pointer.drag && <Tip stacked={stacked} plot={plot} row={row} noun={noun} />}
      </div>
    </div>
  );
}

/** Hover, press, and drag to see fewer bars. */
function usePointer(
  plot: Plot | null,
  stacked: Stacked,
  setRow: (row: number | null) => void,
  press: (part: string | null) => void,
  setZoom: (range: Range) => void,
) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const rowUnder = (x: number): number | null => {
    const bar = plot && barAt(plot, x);
    return bar === null ? null : plot!.bars[bar]!.slowest;
  };
  const inside = (x: number): number =>
    Math.max(plot!.left, Math.min(x, plot!.left + plot!.step * plot!.bars.length - 1));
  const isDrag = drag !== null && Math.abs(drag.to - drag.from) >= DRAG_PX;
  const onPointerUp = (event: PointerEvent): void => {
    if (plot && drag && isDrag) {
      const [a, b] = [drag.from, drag.to].map((x) => plot.bars[barAt(plot, inside(x))!]!);
      if (a && b) setZoom({ from: Math.min(a.first, b.first), to: Math.max(a.last, b.last) + 1 });
    } else if (drag && rowUnder(event.offsetX) !== null) press(partAt(plot!, stacked, event.offsetX, event.offsetY));
    setDrag(null);
  };
  const on = {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button !== 0 || !plot) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      setDrag({ from: event.offsetX, to: event.offsetX });
    },
    onPointerMove: (event: PointerEvent): void => {
      setRow(rowUnder(event.offsetX));
      if (drag) setDrag({ ...drag, to: event.offsetX });
    },
    onPointerUp,
    onPointerLeave: (): void => setRow(null),
    onPointerCancel: (): void => setDrag(null),
  };
  const box = isDrag && drag ? [drag.from, drag.to].map(inside).sort((a, b) => a - b) : null;
  return { on, drag: box && { left: `${box[0]!}px`, width: `${box[1]! - box[0]!}px` } };
}
