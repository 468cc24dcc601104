"""A name in a capture → the op it names, as TensorFlow, JAX, tf.data and memory events write it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import NamedTuple

from ...errors import ArgumentError
from ...patterns import regex
from ...tables import kept_by_text

# A name in a capture → the op it names: the grammar of TensorFlow, JAX, tf.data and memory-copy names.

_TF_NAME = regex(r"[A-Za-z0-9.][A-Za-z0-9_./>\\-]*")
_TF_TYPE = regex(r"[A-Z_][A-Za-z0-9_]*")
_JAX_TYPE = regex(r"([a-z_][a-z0-9_]*)(\[.*\])?", re.DOTALL)
_COPY = regex(r"memcpy([HDP])(?:to|2)([HDP])", re.IGNORECASE)
_ROCM_COPY = regex(r"Copy(H|D)(?:ost|evice)To(H|D)(?:ost|evice)")
_MIGRATION = regex(r"UM_BYTES_TRANSFER_([HD])TO([HD])")
#: Horovod calls phases of its collectives `MEMCPY_IN_FUSION_BUFFER` and `MEMCPY_OUT_FUSION_BUFFER`.
_OTHER_COPY = regex(r"memcpy(?!_(?:in|out)_fusion)|hipMemcpy|__amd_rocclr_copyBuffer", re.IGNORECASE)
_FILL = regex(r"(?:hip|cu)?memset|__amd_rocclr_fillBuffer", re.IGNORECASE)
_ANNOTATION = regex(r"NVTX|.*\.py")
#: Functions, whose names begin with two underscores, are no ops.
_EAGER = regex(r"EagerLocalExecute: (?!__)([A-Z_][A-Za-z0-9_]*)")
_NUMBERED = regex(r"(?:\.\d+)+$")
#: `params['a/b']`, `args[0]`, `state.params["w"]`.
_ARGUMENT = regex(r"[\w.]+\[['\"\d]")
_INDEX = regex(r"\[\d+\]")


#: Type of a kernel of which the capture does not say what op it belongs to.
UNATTRIBUTED = "Unattributed kernel"
#: Type of what ran for a range that the program, or a library, wrote around the launch (NVTX, roctx).
RANGE = "Annotated range"
_NOT_TENSORFLOW = regex(f"{UNATTRIBUTED}|{RANGE}|Unknown|Memset|Memcpy.*|Dataset::.*")


class Op(NamedTuple):
    """What a row of the op tables stands for. `module` is the XLA module, empty outside XLA."""

    name: str
    type: str
    module: str = ""


def is_tensorflow(op: Op) -> bool:
    """Whether TensorFlow ran it, which alone has eager mode."""
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


# Names of iterators of a loop over a dataset in a tf.function, or of its `reduce` → what they are to the program.
#
# TensorFlow writes `for x in dataset` as a stage of a pipeline, `ReduceIterator::Root::Prefetch::Scan`, that runs the
# body of the loop for each element of the stage before it; with `break` there is a `TakeWhile` around that.
# `dataset.reduce` calls its function itself: `ReduceIterator::Root::Prefetch`.

#: What lies around the stage that runs the body, that stage, and the one that it asks for an element.
OUTSIDE_BODY = regex(r"ReduceIterator(?:::Root)?(?:::Prefetch)?(?:::TakeWhile)?")
BODY = regex(rf"{OUTSIDE_BODY.pattern}::Scan(?:\[\d+\])?")
FEEDS_BODY = regex(rf"{BODY.pattern}::\w+(?:\[\d+\])?")
_LOOP = "ReduceIterator::"
_BEFORE_BODY = regex(rf"{BODY.pattern}::(.*)", re.DOTALL)


def has_body(names: list[str]) -> bool:
    """Whether one of these runs the body of such a loop."""
    return any(name.startswith(_LOOP) and BODY.fullmatch(name) for name in names)


def iterator_name(name: str, body: bool) -> str:
    """The name that an iterator has where a program asks for its elements; empty for what is part of the loop.

    body: whether a stage of the loop runs its body.

    >>> iterator_name("ReduceIterator::Root::Prefetch::Scan::MapAndBatch::Range", True)
    'Iterator::MapAndBatch::Range'
    >>> iterator_name("ReduceIterator::Root::Prefetch", True)
    ''
    >>> iterator_name("ReduceIterator::Root::Prefetch", False)
    'Iterator::Root::Prefetch'
    """
    if not name.startswith(_LOOP):
        return name
    if not body:
        return name[len("Reduce") :]
    before = _BEFORE_BODY.fullmatch(name)
    return f"Iterator::{before[1]}" if before else ""


# Names of functions as PyTorch's tracer of Python writes them → as those of TensorFlow and JAX do.
#
# `/src/train.py(12): step` → `$train.py:12 step`, `<built-in method acquire of _thread.lock object at 0x7f>` →
# `$_thread acquire`, `nn.Module: Linear_0` → `$nn.Module Linear_0`.

_OF_A_FILE = regex(r"(?:.*[/\\])?([^/\\]+)\((\d{1,9})\): (.+)", re.DOTALL)
_BUILT_IN = regex(r"<built-in (?:method|function) (\S*)(?: of (\S+) .*)?>", re.DOTALL)
_LOCK = regex(r"\.R?[lL]ock$")
_MODULE = "nn.Module: "
#: Of a name only so much is looked at.
_HEAD = 1000


@kept_by_text
def python_name(name: str) -> str:
    """The empty text where a name is no function's of Python."""
    if name.startswith(_MODULE):
        return "$" + name.replace(": ", " ", 1)
    head = name[:_HEAD]
    if match := _OF_A_FILE.fullmatch(head):
        return f"${match[1]}:{match[2]} {match[3]}"
    if match := _BUILT_IN.fullmatch(head):
        return f"${_LOCK.sub('', match[2] or 'builtins')} {match[1]}"
    return ""


