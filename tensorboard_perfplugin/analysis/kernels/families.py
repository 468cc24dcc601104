"""The merged kernels → those in 64-bit floats, of attention, of depthwise convolutions, and those that run again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, PlaneKind, at_once
from ...timeline.causes import graph_nodes
from ...timeline.devices import devices_of
from ...timeline.names.kernels import kernel_name, tensor_core_rule
from ...timeline.names.ops import Op, copy_op
from ...timeline.ops.ops import OpEvents, ops_of
from ...timeline.split.device import precision_of_kernel
from ...timeline.timeline import Timeline, cached
from ..model import attention_in_scopes, attention_ops, model_work
from .host import OCTAVES, HostKernels, OddCall, copy_rows, kernel_device, odd_calls, whole_pieces
from .merged import Kernel, Merged, kernel_of
from .rows import GRAPH_EVENT, Launched, Work, kernel_rows, spread, summed_rows

#: So much of a name is looked at.
_HEAD = 4000
#: In lower case; `long` has 64 bits, too.
_TOKENS = ("double", "64", "dgemm", "zgemm", "dgemv", "zgemv", "trsm", "884", "16816", "1688", "dmma", "cijk_")
_DOUBLE = regex(
    r"(?<![a-z0-9])(?:double|f64|fp64|float64|dt_double)(?![a-z0-9])|(?<![a-z])[dz](?:gemm|gemv|trsm|884|1688|16816)"
    r"|dmma|cijk_[a-z]+_[a-z]+_[dz]"
)
#: What JAX adds to the names of ops that `jax.checkpoint` runs again.
REMATERIALIZED = "rematted_computation"


class Family(NamedTuple):
    """Kernels of one kind. share: of the kernel time; longest: the row that takes most of it."""

    total_ps: float
    share: float
    longest: Kernel


def in_doubles(merged: Merged) -> Family | None:
    """None where no kernel's name says so."""
    k = merged.kernels
    return _family(merged, np.array([says_double(name) for name in merged.names], bool)[k.name])


def _family(merged: Merged, of_it: NDArray[np.bool_]) -> Family | None:
    """of_it: whether a row is one; None where none took time."""
    k = merged.kernels
    total = float(k.total_ps[of_it].sum())
    if not total:
        return None
    longest = int(np.argmax(np.where(of_it, k.total_ps, -1)))
    return Family(total, min(total / merged.total_ps, 1.0), kernel_of(merged, longest))


def says_double(name: str) -> bool:
    """Whether a kernel computes in 64-bit floats, by its name."""
    lowered = name[:_HEAD].lower()
    says = any(map(lowered.__contains__, _TOKENS)) and _DOUBLE.search(lowered)
    return bool(says) and precision_of_kernel(name) == "compute_64bit"


class AttentionOps(NamedTuple):
    """Kernels of attention that runs as separate products; longest: the row that takes most of their time."""

    total_ps: float
    longest: Kernel


def attention_of_ops(merged: Merged) -> AttentionOps | None:
    """None where no op's name shows any."""
    k = merged.kernels
    mine = (attention_ops(k.ops) | attention_in_scopes(k.ops))[k.op] if len(k.ops) else np.zeros(0, bool)
    total = float(k.total_ps[mine].sum())
    if not total:
        return None
    return AttentionOps(total, kernel_of(merged, int(np.argmax(np.where(mine, k.total_ps, -1)))))


def rematerialized_ps(merged: Merged) -> float:
    k = merged.kernels
    again = np.array([REMATERIALIZED in op.name for op in k.ops], bool)
    return float(k.total_ps[again[k.op]].sum()) if len(k.ops) else 0.0


# The merged kernels → those of convolutions that take each channel by itself.
#
# cuDNN's `grouped_direct` kernels run for convolutions of one channel, and for gradients of dense ones, too: of those
# the op decides.

_DEPTHWISE_KERNELS = regex(r"(?i:depthwise_?conv|conv_?depthwise)")
_DEPTHWISE_OPS = regex(
    r"_?(?:Mkl|Fused)*DepthwiseConv2dNative\w*|aten::\w*conv\w*_depthwise\w*|aten::\w*depthwise_conv\w*"
)


def depthwise(merged: Merged) -> Family | None:
    """None where neither a kernel's name nor its op's type shows any."""
    k = merged.kernels
    of_kernel = np.array([is_depthwise_kernel(name) for name in merged.names], bool)[k.name]
    return _family(merged, of_kernel | depthwise_ops(k.ops)[k.op] if len(k.ops) else of_kernel)


def is_depthwise_kernel(name: str) -> bool:
    return bool(_DEPTHWISE_KERNELS.search(name[:_HEAD]))


