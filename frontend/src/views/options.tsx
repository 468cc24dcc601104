// A tool's options as controls; what is set is in the address.
import type { PageProps } from "../page";
import type { Option } from "../types";

/** The params that are the tool's options; the rest is how the page looks. */
export function given({ tool, selection }: Pick<PageProps, "tool" | "selection">): Record<string, string> {
  const names = new Set(tool.options.map((option) => option.name));
  return Object.fromEntries(Object.entries(selection.params).filter(([name]) => names.has(name)));
}

interface Props {
  options: readonly Option[];
  params: Record<string, string>;
  set: (params: Record<string, string>) => void;
}

function Control({ option, value, set }: { option: Option; value: string; set: (value: string) => void }) {
  const change = (event: Event): void => set((event.currentTarget as HTMLInputElement).value);
  if (option.kind === "flag")
    return (
      <input
        type="checkbox"
        checked={value === "true"}
        onChange={(event) => set(String(event.currentTarget.checked))}
      />
    );
  if (option.choices.length)
    return (
      <select value={value} onChange={change}>
        {option.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  if (option.kind === "text") return <input type="text" value={value} onChange={change} />;
  return (
    <input
      type="number"
      value={value}
      min={option.low ?? undefined}
      max={option.high ?? undefined}
      step={option.kind === "integer" ? 1 : "any"}
      onChange={change}
    />
  );
}

export function Options({ options, params, set }: Props) {
  if (!options.length) return null;
  const change = (option: Option, value: string): void => {
    const { [option.name]: _old, ...rest } = params;
    set(value === String(option.default ?? "") ? rest : { ...rest, [option.name]: value });
  };
  return (
    <div class="options">
      {options.map((option) => (
        <label key={option.name} title={option.help}>
          {option.name.replaceAll("_", " ")}{" "}
          <Control
            option={option}
            value={params[option.name] ?? String(option.default ?? "")}
            set={(value) => change(option, value)}
          />
        </label>
      ))}
    </div>
  );
}
