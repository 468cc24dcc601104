"""What an instant of a step can be: the categories of the split, the first that holds wins."""

from __future__ import annotations

from typing import Literal, NamedTuple

Group = Literal["compute", "collective", "copy", "input", "host", "python", "idle"]


class Category(NamedTuple):
    """key: its name in columns (`<key>_ms`). group: what it is coloured and summed up as. help: its definition."""

    key: str
    title: str
    group: Group
    help: str


#: By priority. Of one device (of the host, where no device ran anything) each instant counts to the first that holds.
CATEGORIES = (
    Category("compute_8bit", "Compute 8-bit", "compute", "A kernel that computes in fp8, int8 or less runs."),
    Category("compute_16bit", "Compute 16-bit", "compute", "A kernel that computes in fp16 or bf16 runs."),
    Category("compute_tf32", "Compute TF32", "compute", "A kernel that computes in TF32 runs."),
    Category("compute_32bit", "Compute 32-bit", "compute", "A kernel that computes in fp32 or 32-bit integers runs."),
    Category("compute_64bit", "Compute 64-bit", "compute", "A kernel that computes in fp64 or 64-bit integers runs."),
    Category("compute_other", "Compute", "compute", "A kernel runs whose precision the capture does not record."),
    Category("op_compute", "Op compute", "host", "Without a device: an op of the step runs on a host thread."),
    Category("collective", "Collectives", "collective", "A collective runs and nothing computes: its exposed part."),
    Category("copy_device", "Copy on device", "copy", "The device copies or fills its memory, or copies to another."),
    Category("copy_in", "Copy in", "copy", "Data is copied from the host to the device."),
    Category("copy_out", "Copy out", "copy", "Data is copied from the device to the host."),
    Category("input_wait", "Input wait", "input", "The step waits for its next input; on a TPU, for its infeed."),
    Category("compilation", "Compilation", "host", "A function is traced or compiled."),
    Category("output", "Output", "copy", "A TPU's outfeed, or the host writes checkpoints or summaries."),
    Category(
        "launch", "Kernel launch", "host", "The host launches work for the idle device, or has and it did not begin."
    ),
    Category("host_compute", "Host compute", "host", "The device has nothing to do and an op runs on a host thread."),
    Category("runtime", "Runtime overhead", "host", "The framework's runtime is at work and runs no op."),
    Category("waiting", "Waiting", "idle", "A thread of the step waits for something else than input to complete."),
    Category("python", "Python", "python", "Python, or what lies between steps: callbacks, logging, the loop."),
    Category("idle", "Idle, cause unknown", "idle", "None of the above: the capture does not show why."),
)
INDEX = {category.key: i for i, category in enumerate(CATEGORIES)}