def depthwise_ops(ops: Sequence[Op]) -> NDArray[np.bool_]:
    """By op."""
    return np.array([bool(_DEPTHWISE_OPS.fullmatch(op.type)) for op in ops], bool)


# The merged kernels → those on tensor cores that read their operands in small pieces, for sizes that are odd.


class Unaligned(NamedTuple):
    """share: of the kernel time; multiple: elements in 16 bytes; longest: the row that takes most of it; call: the
    largest call of an op whose shapes are known.
    """

    total_ps: float
    share: float
    multiple: int
    longest: Kernel
    call: OddCall | None


def unaligned(merged: Merged) -> Unaligned | None:
    """None where there are none."""
    k = merged.kernels
    whole = np.array([whole_pieces(name) for name in merged.names], np.int64)[k.name]
    reads_less = whole > 0
    total = float(k.total_ps[reads_less].sum())
    if not total:
        return None
    longest = int(np.argmax(np.where(reads_less, k.total_ps, -1)))
    calls = [call for part in merged.parts for call in part.odd_calls]
    call = max(calls, key=lambda call: call.total_ps, default=None)
    share = min(total / merged.total_ps, 1.0)
    multiple = call.multiple if call else int(whole[longest])
    return Unaligned(total, share, multiple, kernel_of(merged, longest), call)


# The merged kernels → those that only rearrange tensors between the layouts that convolutions take.

#: So much of a name is looked at.
_MAX_NAME = 1000
#: cuDNN's and MIOpen's, which run for convolutions alone, in lower case. `convertTensor_kernel` converts types.
_LAYOUT_KERNELS = ("nchwto", "nhwcto", "tensortransformgeneric", "batched_transpose_")
_LIBRARIES = regex(
    r"nchwto\w*nhwc\w*kernel|nhwcto\w*nchw\w*kernel|tensortransformgeneric|(?<!\w)batched_transpose_\d+x\d+_"
)
#: TensorFlow's and XLA's, which run for any op that transposes: those count that a convolution runs …
_TENSORFLOW = ("SwapDimension1And2InTensor3", "SwapDimension0And2InTensor3", "ShuffleInTensor3")
_XLA = regex(r"(?:(?:input|loop|wrapped)_)?(?:transpose|copy)(?:_fusion)?(?:_\d+)?")
_CONVOLVES = regex(r"_?(?:Mkl|Fused)*(?:Depthwise)?Conv[123][Dd]\w*|conv_general_dilated|convolution")
#: … or that TensorFlow's layout optimizer put in.
_OPTIMIZER = regex(r"Transpose(?:NHWCToNCHW|NCHWToNHWC|NDHWCToNCDHW|NCDHWToNDHWC)-LayoutOptimizer")


class LayoutConversions(NamedTuple):
    """share: of the kernel time; most: the short name that takes most of it, and how long these take."""

    total_ps: float
    share: float
    executions: int
    most: str
    most_ps: float
    by_amd: bool


def layout_conversions(merged: Merged) -> LayoutConversions | None:
    """None where there are none."""
    k = merged.kernels
    library, generic = (np.array([holds(n) for n in merged.names], bool) for holds in (_is_of_library, _is_generic))
    converts = library[k.name]
    if generic.any():
        converts = converts | (generic[k.name] & np.array([_is_of_convolution(op) for op in k.ops], bool)[k.op])
    rows = np.flatnonzero(converts)
    total = float(k.total_ps[rows].sum())
    if not total:
        return None
    by_name: dict[str, float] = {}
    for name, ps in enumerate(np.bincount(k.name[rows], k.total_ps[rows]).tolist()):
        by_name[merged.shorts[name]] = by_name.get(merged.shorts[name], 0.0) + ps
    most = max(by_name, key=lambda short: by_name[short])
    by_amd = any(merged.devices[device].is_amd for device in np.unique(k.device[rows]).tolist())
    share, executions = min(total / merged.total_ps, 1.0), int(k.occurrences[rows].sum())
    return LayoutConversions(total, share, executions, most, by_name[most], by_amd)


def may_convert(name: str) -> bool:
    """Whether a kernel of that name may convert between layouts, for the right op."""
    return _is_of_library(name) or _is_generic(name)


def _is_of_library(name: str) -> bool:
    lowered = name[:_MAX_NAME].lower()
    return any(map(lowered.__contains__, _LAYOUT_KERNELS)) and bool(_LIBRARIES.search(lowered))


def _is_generic(name: str) -> bool:
    return bool(_XLA.fullmatch(name)) or any(map(name[:_MAX_NAME].__contains__, _TENSORFLOW))


