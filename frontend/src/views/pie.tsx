// A pie: a ring with its total in the middle, and beside it the slices by name; a press on one picks it.
import { useMemo, useState } from "preact/hooks";
import type { Scalar } from "../types";
import { exactValue, formatNumber, percent } from "../units";
import { type Apart, apartIn } from "./apart";
import { Name } from "./name";
import { nameOf, type Pie as Slices, pieOf, ringPath, type Slice } from "./slices";

interface Props {
  title: string;
  help?: string;
  names: readonly Scalar[];
  values: readonly Scalar[];
  unit: string;
  /** Where the names are only the largest ones: what all add up to, and how many they are. */
  whole?: number;
  count?: number;
  /** What a press on a slice does, in words and in deed; without it slices are only looked at. */
  what?: string;
  pick?: (name: string) => void;
  isPicked?: (name: string) => boolean;
}

const OUTER = 50;
const INNER = 31;
/** Where so much is the rest, no name stands out: a ring of one colour is no picture. */
const SAYS_NOTHING = 0.9;
/** Where more than this is the rest, the others are compared by bars, of which the largest is a whole line. */
const MOSTLY_REST = 0.5;
/** Letters of a name that are read out. */
const MOST_SPOKEN = 80;

function inWords({ slices, total }: Slices, unit: string): string {
  const parts = slices.map((slice) => `${nameOf(slice).slice(0, MOST_SPOKEN)} ${percent(slice.share)}`);
  return `${formatNumber(total, unit)}: ${parts.join(", ")}`;
}

function sliceTitle(slice: Slice, unit: string, what: string | undefined): string {
  const lines = [nameOf(slice), `${exactValue(slice.value, unit)}, ${percent(slice.share)}`];
  if (slice.isRest) lines.push("Each below 1 %, or beyond the largest; the table lists all.");
  else if (what) lines.push(`Click: ${what}`);
  return lines.join("\n");
}

export function Pie({ title, help, names, values, unit, whole = 0, count = 0, what, pick, isPicked }: Props) {
  const pie = useMemo(() => pieOf(names, values, { total: whole, count }), [names, values, whole, count]);
  const [hover, setHover] = useState<string | null>(null);
  if (!pie.total || pie.slices.some(({ isRest, share }) => isRest && share > SAYS_NOTHING)) return null;
  const find = (test: (slice: Slice) => boolean): Slice | null => pie.slices.find(test) ?? null;
  const apart = apartIn(pie.slices.map(nameOf), LETTERS);
  const at = find(({ name }) => name === hover) ?? find((slice) => !slice.isRest && !!isPicked?.(slice.name));
  const look = (slice: Slice) => ({
    title: sliceTitle(slice, unit, pick && what),
    onMouseEnter: () => setHover(slice.name),
    onMouseLeave: () => setHover(null),
  });
  const press = (slice: Slice) => (pick && !slice.isRest ? () => pick(slice.name) : undefined);
  const isBars = pie.slices.some(({ isRest, share }) => isRest && share > MOSTLY_REST);
  const most = Math.max(...pie.slices.map(({ isRest, share }) => (isRest ? 0 : share)));
  return (
    <figure class={isBars ? "pie as-bars" : "pie"} aria-label={title}>
      <figcaption title={help}>
        {title}
        {isBars && <span class="soft"> of {formatNumber(pie.total, unit)}</span>}
      </figcaption>
      {!isBars && (
        <svg viewBox="-52 -52 104 104" role="img" aria-label={`${title}, ${inWords(pie, unit)}`}>
          {pie.slices.map((slice) => (
            <path
              key={nameOf(slice)}
              d={ringPath(slice, OUTER, INNER)}
              style={{ fill: slice.colour }}
              class={`${at && at !== slice ? "faded" : ""} ${press(slice) ? "opens" : ""} ${slice.share > 0.9999 ? "whole" : ""}`}
              onMouseEnter={() => setHover(slice.name)}
              onMouseLeave={() => setHover(null)}
              onClick={press(slice)}
            >
              <title>{sliceTitle(slice, unit, pick && what)}</title>
            </path>
          ))}
          <text y="-2">{formatNumber(at ? at.value : pie.total, unit)}</text>
          <text y="12" class="small">
            {at ? percent(at.share) : "total"}
          </text>
        </svg>
      )}
      <ul aria-label={isBars ? `${title}, ${inWords(pie, unit)}` : undefined}>
        {pie.slices.map((slice) => (
          <li key={nameOf(slice)} {...look(slice)} class={at && at !== slice ? "faded" : ""}>
            {!isBars && <i style={{ background: slice.colour }} />}
            <Label slice={slice} apart={apart} press={press(slice)} pressed={isPicked?.(slice.name) ?? false} />
            {isBars && (
              <span class="bar">
                {!slice.isRest && <b style={{ width: `${(100 * slice.share) / most}%`, background: slice.colour }} />}
              </span>
            )}
            <span class="number">{percent(slice.share)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** What has room beside a pie. */
const LETTERS = 30;
/** Of a name that is no path, beside a pie: enough that its beginning is seen, too. */
const TAIL = 6;

function tailOf(name: string): { tail?: number } {
  return name.includes("/") ? {} : { tail: TAIL };
}

interface LabelProps {
  slice: Slice;
  apart: Apart;
  press: (() => void) | undefined;
  pressed: boolean;
}

function Label({ slice, apart, press, pressed }: LabelProps) {
  if (!press) return <Name text={nameOf(slice)} title="" apart={apart} />;
  return (
    <button
      type="button"
      class="link"
      aria-label={apart.short.has(slice.name) ? undefined : slice.name.slice(0, MOST_SPOKEN)}
      aria-pressed={pressed}
      onClick={press}
    >
      <Name text={slice.name} title="" apart={apart} {...tailOf(slice.name)} />
    </button>
  );
}
