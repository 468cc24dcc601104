// A program's memory in program order, and the buffers that are live at its peak as bars.
import { useMemo, useState } from "preact/hooks";
import type { Keys } from "../page";
import type { Answer, TableData } from "../types";
import { exactValue, formatNumber, grouped, percent } from "../units";
import { UNIT } from "./area_draw";
import { colourOf, type Curve, curveOf, KINDS, type Live, liveAtPeak, type Order, pointsOf } from "./buffers";
import { optionsOf } from "./buffers_draw";
import { moved } from "./chart";
import type { OfTable } from "./limited";
import { Name } from "./name";
import { usePlot } from "./plot";
import { Switch } from "./switch";
import { Links } from "./table";

/** For the help of a page with them. */
export const KEYS: Keys = [
  [
    "← → Home End",
    "in memory in program order: previous, next, first, last event (Page keys: further)",
    ".buffers-plot",
  ],
  ["Enter", "in memory in program order: find the instruction in the trace", ".buffers-plot"],
];

const CHANGES: Readonly<Record<string, string>> = {
  alloc: "allocates",
  free: "is freed",
  share: "takes the place of an operand",
  held: "what the program holds throughout",
};

function bytes(value: number): string {
  return formatNumber(value, UNIT);
}

function inWords(curve: Curve, row: number): string {
  const { live, instructions, changes, events } = curve;
  const what = `${instructions[row] ?? ""} ${CHANGES[changes[row] ?? ""] ?? ""}`.trim();
  return `${events[row]! < 0 ? "" : `event ${grouped(events[row]!)}: `}${what}, ${bytes(live[row]!)} live`;
}

function Details({ curve, row, instructions }: { curve: Curve; row: number; instructions: number | null }) {
  const place = curve.places[row];
  return (
    <div class="area-details" aria-live="polite">
      <p>
        <b>{row === curve.peak && "Peak "}</b>
        <span title={exactValue(curve.live[row], UNIT)}>{bytes(curve.live[row]!)} live</span>
        {curve.isPadded && <span class="soft">{bytes(curve.logical[row]!)} without padding</span>}
        {curve.instructions[row] && <Name text={curve.instructions[row]!} />}
        <span>{CHANGES[curve.changes[row] ?? ""] ?? ""}</span>
        {place != null && instructions !== null && (
          <span class="soft">
            instruction {grouped(place + 1)} of {grouped(instructions)}
          </span>
        )}
        {curve.ops[row] && <Name text={curve.ops[row]!} />}
      </p>
    </div>
  );
}

function Legend({ curve }: { curve: Curve }) {
  const [, , , temporary] = KINDS;
  const kinds = [...KINDS.slice(0, 3).filter(([kind]) => heldOf(curve, kind) > 0), temporary];
  return (
    <p class="legend">
      {kinds.map(([kind, words, variable]) => (
        <span key={kind}>
          <i style={{ background: `var(${variable})` }} />
          {words}
        </span>
      ))}
      {curve.isPadded && (
        <span>
          <i class="dash" />
          without padding
        </span>
      )}
    </p>
  );
}

function heldOf({ held }: Curve, kind: string): number {
  const at = held.findIndex(([name]) => name === kind);
  return at < 0 ? 0 : held[at]![1] - (held[at - 1]?.[1] ?? 0);
}

interface CurveProps extends OfTable {
  answer: Answer;
  /** Finds an instruction in the trace. */
  find: (instruction: string) => void;
}

export function MemoryCurve({ answer, find, title, spec, csv, json }: CurveProps) {
  const curve = useMemo(() => curveOf(answer), [answer]);
  if (!curve)
    return (
      <p class="soft">
        {title}: nothing to draw. XLA gives no heap simulation of this memory: all that the program uses of it is held
        throughout.
      </p>
    );
  return <Drawn {...{ answer, find, title, spec, csv, json, curve }} />;
}

