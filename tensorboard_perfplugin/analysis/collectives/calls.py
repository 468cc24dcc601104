"""A timeline → its calls of collectives: what each is, of which process group, how much it carries and when it runs.

What PyTorch's profiler records of a call stands on the kernel, or on the operator that launched it; of an older one
only the tensors' shapes, on NCCL's annotation. XLA's instructions have it in their text.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import EMPTY, I64, Intervals, PlaneKind, StatKind, among, intervals
from ...timeline import (
    CATEGORIES,
    INDEX,
    Timeline,
    collective_ops,
    coverage,
    device_names,
    device_rows,
    device_rows_named,
    distinct_rows,
    enclosing_of,
    exposed,
    launches_of,
    library_calls,
    split_of,
    units_at_work_of,
)
from ...timeline.split import category_of_instruction, category_of_kernel, device_runs, slice_transfers_of
from .names import (
    Group,
    element_bytes,
    first_type,
    input_bytes,
    instruction_bytes,
    instruction_group,
    is_float32,
    kind_of,
)
from .parties import leads, parties
from .programs import of_programs
from .slices import slice_calls

#: Calls that are kept of a host, the first ones: 12 MB. Of a Horovod timeline so many negotiations, too.
MAX_CALLS = 1 << 18
_COMPUTE = tuple(c.key for c in CATEGORIES if c.group == "compute")
_COLLECTIVE = INDEX["collective"]
_NAME = "Collective name"
_INTEGER = (StatKind.INT, StatKind.UINT)
#: Annotations of PyTorch's libraries: `nccl:all_reduce`.
_ANNOTATIONS = ("nccl:", "rccl:", "gloo:", "mpi:", "ucc:", "xccl:", "hccl:")


class What(NamedTuple):
    """What calls of one row of the table have in common."""

    kind: str
    group: Group


@dataclasses.dataclass(frozen=True, eq=False)
class Calls:
    """One host's calls, by unit of the split, then begin. what: place in `whats`. bytes: -1 where it is not known.
    float32: whether they carry 32-bit floats, as far as that is known.

    lead_ps: how long before its event a call took part. party: number of the replica group that its device is in, -1
    where that is unknown.
    overlapped_ps: part of a call in which its device computes; between_ps: how long it does so between the call before
    and this one, -1 for the first. exposed: by unit when a collective runs and nothing
    computes. left_out: calls beyond MAX_CALLS.
    """

    whats: tuple[What, ...] = ()
    what: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    unit: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    row: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    begin_ps: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    duration_ps: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    bytes: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    float32: NDArray[np.bool_] = dataclasses.field(default_factory=lambda: np.empty(0, np.bool_))
    lead_ps: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    party: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    overlapped_ps: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    between_ps: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    exposed: tuple[Intervals, ...] = ()
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.what)


def calls(timeline: Timeline) -> Calls:
    """Of all devices that ran something; where a host has one whose kernels are none, or none, those of its threads."""
    planes = [device.plane for device in units_at_work_of(timeline)]
    parts = [(i, _device_calls(timeline, plane)) for i, plane in enumerate(planes)]
    if len(planes) < 2 and not any(len(rows) for _, rows in parts):
        parts = [(0, _host_calls(timeline))]
    rows = np.concatenate([rows for _, rows in parts] or [np.empty(0, np.int64)])
    unit = np.repeat([i for i, _ in parts], [len(rows) for _, rows in parts]).astype(np.int64)
    left_out, rows, unit = max(len(rows) - MAX_CALLS, 0), rows[:MAX_CALLS], unit[:MAX_CALLS]
    if not len(rows):
        return Calls()
    events = timeline.capture.events
    begin, duration = events.start_ps[rows], events.duration_ps[rows]
    overlapped, between = np.zeros(len(rows), np.int64), np.full(len(rows), -1)
    exposed = [EMPTY] * max(len(planes), 1)
    for i in np.unique(unit).tolist():
        here = unit == i
        computes = device_runs(timeline, planes[i], _COMPUTE) if planes else _ops(timeline)
        overlapped[here] = coverage(computes, begin[here], begin[here] + duration[here])
        between[here] = _between(computes, begin[here], begin[here] + duration[here])
        exposed[i] = intervals.subtraction(intervals.union(begin[here], begin[here] + duration[here]), computes)
    whats, what, size, float32 = _described(timeline, rows)
    party = parties(timeline, [one.group for one in whats], what, unit, rows)
    lead = leads(timeline, rows)
    times = begin, duration, size, float32, lead, party, overlapped, between
    return Calls(whats, what, unit, rows, *times, tuple(exposed), left_out)


def _between(computes: Intervals, begin: I64, end: I64) -> I64:
    """How much of a set lies between each call, by begin, and the end of those before; -1 for the first."""
    found = np.full(len(begin), -1, np.int64)
    before = np.maximum.accumulate(end)[:-1]
    found[1:] = coverage(computes, before, np.maximum(begin[1:], before))
    return found


def _ops(timeline: Timeline) -> Intervals:
    """When ops run in the steps of a host without devices."""
    found = exposed(timeline, split_of(timeline).steps, (INDEX["op_compute"],))
    return found[0].when if found else EMPTY


def _device_calls(timeline: Timeline, plane: int) -> I64:
    """The device's events that are collectives; what only starts one is left out: its end is the call."""
    capture = timeline.capture
    rows = device_rows(timeline, plane)
    if capture.planes.kind[plane] == PlaneKind.TPU:
        return _tpu_calls(timeline, rows)
    names = device_names(timeline, plane)
    called = [i for i in names if category_of_kernel(capture.strings[i]) == _COLLECTIVE]
    return _in_time(timeline, device_rows_named(timeline, plane, called))


