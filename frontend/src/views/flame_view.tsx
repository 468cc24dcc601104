// A table of frames as a flame graph, the outermost frame on top: of bytes, of time, of whatever adds up.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Keys, type PageProps, setParams } from "../page";
import { onTheme } from "../theme";
import type { Column, TableData, TableSpec } from "../types";
import { counted, exactValue, formatCell, formatNumber, label, percent } from "../units";
import {
  type Flame,
  type FlameColumns,
  flameOf,
  frameAt,
  heaviestPath,
  matched,
  matcherOf,
  movedFrame,
  pathTo,
  type Span,
  spanOf,
  topNames,
} from "./flame";
import { drawFlame, paletteNow, ROW_PX } from "./flame_draw";
import { Name } from "./name";
import { Links } from "./table";
import type { OfTable } from "./limited";
import { useCanvas, useSize } from "./use_canvas";

/** For the help of a page that has a flame graph. */
export const KEYS: Keys = [
  ["↑ ↓ ← →", "in a flame graph: to the caller, the largest callee, the neighbours", ".flame"],
  ["Enter, or click", "in a flame graph: zoom to the frame", ".flame"],
  ["Backspace, Esc", "in a flame graph: its caller, all", ".flame"],
];

export interface FlameState {
  /** The frame that fills the width, by its row; null for all. */
  at: number | null;
  find: string;
}

/** The frame and the search text that the page's address holds. */
export function flameState(page: PageProps) {
  const { at = "", find = "" } = page.selection.params;
  return {
    state: { at: /^\d{1,9}$/.test(at) ? Number(at) : null, find },
    setState: ({ at, find }: FlameState): void => setParams(page, { at: at === null ? "" : String(at), find }),
  };
}

interface FlameProps extends FlameColumns, OfTable {
  state: FlameState;
  setState: (state: FlameState) => void;
  /** How high it may get before it scrolls. */
  most?: number;
  /** As of the drawing. */
  tone?: (frame: number) => string;
  /** Columns that the second line about a frame omits. */
  shownAbove?: readonly string[];
  /** The text about a frame, where that is not its share of all. */
  inWords?: (frame: number) => string;
  /** What can be done with the frame that was chosen. */
  act?: (frame: number) => ComponentChildren;
  /** Beside the title. */
  more?: ComponentChildren;
  /** Below the frames. */
  legend?: ComponentChildren;
}

const MOST_PX = 420;
const ZOOM_MS = 160;

/** The span that is drawn: on its way to the one that is wanted, unless a person wants no movement. */
function useGliding(target: Span): Span {
  const [shown, show] = useState(target);
  const from = useRef(target);
  useEffect(() => {
    const begin = from.current;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const start = performance.now();
    let frame = 0;
    const move = (now: number): void => {
      const part = still ? 1 : Math.min(1, Math.max(0, (now - start) / ZOOM_MS));
      const ease = 1 - (1 - part) ** 3;
      const at = { ...target, from: mix(begin.from, target.from, ease), to: mix(begin.to, target.to, ease) };
      from.current = part < 1 ? at : target;
      show(from.current);
      if (part < 1) frame = requestAnimationFrame(move);
    };
    move(start);
    return () => cancelAnimationFrame(frame);
  }, [target]);
  return shown;
}

function mix(a: number, b: number, part: number): number {
  return a + (b - a) * part;
}

/** What is where in the canvas. */
function useDrawing(scroller: RefObject<HTMLDivElement | null>, scene: Omit<Parameters<typeof drawFlame>[2], "top">) {
  const palette = useRef(paletteNow());
  useEffect(
    () =>
      onTheme(() => {
        palette.current = paletteNow();
      }),
    [],
  );
  return useCanvas(scene, (context) =>
    drawFlame(context, palette.current, { ...scene, top: scroller.current?.scrollTop ?? 0 }),
  );
}

/** `12.3 MiB, 3.40 % of all, 20.0 % of its caller; 1.20 MiB self`. */
function frameInWords(flame: Flame, frame: number, unit: string): string {
  const { values, parents, total, selfs } = flame;
  const parent = parents[frame]!;
  const ofCaller = parent < 0 ? "" : `, ${percent(values[frame]! / values[parent]!)} of its caller`;
  const selfText = selfs[frame]! > 0 ? `; ${formatNumber(selfs[frame]!, unit)} self` : "";
  return `${formatNumber(values[frame]!, unit)}, ${percent(values[frame]! / total)} of all${ofCaller}${selfText}`;
}

function summary(title: string, flame: Flame, unit: string): string {
  const way = heaviestPath(flame).map((frame) => flame.names[frame]);
  const tops = topNames(flame, 5).map(({ name, self }) => `${name} ${formatNumber(self, unit)}`);
  return [
    `${title}: ${counted(flame.names.length, "frame")}, ${formatNumber(flame.total, unit)} total.`,
    way.length ? `Heaviest path: ${way.slice(0, 12).join(" > ")}.` : "",
    `Highest self: ${tops.join(", ")}.`,
  ].join(" ");
}

interface DetailsProps {
  flame: Flame;
  frame: number;
  unit: Column;
  spec: TableSpec;
  data: TableData;
  hidden: readonly string[];
  words: string;
  act: ComponentChildren;
}

