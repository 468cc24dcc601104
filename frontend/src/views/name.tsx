// A name from a file: always text, cut in its middle where room is short, whole on hover and in copies.

const TAIL = 10;

export function Name({ text, title = text }: { text: string; title?: string }) {
  const letters = [...text];
  if (letters.length <= 2 * TAIL) return <span class="name" title={title}>{text}</span>;
  return (
    <span class="name" title={title}>
      <span class="name-head">{letters.slice(0, -TAIL).join("")}</span>
      <span class="name-tail">{letters.slice(-TAIL).join("")}</span>
    </span>
  );
}
