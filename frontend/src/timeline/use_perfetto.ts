// The way of a trace into another viewer: opened, read, handed over; with its progress, and cancelled at any time.
import { useEffect, useRef, useState } from "preact/hooks";
import { getBytes } from "../api";
import { asApiError } from "../answer";
import { formatBytes } from "../units";

/** What that page documents: it answers PING with PONG once it listens, then takes a buffer. */
const PERFETTO = "https://ui.perfetto.dev";
const PING_MS = 100;
/** How long it may take to load. */
const PATIENCE_MS = 60_000;

/** Bytes of a file that are handed over: all are held here at once, and the other page unpacks some twenty times as many. */
export const MOST_BYTES = 256 * 2 ** 20;

/** Opens the tab; null where the browser does not allow it. Only in answer to a press. */
function openTab(): Window | null {
  return window.open(PERFETTO);
}

/** Whether it listens; that is asked until it does, is closed, takes too long, or is cancelled. */
function awake(tab: Window, signal: AbortSignal): Promise<boolean> {
  return new Promise((done) => {
    const end = Date.now() + PATIENCE_MS;
    const finish = (heard: boolean): void => {
      clearInterval(timer);
      window.removeEventListener("message", hear);
      done(heard);
    };
    const hear = ({ source, origin, data }: MessageEvent): void => {
      if (source === tab && origin === PERFETTO && data === "PONG") finish(true);
    };
    const ping = (): void => {
      if (tab.closed || signal.aborted || Date.now() > end) finish(false);
      else tab.postMessage("PING", PERFETTO);
    };
    window.addEventListener("message", hear);
    const timer = setInterval(ping, PING_MS);
  });
}

/** Gives the buffer away; whether it was taken. */
async function handOver(tab: Window, buffer: ArrayBuffer, title: string, signal: AbortSignal): Promise<boolean> {
  if (!(await awake(tab, signal)) || signal.aborted) return false;
  const fileName = `${title.replace(/[^\w.-]+/g, "_")}.json.gz`;
  tab.postMessage({ perfetto: { buffer, title, fileName } }, PERFETTO, [buffer]);
  return true;
}

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
