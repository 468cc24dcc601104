// The trace as a file, or in another viewer.
import { useState } from "preact/hooks";
import { traceUrl } from "../api";
import { outer } from "../frame";
import { Popover } from "../shell/popover";
import { formatBytes, formatNumber } from "../units";
import type { Board } from "./board";
import { length, type View } from "./scale";
import { ranges } from "./store";
import type { Track } from "./tracks";
import { MOST_BYTES, usePerfetto } from "./use_perfetto";
import { copyText } from "../views/copy_button";
import { Select } from "../views/select";

/** Formats of a download; the first is the one that Perfetto gets. */
const FORMATS = [
  ["json", "Chrome trace JSON"],
  ["pftrace", "Perfetto packets"],
  ["speedscope", "speedscope"],
  ["pprof", "pprof"],
  ["collapsed", "collapsed stacks"],
] as const;

interface Part {
  words: string;
  view: View | null;
  tracks: readonly Track[];
}

/** What can be taken: all, what is on the screen, and what is marked. */
function partsOf(board: Board): Part[] {
  const { area, range, view } = board;
  const marked = area?.view ?? range;
  return [
    { words: "Whole capture", view: null, tracks: [] },
    { words: "Visible range", view, tracks: [] },
    ...(marked ? [{ words: "Selected area", view: marked, tracks: area?.tracks ?? [] }] : []),
  ];
}

function optionsOf(board: Board, { view, tracks }: Part): Record<string, string> {
  const window = view && { start_ps: String(Math.floor(view.start)), end_ps: String(Math.ceil(view.end)) };
  return board.options({ ...(window ?? {}), ...(tracks.length ? { tracks: ranges(tracks) } : {}) });
}

interface Props {
  board: Board;
  run: string;
  hosts: readonly string[];
}

export function ExportMenu({ board, run, hosts }: Props) {
  const { status, setStatus, start, cancel } = usePerfetto();
  const [format, choose] = useState("json");
  const url = (part: Part, as = "json"): string =>
    traceUrl(run, hosts, { ...optionsOf(board, part), ...(as === "json" ? {} : { format: as }) });
  const copy = async (): Promise<void> =>
    setStatus((await copyText(outer.location.href)) ? "The link is copied." : "The browser does not allow copying.");
  return (
    <Popover label="Export the trace" button="Export" class="right trace-export">
      {() => (
        <>
          <Select
            name="Download as"
            help="Format of the downloaded file, compressed with gzip"
            value={format}
            offers={FORMATS}
            choose={choose}
          />
          <ul>
            {partsOf(board).map((part) => (
              <li key={part.words}>
                <span>
                  {part.words} <span class="soft">{formatNumber(length(part.view ?? board.span), "ps")}</span>
                </span>
                <a href={url(part, format)} download>
                  Download
                </a>
                <button type="button" disabled={cancel !== null} onClick={() => start(url(part), run)}>
                  Open in Perfetto
                </button>
              </li>
            ))}
          </ul>
          <p class="soft">
            Files are gzipped. “Open in Perfetto” opens ui.perfetto.dev in a new tab and passes the trace to it inside
            this browser, up to {formatBytes(MOST_BYTES)}; nothing is uploaded, and this page contacts no other server.
          </p>
          <p>
            <button type="button" onClick={() => void copy()}>
              Copy link to this view
            </button>{" "}
            <span role="status">{status}</span>{" "}
            {cancel && (
              <button type="button" onClick={cancel}>
                Cancel
              </button>
            )}
          </p>
        </>
      )}
    </Popover>
  );
}
