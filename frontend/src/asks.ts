// Questions that are asked until they are answered: what failed is known by name, and asked again by itself or by hand.
import { passes, whenBack } from "./again";
import { ApiError } from "./api";

interface Line {
  abort: AbortController;
  /** Ends the pause before the question is asked again. */
  wake: () => void;
}

export class Asks {
  /** What has no answer as yet because asking failed → why. Replaced, never changed. */
  failed: ReadonlyMap<string, ApiError> = new Map();
  private readonly lines = new Map<string, Line>();

  constructor(private readonly changed: () => void) {}

  /** The answer, however often that must be asked; null when it is not awaited any more. One question a name: the newest. */
  async ask<Answer>(what: string, question: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | null> {
    this.drop(what);
    const line: Line = { abort: new AbortController(), wake: () => undefined };
    const { signal } = line.abort;
    this.lines.set(what, line);
    while (!signal.aborted) {
      try {
        const answer = await question(signal);
        if (signal.aborted) break;
        this.drop(what);
        return answer;
      } catch (reason) {
        if (signal.aborted) break;
        const error = reason instanceof ApiError ? reason : new ApiError("internal", String(reason));
        this.say(what, error);
        await this.pause(line, error);
      }
    }
    return null;
  }

  /** Asks again what failed; nothing else. */
  again(what?: string): void {
    for (const name of what === undefined ? [...this.failed.keys()] : [what]) this.lines.get(name)?.wake();
  }

  /** It is not awaited any more. */
  drop(what: string): void {
    const line = this.lines.get(what);
    this.lines.delete(what);
    line?.abort.abort();
    line?.wake();
    this.say(what, null);
  }

  dispose(): void {
    for (const what of [...this.lines.keys()]) this.drop(what);
  }

  /** Whether it failed in a way that does not pass by itself. */
  isStuck(what: string): boolean {
    const error = this.failed.get(what);
    return error !== undefined && !passes(error);
  }

  private pause(line: Line, error: ApiError): Promise<void> {
    return new Promise((done) => {
      const end = passes(error) ? whenBack(done) : undefined;
      line.wake = () => {
        end?.();
        done();
      };
    });
  }

  private say(what: string, error: ApiError | null): void {
    if (!error && !this.failed.has(what)) return;
    const failed = new Map(this.failed);
    if (error) failed.set(what, error);
    else failed.delete(what);
    this.failed = failed;
    this.changed();
  }
}
