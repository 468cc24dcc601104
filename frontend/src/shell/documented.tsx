// What is explained at more length in the documentation: opened by a press, in a tab of its own, and asked for by nothing else.
import type { ComponentChildren } from "preact";

export function Documented({ at, children }: { at: string; children: ComponentChildren }) {
  if (!at) return <>{children}</>;
  return (
    <a href={at} target="_blank" rel="noreferrer" title="Its place in the documentation, in a new tab">
      {children}
    </a>
  );
}
