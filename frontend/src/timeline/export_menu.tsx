// The trace as a file, or in another viewer.
import { useState } from "preact/hooks";
import { copyText } from "../clipboard";
import { getBytes, traceUrl } from "../api";
import { asApiError } from "../answer";
import { outer } from "../frame";
import { Popover } from "../shell/popover";
import { formatBytes, formatNumber } from "../units";
import type { Board } from "./board";
import { handOver, openTab } from "./perfetto";
import { length, type View } from "./scale";
import { ranges } from "./store";
import type { Track } from "./tracks";

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
    { words: "The whole capture", view: null, tracks: [] },
    { words: "What the screen shows", view, tracks: [] },
    ...(marked ? [{ words: "The marked area", view: marked, tracks: area?.tracks ?? [] }] : []),
  ];
}

function optionsOf(board: Board, { view, tracks }: Part): Record<string, string> {
  const window = view && { start_ps: String(Math.floor(view.start)), end_ps: String(Math.ceil(view.end)) };
  return board.options({ ...(window ?? {}), ...(tracks.length ? { tracks: ranges(tracks) } : {}) });
}

const BLOCKED =
  "The browser did not open the tab: allow this page to open others, or download the file and open it there.";
const NO_ANSWER =
  "ui.perfetto.dev did not answer in its tab: is it reachable from here? The downloaded file opens there, too.";

interface Props {
  board: Board;
  run: string;
  hosts: readonly string[];
}

export function ExportMenu({ board, run, hosts }: Props) {
  const [said, say] = useState("");
  const url = (part: Part): string => traceUrl(run, hosts, optionsOf(board, part));
  const perfetto = async (part: Part): Promise<void> => {
    const tab = openTab();
    if (!tab) return say(BLOCKED);
    say("Reading the trace…");
    try {
      const buffer = await getBytes(url(part));
      const size = formatBytes(buffer.byteLength);
      say(`${size} read, waiting for ui.perfetto.dev…`);
      say((await handOver(tab, buffer, run)) ? `${size} handed over.` : NO_ANSWER);
    } catch (reason) {
      tab.close();
      say(asApiError(reason).message);
    }
  };
  const copy = async (): Promise<void> =>
    say((await copyText(outer.location.href)) ? "The link is copied." : "The browser does not allow to copy.");
  return (
    <Popover label="Export the trace" button="Export" class="right trace-export">
      {() => (
        <>
          <ul>
            {partsOf(board).map((part) => (
              <li key={part.words}>
                <span>
                  {part.words} <span class="soft">{formatNumber(length(part.view ?? board.span), "ps")}</span>
                </span>
                <a href={url(part)} download>
                  Download
                </a>
                <button type="button" onClick={() => void perfetto(part)}>
                  Open in Perfetto
                </button>
              </li>
            ))}
          </ul>
          <p class="soft">
            Chrome trace JSON, gzip. “Open in Perfetto” opens ui.perfetto.dev in a new tab and hands the trace over
            inside this browser; nothing is uploaded, and this page itself asks no other server.
          </p>
          <p>
            <button type="button" onClick={() => void copy()}>
              Copy link to this view
            </button>{" "}
            <span role="status">{said}</span>
          </p>
        </>
      )}
    </Popover>
  );
}
