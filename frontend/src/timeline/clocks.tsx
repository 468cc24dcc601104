// How far the hosts' clocks differ, as far as their collectives show, and whether that is corrected.
import { Popover } from "../shell/popover";
import type { PageProps } from "../page";
import { formatNumber } from "../units";
import type { Board } from "./board";
import { useFollow } from "./follow";
import type { Clock } from "./host_clocks";

/** Whether drawing the hosts by their own clocks shows something that was not so. */
function isOff(clocks: readonly Clock[]): boolean {
  return clocks.some(({ ahead, error }) => ahead !== null && Math.abs(ahead) > (error ?? Infinity));
}

function ClockLine({ host, ahead, error, words }: Clock) {
  return (
    <li>
      <span class="name">{host}</span>{" "}
      {ahead !== null && error !== null && (
        <b>
          {ahead < 0 ? "−" : "+"}
          {formatNumber(Math.abs(ahead), "ps")} ± {formatNumber(error, "ps")}
        </b>
      )}{" "}
      <span class="soft">{words}</span>
    </li>
  );
}

/** Nothing of one host. */
export function Clocks({ board, page: { selection, navigate } }: { board: Board; page: PageProps }) {
  useFollow(board, ({ clocks }) => [clocks]);
  const { clocks } = board;
  if (clocks.length < 2) return null;
  const { align, ...others } = selection.params;
  const isAligned = align === "collectives";
  // The first host's own clock is the one that others are compared with.
  const canAlign = isAligned || clocks.slice(1).some(({ ahead }) => ahead !== null);
  const toggle = (): void => navigate({ params: isAligned ? others : { ...others, align: "collectives" } });
  return (
    <Popover
      label="Clocks of the hosts"
      class="right trace-clocks"
      button={isAligned ? "Clocks corrected" : isOff(clocks) ? "Clocks differ" : "Clocks"}
    >
      {() => (
        <>
          <p>Each host is drawn by its own clock. Offsets estimated from collectives:</p>
          <ul>
            {clocks.map((clock) => (
              <ClockLine key={clock.host} {...clock} />
            ))}
          </ul>
          {canAlign ? (
            <p>
              <label>
                <input type="checkbox" checked={isAligned} onChange={toggle} /> Correct the clocks by these offsets
              </label>
            </p>
          ) : (
            <p>The offsets are unknown; the clocks are not corrected.</p>
          )}
        </>
      )}
    </Popover>
  );
}
