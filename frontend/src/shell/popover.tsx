// A button and the panel it opens; Escape, a click elsewhere or leaving by keyboard closes it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  label: string;
  button: ComponentChildren;
  /** Drawn only while open. */
  children: (close: () => void) => ComponentChildren;
  class?: string;
  /** A name by which a key opens it: see keys.ts. */
  id?: string;
  style?: Record<string, string | number>;
}

export function Popover(props: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open) return;
    event.stopPropagation();
    close();
  };
  const onFocusOut = (event: FocusEvent): void => {
    if (event.relatedTarget && !root.current?.contains(event.relatedTarget as Node)) setOpen(false);
  };
  return (
    <div
      class={`popover ${props.class ?? ""}`}
      style={props.style}
      ref={root}
      onKeyDown={onKeyDown}
      onFocusOut={onFocusOut}
    >
      <button
        id={props.id}
        ref={button}
        type="button"
        title={props.label}
        aria-label={props.label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {props.button}
      </button>
      {open && (
        <div class="popover-panel" role="dialog" aria-label={props.label}>
          {props.children(close)}
        </div>
      )}
    </div>
  );
}
