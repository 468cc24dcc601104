// Text → clipboard, and a button that copies, and says that it has.
import { useState } from "preact/hooks";

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "offscreen";
  const focused = document.activeElement as HTMLElement | null;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}

/** Whether the text is now in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copyBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  );
}

interface Props {
  text: () => string;
  label: string;
  title?: string;
}

const STATUS_MS = 1500;

export function CopyButton({ text, label, title = label }: Props) {
  const [status, setStatus] = useState("");
  const onClick = async (): Promise<void> => {
    setStatus((await copyText(text())) ? "Copied" : "Not allowed");
    setTimeout(() => setStatus(""), STATUS_MS);
  };
  return (
    <button type="button" class="copy" title={title} onClick={onClick}>
      <span aria-live="polite">{status || label}</span>
    </button>
  );
}