# A person's regular expression → a test of names that no text can make slow.

#: Bounds that keep a hostile expression from holding the server.
PATTERN_MAX, CHOICES_MAX, TEXT_MAX, SECONDS_MAX = 200, 3, 200, 1.0
#: A match cannot be ended. In a name of n characters it tries about n⁴ ÷ 24 ways, of 100 in 0.1 s and of 200 in 1.3 s;
#: from one place of it on n³ ÷ 6, of 200 in 0.03 s. To try each place takes a usual expression 20 µs a name.
AT_ONCE_MAX, MATCH_S = 100, 0.1


def name_matcher(text: str, option: str) -> Callable[[str], bool]:
    """Whether an expression is found in a name's first 200 characters; upper and lower case are the same.

    option: what the expression was given as, for messages. Raises ArgumentError for an expression that is none or may
    take too long; the test raises it once it has taken a second in all.
    """
    choices = _bounded(text, option)
    try:
        pattern = re.compile(text, re.IGNORECASE)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise ArgumentError(f"{option}={text[:80]!r}: not a regular expression: {error}") from None
    until = time.monotonic() + SECONDS_MAX - MATCH_S

    def check() -> None:
        if time.monotonic() > until:
            raise ArgumentError(f"{option}: the expression takes longer than {SECONDS_MAX:g} s; give a simpler one")

    def matches(name: str) -> bool:
        check()
        name = name[:TEXT_MAX]
        if choices < CHOICES_MAX or len(name) <= AT_ONCE_MAX:
            return pattern.search(name) is not None
        for at in range(len(name) + 1):
            if pattern.match(name, at):
                return True
            check()
        return False

    return matches


def _bounded(pattern: str, option: str) -> int:
    """How many repetitions and choices it has.

    Refuses what backtracks without bound: repetition of a group, back-references, many repetitions in a row.
    Comments, and the blanks of verbose expressions, would hide these: they are refused, too.
    """
    plain = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "x", pattern, flags=re.DOTALL)
    choices = len(re.findall(r"[*+?{]\??", re.sub(r"\(\?", "(", plain))) + plain.count("(") * ("|" in plain)
    if len(pattern) > PATTERN_MAX:
        raise ArgumentError(f"{option}: an expression of {len(pattern)} characters; the maximum is {PATTERN_MAX}")
    if re.search(r"\(\?(?:#|[A-Za-z-]*x)", pattern):
        raise ArgumentError(f"{option}: comments and verbose expressions, (?#…) and (?x), are not accepted")
    if re.search(r"\)[*+?{]|\(\?P=|\(\?\(", plain) or re.search(r"\\[1-9]", pattern):
        raise ArgumentError(f"{option}: repeated groups and back-references are not accepted")
    if choices > CHOICES_MAX:
        raise ArgumentError(f"{option}: more than {CHOICES_MAX} repetitions; give a simpler expression")
    return choices
