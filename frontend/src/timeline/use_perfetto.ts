// The way of a trace into another viewer: opened, read, handed over; said as it goes on, and given up at any time.
import { useEffect, useRef, useState } from "preact/hooks";
import { getBytes } from "../api";
import { asApiError } from "../answer";
import { formatBytes } from "../units";
import { handOver, MOST_BYTES, openTab } from "./perfetto";

/** Between two words of how much has come. */
const SAY_MS = 100;
/** Between two looks whether the other tab is still there. */
const LOOK_MS = 500;

const BLOCKED =
  "The browser blocked the tab: allow pop-ups for this page, or download the file and open it in Perfetto.";
const NO_ANSWER =
  "ui.perfetto.dev did not respond in its tab: is it reachable from here? You can also download the file and open it there.";
const CLOSED = "The tab of ui.perfetto.dev was closed: nothing was sent.";

interface Handing {
  status: string;
  setStatus: (text: string) => void;
  /** Ends what is under way; null where nothing is. */
  cancel: (() => void) | null;
  /** Only in answer to a press. */
  start: (url: string, title: string) => void;
}

/** Says how much has come, now and then. */
function progress(setStatus: (text: string) => void): (bytes: number) => void {
  let before = -Infinity;
  return (bytes) => {
    const now = performance.now();
    if (now - before < SAY_MS) return;
    before = now;
    setStatus(`Reading the trace: ${formatBytes(bytes)}…`);
  };
}

async function carry(tab: Window, url: string, title: string, signal: AbortSignal, setStatus: (text: string) => void) {
  const buffer = await getBytes(url, { signal, most: MOST_BYTES, heard: progress(setStatus) });
  const size = formatBytes(buffer.byteLength);
  setStatus(`${size} read, waiting for ui.perfetto.dev…`);
  const isTaken = await handOver(tab, buffer, title, signal);
  signal.throwIfAborted();
  setStatus(isTaken ? `${size} sent.` : tab.closed ? CLOSED : NO_ANSWER);
}

export function usePerfetto(): Handing {
  const [status, setStatus] = useState("");
  const [under, setUnder] = useState<AbortController | null>(null);
  const latest = useRef<AbortController | null>(null);
  latest.current = under;
  useEffect(() => () => latest.current?.abort(), []);
  const start = (url: string, title: string): void => {
    const tab = openTab();
    if (!tab) return setStatus(BLOCKED);
    const abort = new AbortController();
    const look = setInterval(() => tab.closed && abort.abort(CLOSED), LOOK_MS);
    setUnder(abort);
    setStatus("Reading the trace…");
    carry(tab, url, title, abort.signal, setStatus)
      .catch((reason: unknown) => {
        tab.close();
        setStatus(abort.signal.aborted ? String(abort.signal.reason) : asApiError(reason).message);
      })
      .finally(() => {
        clearInterval(look);
        setUnder(null);
      });
  };
  return { status, setStatus, start, cancel: under && (() => under.abort("Cancelled: nothing was sent.")) };
}
