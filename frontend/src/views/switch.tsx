// One of a few, side by side; and one that is on or off.
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

interface FlagProps {
  words: string;
  help: string;
  isOn: boolean;
  /** `true` or nothing, as an address has it. */
  set: (value: string) => void;
}

/** One that is on or off. */
export function Flag({ words, help, isOn, set }: FlagProps) {
  return (
    <label title={help}>
      <input type="checkbox" checked={isOn} onChange={(event) => set(event.currentTarget.checked ? "true" : "")} />{" "}
      {words}
    </label>
  );
}
