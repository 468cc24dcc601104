"""Ops → which of them only wait while they run, identified by what kind of op they are."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...tables import Capture, PlaneKind, at_once
from ..names.driver import SYNCHRONIZES
from ..names.op_names import Op
from ..timeline import Timeline
from .model import Ops
from .ops import ops_of

#: These hand over what other threads, or another machine, prepare.
_ITERATOR = re.compile(
    r"Dataset::(?:Prefetch|MapAndBatch|ParallelMap|ParallelInterleave|LegacyParallelInterleave|ParallelBatch|"
    r"ParallelFilter|ParseExample|DataService)(?:V\d+)?"
)
#: A user's generator lies below a `FlatMap`; TensorFlow's own fetches for a device from a host's pipeline.
_GENERATES = re.compile(r"FlatMap(?:V\d+)?(?:\[\d+\])?::Generator$")
_TAIL = 100
#: The ops that call them, which wait themselves where the capture does not show iterators.
_CALLER = re.compile(r"IteratorGetNext(?:Sync|AsOptional)?|MultiDeviceIteratorGetNextFromShard")
#: TensorFlow 1's input pipelines: these last until other threads have put something in.
_QUEUE = re.compile(r"\w*QueueDequeue\w*|(?:Ordered)?(?:Map)?Unstage(?:NoKey)?|BarrierTakeMany")
#: XLA starts a copy or a collective in one instruction and waits for its end in another.
_DONE = re.compile(r"%?[a-z][a-z0-9-]*-done(?:\.\d+)*(?: = .*)?", re.DOTALL)
#: On a TPU a fusion may be what waits; XLA calls its kind `custom fusion`.
_COLLECTIVE_DONE = re.compile(r"%?async-collective-done\b(?!-)")
#: PyTorch's loader, where workers prepare the batches.
_LOADER = re.compile(r"enumerate\(DataLoader\)#_MultiProcessingDataLoaderIter\..*")
#: Calls of the driver that last until the device is done.
_SYNCHRONIZES = re.compile(SYNCHRONIZES)
_TO_AND_FROM_HOST = ("infeed", "outfeed")


def host_waits(ops: tuple[Op, ...]) -> NDArray[np.bool_]:
    """By op: whether it waits when a host thread runs it."""
    waiting = _ITERATOR if any(op.type.startswith("Dataset::") for op in ops) else _CALLER
    return np.array(
        [
            _any(op.type, waiting, _QUEUE) or _fetches(op) or bool(_LOADER.match(op.name)) or waits_for_device(op)
            for op in ops
        ],
        bool,
    )


def host_waits_of(timeline: Timeline, ops: Ops | None = None) -> NDArray[np.bool_]:
    """By op: whether it only waits, for input that other threads prepare, when a host thread runs it."""
    return host_waits((ops or ops_of(timeline)).ops)


def waits_for_device(op: Op) -> bool:
    """Whether a host thread that runs it waits until a device has done what was launched."""
    return bool(_SYNCHRONIZES.fullmatch(op.name))


def _any(text: str, *patterns: re.Pattern[str]) -> bool:
    return any(pattern.fullmatch(text) for pattern in patterns)


def _fetches(op: Op) -> bool:
    return (
        op.type == "Dataset::Generator" and op.name.endswith("::Generator") and not _GENERATES.search(op.name[-_TAIL:])
    )


def device_waits_of(timeline: Timeline) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """By row of `ops.device`: whether the core only waited, and whether that is known; it is not of a GPU's kernels."""
    capture = timeline.capture
    rows = at_once(ops_of(timeline).device.rows)
    is_tpu = capture.planes.kind == PlaneKind.TPU
    tracks = capture.events.track[rows]
    on_tpu = is_tpu[capture.tracks.plane][tracks] if is_tpu.any() else np.zeros(len(tracks), bool)
    if not on_tpu.any():
        return on_tpu, on_tpu
    kinds = np.where(on_tpu, capture.events.kind[rows], -1)
    waits = np.zeros(len(capture.kinds) + 1, bool)
    for kind in np.unique(kinds).tolist():
        waits[kind] = kind_waits(capture, kind)
    return waits[kinds] & on_tpu, on_tpu


def kind_waits(capture: Capture, kind: int) -> bool:
    """Whether a TPU's events of this kind wait."""
    if kind < 0:
        return False
    facts = dict(reversed(capture.values(int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind]))))
    category = facts.get("hlo_category")
    name = capture.strings[int(capture.kinds.label[kind])] or capture.strings[int(capture.kinds.name[kind])]
    if isinstance(category, str) and category:
        return category.endswith("-done") or category in _TO_AND_FROM_HOST or bool(_COLLECTIVE_DONE.match(name))
    return bool(_DONE.fullmatch(name))
