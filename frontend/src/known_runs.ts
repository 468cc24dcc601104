// The runs of the logdir, for pages that are about more than one.
import { createContext } from "preact";
import type { Runs } from "./types";

export const KnownRuns = createContext<Runs | null>(null);