def _is_of_convolution(op: Op) -> bool:
    return bool(_CONVOLVES.fullmatch(op.type) or _OPTIMIZER.search(op.name[-_MAX_NAME:]))


# A timeline → the kernels that the overview may have to name, of millions mostly few, and the time of the others.

#: Kernels of a name that together take less of the kernel time change no share that decides something.
_LEAST = 1e-4


def chosen_kernels(timeline: Timeline) -> HostKernels | None:
    """As `host_kernels`, of what rules on layouts, sizes and types look at; None without a GPU."""
    capture = timeline.capture
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist()
    if not gpus:
        return None
    ran = _on_gpus(timeline)
    at = at_once(ran.rows)
    names, duration = capture.events.name[at], capture.events.duration_ps[at]
    taken_ps = _by_name(timeline, names, duration)
    wanted = np.zeros(len(capture.strings), bool)
    wanted[list(_chosen(timeline, taken_ps))] = True
    ops = ops_of(timeline).ops
    by_op = attention_ops(ops) | attention_in_scopes(ops) | depthwise_ops(ops)
    mine = np.flatnonzero(wanted[names] | by_op[ran.op] if by_op.any() else wanted[names])
    kernels, duration, nothing = _work(timeline, ran, mine), duration[mine], np.empty(0, np.int64)
    in_graph = graph_nodes(timeline, kernels.rows)
    return HostKernels(
        devices=[kernel_device(timeline, plane, kernels, duration, in_graph) for plane in gpus],
        tables=(kernel_rows(timeline, kernels, _unknown(kernels), gpus), summed_rows(timeline, gpus)),
        copies=copy_rows(timeline, _work(timeline, ran, nothing), kernels, gpus),
        graphs=[],
        octave_count=np.zeros(OCTAVES, np.int64),
        octave_ps=np.zeros(OCTAVES),
        latency=spread(nothing),
        queue=spread(nothing),
        starved=0,
        misfits=0,
        unavailable=None,
        odd_calls=odd_calls(timeline, kernels),
        model=cached(timeline, model_work),
        other_ps=max(float(taken_ps.sum() - duration.sum(dtype=np.float64)), 0.0),
    )


def _on_gpus(timeline: Timeline) -> OpEvents:
    ran, planes = ops_of(timeline).device, timeline.capture.planes
    is_gpu = planes.kind == PlaneKind.GPU
    if all(is_gpu[device.plane] for device in devices_of(timeline) if device.events):
        return ran
    on_gpu = is_gpu[timeline.capture.tracks.plane[timeline.capture.events.track[ran.rows]]]
    return OpEvents(ran.rows[on_gpu], ran.op[on_gpu])


def _work(timeline: Timeline, ran: OpEvents, which: I64) -> Work:
    """Some of what ran; what came before each is left out."""
    capture, rows = timeline.capture, ran.rows[which]
    plane, unknown = capture.tracks.plane[capture.events.track[rows]], np.full(len(rows), -1)
    # Launches of millions of kernels are long to read.
    launch = capture.kernel_launches.events.launch_of(rows) if len(rows) else np.empty(0, np.int32)
    return Work(rows, ran.op[which], plane, unknown, launch, np.zeros(len(rows), np.int32))


def _by_name(timeline: Timeline, names: I32, duration_ps: I64) -> NDArray[np.float64]:
    """By string id the time of kernels of that name; of copies, fills and whole graphs 0."""
    strings = timeline.capture.strings
    taken: NDArray[np.float64] = np.zeros(len(strings))
    taken += np.bincount(names, duration_ps, len(taken))
    for i in np.flatnonzero(taken).tolist():
        name = strings[i]
        if copy_op(name) or name.startswith(GRAPH_EVENT):
            taken[i] = 0.0
    return taken


def _chosen(timeline: Timeline, taken_ps: NDArray[np.float64]) -> Iterator[int]:
    """String ids of names of which some rule may want to know."""
    capture = timeline.capture
    gpus = np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist()
    vendors = {str(capture.plane_values(plane).get("device_vendor") or "") for plane in gpus}
    for i in np.flatnonzero(taken_ps >= max(_LEAST * taken_ps.sum(), 1)).tolist():
        name = kernel_name(capture.strings[i])
        rules = [tensor_core_rule(name, vendor) for vendor in vendors]
        missed = any(rule and rule.multiplies and rule.uses is False for rule in rules)
        if missed or any(holds(name) for holds in (may_convert, whole_pieces, says_double, is_depthwise_kernel)):
            yield i


def _unknown(kernels: Work) -> Launched:
    unknown: I64 = np.full(len(kernels.rows), -1)
    return Launched(unknown, unknown, 0, 0)
