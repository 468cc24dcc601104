"""What a capture can show, by its format: what everything after decoding asks, instead of the format."""

from __future__ import annotations

import enum

import msgspec


class Vocabulary(str, enum.Enum):
    """Whose words name what a program does: a framework's, or those of the file that is all there is of it."""

    TENSORFLOW = "tensorflow"  # and JAX
    PYTORCH = "pytorch"
    ANY = "any"
    TOOL_FILES = "tool_files"
    TF1_TIMELINE = "tf1_timeline"
    RUN_METADATA = "run_metadata"
    TRACE_PROTO = "trace_proto"
    #: Profilers of devices, which know a program by its ranges, of NVTX or roctx; and those of PyTorch's operators.
    NVTX = "nvtx"
    ROCTX = "roctx"
    EMIT_NVTX = "emit_nvtx"

    def __str__(self) -> str:
        return self.value


class Capabilities(msgspec.Struct, frozen=True):
    """What a capture can show.

    has_timeline: whether it says when things ran. is_moment: whether it is memory in use at one moment. is_aside:
    whether it is of memory alone, and lies beside the capture of the same program. sums_only:
    whether somebody else summed it up, steps laid end to end. has_operators: whether PyTorch's operators, modules and
    functions are slices of the host. framework_names: whether names of host events follow a framework's forms
    (`scope/name:Type`), not any program's. has_ranges: whether host events are calls of the device's runtime, and
    ranges that the program wrote. last_step_is_whole: whether the mark of the last step ends where the step does.
    steps_are_apart: whether nothing between steps was recorded, so that each ends with its mark. functions_only:
    whether it is sums of calls by Python function.
    """

    vocabulary: Vocabulary = Vocabulary.TENSORFLOW
    has_timeline: bool = True
    is_moment: bool = False
    is_aside: bool = False
    sums_only: bool = False
    has_operators: bool = False
    framework_names: bool = True
    has_ranges: bool = False
    last_step_is_whole: bool = False
    steps_are_apart: bool = False
    functions_only: bool = False