function Drawn({ answer, find, title, spec, csv, json, curve }: Omit<CurveProps, "data"> & { curve: Curve }) {
  const [row, setRow] = useState<number | null>(null);
  const { box, plot } = usePlot(() => {
    const at = (x: number | null): void => setRow(x === null ? null : rowBefore(curve, x));
    return { options: (width) => optionsOf(curve, width, at), points: pointsOf(curve) };
  }, [curve]);
  const shown = row !== null && row < curve.events.length ? row : curve.peak;
  const go = (): void => {
    if (curve.instructions[shown]) find(curve.instructions[shown]!);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(event.key, row ?? curve.peak, curve.events.length);
    if (next !== null) {
      plot.current?.setCursor({ left: plot.current.valToPos(curve.events[next]! + 0.5, "x"), top: 0 }, false);
      setRow(next);
    } else if (event.key === "Enter") go();
    else return;
    event.preventDefault();
  };
  const instructions = answer.summary["scheduled_instructions"];
  return (
    <div class="area buffers">
      <div class="table-bar">
        <h2 title={spec.help}>{title}</h2>
        <Legend curve={curve} />
        <span class="grow" />
        <button type="button" title="Events with the instruction's name in the trace (Enter)" onClick={go}>
          Find in trace ▸
        </button>
        <Links csv={csv} json={json} />
      </div>
      <Details curve={curve} row={shown} instructions={typeof instructions === "number" ? instructions : null} />
      <div
        ref={box}
        class="buffers-plot"
        tabIndex={0}
        role="slider"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={curve.events.length - 1}
        aria-valuenow={shown}
        aria-valuetext={inWords(curve, shown)}
        onClick={go}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function rowBefore({ events }: Curve, x: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** More are in the table. */
const MOST_BARS = 40;

interface BarsProps {
  data: TableData;
  peak: number;
  instructions: number;
  peakPlace: number | null;
  order: Order;
  setOrder: (order: Order) => void;
  /** Shows a row in the table of buffers. */
  pick: (name: string) => void;
}

/** Where in the program it lives, with the peak. */
function Life({ live, instructions, peakPlace }: { live: Live } & Pick<BarsProps, "instructions" | "peakPlace">) {
  const whole = Math.max(1, instructions);
  if (live.first === null || live.last === null) return <span class="life" />;
  const [from, to] = [live.first / whole, (live.last + 1) / whole];
  return (
    <span class="life" title={`instruction ${grouped(live.first + 1)} to ${grouped(live.last + 1)}`}>
      <b
        style={{
          left: `${100 * from}%`,
          width: `${Math.max(1, 100 * (to - from))}%`,
          background: `var(${colourOf(live.kind)})`,
        }}
      />
      {peakPlace !== null && <i style={{ left: `${(100 * (peakPlace + 0.5)) / whole}%` }} />}
    </span>
  );
}

function Bar({ live, most }: { live: Live; most: number }) {
  const variable = `var(${colourOf(live.kind)})`;
  return (
    <span class="bar">
      <b style={{ width: `${(100 * live.logical) / most}%`, background: variable }} />
      {live.logical < live.bytes && (
        <b
          class="hatched"
          title={`padding ${bytes(live.bytes - live.logical)}`}
          style={{ width: `${(100 * (live.bytes - live.logical)) / most}%`, "--of": variable }}
        />
      )}
    </span>
  );
}

export function BuffersAtPeak({ data, peak, instructions, peakPlace, order, setOrder, pick }: BarsProps) {
  const all = useMemo(() => liveAtPeak(data, order), [data, order]);
  const largest = useMemo(
    () =>
      new Set(
        liveAtPeak(data, "size")
          .slice(0, MOST_BARS)
          .map(({ row }) => row),
      ),
    [data],
  );
  const shown = all.filter(({ row }) => largest.has(row));
  const most = shown.reduce((size, { bytes: one }) => Math.max(size, one), 1);
  const rest = all.filter(({ row }) => !largest.has(row)).reduce((sum, { bytes: one }) => sum + one, 0);
  return (
    <div class="bars at-peak">
      <div class="table-bar">
        <h2 title="Each buffer that is live when the most memory is: hatched is padding; on the right when it is live">
          Live at the peak
        </h2>
        <Switch
          label="Order"
          values={[
            ["size", "by size"],
            ["program", "in program order"],
          ]}
          value={order}
          choose={(value) => setOrder(value === "program" ? "program" : "size")}
        />
      </div>
      <ul tabIndex={0} aria-label="Buffers that are live">
        {shown.map((live) => (
          <li key={live.row} title={[live.name, live.shape, live.kind, live.op].filter(Boolean).join("\n")}>
            <button type="button" class="link" onClick={() => pick(live.name)}>
              <Name text={live.name} />
            </button>
            <Bar live={live} most={most} />
            <span class="number">
              {bytes(live.bytes)} <span class="soft">{peak ? percent(live.bytes / peak) : ""}</span>
            </span>
            <Life {...{ live, instructions, peakPlace }} />
          </li>
        ))}
      </ul>
      {all.length > shown.length && (
        <p class="soft">
          and {grouped(all.length - shown.length)} smaller ones, total {bytes(rest)}
        </p>
      )}
    </div>
  );
}
