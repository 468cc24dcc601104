// The script of a report: what its file holds → the page over it, with no request. The file's data is made by web/report.py.
import type { Embedded } from "./embedded";

/** A question and its answer; `body` and `modules` are gzip in base64. */
interface Held {
  route: string;
  query: [name: string, value: string][];
  status: number;
  type: string;
  body: string;
  /** Of a window of the trace how fine it is, in ps. */
  resolution?: number;
}

interface Data {
  /** Name of a module → its text, whose imports are names. */
  modules: string;
  /** The name of the one that draws. */
  entry: string;
  answers: Held[];
  /** The hash of the address, where it has none. */
  hash: string;
}

/** What depends on the size of the browser's window alone: every size gets what is held. */
const SIZES = ["width", "pixels"];

const NOT_HELD =
  "This report holds what each page shows at first, and the whole trace as fine as a wide screen shows it. " +
  "For more, open the capture in TensorBoard.";

function unpacked(text: string): Response {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** What says where a window of the trace lies. */
const PLACES = ["start_ps", "end_ps", "tracks"];

function keyOf(route: string, query: URLSearchParams, besides: readonly string[] = []): string {
  const left = new URLSearchParams(query);
  for (const name of [...SIZES, ...besides]) left.delete(name);
  left.sort();
  return `${route}?${left}`;
}

/** `a:1-3.5,b:7` → `a:1`, `a:2`, `a:3`, `a:5`, `b:7`. */
function rowsOf(tracks: string): string[] {
  return tracks.split(",").flatMap((of) => {
    const at = of.lastIndexOf(":");
    return of
      .slice(at + 1)
      .split(".")
      .flatMap((part) => {
        const [first = 0, last = first] = part.split("-").map(Number);
        return Array.from({ length: last - first + 1 }, (_, i) => `${of.slice(0, at)}:${first + i}`);
      });
  });
}

/** Whether a window of the trace that is held has the tracks of one that is asked for, as long and as fine. */
function covers({ query, resolution = Infinity }: Held, asked: URLSearchParams): boolean {
  const held = new URLSearchParams(query);
  if (keyOf("data", held, PLACES) !== keyOf("data", asked, PLACES)) return false;
  const [from, to, width] = ["start_ps", "end_ps", "width"].map((name) => Number(asked.get(name)));
  if (Number(held.get("start_ps")) > from! || Number(held.get("end_ps")) < to!) return false;
  const rows = new Set(rowsOf(held.get("tracks") ?? ""));
  return resolution <= (to! - from!) / width! && rowsOf(asked.get("tracks")!).every((row) => rows.has(row));
}

function embeddedOf(answers: readonly Held[]): Embedded {
  const byKey = new Map(answers.map((held) => [keyOf(held.route, new URLSearchParams(held.query)), held]));
  const windows = answers.filter(({ resolution }) => resolution);
  const find = (url: URL): Held | undefined => {
    const query = url.searchParams;
    const held = byKey.get(keyOf(url.pathname.slice(1), query));
    if (held || !query.has("tracks") || !query.has("start_ps")) return held;
    return windows.find((window) => covers(window, query));
  };
  return {
    answer: async (url) => {
      const held = find(new URL(url));
      if (!held) return Response.json({ error: { kind: "not_held", message: NOT_HELD } }, { status: 404 });
      const { body } = unpacked(held.body);
      return new Response(body, { status: held.status, headers: { "Content-Type": held.type } });
    },
  };
}

async function open(): Promise<void> {
  const { modules, entry, answers, hash } = JSON.parse(document.getElementById("report")!.textContent!) as Data;
  Object.assign(globalThis, { perfpluginReport: embeddedOf(answers) });
  const texts = Object.entries((await unpacked(modules).json()) as Record<string, string>);
  const urls = texts.map(([name, text]) => [name, URL.createObjectURL(new Blob([text], { type: "text/javascript" }))]);
  const map = document.createElement("script");
  map.type = "importmap";
  map.textContent = JSON.stringify({ imports: Object.fromEntries(urls) });
  document.head.append(map);
  const { render } = (await import(entry)) as { render: () => Promise<void> };
  if (!location.hash) history.replaceState(null, "", location.href.replace(/#$/, "") + hash);
  document.body.replaceChildren();
  await render();
}

// Without what it needs of a browser the text that the file begins with stays.
void open();
