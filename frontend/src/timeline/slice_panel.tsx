// Everything that is known of the selected slice. All of it is text from a file: shown as text nodes only.
import { useEffect, useState } from "preact/hooks";
import { counted, formatNumber, grouped, percent } from "../units";
import { CopyButton } from "../views/copy_button";
import { Name } from "../views/name";
import { Failure } from "../views/states";
import { Words } from "../views/words";
import type { Board } from "./board";
import { placeOfSlice } from "./go";
import { callersOf, arrowsOf, type Fact, groupsOf, type Link, type Place, type Related, shownFact } from "./related";
import { LinkList, StackList } from "./relatives";
import type { Slice } from "./scene";
import { keyOf } from "./tracks";
import { useRelated } from "./use_related";

/** Characters of a value that are shown at once. */
const SHOWN = 2000;

export interface Ways {
  /** Selects an event and brings it onto the screen. */
  go: (place: Place) => void;
  /** The same for one of which only the row is known. */
  open: (event: { host: string; row: number }) => void;
  /** Back to the event before; null where there is none. */
  back: (() => void) | null;
  close: () => void;
}

function Value({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= SHOWN) return <>{text}</>;
  return (
    <>
      {text.slice(0, SHOWN)}…{" "}
      <button type="button" class="link" onClick={() => setWhole(true)}>
        all {grouped(text.length)} characters
      </button>
    </>
  );
}

/** `123 name` of another event of the same host, where the answer gives no more of it. */
const OTHERS = ["parent", "launch", "kernel"];

function FactValue({ fact, origin, host, open }: { fact: Fact; origin: number; host: string; open: Ways["open"] }) {
  const [, row, name] = /^(\d+) (.*)$/s.exec(fact.value) ?? [];
  if (fact.group === "event" && OTHERS.includes(fact.key) && row)
    return (
      <button type="button" class="link" onClick={() => open({ host, row: Number(row) })}>
        <Name text={name || "(no name)"} />
      </button>
    );
  const { text, exact } = shownFact(fact, origin);
  return exact ? <span title={exact}>{text}</span> : <Value text={text} />;
}

interface FactsProps {
  board: Board;
  host: string;
  related: Related;
  open: Ways["open"];
}

function Facts({ board, host, related, open }: FactsProps) {
  return groupsOf(related).map(({ title, facts }) => (
    <section key={title} aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {facts.map((fact, i) => (
          <div key={i}>
            <dt title={fact.key}>{shownFact(fact, board.origin).name}</dt>
            <dd>
              <FactValue fact={fact} origin={board.origin} host={host} open={open} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

/** The Python frames that an op was called from, or a sample's. */
function Callers({ related }: { related: Related }) {
  const frames = callersOf(related);
  if (!frames.length) return null;
  return (
    <section aria-label="Called from">
      <h3>Called from, innermost first</h3>
      <ol class="trace-callers">
        {frames.map((frame, i) => (
          <li key={i}>
            <Name text={frame} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Merged({ board, slice }: { board: Board; slice: Slice }) {
  const busy = slice.duration ? `, ${percent(1 - slice.idle / slice.duration)} busy` : "";
  return (
    <p>
      {counted(slice.count, "event")} in {formatNumber(slice.duration, "ps")}
      {busy}, each too short to be drawn separately.{" "}
      <button type="button" onClick={() => board.fit()}>
        Zoom in (F)
      </button>
    </p>
  );
}

function copied(slice: Slice, related: Related | null): string {
  const facts = (related?.facts ?? []).map((f) => `${f.key}\t${f.value}`);
  const links = (related?.links ?? []).map((l) => `${l.kind}\t${l.name}\t${l.text}`);
  return [slice.name, related?.why ?? "", related?.last ?? "", ...facts, ...links].filter(Boolean).join("\n");
}

/** The arrows between the event and its relatives, as long as it is selected. */
function useArrows(board: Board, slice: Slice, related: Related | null, shown: Link | null): void {
  useEffect(() => {
    board.arrows = related ? arrowsOf(placeOfSlice(slice), related.links, keyOf, shown) : [];
    board.changed();
  }, [board, slice, related, shown]);
  useEffect(
    () => () => {
      board.arrows = [];
      board.changed();
    },
    [board],
  );
}

export function SlicePanel({ board, slice, ways }: { board: Board; slice: Slice; ways: Ways }) {
  const event = slice.count > 1 ? null : keyOf(slice.track.host, slice.row);
  const { related, error, again } = useRelated(board, event);
  const [pointed, point] = useState<Link | null>(null);
  useArrows(board, slice, related, pointed);
  const { host } = slice.track;
  return (
    <section
      class="trace-details"
      aria-label="Selected slice"
      aria-live="polite"
      aria-busy={Boolean(event && !related && !error)}
    >
      <header>
        {ways.back && (
          <button type="button" onClick={ways.back} aria-label="Back to the previous event" title="Back">
            ‹
          </button>
        )}
        <h2>
          <Name text={slice.count > 1 ? `mostly ${slice.name}` : slice.name || "(no name)"} />
        </h2>
        <span class="soft trace-where">{slice.track.name}</span>
        <span class="grow" />
        {event && (
          <button type="button" onClick={() => board.fit()} title="F">
            Zoom to slice
          </button>
        )}
        <CopyButton text={() => copied(slice, related)} label="Copy" title="Copy details" />
        <button type="button" onClick={ways.close} aria-label="Close" title="Esc">
          ×
        </button>
      </header>
      {error && <Failure error={error} again={again} />}
      {!event && <Merged board={board} slice={slice} />}
      {event && related && (
        <div class="trace-known">
          {related.why && (
            <p class="trace-why">
              <Words text={related.why} />
            </p>
          )}
          {related.last && (
            <p class="trace-last">
              <span class="soft">Last to arrive:</span> <Words text={related.last} />
            </p>
          )}
          <div class="trace-abreast">
            <div class="trace-facts">
              <Facts board={board} host={host} related={related} open={ways.open} />
              <Callers related={related} />
            </div>
            <LinkList {...{ board, host, point }} links={related.links} why={related.why} go={ways.go} />
            <StackList host={host} stack={related.stack} open={ways.open} />
          </div>
        </div>
      )}
    </section>
  );
}
