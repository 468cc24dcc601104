// Requests to the plugin's own routes, relative to this module, so that any prefix or proxy works.
import { heard, heardNothing } from "./again";
import { asked } from "./asking";
import { decodeColumns } from "./columns";
import { embedded } from "./embedded";
import type { Api, Options, Selection } from "./page";
import type { Range } from "./range";
import type { Answer, Explained, Missing, RunRows, Runs, Tools, WorkProgress } from "./types";
import { formatBytes } from "./units";
import { sayTitles } from "./views/category";

/** An error the server explained, or the reason why it could not be asked. */
export class ApiError extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

type Query = readonly (readonly [string, string])[];

/** In a report nothing lies at an address: questions are only called so. */
const HERE = embedded ? "report:/static/" : import.meta.url;

export function address(route: string, query: Query): string {
  const url = new URL(`../${route}`, HERE);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url.href;
}

/** No response, or not to the end. */
function unreachable(message: string): ApiError {
  heardNothing();
  return new ApiError("unreachable", message);
}

/** Of a proxy whose server is away. */
const AWAY = [502, 503, 504];

async function explained(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const error = (body as { error?: { kind?: unknown; message?: unknown } } | null)?.error;
  if (error) return new ApiError(String(error.kind), String(error.message));
  if (AWAY.includes(response.status)) return unreachable(NO_RESPONSE);
  return new ApiError(
    "internal",
    `The server answered ${response.status} ${response.statusText} without an error message.`,
  );
}

const NO_RESPONSE = "TensorBoard does not respond. Is it still running? This page keeps trying.";

async function ask(url: string, signal?: AbortSignal, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await (embedded ? embedded.answer(url) : fetch(url, { ...init, signal: signal ?? null }));
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable(NO_RESPONSE);
  }
  if (!response.ok) throw await explained(response);
  heard();
  return response;
}

/** The body of an answer. A connection that is lost on the way is no answer. */
async function whole<Body>(body: Promise<Body>, signal?: AbortSignal): Promise<Body> {
  return body.catch((reason: unknown) => {
    throw signal?.aborted ? reason : unreachable("The connection to TensorBoard was lost. This page keeps trying.");
  });
}

export async function get<Body>(url: string, signal?: AbortSignal, init?: RequestInit): Promise<Body> {
  return (await whole((await ask(url, signal, init)).json(), signal)) as Body;
}

/** Makes something happen: only a page of this origin can send the header, so that no other page can ask for it. */
export async function post<Body>(url: string, body: object, signal?: AbortSignal): Promise<Body> {
  const headers = { "Content-Type": "application/json", "X-Perfplugin": "1" };
  const response = await ask(url, signal, { method: "POST", headers, body: JSON.stringify(body) });
  return (await whole(response.json(), signal)) as Body;
}

/** How far the answer to a question is that was asked with this name. */
export function getProgress(work: string, signal: AbortSignal): Promise<WorkProgress> {
  return get(address("progress", [["work", work]]), signal);
}

/** Ends what the server does for a question whose answer is not awaited any more. */
export function cancelWork(work: string): Promise<WorkProgress> {
  return post(address("progress/cancel", []), { work });
}

/** A question with a name, by which it is asked how far its answer is. */
function named(work?: string): RequestInit {
  return work ? { headers: { "X-Perfplugin-Work": work } } : {};
}

/** Why a finding of that code is given. */
export function getExplained(code: string, signal: AbortSignal): Promise<Explained> {
  return get(address("finding", [["code", code]]), signal);
}

export function getRuns(signal?: AbortSignal): Promise<Runs> {
  return get(address("runs", []), signal);
}

interface RowsWanted {
  /** Serial of what is known. */
  after: number;
  /** A run that all are compared with, or empty. */
  baseline: string;
  /** Runs that are seen: they come before others. */
  first: readonly string[];
}

/** Rows of the table of runs, as far as they are made; to ask keeps the server at it. */
export function getRunRows({ after, baseline, first }: RowsWanted, signal: AbortSignal): Promise<RunRows> {
  const named = first.map((name) => ["first", name] as const);
  return get(address("runs_table", [["after", String(after)], ...ofBaseline(baseline), ...named]), signal);
}

/** Address of the table of runs as CSV, as far as it is made. */
export function runRowsUrl(baseline: string, format: "csv" | "json"): string {
  return address("runs_table", [["format", format], ...ofBaseline(baseline)]);
}

