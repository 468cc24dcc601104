// Which category a name means, for its colour: the CSS variable of style.css.

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/idle/, "--idle"],
  [/unknown|other|device_wait/, "--unknown"],
  [/input|infeed|dataset|iterator/, "--input"],
  [/16|half|bf16|tensor_?core/, "--device16"],
  [/collective|all_?reduce|all_?gather|nccl|send|recv/, "--collective"],
  [/memcpy|memset|copy|transfer|h2d|d2h|d2d/, "--copy"],
  [/compil/, "--compile"],
  [/launch/, "--launch"],
  [/python|between/, "--python"],
  [/host|cpu/, "--host"],
  [/device|gpu|tpu|kernel|compute|busy/, "--device"],
];

export function categoryOf(name: string): string {
  const lower = name.toLowerCase();
  return WORDS.find(([word]) => word.test(lower))?.[1] ?? "--host";
}
