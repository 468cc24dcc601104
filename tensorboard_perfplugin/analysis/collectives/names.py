"""Names of collectives, of data types and of process groups → what a call of one is, and how much it carries."""

from __future__ import annotations

import json
import math
import re
from typing import NamedTuple

#: Of a kernel's name, or an instruction's text, the head that is looked at.
_HEAD = 400
_KINDS = (
    ("all-reduce", re.compile(r"all[-_ ]?reduce|cross_device_reduce|psum(?!_scatter)|crossreplicasum")),
    ("reduce-scatter", re.compile(r"reduce[-_ ]?scatter|psum_scatter")),
    ("all-gather", re.compile(r"all[-_ ]?gather|collectivegather")),
    ("all-to-all", re.compile(r"all[-_ ]?to[-_ ]?all")),
    ("collective-permute", re.compile(r"collective[-_]?permute|ppermute")),
    ("send and receive", re.compile(r"send[-_ ]?recv")),
    # TensorFlow's `CollectiveReduceV2` gives all devices the sum.
    ("all-reduce", re.compile(r"collectivereduce(?!scatter)")),
    ("broadcast", re.compile(r"broadcast|collectivebcast")),
    ("barrier", re.compile(r"barrier")),
    ("gather", re.compile(r"(?<![a-z])gather")),
    ("scatter", re.compile(r"(?<![a-z])scatter")),
    ("reduce", re.compile(r"(?<![a-z])reduce(?![a-z]*[-_ ]?scatter)|ncclkernel_reduce|nccldevkernel_reduce")),
    ("send", re.compile(r"(?<![a-z])i?send(?![a-z])")),
    ("receive", re.compile(r"(?<![a-z])i?recv(?![a-z])")),
)
#: What everybody takes part in until everybody is done: all end at one instant, so that the shortest came last.
ALL_END_AT_ONCE = ("all-reduce", "reduce-scatter", "all-gather", "all-to-all", "barrier")
#: Bytes of one element, by PyTorch's names (of c10 and of its profiler's inputs), lower case, and by XLA's.
_BYTES = {
    **dict.fromkeys(("byte", "char", "bool", "unsigned char", "signed char", "int8", "uint8", "s8", "u8", "pred"), 1),
    **dict.fromkeys(("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "f8e4m3fn", "f8e5m2"), 1),
    **dict.fromkeys(("half", "bfloat16", "c10::half", "c10::bfloat16", "short", "float16", "f16", "bf16", "s16"), 2),
    **dict.fromkeys(("u16", "int16", "short int"), 2),
    **dict.fromkeys(("float", "int", "float32", "int32", "f32", "s32", "u32"), 4),
    **dict.fromkeys(("double", "long", "float64", "int64", "long int", "f64", "s64", "u64", "c64"), 8),
    **dict.fromkeys(("complexfloat", "c10::complex<float>"), 8),
    **dict.fromkeys(("complexdouble", "c10::complex<double>", "c128"), 16),
}
_SHAPE = re.compile(r"\b([a-z][a-z0-9]{1,12})\[([0-9,]{0,200})\]")
_TYPE = re.compile(r'\s*\[\s*"([\w:]{1,40})"')
_GROUPS = re.compile(r"replica_groups=(\{\{[0-9,{} ]{0,4000}\}\}|\[[0-9,]+\]<=\[[0-9,]+\](?:T\([0-9,]+\))?)")
#: Dimensions and tensors of one call that are multiplied and added.
_MOST = 10_000


class Group(NamedTuple):
    """Who takes part. name, ranks: as the capture has them, empty where it has none; size: 0 where it has none."""

    name: str = ""
    ranks: str = ""
    size: int = 0


def kind_of(name: str) -> str:
    """What a kernel, an instruction, or a call of a library does; `other` where its name does not show it."""
    head = name[:_HEAD].partition(" = ")[0].partition("(")[0].lower()
    return next((kind for kind, pattern in _KINDS if pattern.search(head)), "other")


def element_bytes(dtype: str) -> int:
    """0 for a type that is not known."""
    return _BYTES.get(dtype.lower(), 0)


def first_type(text: str) -> str:
    """The type of the first array, of a call's `Input type` or an XLA instruction's text; empty without one."""
    found = _TYPE.match(text) or _SHAPE.search(text[:_MOST])
    return found[1] if found else ""


def is_float32(dtype: str) -> bool:
    return dtype.lower() in ("float", "float32", "f32")


def bus_factor(kind: str, size: int) -> float | None:
    """Bus ÷ algorithm bandwidth, as NCCL's own tests have it: what each link carries of the data, for so many ranks."""
    if size < 1:
        return None
    if kind == "all-reduce":
        return 2 * (size - 1) / size
    if kind in ("all-gather", "reduce-scatter", "all-to-all"):
        return (size - 1) / size
    return 1.0


def input_bytes(dims: str, types: str) -> int:
    """Of a call's `Input Dims` and `Input type`, both JSON; -1 where these do not show it."""
    try:
        shapes, names = json.loads(dims[:_MOST]), json.loads(types[:_MOST])
    except (ValueError, RecursionError):
        return -1
    if not isinstance(shapes, list) or not isinstance(names, list):
        return -1
    total = 0
    for shape, name in zip(shapes, names, strict=False):
        size = element_bytes(name) if isinstance(name, str) else 0
        if size and isinstance(shape, list) and shape and all(isinstance(d, int) and d >= 0 for d in shape):
            total += size * math.prod(shape)
    return total if 0 < total < 1 << 62 else -1


def instruction_bytes(text: str) -> int:
    """The larger of what an XLA instruction gives and takes, by the shapes in its text; -1 where it has none."""
    result, _, rest = text[:_MOST].partition(" = ")[2].partition("(") if " = (" not in text else _of_tuple(text)
    given, taken = _shapes_bytes(result), _shapes_bytes(rest.partition(")")[0])
    return max(given, taken) if 0 < max(given, taken) < 1 << 62 else -1


def given_bytes(text: str) -> int:
    """Of the shapes in a text; -1 where it has none."""
    size = _shapes_bytes(text[:_MOST])
    return size if 0 < size < 1 << 62 else -1


def _of_tuple(text: str) -> tuple[str, str, str]:
    """`(f32[8], f32[8]) all-reduce(…)`: what it gives, and what it takes."""
    given, _, rest = text[:_MOST].partition(" = ")[2].partition(") ")
    return given, "(", rest.partition("(")[2]


def _shapes_bytes(text: str) -> int:
    return sum(
        element_bytes(dtype) * math.prod(int(d) for d in dims.split(",") if d) for dtype, dims in _SHAPE.findall(text)
    )


def instruction_group(text: str) -> Group:
    """By `replica_groups`, in either of XLA's forms."""
    found = _GROUPS.search(text[:_MOST])
    if found is None:
        return Group()
    groups = found[1]
    if groups.startswith("["):
        sizes = [int(d) for d in groups[1 : groups.index("]")].split(",") if d]
        return Group("", groups, sizes[-1] if len(sizes) == 2 else 0)
    first = groups[2 : groups.index("}")]
    return Group("", groups, len([i for i in first.split(",") if i.strip()]))