function ofBaseline(baseline: string): Query {
  return baseline ? [["baseline", baseline]] : [];
}

/** All tools, as they are declared: the same for every run. */
export function getTools(): Promise<Tools> {
  return asked(get(address("tools", [])));
}

/** Why tools have nothing to show for a run. */
export function getMissing(run: string, hosts: readonly string[], signal: AbortSignal): Promise<Missing> {
  return asked(get(address("tools", [...selected(run, hosts), ["only", "missing"]]), signal));
}

function selected(run: string, hosts: readonly string[]): Query {
  return [["run", run], ...hosts.map((host) => ["host", host] as const)];
}

/** Address of the trace as a file, of the window and the tracks that the options say. */
export function traceUrl(run: string, hosts: readonly string[], options: Record<string, string>): string {
  return address("trace", [...selected(run, hosts), ...Object.entries(options)]);
}

/** Address of one XLA program as a file: of its text, its graph for Graphviz, or its message. */
export function programUrl(run: string, hosts: readonly string[], options: Record<string, string>): string {
  return address("program", [...selected(run, hosts), ...Object.entries(options)]);
}

/** The begin of a text, and whether there is more of it than `most` bytes. */
export async function getText(
  url: string,
  most: number,
  signal: AbortSignal,
): Promise<{ text: string; isCut: boolean }> {
  const reader = (await ask(url, signal)).body!.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for (let bytes = 0; bytes < most;) {
    const { done, value } = await whole(reader.read(), signal);
    if (done) return { text: pieces.join(""), isCut: false };
    bytes += value.length;
    pieces.push(decoder.decode(value, { stream: true }));
  }
  void reader.cancel();
  return { text: pieces.join(""), isCut: true };
}

interface Reading {
  signal: AbortSignal;
  /** Bytes at most. */
  most: number;
  /** Called with how many have come so far. */
  heard: (bytes: number) => void;
}

/** A whole body, read piece by piece. What is larger than `most` is read no further: an ApiError says so. */
export async function getBytes(url: string, { signal, most, heard }: Reading): Promise<ArrayBuffer> {
  const reader = (await ask(url, signal)).body!.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((reason: unknown) => {
      throw signal.aborted
        ? reason
        : new ApiError("unreachable", `The connection to TensorBoard was lost after ${formatBytes(bytes)}.`);
    });
    if (done) break;
    bytes += value.length;
    pieces.push(value);
    heard(bytes);
    if (bytes <= most) continue;
    void reader.cancel();
    const help = "Export a shorter range, or download the file and open it with Perfetto's trace processor.";
    throw new ApiError("too_large", `The file is larger than ${formatBytes(most)}. ${help}`);
  }
  return joined(pieces, bytes);
}

/** The pieces in one; each is let go of as soon as it is copied. */
function joined(pieces: Uint8Array[], bytes: number): ArrayBuffer {
  const whole = new Uint8Array(bytes);
  let at = bytes;
  for (let piece = pieces.pop(); piece; piece = pieces.pop()) whole.set(piece, (at -= piece.length));
  return whole.buffer;
}

function each([name, value]: readonly [string, string | readonly string[]]): Query {
  return typeof value === "string" ? [[name, value]] : value.map((one) => [name, one] as const);
}

/** `range`: what of the run every answer is of; what a question itself chooses comes first. */
export function apiFor({ run, hosts, tool }: Pick<Selection, "run" | "hosts" | "tool">, range: Range = {}): Api {
  const url = (options: Options): string => {
    const given = Object.entries({ ...range, ...options }).flatMap(each);
    return address("data", [...selected(run, hosts), ["tool", tool], ...given]);
  };
  const withTitles = <Body extends Pick<Answer, "titles">>(answer: Body): Body => {
    sayTitles(answer.titles);
    return answer;
  };
  const columns = async (options: Options, signal?: AbortSignal, work?: string) => {
    const response = await ask(url({ ...options, format: "columns" }), signal, named(work));
    return withTitles(decodeColumns(await whole(response.arrayBuffer(), signal)));
  };
  const data = async (options: Options, signal?: AbortSignal, work?: string) =>
    withTitles(await get<Answer>(url(options), signal, named(work)));
  return {
    url,
    data: (options, signal, work) => asked(data(options, signal, work)),
    columns: (options, signal, work) => asked(columns(options, signal, work)),
  };
}
