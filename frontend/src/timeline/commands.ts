// What keys and buttons do with a board beyond moving its view: from slice to slice, from step to step, marks.
import type { Board } from "./board";
import { toggled } from "./marks";
import { around, type View } from "./scale";
import { hit, layersOf, neighbour, nearest, RULER, type Mark, type Slice, type Step } from "./scene";
import { stepBeside, stepsOfHost } from "./steps";
import { keyOf } from "./tracks";
import type { ColumnName } from "../types";

/** The first slice at the middle of the screen, for use without a mouse. */
function middle(board: Board): Slice | null {
  for (let y = RULER + 12; y < board.height; y += 9) {
    for (const share of [0.5, 0.25, 0.75, 0.1, 0.9]) {
      const slice = hit(board, share * board.width, y);
      if (slice) return slice;
    }
  }
  return null;
}

function go(board: Board, slice: Slice | null): void {
  if (!slice) return;
  board.choose(slice);
  board.jump(slice);
}

/** The slice before or after on its lane where none is here: the server knows it. */
async function beyond(board: Board, { track, row, count }: Slice, by: 1 | -1): Promise<Slice | null> {
  if (count > 1) return null;
  const answer = await board.asks.ask("next event", (signal) => board.ask({ event: keyOf(track.host, row) }, signal));
  const links = answer?.tables["links"]?.columns;
  const at = links?.["kind"]?.findIndex((kind) => kind === (by > 0 ? "next" : "previous")) ?? -1;
  if (!links || at < 0) return null;
  const of = (name: ColumnName): number => Number(links[name]?.[at]);
  const other = board.track(keyOf(String(links["host"]?.[at]), of("track")));
  const [depth, start, duration] = [of("depth"), of("start_ps"), of("duration_ps")];
  return (
    other && {
      track: other,
      depth,
      start,
      duration,
      idle: 0,
      name: String(links["name"]?.[at]),
      count: 1,
      row: of("row"),
    }
  );
}

/** The slice after or before on its lane; of none, one in the middle of the screen. */
export async function sliceBeside(board: Board, by: 1 | -1): Promise<void> {
  const { selected } = board;
  const here = selected ? neighbour(board, selected, by) : middle(board);
  const target = here ?? (selected && (await beyond(board, selected, by)));
  if (board.selected === selected) go(board, target);
}

/** The slice on the lane above (-1) or below (1), nearest in time, on another track where this one ends. */
export function sliceAcross(board: Board, by: 1 | -1): void {
  const { selected, layout, view } = board;
  if (!selected) return go(board, middle(board));
  const rows = [...layout.pinned, ...layout.rows];
  let at = rows.findIndex((row) => row.track?.key === selected.track.key);
  let depth = selected.depth + by;
  const time = Math.min(Math.max(selected.start, view.start), view.end);
  for (; at >= 0 && at < rows.length; at += by) {
    const track = rows[at]!.track;
    if (!track) continue;
    if (track.key !== selected.track.key) depth = by > 0 ? 0 : track.lanes - 1;
    for (; depth >= 0 && depth < track.lanes; depth += by) {
      const slices = layersOf(board, track.key).pop();
      const target = slices && nearest(slices, track, depth, time, view.end - view.start);
      if (target) return go(board, target);
    }
  }
}

/** How much of the screen a step takes that was gone to. */
const STEP_SHARE = 0.9;

/** Marks a step and shows it. */
export function openStep(board: Board, step: Step): void {
  const { start, end } = step;
  board.range = { start, end };
  board.look(around(start, Math.max(end, start + 1), STEP_SHARE, board.span));
}

/** The step after or before the one that is marked, or looked at. */
export function stepOn(board: Board, by: 1 | -1): void {
  const steps = stepsOfHost(board.steps, board.selected?.track.host);
  const step = stepBeside(steps, board.range ?? board.view, by);
  if (step) openStep(board, step);
}

function marked({ area, range, selected }: Board): Mark | null {
  if (area) return { ...area.view, tracks: area.tracks };
  if (range) return { ...range, tracks: [] };
  return selected && { start: selected.start, end: selected.start + selected.duration, tracks: [selected.track] };
}

/** Marks the area, the range or the selected slice for good, or takes its mark away. */
export function toggleMark(board: Board): void {
  const mark = marked(board);
  if (!mark) return;
  board.marks = toggled(board.marks, mark);
  board.changed();
}

/** The stretch of time at one end of the capture, as long as the view. */
export function atEnd(board: Board, end: "start" | "end"): View {
  const long = board.view.end - board.view.start;
  const { span } = board;
  return end === "start" ? { start: span.start, end: span.start + long } : { start: span.end - long, end: span.end };
}

/** Sums what ran, on all tracks, in the range, or in what the screen shows; drops that area again. */
export function toggleSum(board: Board): void {
  const { area, range, view } = board;
  const { start, end } = range ?? view;
  const isThis = area?.view.start === start && area.view.end === end && !area.tracks.length;
  board.area = isThis ? null : { view: { start, end }, tracks: [] };
  board.changed();
}

/** Drops the area, then the range, then the selection. */
export function dropOne(board: Board): void {
  if (board.area) board.area = null;
  else if (board.range) board.range = null;
  else board.selected = null;
  board.changed();
}

/** Colours by name, or by what an event does. */
export function toggleColours(board: Board): void {
  board.colours = board.colours === "name" ? "category" : "name";
  board.changed();
}
