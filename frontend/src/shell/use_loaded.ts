// What is loaded when it is first asked for: a dialog that is open, once its code is there.
import { useCallback, useState } from "preact/hooks";
import { asked } from "../asking";

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
