// A name from a file: always text, cut in its middle where room is short, whole on hover and in copies.

/** Letters that always stay; style.css says how wide they are. */
const TAIL = 14;
const ONE_WIDTH = /^[ -~]*$/;

export function Name({ text, title = text }: { text: string; title?: string }) {
  const letters = [...text];
  const tail = letters.slice(-TAIL).join("");
  if (letters.length <= 2 * TAIL || !ONE_WIDTH.test(tail))
    return (
      <span class="name" title={title}>
        {text}
      </span>
    );
  return (
    <span class="name cut" title={title}>
      <span class="name-head">{letters.slice(0, -TAIL).join("")}</span>
      <span class="name-tail">{tail}</span>
    </span>
  );
}
