// How to act on what a page says: for the help.

/** For each tool what to do with its page, the first thing first. */
export const ACTS: Readonly<Record<string, readonly string[]>> = {
  overview: [
    "Read the first sentence: it names what takes most of a step, with the change that helps.",
    "Open its proof, “show in Trace”, before you change anything: it marks the time that the number counts.",
    "Then go down the findings: each share is what a step would take less without that cause, at most.",
  ],
  input_pipeline: [
    "If steps wait for input, the slowest stage is the one to change; its advice stands beside it.",
    "If they do not wait, leave the input alone: making it faster changes nothing.",
  ],
  pod_viewer: [
    "Look for one worker that others wait for: its time without collectives is longer than theirs.",
    "If all workers wait alike, look at the collectives' sizes and how much of them is overlapped.",
  ],
  op_stats: [
    "Sort by self time: an op high in the list is worth a change, one below a few percent is not.",
    "Double click a row to see its executions in the trace; filter by words, or as in `self>1ms`.",
  ],
  kernel_stats: [
    "Sort by total time, and look at kernels that could use tensor cores and do not.",
    "Many short kernels point at launch time: fuse ops, or use CUDA graphs.",
  ],
  memory_profile: [
    "See what is live at the peak, by op: the largest of these decides the batch that fits.",
    "If memory grows from step to step, something keeps references: look at the step table.",
  ],
  tf_data: [
    "Change the stage that the page names as the bottleneck; then capture again, for the next one may be near.",
  ],
  trace_viewer: [
    "Search for a name, or go to a step with [ and ]; a slice says what it waited for and what waited for it.",
    "Shift-drag an area to sum it up; mark what you want to come back to with M, and name it under Marks.",
    "The link of the page holds all of it: view, pins, marks and notes.",
  ],
  roofline: [
    "Ops below the slope wait for memory, below the roof for compute; the far ones with much time come first.",
  ],
  op_profile: ["Open the widest branches: the wasted share says how much a better layout or fusion could save."],
  hlo_stats: ["Sort by self time; an instruction's op and source say which line of the program to change."],
  memory_viewer: ["What is live at the peak stands first; the savings say what recomputing or sharing would free."],
  graph_viewer: ["Go from an instruction to its operands and users; the time of each says where to look next."],
  python_profile: ["Sort by own time for what to make faster, by cumulative time for what calls it too often."],
  compare: [
    "Read whether the change is more than the noise; then the categories, whose parts add up to it.",
    "Open both traces of an op, aligned by step, to see what differs.",
  ],
  runs: ["Choose a run to open it, tick two to compare them, or pin one as the baseline of all."],
};
