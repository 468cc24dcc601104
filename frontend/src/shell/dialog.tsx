// What lies over the page until it is closed: with Esc, or with a press beside it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  label: string;
  class: string;
  close: () => void;
  /** Once it is shown. */
  shown?: (dialog: HTMLDialogElement) => void;
  children: ComponentChildren;
}

export function Dialog({ label, class: name, close, shown, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    if (dialog.current) shown?.(dialog.current);
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div>{children}</div>
    </dialog>
  );
}
