// A name → its colour: a category's where the name gives it, else a stable hue; all hues are equally light. Or the colour
// of the category that the server knows.
import { CATEGORIES as STEP_CATEGORIES } from "../views/category";

/** Words that show a category, for the names that programs and profilers give to events. */
const CATEGORIES: readonly (readonly [RegExp, string])[] = [
  [/memcpy|memset|copy-(start|done)|transferto|bufferfromhost/i, "--copy"],
  [/nccl|rccl|all-?reduce|all-?gather|reduce-?scatter|all-?to-?all|collective/i, "--collective"],
  [/^iterator|iteratorgetnext|infeed|^tfdata/i, "--input"],
  [/compil/i, "--compile"],
  [/launchkernel|kernellaunch|graphlaunch/i, "--launch"],
  [/^\$/, "--python"],
];

export function categoryOfName(name: string): string | null {
  return CATEGORIES.find(([word]) => word.test(name))?.[1] ?? null;
}

export const HUES = 24;

/** `fusion.12` and `fusion.7` are of one colour: numbers do not count. FNV-1a. */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name.slice(0, 200).replace(/\d+/g, ""))
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return ((hash >>> 0) % HUES) * (360 / HUES);
}

function channel(linear: number): string {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, value)))
    .toString(16)
    .padStart(2, "0");
}

/** OKLCH → #rrggbb. */
export function oklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  return `#${channel(red)}${channel(green)}${channel(blue)}`;
}

interface Paint {
  fill: string;
  text: string;
}

const CHROMA = 0.09;

/** Colours of one theme, computed once a name. `variable` gives the value of a CSS variable. */
export class Palette {
  private readonly paints = new Map<string, Paint>();
  private readonly categories = new Map<string, Paint>();
  private readonly lightness: number;

  constructor(
    dark: boolean,
    private readonly variable: (name: string) => string,
  ) {
    this.lightness = dark ? 0.72 : 0.8;
  }

  of(name: string): Paint {
    let paint = this.paints.get(name);
    if (!paint) {
      if (this.paints.size > 50_000) this.paints.clear();
      paint = this.mixed(name);
      this.paints.set(name, paint);
    }
    return paint;
  }

  /** The colour of a category of a step; of none known, what the name shows. */
  ofCategory(category: string, name: string): Paint {
    return this.ofVariable(STEP_CATEGORIES[category]?.[0] ?? categoryOfName(name) ?? "--unknown");
  }

  ofVariable(variable: string): Paint {
    let paint = this.categories.get(variable);
    if (!paint) {
      paint = { fill: this.variable(variable), text: this.variable(`${variable}-text`) };
      this.categories.set(variable, paint);
    }
    return paint;
  }

  private mixed(name: string): Paint {
    const category = categoryOfName(name);
    if (category) return { fill: this.variable(category), text: this.variable(`${category}-text`) };
    return { fill: oklch(this.lightness, CHROMA, hueOf(name)), text: "#000000" };
  }
}
