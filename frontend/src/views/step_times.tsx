// The step times of two runs on one axis, one above the other, with their means and the interval of the difference;
// of several runs a side, those of each.
import type { Answer } from "../types";
import { counted, exactValue, formatNumber, signed } from "../units";
import { type Lane, type Lanes, lanesOf, placeOn, repeatsOf, textOn } from "./compared";
import { Name } from "./name";
import { number } from "./rows";

export function Repeats({ answer: { tables } }: { answer: Answer }) {
  const data = tables["steps"] ?? { columns: {} };
  const repeats = repeatsOf(data);
  const axis = lanesOf(data, []);
  if (!repeats.length || !axis) return null;
  return (
    <div class="repeats-scroll">
      <table class="repeats">
        <caption>Each repeat: from its fastest to its slowest step, and its mean</caption>
        <colgroup>
          <col class="of-side" />
          <col class="of-run" />
          <col />
          <col class="of-mean" />
        </colgroup>
        <thead class="offscreen">
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Run</th>
            <th scope="col">Picture</th>
            <th scope="col">Mean step</th>
          </tr>
        </thead>
        <tbody>
          {repeats.map(({ which, run, count, least, most, mean }) => {
            const letter = which === "base" ? "A" : "B";
            const [left, right] = [placeOn(axis, least), placeOn(axis, most)];
            return (
              <tr
                key={`${which} ${run}`}
                data-side={letter}
                title={`${counted(count, "step")} from ${formatNumber(least, "ms")} to ${formatNumber(most, "ms")}`}
              >
                <td>
                  <span class="side-mark" data-side={letter}>
                    {letter}
                  </span>
                </td>
                <th scope="row">
                  <Name text={run} tail={19} />
                </th>
                <td class="picture">
                  <b style={{ left: `${left}%`, width: `${right - left}%` }} />
                  <i style={{ left: `${placeOn(axis, mean)}%` }} />
                </td>
                <td class="number" title={exactValue(mean, "ms")}>
                  {formatNumber(mean, "ms")}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const LETTERS = { base: "A", new: "B" } as const;

function inWords({ which, count, least, most }: Lane, mean: number | null): string {
  if (!count) return `${LETTERS[which]}: no steps`;
  const range = `from ${formatNumber(least, "ms")} to ${formatNumber(most, "ms")}`;
  return `${LETTERS[which]}: ${counted(count, "step")} ${range}${mean === null ? "" : `, mean ${formatNumber(mean, "ms")}`}`;
}

interface LaneProps {
  axis: Lanes;
  lane: Lane;
  mean: number | null;
  /** Ends of the interval in which B's mean lies, where A's is what it is. */
  interval: readonly [low: number, high: number] | null;
}

function LaneView({ axis, lane, mean, interval }: LaneProps) {
  const letter = LETTERS[lane.which];
  return (
    <li data-side={letter} title={inWords(lane, mean)}>
      <span class="side-mark" data-side={letter}>
        {letter}
      </span>
      <div class="lane">
        {lane.bins.map((height, i) => (
          <b key={i} style={{ height: `${100 * height}%` }} />
        ))}
        {mean !== null && <i class="mean" style={{ left: `${placeOn(axis, mean)}%` }} />}
        {interval && (
          <i
            class="interval"
            style={{
              left: `${placeOn(axis, interval[0])}%`,
              width: `${placeOn(axis, interval[1]) - placeOn(axis, interval[0])}%`,
            }}
          />
        )}
      </div>
    </li>
  );
}

/** In the middle of its words, of the axis in %: also where the axis is narrow. */
const EDGE = 6;

function hasRoom(axis: Lanes) {
  return (tick: number): boolean => Math.abs(placeOn(axis, tick) - 50) < 50 - EDGE;
}

export function StepTimes({ title, answer: { summary, tables } }: { title: string; answer: Answer }) {
  const [base, next] = [number(summary["step_time_base_ms"]), number(summary["step_time_new_ms"])];
  const [low, high] = [number(summary["change_low_ms"]), number(summary["change_high_ms"])];
  const interval = base !== null && low !== null && high !== null ? ([base + low, base + high] as const) : null;
  const axis = lanesOf(tables["steps"] ?? { columns: {} }, interval ?? []);
  if (!axis) return null;
  const means = { base, new: next };
  const words = axis.lanes.map((lane) => inWords(lane, means[lane.which])).join("; ");
  return (
    <figure class="step-times" aria-label={`${title}. ${words}`}>
      <ul aria-hidden="true">
        {axis.lanes.map((lane) => (
          <LaneView
            key={lane.which}
            {...{ axis, lane }}
            mean={means[lane.which]}
            interval={lane.which === "new" ? interval : null}
          />
        ))}
      </ul>
      <p class="ticks" aria-hidden="true">
        {axis.ticks.filter(hasRoom(axis)).map((tick) => (
          <span key={tick} style={{ left: `${placeOn(axis, tick)}%` }}>
            {textOn(axis, tick, axis.apart)}
          </span>
        ))}
      </p>
      <figcaption class="soft">
        Line: mean of the typical steps.
        {low !== null && high !== null && (
          <>
            {" "}
            Bracket: interval of the change, {signed(low, "ms")} to {signed(high, "ms")}, from A's mean.
          </>
        )}
      </figcaption>
    </figure>
  );
}
