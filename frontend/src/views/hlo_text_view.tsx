// The text of an XLA program: read when it is asked for, of which the visible lines exist; names lead to their lines.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { asApiError, useAttempts, useRetry } from "../answer";
import { type ApiError, getText } from "../api";
import { asked } from "../asking";
import { counted, formatBytes } from "../units";
import { type HloText, hloText, pieces } from "./hlo_text";
import { Failure } from "./states";
import { useVirtualRows } from "./virtual";

const LINE_PX = 18;
/** More is no text to read in a page; the file has it. */
const MOST_BYTES = 32 << 20;

interface Read {
  text: HloText;
  isCut: boolean;
}

function useText(url: string): { read: Read | null; error: ApiError | null; again: () => void } {
  const [state, setState] = useState<{ read: Read | null; error: ApiError | null }>({ read: null, error: null });
  const [attempt, again] = useAttempts();
  useRetry(state.error, again);
  useEffect(() => {
    const abort = new AbortController();
    setState({ read: null, error: null });
    asked(getText(url, MOST_BYTES, abort.signal)).then(
      ({ text, isCut }) => !abort.signal.aborted && setState({ read: { text: hloText(text), isCut }, error: null }),
      (reason: unknown) => !abort.signal.aborted && setState({ read: null, error: asApiError(reason) }),
    );
    return () => abort.abort();
  }, [url, attempt]);
  return { ...state, again };
}

interface Props {
  url: string;
  /** The instruction that is selected. */
  name: string;
  pick: (name: string) => void;
}

export function HloTextView({ url, name, pick }: Props) {
  const { read, error, again } = useText(url);
  if (error) return <Failure error={error} again={again} />;
  if (!read) return <p class="soft">Reading the program…</p>;
  return (
    <>
      {read.isCut && (
        <p class="soft">These are its first {formatBytes(MOST_BYTES)}: the file of its text has all of it.</p>
      )}
      <Lines text={read.text} name={name} pick={pick} />
    </>
  );
}

function Lines({ text, name, pick }: Omit<Props, "url"> & { text: HloText }) {
  const { lines, places, longest } = text;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows(scroller, lines.length, LINE_PX);
  const [jumped, setJumped] = useState<number | null>(null);
  const here = useMemo(() => places.get(name) ?? -1, [places, name]);
  useEffect(() => {
    setJumped(null);
    if (here >= 0) rows.scrollToIndex(here, { align: "center" });
  }, [here, text]);
  const go = (to: string): void => {
    const line = places.get(to) ?? -1;
    if (/^\s/.test(lines[line] ?? "")) return pick(to);
    setJumped(line);
    rows.scrollToIndex(line, { align: "start" });
  };
  return (
    <div
      class="hlo-text"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={`Text of the program, ${counted(lines.length, "line")}`}
    >
      <div style={{ height: `${rows.getTotalSize()}px`, width: `${longest + 2}ch`, position: "relative" }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            class={index === (jumped ?? here) ? "hlo-line here" : "hlo-line"}
            style={{ top: `${start}px` }}
          >
            {pieces(lines[index]!, places).map((piece, i) =>
              piece.name && places.get(piece.name) !== index ? (
                <button key={i} type="button" class="link" tabIndex={-1} onClick={() => go(piece.name)}>
                  {piece.text}
                </button>
              ) : piece.isSoft ? (
                <span key={i} class="soft">
                  {piece.text}
                </span>
              ) : piece.name ? (
                <b key={i}>{piece.text}</b>
              ) : (
                piece.text
              ),
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
