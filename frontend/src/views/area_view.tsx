// Memory over time: stack, heap and free stacked, fragmentation dashed, the peak marked; drawn by uPlot.
import { useMemo, useRef, useState } from "preact/hooks";
import type { Keys } from "../page";
import type { ColumnName, TableData } from "../types";
import { counted, exactValue, formatNumber, formatValue, percent, UNKNOWN } from "../units";
import { type Area, areaOf, busyOf, drawsFree, pointsOf, stretchAt, windowAround } from "./area";
import { type Mark, optionsOf, type Scene, type StepMark, UNIT, type Window } from "./area_draw";
import { moved } from "./chart";
import { Name } from "./name";
import { usePlot } from "./plot";
import { Links } from "./table";
import type { OfTable } from "./limited";

/** For the help of a page with memory over time. */
export const KEYS: Keys = [
  ["← → Home End", "in memory over time: previous, next, first, last interval (Page keys: further)", ".area"],
  ["+ −, or drag", "in memory over time: zoom in, out; Esc or double click: all", ".area"],
  ["Enter", "in memory over time: show the time in the trace", ".area"],
];

interface AreaProps extends OfTable {
  /** What is drawn, and all there is where that is known; in ms. */
  window: Window;
  all: Window | null;
  /** The most that was in use. */
  peak: Mark | null;
  /** Where steps begin, with their names. */
  steps: readonly StepMark[];
  /** Whether free memory is drawn: `true`, `false`, or empty for where it fits. */
  free: string;
  setFree: (free: string) => void;
  /** Asks for another window; null for all. */
  setWindow: (window: Window | null) => void;
  /** Shows an interval in the trace. */
  open: (start_ps: number, end_ps: number) => void;
}

const PS_PER_MS = 1e9;
/** Of a region's name or a shape beside the picture. */
const MOST_LETTERS = 80;

function bytes(value: number | null | undefined): string {
  return formatValue(value, UNIT);
}

/** What was in use in a stretch, in words. */
function levelInWords(area: Area, row: number): string {
  const [least, most] = [area.least[row], area.most[row]];
  const from = least != null && least < most! ? `${bytes(least)} to ` : "";
  const stretch = area.ends[row]! - area.starts[row]!;
  const events = area.events[row];
  const among = events && events > 1 ? `, ${counted(events, "event")} in ${formatNumber(stretch, "ms")}` : "";
  return `at ${formatNumber(area.starts[row]!, "ms")}: ${from}${bytes(most)} in use${among}`;
}

interface DetailsProps {
  area: Area;
  data: TableData;
  row: number;
  isPeak: boolean;
}

/** Always two lines, so that nothing moves. */
function Details({ area, data, row, isPeak }: DetailsProps) {
  const cell = (name: ColumnName): string => formatValue(data.columns[name]?.[row] ?? null, "");
  const size = (name: ColumnName): number | null => {
    const value = data.columns[name]?.[row];
    return typeof value === "number" ? value : null;
  };
  const [op, activity, step] = (["op", "activity", "step"] as const).map(cell);
  const [given, asked] = [size("allocation_bytes"), size("requested_bytes")];
  const facts = (["region", "data_type", "shape", "address"] as const)
    .map(cell)
    .filter((text) => text && text !== UNKNOWN)
    .map((text) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text));
  const parts = (
    [
      ["stack", area.stack[row]],
      ["heap", area.heap[row]],
      ["free", area.free[row]],
    ] as const
  ).filter(([name]) => area[name].some((value) => value));
  return (
    <div class="area-details" aria-live="polite">
      <p>
        <b>{isPeak && "Peak "}</b>
        <span title={exactValue(area.most[row], UNIT)}>{levelInWords(area, row)}</span>
        {step && step !== UNKNOWN && <span class="soft">step {step}</span>}
        {parts.map(([name, value]) => (
          <span key={name} title={exactValue(value, UNIT)} class={value == null ? "soft" : ""}>
            <i style={{ background: `var(--memory-${name})` }} />
            {name} {bytes(value)}
          </span>
        ))}
        {area.hasFragmentation && (
          <span>
            <i class="dash" />
            fragmentation {area.fragmentation[row] == null ? UNKNOWN : percent(area.fragmentation[row]!)}
          </span>
        )}
      </p>
      <p>
        {activity && activity !== UNKNOWN ? (
          <>
            <span>
              {area.events[row]! > 1 ? "highest, after " : "after "}
              {/^[aeiou]/.test(activity) ? "an" : "a"} {activity}
              {given !== null && (
                <span title={exactValue(given, UNIT)}>
                  {" "}
                  of <b>{bytes(given)}</b>
                </span>
              )}
              {asked !== null && asked > 0 && asked !== given && (
                <span class="soft" title={exactValue(asked, UNIT)}>
                  {" "}
                  ({bytes(asked)} requested)
                </span>
              )}
            </span>
            {op && op !== UNKNOWN ? <Name text={op} /> : <span class="soft">op unknown</span>}
            <span class="soft facts" title={facts.join(" · ")}>
              {facts.join(" · ")}
            </span>
          </>
        ) : (
          <span class="soft">level at the start of the window: no event yet</span>
        )}
      </p>
    </div>
  );
}

