// One of a few, side by side.
interface Props {
  label: string;
  /** Value, what it is called, and what that means. */
  values: readonly (readonly [value: string, words: string, help?: string])[];
  value: string;
  choose: (value: string) => void;
}

export function Switch({ label, values, value, choose }: Props) {
  return (
    <div class="switch" role="group" aria-label={label}>
      <span class="soft">{label}</span>
      <div>
        {values.map(([one, words, help]) => (
          <button key={one} type="button" title={help} aria-pressed={one === value} onClick={() => choose(one)}>
            {words}
          </button>
        ))}
      </div>
    </div>
  );
}
