// The tracks of a board with their labels, and what lies above them.
import { counted, exactValue, formatNumber, grouped, percent } from "../units";
import type { Board } from "./board";
import { Canvas } from "./canvas";
import { restored } from "./choices";
import { useFollow } from "./follow";
import { Labels, ScrollBar } from "./labels";
import { Live, useSummary } from "./live";
import { Minimap } from "./minimap";
import { StepCount, StepRow } from "./step_row";
import { Guide } from "./tools";
import { TrackFilter } from "./track_filter";
import { exactTime } from "./ruler";
import { LANE } from "./tracks";
import { placeOf } from "./scene";

/** Half of the widest tip. */
const ROOM = 420;

function Tooltip({ board }: { board: Board }) {
  useFollow(board, ({ hover, view, scroll }) => (hover ? [hover, view, scroll] : []));
  const slice = board.hover;
  const place = slice && placeOf(board, slice);
  if (!slice || !place) return null;
  const left = Math.max(4, Math.min(place.x + Math.min(place.width / 2, 40), board.width - ROOM));
  const below = place.y + LANE + 4;
  const style =
    below > board.height - 88
      ? { left: `${left}px`, bottom: `${board.height - place.y + 4}px` }
      : { left: `${left}px`, top: `${below}px` };
  return (
    <div class="trace-tip" style={style} role="tooltip">
      <p class="name">{slice.count === 1 ? slice.name : `${counted(slice.count, "event")}, mostly ${slice.name}`}</p>
      <p>
        <b title={exactValue(slice.duration, "ps")}>
          {slice.duration ? formatNumber(slice.duration, "ps") : "instant"}
        </b>
        {slice.count > 1 && slice.duration > 0 && <> · busy {percent(1 - slice.idle / slice.duration)}</>}
        <span class="soft"> · at {exactTime(slice.start - board.origin)}</span>
      </p>
    </div>
  );
}

/** All tracks are hidden or filtered away. */
function NoTracks({ board }: { board: Board }) {
  useFollow(board, ({ layout, list }) => [layout.shown, list.kept]);
  if (board.layout.shown || !board.list.kept) return null;
  return (
    <p class="trace-none">
      All {counted(board.list.kept, "track")} are hidden.{" "}
      <button type="button" onClick={() => board.setChoices(restored(board.choices))}>
        Show all (U)
      </button>
    </p>
  );
}

interface TracksProps {
  board: Board;
  /** Of the whole capture; what shows where in it the view is, too. None: only what lies along the view. */
  events?: number;
}

/** The tracks with their labels, and what lies above them. */
export function TracksView({ board, events }: TracksProps) {
  const summary = useSummary(board);
  useFollow(board, ({ steps }) => [steps]);
  return (
    <div class="trace-board">
      <div class="trace-body">
        <TrackFilter board={board} />
        <Labels board={board} />
        <div class="trace-area">
          <Canvas board={board} summary={summary} />
          <Guide board={board} />
          <NoTracks board={board} />
          <Tooltip board={board} />
        </div>
        <ScrollBar board={board} />
      </div>
      <div class="trace-head">
        <div class="trace-counts">
          {events !== undefined && <span class="soft">{grouped(events)} events</span>}
          <StepCount board={board} />
        </div>
        <div class="trace-over">
          {events !== undefined && <Minimap board={board} />}
          <StepRow board={board} />
        </div>
      </div>
      <Live board={board} />
    </div>
  );
}