function summary(title: string, area: Area, peak: Mark | null): string {
  const span = area.ends[area.ends.length - 1]! - area.starts[0]!;
  const [low, high] = [area.least, area.most].map((values, i) =>
    values.reduce<number>((a, b) => (i ? Math.max(a, b ?? a) : Math.min(a, b ?? a)), i ? 0 : Infinity),
  );
  const events = area.events.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  return `${title}: ${counted(events, "event")} over ${formatNumber(span, "ms")}, ${bytes(low)} to ${bytes(high)} in use. ${
    peak ? `The peak is ${bytes(peak.bytes)} at ${formatNumber(peak.at_ms, "ms")}.` : ""
  }`;
}

export function AreaChart(props: AreaProps) {
  const area = useMemo(() => areaOf(props.data), [props.data]);
  if (!area) return <p class="soft">{props.title}: nothing to draw; no memory event falls into this window.</p>;
  return <Drawn {...props} area={area} />;
}

function Drawn(props: AreaProps & { area: Area }) {
  const { title, spec, data, csv, json, window, all, peak, steps, setFree, setWindow, open, area } = props;
  const free = drawsFree(area, props.free);
  const scene = useMemo(
    (): Scene => ({ area, points: pointsOf(area, window[1]), window, free, peak, steps }),
    [area, free, window[0], window[1]],
  );
  const words = useMemo(() => summary(title, area, peak), [title, area]);
  const hasStack = area.stack.some((value) => value);
  const [row, setRow] = useState<number | null>(null);
  const latest = useRef(setWindow);
  latest.current = setWindow;
  const { box, plot } = usePlot(() => {
    const { x, all, most, least, stack, fragmentation } = scene.points;
    const hover = (at: number | null): void => setRow(at === null ? null : stretchAt(area, at));
    return {
      options: (width) => optionsOf(scene, width, { hover, zoom: (chosen) => latest.current(chosen) }),
      points: [x, all, most, least, stack, fragmentation],
    };
  }, [scene]);
  const peakRow = peak && peak.at_ms >= area.starts[0]! ? stretchAt(area, peak.at_ms) : 0;
  const shown = row !== null && row < area.starts.length ? row : peakRow;
  const go = (): void => {
    const [from, to] = [area.starts[shown]!, area.ends[shown]!];
    open(Math.floor(from * PS_PER_MS), Math.ceil(Math.max(to, from + 1e-3) * PS_PER_MS));
  };
  const zoom = (factor: number): void => {
    const whole = all ?? [0, 4 * window[1]];
    const at = row === null ? (window[0] + window[1]) / 2 : area.starts[row]!;
    const next = windowAround(window, at, factor, whole);
    setWindow(next[1] - next[0] >= 0.999 * (whole[1] - whole[0]) ? null : next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(event.key, row ?? peakRow, area.starts.length);
    if (next !== null) {
      plot.current?.setCursor({ left: plot.current.valToPos(area.starts[next]!, "x"), top: 0 }, false);
      setRow(next);
    } else if (event.key === "Enter") go();
    else if (event.key === "+") zoom(2);
    else if (event.key === "-") zoom(0.5);
    else if (event.key === "Escape" && isPart) setWindow(null);
    else return;
    event.preventDefault();
  };
  const busy = useMemo(() => busyOf(area, window), [area, window[0], window[1]]);
  const isPart = all === null || window[1] - window[0] < 0.999 * (all[1] - all[0]);
  return (
    <div class="area">
      <div class="table-bar">
        <h2 title={spec.help}>{title}</h2>
        <p class="legend">
          {[...(hasStack ? ["stack"] : []), "heap", ...(free ? ["free"] : [])].map((name) => (
            <span key={name}>
              <i style={{ background: `var(--memory-${name})` }} />
              {name}
            </span>
          ))}
          {area.most.some((most, i) => (area.least[i] ?? most) < most) && (
            <span title="Lowest to highest use within one pixel">
              <i class="paler" />
              lowest to highest
            </span>
          )}
          {area.hasFragmentation && (
            <span>
              <i class="dash" />
              fragmentation
            </span>
          )}
        </p>
        {area.hasFree && (
          <label title="Draws free memory above memory in use: the scale is then the capacity">
            <input type="checkbox" checked={free} onChange={(event) => setFree(String(event.currentTarget.checked))} />{" "}
            free
          </label>
        )}
        <span class="grow" />
        {busy && (
          <button
            type="button"
            title={`Nearly all memory events are within ${formatNumber(busy[1] - busy[0], "ms")}`}
            onClick={() => setWindow(busy)}
          >
            Zoom to the events
          </button>
        )}
        {isPart && (
          <button type="button" title="Show the whole capture (Esc, double click)" onClick={() => setWindow(null)}>
            Show all
          </button>
        )}
        <button type="button" title="Show this time in the trace (Enter)" onClick={go}>
          Show in trace ▸
        </button>
        <Links csv={csv} json={json} />
      </div>
      <Details area={area} data={data} row={shown} isPeak={shown === peakRow && peak !== null} />
      <div
        ref={box}
        class="area-plot"
        tabIndex={0}
        role="slider"
        aria-label={title}
        aria-description={words}
        aria-valuemin={0}
        aria-valuemax={area.starts.length - 1}
        aria-valuenow={shown}
        aria-valuetext={row === null ? words : levelInWords(area, shown)}
        title="Drag to zoom in; double click for all"
        onDblClick={() => isPart && setWindow(null)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
