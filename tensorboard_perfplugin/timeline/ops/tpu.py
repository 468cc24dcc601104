"""What ran on a TPU → the ops of it, by the kinds of events."""

from __future__ import annotations

import numpy as np

from ...tables import I32, Capture, PlaneKind, among
from ..names.op_names import Op, device_op
from ..tracks.tracks import device_planes, device_tracks, sparse_cores
from .model import OpEvents, Pool

_64_BITS = (1 << 64) - 1
Facts = dict[str, int | float | str | bytes | None]


def aggregate_ops(capture: Capture, pool: Pool) -> OpEvents:
    """Only TPU collectors aggregate."""
    tpus = [plane for plane in device_planes(capture) if capture.planes.kind[plane] == PlaneKind.TPU]
    tracks = [track for plane in tpus for track in device_tracks(capture, plane).tolist()]
    rows = np.flatnonzero(among(capture.aggregates.track, tracks))
    return OpEvents(rows, tpu_ops(capture, pool, capture.aggregates.kind[rows]))


def tpu_ops(capture: Capture, pool: Pool, kinds: I32) -> I32:
    """On a TPU everything is said by the kind of the event."""
    modules, sparse = _modules(capture), sparse_cores(capture)
    table = np.full(len(capture.kinds) + 1, -1, np.int32)
    for kind in np.unique(kinds).tolist():
        table[kind] = pool.add(on_core(_tpu_op(capture, kind, modules), capture, kind, sparse))
    return table[kinds]


def on_core(op: Op, capture: Capture, kind: int, sparse: dict[int, int]) -> Op:
    """With `SparseCore` before the type of an op that one ran beside its chip's TensorCore."""
    on_sparse = kind >= 0 and int(capture.kinds.plane[kind]) in sparse
    return op._replace(type=f"SparseCore {op.type}") if on_sparse else op


def _tpu_op(capture: Capture, kind: int, modules: dict[int, str]) -> Op:
    if kind < 0:
        return Op("", "Unknown")
    facts = _facts(capture, kind)
    program = facts.get("program_id")
    module = modules.get(program & _64_BITS, "") if isinstance(program, int) else ""
    name = capture.strings[int(capture.kinds.label[kind])] or capture.strings[int(capture.kinds.name[kind])]
    annotation, category = facts.get("tf_op"), facts.get("hlo_category")
    if isinstance(annotation, str) and annotation:
        return device_op(annotation)._replace(module=module)
    return Op(name, category if isinstance(category, str) and category else "Unknown", module)


def kind_facts(capture: Capture, kind: int) -> tuple[str, Facts]:
    """Name of the instruction that events of a kind ran, and what is recorded of it."""
    if kind < 0:
        return "", {}
    name = capture.strings[int(capture.kinds.name[kind])].partition(" = ")[0].lstrip("%")
    return name, _facts(capture, kind)


def _facts(capture: Capture, kind: int) -> Facts:
    begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
    return dict(reversed(capture.values(begin, end)))


def _modules(capture: Capture) -> dict[int, str]:
    """Program id → name of the XLA module, from the plane that lists them as `name(program id)`."""
    modules: dict[int, str] = {}
    for plane in np.flatnonzero(capture.planes.name == capture.strings.find("/host:metadata")).tolist():
        for name in capture.strings.of(capture.kinds.name[capture.kinds.plane == plane]):
            module, _, number = name.rpartition("(")
            if number[-1:] == ")" and number[:-1].isdecimal() and len(number) < 25:
                modules[int(number[:-1]) & _64_BITS] = module
    return modules
