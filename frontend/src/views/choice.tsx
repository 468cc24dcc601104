// One of a few, as buttons side by side.

interface Props {
  label: string;
  values: readonly (readonly [value: string, words: string, help?: string])[];
  value: string;
  choose: (value: string) => void;
}

export function Choice({ label, values, value, choose }: Props) {
  return (
    <div class="choice" role="group" aria-label={label}>
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
