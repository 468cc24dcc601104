// Everything that is known of the selected slice. All of it is text from a file: shown as text nodes only.
import { useEffect, useState } from "preact/hooks";
import { type ApiError } from "../api";
import { asApiError } from "../answer";
import { copyText } from "../clipboard";
import type { Answer } from "../types";
import { counted, exactValue, formatNumber, percent } from "../units";
import { Name } from "../views/name";
import { Failure } from "../views/states";
import type { Board } from "./board";
import { exactTime } from "./ruler";
import type { Slice } from "./scene";
import { keyOf } from "./tracks";

export interface Fact {
  group: string;
  key: string;
  value: string;
}

/** Characters of a value that are shown at once. */
const SHOWN = 2000;

export function factsOf(answer: Answer): Fact[] {
  const { group = [], key = [], value = [] } = answer.tables["event"]?.columns ?? {};
  return key.map((name, i) => ({ group: String(group[i]), key: String(name), value: String(value[i]) }));
}

/** The slice that an event's facts describe; null when its track is not on the board. */
export function sliceOf(board: Board, facts: readonly Fact[]): Slice | null {
  const of = (key: string): string => facts.find((f) => f.group === "event" && f.key === key)?.value ?? "";
  const track = board.track(keyOf(of("host"), Number(of("track"))));
  return (
    track && {
      track,
      depth: Number(of("depth")),
      start: Number(of("start_ps")),
      duration: Number(of("duration_ps")),
      idle: 0,
      name: of("name"),
      count: 1,
      row: Number(of("row")),
    }
  );
}

function useFacts(board: Board, slice: Slice): [Fact[] | null, ApiError | null] {
  const [found, setFound] = useState<{ key: string; facts: Fact[] | null; error: ApiError | null }>({
    key: "",
    facts: null,
    error: null,
  });
  const key = keyOf(slice.track.host, slice.row);
  useEffect(() => {
    const abort = new AbortController();
    if (slice.count > 1) return undefined;
    board.ask({ event: key }, abort.signal).then(
      (answer) => setFound({ key, facts: factsOf(answer), error: null }),
      (reason: unknown) => !abort.signal.aborted && setFound({ key, facts: null, error: asApiError(reason) }),
    );
    return () => abort.abort();
  }, [board, key, slice.count]);
  return found.key === key ? [found.facts, found.error] : [null, null];
}

function Value({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= SHOWN) return <>{text}</>;
  return (
    <>
      {text.slice(0, SHOWN)}…{" "}
      <button type="button" class="link" onClick={() => setWhole(true)}>
        all {text.length.toLocaleString("en-US")} characters
      </button>
    </>
  );
}

const TIMES = ["start_ps", "duration_ps", "self_ps"];
const LINKS = ["parent", "launch", "kernel"];
const HIDDEN = ["name", "host", "process", "track", "track_name", "row", "depth"];

interface FactProps {
  board: Board;
  host: string;
  fact: Fact;
  open: (event: string) => void;
}

function FactValue({ board, host, fact, open }: FactProps) {
  if (fact.group === "event" && TIMES.includes(fact.key)) {
    const value = fact.key === "start_ps" ? Number(fact.value) - board.origin : Number(fact.value);
    return (
      <span title={exactValue(value, "ps")}>
        {fact.key === "start_ps" ? exactTime(value) : formatNumber(value, "ps")}
      </span>
    );
  }
  if (fact.group === "event" && LINKS.includes(fact.key)) {
    const at = fact.value.indexOf(" ");
    return (
      <button type="button" class="link" onClick={() => open(keyOf(host, Number(fact.value.slice(0, at))))}>
        <Name text={fact.value.slice(at + 1) || "(no name)"} />
      </button>
    );
  }
  return <Value text={fact.value} />;
}

function Facts({ title, facts, ...more }: Omit<FactProps, "fact"> & { title: string; facts: readonly Fact[] }) {
  if (!facts.length) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {facts.map((fact, i) => (
          <div key={i}>
            <dt title={fact.key}>{fact.key.replace(/_ps$/, "").replaceAll("_", " ")}</dt>
            <dd>
              <FactValue {...more} fact={fact} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Merged({ board, slice }: { board: Board; slice: Slice }) {
  const busy = slice.duration ? `, ${percent(1 - slice.idle / slice.duration)} of it busy` : "";
  return (
    <p>
      {counted(slice.count, "event")} in {formatNumber(slice.duration, "ps")}
      {busy}, each too short to be drawn alone here.{" "}
      <button type="button" onClick={() => board.fit()}>
        Zoom in (F)
      </button>
    </p>
  );
}

function copied(slice: Slice, facts: readonly Fact[] | null): string {
  return [slice.name, ...(facts ?? []).map((f) => `${f.key}\t${f.value}`)].join("\n");
}

export function Details({
  board,
  slice,
  open,
  close,
}: {
  board: Board;
  slice: Slice;
  open: (event: string) => void;
  close: () => void;
}) {
  const [facts, error] = useFacts(board, slice);
  const more = { board, host: slice.track.host, open };
  const of = (group: string): Fact[] =>
    (facts ?? []).filter((f) => f.group === group && !(group === "event" && HIDDEN.includes(f.key)));
  return (
    <section class="trace-details" aria-label="Selected slice" aria-live="polite">
      <header>
        <h2>
          <Name text={slice.count > 1 ? `mostly ${slice.name}` : slice.name || "(no name)"} />
        </h2>
        <span class="soft">{slice.track.name}</span>
        <span class="grow" />
        {slice.count === 1 && (
          <button type="button" onClick={() => board.fit()} title="F">
            Zoom to it
          </button>
        )}
        <button type="button" onClick={() => void copyText(copied(slice, facts))}>
          Copy
        </button>
        <button type="button" onClick={close} aria-label="Close" title="Esc">
          ×
        </button>
      </header>
      {error && <Failure error={error} />}
      {slice.count > 1 ? (
        <Merged board={board} slice={slice} />
      ) : (
        <div class="trace-facts">
          <Facts {...more} title="Timing" facts={of("event")} />
          <Facts {...more} title="Stats" facts={of("stat")} />
          <Facts {...more} title="Stats of its kind" facts={of("kind")} />
        </div>
      )}
    </section>
  );
}