def _tpu_calls(timeline: Timeline, rows: I64) -> I64:
    capture = timeline.capture
    kinds = capture.events.kind[rows]
    flags = np.zeros(len(capture.kinds) + 1, bool)
    between_slices = slice_transfers_of(timeline)
    flags[list(slice_calls(timeline))] = True
    for kind in np.unique(kinds).tolist():
        if kind >= 0 and kind not in between_slices:
            begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
            category = dict(reversed(capture.values(begin, end))).get("hlo_category")
            name = capture.strings[int(capture.kinds.name[kind])]
            is_start = "-start" in name.partition(" = ")[0]
            hlo_category = category if isinstance(category, str) else ""
            flags[kind] = not is_start and category_of_instruction(name, hlo_category) == "collective"
    return _in_time(timeline, rows[flags[kinds]])


def _in_time(timeline: Timeline, rows: I64) -> I64:
    """Events are by track; calls by begin."""
    found: I64 = rows[np.argsort(timeline.capture.events.start_ps[rows], kind="stable")]
    return found


def _host_calls(timeline: Timeline) -> I64:
    """Collectives that threads run: libraries' own events where there are any, else ops. PyTorch's operators only ask
    for one: `record_param_comms` ends when it is queued.
    """
    called = library_calls(timeline)
    is_torch = timeline.capture.capabilities.has_operators
    return _in_time(timeline, called if len(called) or is_torch else collective_ops(timeline))


def _described(timeline: Timeline, rows: I64) -> tuple[tuple[What, ...], I64, I64, NDArray[np.bool_]]:
    """What each of some events is, its place among these, its bytes, and whether these are 32-bit floats."""
    capture = timeline.capture
    noted = _Noted(timeline, rows)
    columns = [
        capture.events.name[rows].astype(np.int64),
        *(noted.text(key) for key in (_NAME, "dtype", "Process Group Name", "Process Group Description")),
        noted.text("Process Group Ranks"),
        *(noted.whole(key) for key in ("Group size", "In msg nelems", "Out msg nelems")),
        *noted.annotation(),
    ]
    run, of_program = of_programs(timeline, rows)
    columns += [capture.events.kind[rows].astype(np.int64), run]
    of_slices = slice_calls(timeline)
    only = _only_group(timeline)
    first, which = distinct_rows(columns)
    whats: dict[What, int] = {}
    place, size = np.empty(len(first), np.int64), np.empty(len(first), np.int64)
    float32 = np.empty(len(first), np.bool_)
    for i, one in enumerate(np.stack(columns)[:, first].T.tolist()):
        what, size[i], float32[i] = _what(timeline, one)
        known = of_program.get(one[-1])
        if known is not None:
            kind = known.kind if kind_of(known.kind) == known.kind else what.kind
            what, size[i], float32[i] = What(kind, known.group), known.bytes, known.float32
        if one[-2] in of_slices:
            between = of_slices[one[-2]]
            what, size[i], float32[i] = What(between.kind, between.group), between.bytes, between.float32
        what = what if what.group != Group() else What(what.kind, only)
        place[i] = whats.setdefault(what, len(whats))
    return tuple(whats), place[which], size[which], float32[which]


