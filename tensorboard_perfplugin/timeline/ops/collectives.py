"""A timeline → when its collectives ended: all participants see that at once, which shows how their clocks differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, among
from ..names.op_names import Op
from ..timeline import Timeline, derived
from ..tracks.tracks import device_planes, host_tracks, rows_of
from ..tracks.work import device_names, device_rows_named
from .ops import ops_of

#: Sends and broadcasts are left out: they end for the sender before they do for the receiver.
_KIND = r"all[-_]?reduce|all[-_]?gather|reduce[-_]?scatter|all[-_]?to[-_]?all"
#: NCCL's and RCCL's kernels, XLA's instructions, the kernels of inference servers.
_KERNEL = re.compile(f"{_KIND}|cross_device_reduce", re.IGNORECASE)
_OP_TYPE = re.compile(
    rf"(?:Collective|Nccl|Xla|Horovod)?(?:{_KIND}|psum|(?<=Collective)(?:Reduce|Gather))\w*", re.IGNORECASE
)
#: Whatever exchanges data between devices, its start and its end.
_EXCHANGE = re.compile(
    rf"(?:Collective|Nccl|Xla|Horovod|ragged-)?(?:{_KIND}|psum|ppermute|collective-|(?<=Collective)[A-Z])[\w-]*"
    r"|(?:send|recv)(?:-done)?|record_param_comms|c10d::\w+",
    re.IGNORECASE,
)
#: Calls of libraries for CPUs, as PyTorch's profiler writes them on a thread of the library, from arrival to end.
#: NCCL's annotations are the calls that launch a kernel, and no time of a collective.
_LIBRARY = re.compile(r"(?:gloo|mpi|ucc):(?!wait)\w+")
#: XLA's collective in two instructions ends with the second.
_START = re.compile(r"%?[a-z-]+-start\b")
#: Of a name, which may hold an instruction with its operands, the part before them; and of that at most so much.
_OPERANDS, _HEAD = " = ", 200
#: Ends that are kept of a host, the first ones: enough to determine how two clocks differ.
MAX_ENDS = 1 << 16


@derived
def collective_ends(timeline: Timeline) -> I64:
    """Ends of the collectives of the first device that ran any, else of the host's ops; in ps, ascending."""
    events = timeline.capture.events
    for rows in _sources(timeline):
        if len(rows):
            ends: I64 = np.sort(events.start_ps[rows] + events.duration_ps[rows])[:MAX_ENDS]
            return ends
    return np.empty(0, np.int64)


def exchanges(op_type: str) -> bool:
    """Whether ops of a type exchange data between devices: what they wait for is no arithmetic and no memory."""
    return bool(_EXCHANGE.fullmatch(op_type))


def _sources(timeline: Timeline) -> Iterator[I64]:
    capture = timeline.capture
    for plane in device_planes(capture):
        wanted = [i for i in device_names(timeline, plane) if _is_collective(capture.strings[i])]
        yield device_rows_named(timeline, plane, wanted)
    called = library_calls(timeline)
    strings, names = timeline.capture.strings, timeline.capture.events.name[called]
    at_once = [i for i in np.unique(names).tolist() if _KERNEL.search(strings[i])]
    yield called[among(names, at_once)]
    yield collective_ops(timeline)


def library_calls(timeline: Timeline) -> I64:
    """Events of host threads that are calls of a library of collectives."""
    capture = timeline.capture
    used = capture.names_used.tolist()
    wanted = [i for i in used if _LIBRARY.fullmatch(capture.strings[i][:_HEAD])]
    if not wanted:
        return np.empty(0, np.int64)
    rows = rows_of(capture, host_tracks(capture))
    calls: I64 = rows[among(capture.events.name[rows], wanted)]
    return calls


def collective_ops(timeline: Timeline) -> I64:
    """Events of host threads that run an op which takes part in a collective."""
    rows, op = ops_of(timeline).host
    op_rows: I64 = rows[_reduces(ops_of(timeline).ops)[op]]
    return op_rows


def _is_collective(name: str) -> bool:
    head = name[:_HEAD].partition(_OPERANDS)[0]
    return bool(_KERNEL.search(head)) and not _START.match(head)


def _reduces(ops: tuple[Op, ...]) -> NDArray[np.bool_]:
    """By op: whether a host thread that runs it takes part in a collective."""
    return np.array([bool(_OP_TYPE.fullmatch(op.type)) and not _START.match(op.type) for op in ops], bool)
