"""A name in a capture → the op it names: the grammar of TensorFlow, JAX, tf.data and memory-copy names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ...tables import kept_by_text

_TF_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_./>\\-]*")
_TF_TYPE = re.compile(r"[A-Z_][A-Za-z0-9_]*")
_JAX_TYPE = re.compile(r"([a-z_][a-z0-9_]*)(\[.*\])?", re.DOTALL)
_COPY = re.compile(r"memcpy([HDP])(?:to|2)([HDP])", re.IGNORECASE)
_ROCM_COPY = re.compile(r"Copy(H|D)(?:ost|evice)To(H|D)(?:ost|evice)")
_MIGRATION = re.compile(r"UM_BYTES_TRANSFER_([HD])TO([HD])")
#: Horovod calls phases of its collectives `MEMCPY_IN_FUSION_BUFFER` and `MEMCPY_OUT_FUSION_BUFFER`.
_OTHER_COPY = re.compile(r"memcpy(?!_(?:in|out)_fusion)|hipMemcpy|__amd_rocclr_copyBuffer", re.IGNORECASE)
_FILL = re.compile(r"(?:hip|cu)?memset|__amd_rocclr_fillBuffer", re.IGNORECASE)
_ANNOTATION = re.compile(r"NVTX|.*\.py")
#: Functions, whose names begin with two underscores, are no ops.
_EAGER = re.compile(r"EagerLocalExecute: (?!__)([A-Z_][A-Za-z0-9_]*)")
_NUMBERED = re.compile(r"(?:\.\d+)+$")
#: `params['a/b']`, `args[0]`, `state.params["w"]`.
_ARGUMENT = re.compile(r"[\w.]+\[['\"\d]")
_INDEX = re.compile(r"\[\d+\]")


#: Type of a kernel of which the capture does not say what op it belongs to.
UNATTRIBUTED = "Unattributed kernel"
_NOT_TENSORFLOW = re.compile(f"{UNATTRIBUTED}|Unknown|Memset|Memcpy.*|Dataset::.*")


class Op(NamedTuple):
    """What a row of the op tables stands for. `module` is the XLA module, empty outside XLA."""

    name: str
    type: str
    module: str = ""


def is_tensorflow(op: Op) -> bool:
    """Whether TensorFlow ran it, which is who knows eager mode."""
    return bool(not op.module and _TF_TYPE.fullmatch(op.type) and not _NOT_TENSORFLOW.fullmatch(op.type))


@kept_by_text
def host_op(name: str) -> Op | None:
    """The op that a host event of this name ran, or None.

    TensorFlow names its ops `scope/name:Type`. A lower-case type is a user's own annotation, as is `file.py:Name` and
    `NVTX:Name`, which is how CUPTI reports a range; JAX never writes host events of that form.
    """
    left, colon, right = name.partition(":")
    if not colon:
        return copy_op(name)
    if left == "Iterator":
        return Op(name, f"Dataset::{_INDEX.sub('', name.rpartition('::')[2])}")
    if _TF_NAME.fullmatch(left) and _TF_TYPE.fullmatch(right) and not _ANNOTATION.fullmatch(left):
        return Op(left, right)
    return None


def host_op_of(framework_names: bool) -> Callable[[str], Op | None]:
    """Gives the op of a host event's name; in names of any program a colon need not stand before a type."""
    return host_op if framework_names else copy_op


def eager_op(name: str) -> Op | None:
    """The op that TensorFlow ran by itself under a host event of this name, or None."""
    match = _EAGER.fullmatch(name)
    return Op(match[1], match[1]) if match else None


def copy_op(name: str) -> Op | None:
    """The memory copy or fill of this name, `MEMCPYHtoD` as well as CUDA's and ROCm's own; or None."""
    if match := _COPY.match(name) or _ROCM_COPY.match(name) or _MIGRATION.match(name):
        return Op(name, "Memcpy{}To{}".format(*(side.upper() for side in match.groups())))
    if _FILL.match(name):
        return Op(name, "Memset")
    return Op(name, "Memcpy") if _OTHER_COPY.match(name) else None


def device_op(text: str) -> Op:
    """The framework's op that a device event says it belongs to (its stat `tf_op`).

    JAX writes its whole scope, `jit(f)/transpose(jvp(g))/dot_general:`, with or without the colon and a type.
    """
    left, _, right = text.partition(":")
    if left == "Iterator":
        return Op(text, f"Dataset::{_INDEX.sub('', text.rpartition('::')[2])}")
    if _TF_NAME.fullmatch(left) and _TF_TYPE.fullmatch(right):
        return Op(left, right)
    if not right:
        return Op(left, _derived_type(left) or "Unknown")
    if match := _JAX_TYPE.fullmatch(right):
        return Op(left, match[1])
    return Op(text, "Unknown")


def xla_op(instruction: str, module: str, name: str = "", op_name: str = "", op_type: str = "") -> Op:
    """An XLA instruction, by the name that the framework gave it (`jit(f)/dot_general`).

    `name` is what the event has; else what the instruction's metadata in the program has; else the instruction's
    own, of which the type is that name without the number that makes it unique.
    """
    if names_an_op(name):
        return device_op(name)._replace(module=module)
    if names_an_op(op_name, op_type):
        return Op(op_name, op_type or _derived_type(op_name) or "Unknown", module)
    last = instruction.rpartition("::")[2].lstrip("%")
    return Op(last, _NUMBERED.sub("", last), module)


def names_an_op(name: str, op_type: str = "") -> bool:
    """Whether the framework's name of an instruction is that of an op; JAX names arguments, too: `x`, `p['mlp/w']`."""
    return bool(name) and (bool(op_type) or ("/" in name and not _ARGUMENT.match(name)))


def _derived_type(name: str) -> str:
    last = name.partition("[")[0]
    inside = 0
    for i in range(len(last) - 1, -1, -1):
        inside += (last[i] == ")") - (last[i] == "(")
        if last[i] == "/" and inside == 0:
            last = last[i + 1 :]
            break
    return re.sub(r"_\d+$", "", last)
