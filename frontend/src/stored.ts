// What a person chose for good, in this browser. Where nothing may be stored, it holds until the page is left.

const here = new Map<string, string>();

function keyOf(name: string): string {
  return `perfplugin.${name}`;
}

/** Empty where there is nothing. */
export function stored(name: string): string {
  try {
    return localStorage.getItem(keyOf(name)) ?? "";
  } catch {
    return here.get(name) ?? "";
  }
}

export function store(name: string, value: string): void {
  try {
    if (value) localStorage.setItem(keyOf(name), value);
    else localStorage.removeItem(keyOf(name));
  } catch {
    here.set(name, value);
  }
}
