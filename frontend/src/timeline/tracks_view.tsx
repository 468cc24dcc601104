// The tracks of a board with their labels, and what lies above them.
import { counted, grouped } from "../units";
import type { Board } from "./board";
import { Canvas } from "./canvas";
import { restored } from "./choices";
import { useFollow } from "./follow";
import { Labels, ScrollBar } from "./labels";
import { Live, useSummary } from "./live";
import { Minimap } from "./minimap";
import { StepCount, StepRow } from "./step_row";
import { Guide } from "./tools";
import { Tooltip } from "./tooltip";
import { TrackFilter } from "./track_filter";

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
