// Where in the run a piece of evidence lies: in which step, as far as an answer's table of steps shows it.
import type { Answer, Evidence, Scalar } from "../types";

const PS_PER_MS = 1e9;

function ps(cell: Scalar | undefined): number {
  return typeof cell === "number" ? Math.round(cell * PS_PER_MS) : NaN;
}

/** Times of several hosts are of different clocks, so that there only a step of the same host and length counts. */
export function stepOf({ hosts, tables }: Pick<Answer, "hosts" | "tables">, where: Evidence): string | null {
  const { step = [], host, start_ms = [], duration_ms = [] } = tables["steps"]?.columns ?? {};
  const { start_ps, end_ps } = where;
  const middle = (start_ps + end_ps) / 2;
  const row = step.findIndex((_, i) => {
    const [start, length] = [ps(start_ms[i]), ps(duration_ms[i])];
    if (hosts.length > 1) return host?.[i] === where.host && length === end_ps - start_ps;
    return start <= middle && middle < start + length;
  });
  return row < 0 ? null : String(step[row]);
}

/** The steps of all pieces, where each lies in another one. */
export function stepsOfAll(answer: Pick<Answer, "hosts" | "tables">, places: readonly Evidence[]): string[] | null {
  const steps = places.map((where) => stepOf(answer, where));
  const named = steps.filter((step) => step !== null);
  return new Set(named).size === places.length ? named : null;
}
