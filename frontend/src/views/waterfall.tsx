// From A's step to B's: one bar a part that changed, each from where the one before ends; a table for screen readers.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { exactValue, formatNumber, signed, UNKNOWN } from "../units";
import { categoryOf, titleOf } from "./category";
import { type Piece, placeOn, textOn, type Waterfall as Data } from "./compared";
import { type Apart, apartIn } from "./apart";
import { LETTER_PX, PADDING_PX } from "./columns";
import { Name } from "./name";

interface Props {
  title: string;
  data: Data;
  /** Whether no part differs from noise. */
  isNoise: boolean;
  /** Shows what a part is made of. */
  pick: (piece: Piece) => void;
}

function Total({ data, value, letter }: { data: Data; value: number; letter: "A" | "B" }) {
  return (
    <tr class="whole">
      <th scope="row">Step of {letter}</th>
      <td class="flow">
        <b
          class={data.low > 0 ? "side torn" : "side"}
          data-side={letter}
          style={{ width: `${placeOn(data, value)}%` }}
        />
        {letter === "A" && <i style={{ left: `${placeOn(data, value)}%` }} />}
      </td>
      <td class="number" title={exactValue(value, "ms")}>
        {formatNumber(value, "ms")}
      </td>
      <td class="both" />
    </tr>
  );
}

/** Beside a name, for its note. */
const NOTE_PX = 44;
/** A window that is being resized is looked at so often. */
const GRAIN_PX = 16;

/** What a row has room for, in letters. */
function useLetters(isNoted: boolean) {
  const table = useRef<HTMLTableElement>(null);
  const [px, setPx] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const cell = table.current!.querySelector('tbody th[scope="row"]')!;
      setPx(Math.floor(cell.clientWidth / GRAIN_PX) * GRAIN_PX);
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(table.current!);
    measure();
    return () => sizes.disconnect();
  }, []);
  return { table, letters: Math.floor((px - PADDING_PX - (isNoted ? NOTE_PX : 0)) / LETTER_PX) };
}

function ms(value: number | null): string {
  return value === null ? UNKNOWN : formatNumber(value, "ms");
}

interface PartProps {
  data: Data;
  piece: Piece;
  apart: Apart;
  pick: () => void;
}

function PartRow({ data, piece, apart, pick }: PartProps) {
  const { label, isName, note, noteTitle, category, base, next, change, from, to, filter } = piece;
  const text = isName ? <Name text={label} apart={apart} /> : label;
  const [left, right] = [Math.min(from, to), Math.max(from, to)].map((value) => placeOn(data, value)) as [
    number,
    number,
  ];
  return (
    <tr title={titleOf(category)}>
      <th scope="row">
        <div>
          {filter ? (
            <button type="button" class="link" title={`${label}\nClick: show it in the table of ops`} onClick={pick}>
              {text}
            </button>
          ) : (
            text
          )}
          {note && (
            <span class="soft" title={noteTitle}>
              {note}
            </span>
          )}
        </div>
      </th>
      <td class="flow">
        {change !== 0 && (
          <b
            class={change > 0 ? "more" : "less"}
            style={{ left: `${left}%`, width: `${right - left}%`, background: `var(${categoryOf(category)})` }}
          />
        )}
        <i style={{ left: `${placeOn(data, to)}%` }} />
      </td>
      <td class={`number ${change > 0 ? "slower" : "faster"}`} title={exactValue(change, "ms")}>
        {signed(change, "ms")}
      </td>
      <td class="number both">{base !== null || next !== null ? `${ms(base)} → ${ms(next)}` : ""}</td>
    </tr>
  );
}

export function Waterfall({ title, data, isNoise, pick }: Props) {
  const { table, letters } = useLetters(data.pieces.some(({ isName, note }) => isName && note));
  const apart = useMemo(
    () =>
      apartIn(
        data.pieces.map(({ isName, label }) => isName && label),
        letters,
      ),
    [data, letters],
  );
  return (
    <>
      <table ref={table} class={isNoise ? "waterfall noise" : "waterfall"}>
        <caption class="offscreen">{title}</caption>
        <colgroup>
          <col class="of-name" />
          <col />
          <col class="of-change" />
          <col class="of-both" />
        </colgroup>
        <thead class="offscreen">
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Picture</th>
            <th scope="col">Change</th>
            <th scope="col">In A and in B</th>
          </tr>
        </thead>
        <tbody>
          <Total data={data} value={data.base} letter="A" />
          {data.pieces.map((piece, i) => (
            <PartRow key={i} data={data} piece={piece} apart={apart} pick={() => pick(piece)} />
          ))}
          <Total data={data} value={data.next} letter="B" />
        </tbody>
      </table>
      {data.low > 0 && <p class="soft">The axis begins at {textOn(data, data.low, data.high - data.low)}.</p>}
    </>
  );
}
