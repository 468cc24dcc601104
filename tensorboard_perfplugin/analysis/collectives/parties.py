"""Calls of XLA's collectives → which of an instruction's replica groups each is of, and since when it took part.

Replica groups name devices by their place in the program. Where the capture holds the program, its
DeviceAssignmentProto gives their ids, else these places are taken for ids. A TPU core gives its id
(CoreDetails.global_core_id), whatever its host; of other devices only their place on their host is known, which is
their id where the program runs on that host alone. Not read are programs of several replicas that are also
partitioned: what their groups name differs by instruction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...tables import I64, PlaneKind
from ...timeline import Program, Timeline, flows_of, instructions_of, programs_of, units_at_work_of
from ..devices import fields
from .async_names import begun_by, named
from .names import Group
from .slices import slice_calls

#: CoreDetails.global_core_id; HloModuleProto.device_assignment; DeviceAssignmentProto: replicas, partitions, of each
#: partition a list of ids.
_GLOBAL_CORE, _ASSIGNMENT, _REPLICAS, _PARTITIONS, _COMPUTATIONS, _IDS = 6, 15, 1, 2, 3, 1
#: Devices of one program.
_MOST = 1 << 16
_COUNTED = re.compile(r"\[(\d{1,6}),(\d{1,6})\]<=\[([0-9,]{1,60})\](?:T\(([0-9,]{1,60})\))?")
_LISTED = re.compile(r"\{([0-9, ]*)\}")
_MODULE = re.compile(r"(.*)\((\d{1,20})\)", re.DOTALL)


def members(ranks: str) -> tuple[tuple[int, ...], ...]:
    """`{{0,1},{2,3}}`, or `[2,2]<=[4]`, XLA's count that is reshaped and turned; empty for anything else."""
    if ranks.startswith("{{"):
        return tuple(tuple(map(int, re.findall("[0-9]+", one))) for one in _LISTED.findall(ranks[1:-1]))
    found = _COUNTED.fullmatch(ranks)
    if found is None:
        return ()
    dimensions = [int(d) for d in found[3].split(",") if d]
    order = [int(d) for d in (found[4] or "").split(",") if d] or list(range(len(dimensions)))
    shape, total = (int(found[1]), int(found[2])), int(np.prod(dimensions, dtype=np.float64))
    if not 0 < total <= _MOST or shape[0] * shape[1] != total or sorted(order) != list(range(len(dimensions))):
        return ()
    ids = np.arange(total).reshape(dimensions).transpose(order).reshape(shape)
    return tuple(map(tuple, ids.tolist()))


def parties(timeline: Timeline, groups: Sequence[Group], what: I64, unit: I64, rows: I64) -> I64:
    """Number of the replica group that each call's device is in, -1 where that cannot be determined.

    groups: by `what`. unit: of each call, its place among the devices that ran something.
    """
    found = np.full(len(rows), -1, np.int64)
    listed = [members(group.ranks) for group in groups]
    if not any(len(one) > 1 for one in listed):
        return found
    ids, is_global = _ids(timeline)
    module, programs = _modules(timeline, rows)
    pairs, which = np.unique(np.stack((what, module)), axis=1, return_inverse=True)
    for (place, number), mine in zip(pairs.T.tolist(), alike(which.reshape(-1)), strict=True):
        assigned = _assigned(programs.get(number))
        of = {
            assigned[i] if assigned else i: n
            for n, one in enumerate(listed[place])
            for i in one
            if not assigned or i < len(assigned)
        }
        own = ids[unit[mine]].tolist()
        if set(own) <= of.keys() and (is_global or set(ids.tolist()) == of.keys()):
            found[mine] = [of[i] for i in own]
    return found


def alike(values: I64) -> list[I64]:
    """The places of each value, ascending in both."""
    order = np.argsort(values, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(values[order])) + 1) if len(values) else []