def _only_group(timeline: Timeline) -> Group:
    """The process group of a program that has one, where its capture holds it; else none."""
    capture = timeline.capture
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.CPU).tolist():
        values = dict(capture.values(int(capture.planes.stats_begin[plane]), int(capture.planes.stats_end[plane])))
        name, ranks, size = (values.get(f"process_group{end}") for end in ("", "_ranks", "_size"))
        if isinstance(name, str) and isinstance(size, int):
            return Group(name, ranks if isinstance(ranks, str) else "", size)
    return Group()


def _what(timeline: Timeline, one: list[int]) -> tuple[What, int, bool]:
    """Of one distinct row of what is recorded: what it is, its bytes, and whether these are 32-bit floats."""
    strings = timeline.capture.strings
    name, called, dtype, group, describes, ranks, annotated, dims, types = (
        strings[one[i]] if one[i] >= 0 else "" for i in (0, 1, 2, 3, 4, 5, 9, 10, 11)
    )
    size, taken, given = one[6:9]
    kind = next((found for text in (called, annotated, name) if (found := kind_of(text)) != "other"), "other")
    carried, float32 = max(taken, given) * element_bytes(dtype), is_float32(dtype)
    if carried <= 0:
        carried = input_bytes(dims, types) if dims else instruction_bytes(name)
        float32 = is_float32(first_type(types if dims else name))
    if group or ranks or size > 0:
        label = f"{group} {describes}".strip() if describes and describes != group else group
        return What(kind, Group(label, ranks, max(size, 0))), carried, float32
    return What(kind, instruction_group(name)), carried, float32


class _Noted:
    """What is recorded of some calls: on themselves, else on the operator or annotation around what launched them."""

    def __init__(self, timeline: Timeline, rows: I64) -> None:
        self.timeline, self.rows = timeline, rows
        launch = launches_of(timeline).rows[rows].astype(np.int64)
        self.at = np.where(launch >= 0, launch, rows)
        has = timeline.stat(_NAME)[1] == StatKind.TEXT if timeline.has_stat(_NAME) else None
        self.around = self._around(has)

    def _around(self, wanted: NDArray[np.bool_] | None) -> I64:
        """Row of the innermost such event around each launch, -1 for none."""
        if wanted is None or not wanted.any():
            return np.full(len(self.rows), -1, np.int64)
        return np.where(wanted[self.at], self.at, enclosing_of(self.timeline, wanted, self.at)).astype(np.int64)

    def text(self, key: str) -> I64:
        """String id, -1 where there is none."""
        return self._of(key, (StatKind.TEXT,))

    def whole(self, key: str) -> I64:
        return self._of(key, _INTEGER)

    def _of(self, key: str, kinds: tuple[StatKind, ...]) -> I64:
        found = np.full(len(self.rows), -1, np.int64)
        if not self.timeline.has_stat(key):
            return found
        for rows in (self.around, self.rows):
            here = np.flatnonzero(rows >= 0)
            value, kind = self.timeline.stat_of(key, rows[here])
            present = among(kind, kinds)
            found[here[present]] = value[present]
        return found

    def annotation(self) -> tuple[I64, I64, I64]:
        """String ids of the library's annotation around each launch, and of its inputs' shapes and types."""
        capture = self.timeline.capture
        flags = np.zeros(len(capture.strings), bool)
        flags[[i for i in capture.names_used.tolist() if capture.strings[i].startswith(_ANNOTATIONS)]] = True
        around = self._around(flags[capture.events.name])
        here = np.flatnonzero(around >= 0)
        found = [np.full(len(around), -1, np.int64) for _ in range(3)]
        found[0][here] = capture.events.name[around[here]]
        for column, key in zip(found[1:], ("Input Dims", "Input type"), strict=True):
            value, kind = self.timeline.stat_of(key, around[here])
            present = kind == StatKind.TEXT
            column[here[present]] = value[present]
        return found[0], found[1], found[2]
