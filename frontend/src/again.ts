// When a server that did not respond is asked again: after a while, and at once when it has answered another question.

const RETRY_MS = 2000;

let isAway = false;
const waiting = new Set<() => void>();

/** A question was not answered at all. */
export function heardNothing(): void {
  isAway = true;
}

/** Some question was answered: those that wait are asked now. */
export function heard(): void {
  if (!isAway) return;
  isAway = false;
  for (const call of [...waiting]) call();
}

/** Calls once. Gives the function that ends the wait. */
export function whenBack(call: () => void): () => void {
  const end = (): void => {
    clearTimeout(timer);
    waiting.delete(now);
  };
  const now = (): void => {
    end();
    call();
  };
  const timer = setTimeout(now, RETRY_MS);
  waiting.add(now);
  return end;
}

/** Whether an error passes by itself: no server responded, or the server was busy. */
export function passes(error: { readonly kind: string } | null): boolean {
  return error?.kind === "unreachable" || error?.kind === "busy";
}
