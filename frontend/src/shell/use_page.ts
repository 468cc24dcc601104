// A tool's page: its module, loaded when it is first needed.
import { useCallback, useEffect, useState } from "preact/hooks";
import { PAGES } from "virtual:pages";
import { useRetry } from "../answer";
import { ApiError } from "../api";
import { asked } from "../asking";
import type { PageModule } from "../page";

const loaded = new Map<string, PageModule>();

/** Once it is there. */
export function pageModule(tool: string): PageModule | undefined {
  return loaded.get(tool);
}

async function load(tool: string): Promise<PageModule> {
  const module = loaded.get(tool) ?? (await PAGES[tool]!());
  loaded.set(tool, module);
  return module;
}

/** Begins to load a page that will be wanted soon. A failure is reported once the page is wanted. */
export function preload(tool: string): void {
  if (Object.hasOwn(PAGES, tool) && !loaded.has(tool)) load(tool).catch(() => undefined);
}

interface Loading {
  module: PageModule | undefined;
  error: ApiError | null;
}

/** The module of a tool's page; undefined until it is there. */
export function usePage(tool: string): Loading {
  const [failed, setFailed] = useState<{ tool: string; error: ApiError } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [, arrived] = useState(0);
  const module = loaded.get(tool);
  useEffect(() => {
    if (module) return undefined;
    let isWanted = true;
    asked(load(tool)).then(
      () => isWanted && arrived((n) => n + 1),
      () => isWanted && setFailed({ tool, error: new ApiError("unreachable", WORDS) }),
    );
    return () => {
      isWanted = false;
    };
  }, [tool, attempt]);
  const error = !module && failed?.tool === tool ? failed.error : null;
  useRetry(
    failed && error,
    useCallback(() => setAttempt((n) => n + 1), []),
  );
  return { module, error };
}

const WORDS =
  "The script of this page could not be loaded: TensorBoard does not respond, or serves another version since.";
