// What is drawn once its code is there: loaded when it is first shown or opened, or when the page has nothing else to do.
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { asked } from "../asking";
import { Late } from "../views/states";

interface Props<Module> {
  /** Never changes. */
  load: () => Promise<Module>;
  children: (module: Module) => ComponentChildren;
}

const modules = new Map<unknown, unknown>();

async function loaded<Module>(load: () => Promise<Module>): Promise<Module> {
  const found = await asked(load());
  modules.set(load, found);
  return found;
}

/** Loads as soon as the page rests, so that keys which follow the one that opens it are heard. */
export function useSoon(load: () => Promise<unknown>): void {
  useEffect(() => {
    // What fails is asked for again when it is opened.
    const go = (): void => void loaded(load).catch(() => undefined);
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(go);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(go);
    return () => cancelIdleCallback(idle);
  }, []);
}

export function Lazy<Module>({ load, children }: Props<Module>) {
  const [module, set] = useState(modules.get(load) as Module | undefined);
  useEffect(() => {
    if (module) return;
    // Where it cannot be loaded the server is away: the page says so, and another press asks again.
    loaded(load).then(
      (found) => set(() => found),
      () => undefined,
    );
  }, []);
  return module ? <>{children(module)}</> : <Late text="Loading…" />;
}

/** `load` never changes. The value that it was opened with is kept with its module. */
export function useLoaded<Module, Value>(
  load: () => Promise<Module>,
): [shown: { module: Module; value: Value } | null, open: (value: Value) => void, close: () => void] {
  const [shown, setShown] = useState<{ module: Module; value: Value } | null>(null);
  const open = useCallback((value: Value) => {
    // Where it cannot be loaded the server is away: the page says so, and another press asks again.
    asked(load()).then(
      (module) => setShown({ module, value }),
      () => undefined,
    );
  }, []);
  const close = useCallback(() => setShown(null), []);
  return [shown, open, close];
}
