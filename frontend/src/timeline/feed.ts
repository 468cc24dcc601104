// When the server is asked for what the screen lacks: soon, also while the view moves; what the view left behind is
// cancelled. While nothing is lacking, what may be next is asked for ahead, one request at a time.
import { passes, whenBack } from "../again";
import { ApiError } from "../api";
import { asApiError } from "../answer";
import type { ColumnsAnswer } from "../columns";
import { length, type View } from "./scale";
import type { Request } from "./store";

/** Between two requests while the view moves, and after its last move. */
const PAUSE_MS = 120;
const REST_MS = 40;
/** The view must rest this long before anything is asked for ahead. */
const AHEAD_MS = 250;
/** Loading is shown only after this time. */
const PATIENCE_MS = 100;
/** What is on its way is of use until the view is this much finer or coarser. */
const FACTOR = 4;

interface Wants {
  /** What the screen lacks; null when nothing. */
  missing(): Request | null;
  /** What it may lack next, the likeliest first. */
  ahead(): Request[];
  view(): View;
  ask(request: Request, signal: AbortSignal): Promise<ColumnsAnswer>;
  /** Gives how many tracks the answer held. */
  receive(answer: ColumnsAnswer, request: Request): number;
  /** `loading` or `error` changed. */
  changed(): void;
}

interface Flight {
  key: string;
  window: View;
  view: View;
  abort: AbortController;
  /** Not awaited any more. */
  ahead: boolean;
}

export class Feed {
  loading = false;
  error: ApiError | null = null;
  private flight: Flight | null = null;
  /** A question that failed is not asked again before something changed. */
  private failed = "";
  private timer = 0;
  private patience = 0;
  private end: () => void = () => undefined;
  private asked = -Infinity;
  private moved = -Infinity;
  private readonly tried = new Set<string>();

  constructor(private readonly wants: Wants) {}

  /** Something moved: ask soon. */
  want(now = performance.now()): void {
    this.moved = now;
    this.tried.clear();
    this.soon(now);
  }

  private soon(now = performance.now()): void {
    const due = Math.max(REST_MS, this.asked + PAUSE_MS - now);
    if (!this.timer) this.timer = window.setTimeout(() => this.request(), due);
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.patience);
    this.end();
    this.flight?.abort.abort();
  }

  private request(): void {
    this.timer = 0;
    const request = this.wants.missing();
    if (!request) return this.rest();
    const key = JSON.stringify(request.options);
    if (key === this.failed || (this.flight && (key === this.flight.key || this.isOfUse(this.flight)))) return;
    this.flight?.abort.abort();
    void this.send(request, key, false);
  }

  /** Nothing is lacking. */
  private rest(): void {
    if (this.flight && !this.flight.ahead) {
      this.flight.abort.abort();
      this.flight = null;
    }
    if (this.loading || this.error) this.settle(null);
    const now = performance.now();
    if (this.flight) return;
    if (now < this.moved + AHEAD_MS) {
      this.timer = window.setTimeout(() => this.request(), this.moved + AHEAD_MS - now);
      return;
    }
    const next = this.wants.ahead().find((request) => !this.tried.has(JSON.stringify(request.options)));
    if (next) void this.send(next, JSON.stringify(next.options), true);
  }

  /** Whether what is on its way still belongs to what is looked at; when it came, the rest is asked for. */
  private isOfUse({ window: { start, end }, view: old, ahead }: Flight): boolean {
    if (ahead) return false;
    const view = this.wants.view();
    const finer = length(old) / length(view);
    return start < view.end && end > view.start && finer < FACTOR && finer > 1 / FACTOR;
  }

  private async send(request: Request, key: string, ahead: boolean): Promise<void> {
    const abort = new AbortController();
    const { start_ps, end_ps } = request.options;
    const span = { start: Number(start_ps), end: Number(end_ps) };
    this.flight = { key, window: span, view: this.wants.view(), abort, ahead };
    if (ahead) this.tried.add(key);
    else {
      this.asked = performance.now();
      this.failed = "";
      this.patience ||= window.setTimeout(() => this.say(true), PATIENCE_MS);
    }
    try {
      const answer = await this.wants.ask(request, abort.signal);
      if (abort.signal.aborted) return;
      this.flight = null;
      if (!this.wants.receive(answer, request) && !ahead) this.failed = key;
      if (!ahead) this.settle(null);
      this.soon();
    } catch (reason) {
      if (abort.signal.aborted) return;
      this.flight = null;
      if (ahead) return;
      this.failed = key;
      this.settle(asApiError(reason));
      this.end();
      if (passes(this.error)) this.end = whenBack(() => this.again());
    }
  }

  /** Asks again what failed, if that is still lacking. */
  again(): void {
    this.end();
    this.failed = "";
    this.want();
  }

  private settle(error: ApiError | null): void {
    clearTimeout(this.patience);
    this.patience = 0;
    this.error = error;
    this.say(false);
  }

  private say(loading: boolean): void {
    this.loading = loading;
    this.wants.changed();
  }
}
