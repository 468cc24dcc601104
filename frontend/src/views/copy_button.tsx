// A button that copies, and says that it has.
import { useState } from "preact/hooks";
import { copyText } from "../clipboard";

interface Props {
  text: () => string;
  label: string;
  title?: string;
}

const SAID_MS = 1500;

export function CopyButton({ text, label, title = label }: Props) {
  const [said, say] = useState("");
  const onClick = async (): Promise<void> => {
    say((await copyText(text())) ? "Copied" : "Not allowed");
    setTimeout(() => say(""), SAID_MS);
  };
  return (
    <button type="button" class="copy" title={title} onClick={onClick}>
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}
