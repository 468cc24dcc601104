// Where the page is a report: a file that holds its answers, with no server behind it.

export interface Embedded {
  /** The answer to a question; of one that is not held an error that says so. */
  answer(url: string): Promise<Response>;
}

/** Null where a server answers. */
export const embedded = (globalThis as { perfpluginReport?: Embedded }).perfpluginReport ?? null;