def _modules(timeline: Timeline, rows: I64) -> tuple[I64, dict[int, Program]]:
    """For each event the number of its program, -1 for none, and the programs that the capture holds."""
    instruction, module = instructions_of(timeline).of(rows), flows_of(timeline).module[rows].astype(np.int64)
    names = np.where(module >= 0, timeline.capture.events.name[np.maximum(module, 0)], -1)
    pairs, which = np.unique(np.stack((instruction, names)), axis=1, return_inverse=True)
    keys: dict[tuple[str, int | None], int] = {}
    number = np.full(pairs.shape[1], -1, np.int64)
    for i, (one, name) in enumerate(pairs.T.tolist()):
        match = _MODULE.fullmatch(timeline.capture.strings[name]) if name >= 0 else None
        if one >= 0:
            ran = instructions_of(timeline).named[one]
            number[i] = keys.setdefault((ran.module, ran.program), len(keys))
        elif match:
            number[i] = keys.setdefault((match[1], int(match[2])), len(keys))
    found = {i: program for key, i in keys.items() if (program := programs_of(timeline).program(*key))}
    return number[which.reshape(-1)], found


def _ids(timeline: Timeline) -> tuple[I64, bool]:
    """Of each device that ran something, and whether these distinguish it from other hosts' devices."""
    capture = timeline.capture
    planes = [device.plane for device in units_at_work_of(timeline)]
    if not planes:
        return np.zeros(1, np.int64), False
    details = [capture.plane_values(plane).get("core_details") for plane in planes]
    cores = [dict(fields(one)).get(_GLOBAL_CORE, 0) for one in details if isinstance(one, bytes)]
    numbers = [core for core in cores if isinstance(core, int) and core < _MOST]
    if len(set(numbers)) == len(planes):
        return np.array(numbers, np.int64), True
    return capture.planes.ordinal[planes].astype(np.int64), False


def _assigned(program: Program | None) -> tuple[int, ...]:
    """Ids of a program's devices; empty where it is not recorded."""
    span = program.in_module(_ASSIGNMENT) if program else None
    if program is None or span is None:
        return ()
    counts = program.small(*span)
    if min(counts.get(_REPLICAS, 0), counts.get(_PARTITIONS, 0)) > 1:
        return ()
    ids = [i for one in program.spans(*span, _COMPUTATIONS) for i in program.lists(*one).get(_IDS, [])]
    return tuple(ids[:_MOST])


def leads(timeline: Timeline, rows: I64) -> I64:
    """How long before its event each call took part, ps: an asynchronous one of a TPU since its start, one between
    slices since it sent.
    """
    capture = timeline.capture
    sent = {one.text: one.begun for one in slice_calls(timeline).values()}
    found = np.zeros(len(rows), np.int64)
    planes = capture.tracks.plane[capture.events.track[rows]]
    at = np.flatnonzero(capture.planes.kind[planes] == PlaneKind.TPU)
    names, which = np.unique(capture.events.name[rows[at]], return_inverse=True)
    begun = [sent.get(text) or begun_by(text) for text in capture.strings.of(names)]
    codes = {name: code for code, name in enumerate(filter(None, dict.fromkeys(begun)))}
    if codes:
        ends = np.array([codes.get(name, -1) for name in begun], np.int64)[which.reshape(-1)]
        some = at[ends >= 0]
        found[some] = _since(timeline, rows[some], ends[ends >= 0], codes)
    return found


def _since(timeline: Timeline, rows: I64, code: I64, codes: dict[str, int]) -> I64:
    """Of each end, how long after the last of its starts on its track it begins, ps; 0 for none. code: of its start's
    name in `codes`.
    """
    capture = timeline.capture
    events = capture.events
    of = np.full(len(capture.strings), -1, np.int64)
    for i in capture.names_used.tolist():
        of[i] = codes.get(named(capture.strings[i]), -1)
    starts = np.flatnonzero(of[events.name] >= 0)
    starts = starts[np.argsort(of[events.name[starts]], kind="stable")]
    if not len(starts):
        return np.zeros(len(rows), np.int64)
    keys = of[events.name[starts]] * len(events) + starts
    before = starts[np.maximum(np.searchsorted(keys, code * len(events) + rows) - 1, 0)]
    is_own = (before < rows) & (of[events.name[before]] == code) & (events.track[before] == events.track[rows])
    return np.where(is_own, events.start_ps[rows] - events.start_ps[before], 0)
