// What the mouse is over.
import { counted, exactValue, formatNumber, percent } from "../units";
import type { Board } from "./board";
import { placeOf } from "./places";
import { useFollow } from "./follow";
import { exactTime } from "./ruler";
import { LANE } from "./tracks";

/** Half of the widest tip. */
const ROOM = 420;

export function Tooltip({ board }: { board: Board }) {
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