/** Always two lines, so that nothing below moves. */
function Details({ flame, frame, unit, spec, data, hidden, words, act }: DetailsProps) {
  const callers = pathTo(flame, frame).slice(0, -1);
  const more = spec.columns.filter(({ name }) => !hidden.includes(name) && data.columns[name]?.[frame] != null);
  return (
    <>
      <p class="flame-line">
        <Name text={flame.names[frame]!} />
        <span title={exactValue(flame.values[frame], unit.unit)}>{words}</span>
        {act}
      </p>
      <p class="flame-line soft">
        {more.map((column) => {
          const value = formatCell(data.columns[column.name]?.[frame], column);
          return value && <span key={column.name} title={column.help}>{`${label(column)}: ${value}`}</span>;
        })}
        {callers.length > 0 && (
          <span
            class="flame-way"
            title={callers
              .slice(-60)
              .map((one) => flame.names[one])
              .join("\n")}
          >
            {callers
              .slice(-6)
              .reverse()
              .map((one) => `‹ ${flame.names[one]}`)
              .join(" ")}
          </span>
        )}
      </p>
    </>
  );
}

export function FlameGraph(props: FlameProps) {
  const { data, value, self } = props;
  const flame = useMemo(() => flameOf(data, { value, self }), [data, value, self]);
  if (!flame) return <p class="soft">{props.title}: nothing to draw; no row, or every value is zero or unknown.</p>;
  return <Drawn {...props} flame={flame} />;
}

function Drawn(props: FlameProps & { flame: Flame }) {
  const { title, spec, data, value, self, csv, json, state, setState, flame, most = MOST_PX } = props;
  const { tone, inWords, act } = props;
  const column = spec.columns.find(({ name }) => name === value) ?? spec.columns[0]!;
  const isRow = state.at !== null && state.at < flame.names.length;
  const focus = isRow ? state.at : null;
  const target = useMemo(() => spanOf(flame, focus), [flame, focus]);
  const span = useGliding(target);
  const matches = useMemo(() => matcherOf(flame, state.find), [flame, state.find]);
  const matchSum = useMemo(() => matches && matched(flame, target, matches), [flame, target, matches]);
  const words = useMemo(() => summary(title, flame, column.unit), [title, flame, column]);
  const [at, setAt] = useState<number | null>(focus);
  const [hovered, setHovered] = useState<number | null>(null);
  useEffect(() => setAt(focus), [focus, flame]);
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const { canvas, draw } = useDrawing(scroller, { flame, span, ...size, at, hovered, matches, tone });
  const zoom = (frame: number | null): void => setState({ ...state, at: frame });
  const frameUnder = (event: MouseEvent): number | null => {
    const box = canvas.current!.getBoundingClientRect();
    const y = event.clientY - box.top + scroller.current!.scrollTop;
    return frameAt(flame, span, (event.clientX - box.left) / box.width, Math.floor(y / ROW_PX));
  };
  const reveal = (frame: number): void => {
    const [element, y] = [scroller.current!, flame.depths[frame]! * ROW_PX];
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + ROW_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = y + ROW_PX - element.clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = movedFrame(flame, event.key, at);
    if (next !== null) {
      setAt(next);
      reveal(next);
      if (flame.starts[next]! < target.from || flame.starts[next]! >= target.to) zoom(null);
    } else if (event.key === "Enter" && at !== null) zoom(at);
    else if (event.key === "Backspace" && focus !== null)
      zoom(flame.parents[focus]! < 0 ? null : flame.parents[focus]!);
    else if (event.key === "Escape" && focus !== null) zoom(null);
    else return;
    event.preventDefault();
  };
  const shown = hovered ?? at;
  const hidden = ["parent", "depth", "name", "share", value, self, ...(props.shownAbove ?? [])];
  return (
    <div class="flame">
      <div class="table-bar">
        <h2 title={spec.help}>{title}</h2>
        <input
          type="search"
          class="table-filter"
          spellcheck={false}
          aria-label={`Find in ${title}`}
          placeholder="Find: conv jit"
          title="All words must be in the frame's name"
          value={state.find}
          onInput={(event) => setState({ ...state, find: event.currentTarget.value })}
        />
        <span class="soft" aria-live="polite">
          {matchSum &&
            (matchSum.frames
              ? `${counted(matchSum.frames, "frame")}, ${formatNumber(matchSum.value, column.unit)}, ${percent(matchSum.share)}`
              : "no frame matches")}
        </span>
        <span class="grow" />
        {props.more}
        {focus !== null && (
          <button type="button" onClick={() => zoom(null)} title="Show all frames (Esc)">
            Show all
          </button>
        )}
        <Links csv={csv} json={json} />
      </div>
      <div class="flame-details" aria-live="polite">
        {shown === null ? (
          <>
            <p class="flame-line">
              <b>{formatNumber(flame.total, column.unit)}</b> in {counted(flame.names.length, "frame")}
            </p>
            <p class="flame-line soft">Click a frame to zoom to it; hover for its numbers.</p>
          </>
        ) : (
          <Details
            {...{ flame, spec, data, hidden }}
            frame={shown}
            unit={column}
            words={inWords?.(shown) ?? frameInWords(flame, shown, column.unit)}
            act={act?.(shown)}
          />
        )}
      </div>
      <div
        class="flame-scroll"
        ref={scroller}
        style={{ height: `${Math.min(most, flame.rows * ROW_PX)}px` }}
        tabIndex={0}
        role="application"
        aria-roledescription="flame graph"
        aria-label={title}
        aria-description={words}
        onScroll={draw}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setHovered(frameUnder(event))}
        onPointerLeave={() => setHovered(null)}
        onClick={(event) => {
          const frame = frameUnder(event);
          if (frame !== null) zoom(frame);
        }}
      >
        <div style={{ height: `${flame.rows * ROW_PX}px` }}>
          <canvas ref={canvas} aria-hidden="true" style={{ height: `${size.height}px` }} />
        </div>
      </div>
      {props.legend}
      <p class="offscreen">{words}</p>
    </div>
  );
}
