// A button and the panel it opens; Escape, a click elsewhere or leaving by keyboard closes it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  /** What it opens; for screen readers it stands before what the button shows, which is its value. */
  label: string;
  button: ComponentChildren;
  /** What is chosen, where the button shows a name that may be cut. */
  value?: string;
  /** Drawn only while open. */
  children: (close: () => void) => ComponentChildren;
  class?: string;
  /** There is nothing within to press: the panel has the focus itself, to be scrolled by keys. */
  isText?: boolean;
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
    // Wherever the focus is: a press on words within leaves it nowhere.
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      close();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("keydown", escape, true);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("keydown", escape, true);
    };
  }, [open]);
  const onFocusOut = (event: FocusEvent): void => {
    if (event.relatedTarget && !root.current?.contains(event.relatedTarget as Node)) setOpen(false);
  };
  return (
    <div class={`popover ${props.class ?? ""}`} style={props.style} ref={root} onFocusOut={onFocusOut}>
      <button
        id={props.id}
        ref={button}
        type="button"
        title={props.label}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span class="offscreen">
          {props.label}: {props.value}
        </span>
        {props.value === undefined ? (
          props.button
        ) : (
          <span class="popover-shown" aria-hidden="true">
            {props.button}
          </span>
        )}
      </button>
      {open && (
        <div class="popover-panel" role="dialog" aria-label={props.label} tabIndex={props.isText ? 0 : undefined}>
          {props.children(close)}
        </div>
      )}
    </div>
  );
}
