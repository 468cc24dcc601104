// Several runs a side: the step times of each, one above the other on one axis.
import type { Answer } from "../types";
import { counted, exactValue, formatNumber } from "../units";
import { lanesOf, placeOn, repeatsOf } from "./compared";
import { Name } from "./name";

export function Repeats({ answer: { tables } }: { answer: Answer }) {
  const data = tables["steps"] ?? { columns: {} };
  const repeats = repeatsOf(data);
  const axis = lanesOf(data, []);
  if (!repeats.length || !axis) return null;
  return (
    <div class="repeats-scroll">
      <table class="repeats">
        <caption>Each repeat: from its fastest to its slowest typical step, and its mean</caption>
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
