// What the scan of the logdir could not look at, and the limits it met: nothing is left out without a word.

export function Notes({ notes }: { notes: string[] }) {
  if (!notes.length) return null;
  return (
    <ul class="notes soft" aria-label="Not searched">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
