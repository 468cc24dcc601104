// A labelled list to choose one of.

interface Props {
  name: string;
  help: string;
  value: string;
  offers: readonly (readonly [value: string, words: string])[];
  choose: (value: string) => void;
}

export function Select({ name, help, value, offers, choose }: Props) {
  return (
    <label class="select" title={help}>
      {name}{" "}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {!offers.some(([offer]) => offer === value) && <option value={value}>{value}</option>}
        {offers.map(([offer, words]) => (
          <option key={offer} value={offer}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
