// Which category a name means, for its colour: the CSS variable of palette.css.

/** Key of a category of a step → its colour and what it is called. test_static.py compares with the Python side. */
export const CATEGORIES: Readonly<Record<string, readonly [variable: string, title: string]>> = {
  compute_8bit: ["--device8", "Compute 8-bit"],
  compute_16bit: ["--device16", "Compute 16-bit"],
  compute_tf32: ["--device-tf32", "Compute TF32"],
  compute_32bit: ["--device", "Compute 32-bit"],
  compute_64bit: ["--device64", "Compute 64-bit"],
  compute_other: ["--device-any", "Compute"],
  op_compute: ["--host", "Op compute"],
  collective: ["--collective", "Collectives"],
  copy_device: ["--copy-device", "Copy on device"],
  copy_in: ["--copy", "Copy in"],
  copy_out: ["--copy-out", "Copy out"],
  input_wait: ["--input", "Input wait"],
  compilation: ["--compile", "Compilation"],
  output: ["--output", "Output"],
  launch: ["--launch", "Kernel launch"],
  host_compute: ["--host", "Host compute"],
  runtime: ["--runtime", "Runtime overhead"],
  waiting: ["--waiting", "Waiting"],
  python: ["--python", "Python"],
  idle: ["--idle", "Idle, cause unknown"],
  rest: ["--unknown", "Rest of the step"],
  work: ["--busy", "Fastest worker"],
  skew: ["--waiting", "Skew: slowest minus fastest"],
};

/** Column of what memory is for → its colour. */
const MEMORY: Readonly<Record<string, string>> = {
  parameter_bytes: "--host",
  gradient_bytes: "--launch",
  optimizer_bytes: "--collective",
  activation_bytes: "--device",
  input_bytes: "--input",
  communication_bytes: "--copy",
  temporary_bytes: "--compile",
  other_bytes: "--unknown",
  before_bytes: "--idle",
};

let shown: Readonly<Record<string, string>> = {};

/** Takes the answer's terms from now on: a page shows one run. */
export function sayTitles(titles: Readonly<Record<string, string>>): void {
  shown = titles;
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/idle/, "--idle"],
  // It may hold waits, too: not the colour of compute.
  [/busy/, "--busy"],
  [/unknown|other|device_wait/, "--unknown"],
  [/input|infeed|dataset|iterator/, "--input"],
  [/16|half|bf16|tensor_?core/, "--device16"],
  [/collective|all_?reduce|all_?gather|nccl|send|recv/, "--collective"],
  [/memcpy|memset|copy|transfer|h2d|d2h|d2d/, "--copy"],
  [/compil/, "--compile"],
  [/launch/, "--launch"],
  [/python|between/, "--python"],
  [/host|cpu/, "--host"],
  [/device|gpu|tpu|kernel|compute/, "--device"],
];

/** A category's key, with or without the unit of its column. */
function known(name: string): readonly [string, string] | undefined {
  return CATEGORIES[name.replace(/_ms$/, "")];
}

export function categoryOf(name: string): string {
  const lower = name.toLowerCase();
  return known(name)?.[0] ?? MEMORY[name] ?? WORDS.find(([word]) => word.test(lower))?.[1] ?? "--host";
}

/** What to call categories without time: compute is one, whatever its precision, and only where none of it is seen. */
export function namesOfNone(
  none: readonly (readonly [name: string, title: string])[],
  seen: readonly string[],
): string[] {
  const isCompute = (name: string): boolean => name.startsWith("compute_");
  const computes = seen.some(isCompute);
  const names = none.flatMap(([name, title]) =>
    isCompute(name) ? (computes ? [] : ["device compute"]) : [title.charAt(0).toLowerCase() + title.slice(1)],
  );
  return [...new Set(names)];
}

/** What captures of the kind that is shown call a category that others call otherwise. */
export function categoryTitle(key: string): string | undefined {
  return shown[key];
}

export function titleOf(name: string): string | undefined {
  return categoryTitle(name.replace(/_ms$/, "")) ?? known(name)?.[1];
}
