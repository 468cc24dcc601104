// A button that copies, and says that it has.
import { useState } from "preact/hooks";
import { copyText } from "../clipboard";

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
