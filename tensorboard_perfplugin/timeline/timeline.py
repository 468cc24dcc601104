"""The object that tools get: one host's capture, and what is derived from it, each computed once on first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..tables import Capture, at_once
from ..tables.capture import I32, I64, U8
from ..tables.intervals import Intervals
from . import (
    _assign,
    _async_ops,
    _calls,
    _costs,
    _external,
    _flows,
    _instructions,
    _launches,
    _loops,
    _ops,
    _retime,
    _waits,
)
from ._activity import Activity, Spans, activity, busy, device_spans, self_among
from ._assign import Assignment, Shares
from ._async_ops import AsyncOps
from ._costs import OpCosts
from ._flows import Flows
from ._instructions import Instructions
from ._kept import Kept, held_bytes
from ._launches import Launches
from ._loops import Nesting
from ._ops import Ops
from ._programs import Programs
from .split import Split, split
from .steps import Steps, find

T = TypeVar("T")

#: More than there are functions that derive something.
_DERIVED = 100


class Timeline:
    """One host's capture with its derived columns. Everything is computed on first use and kept.

    Two threads may compute the same thing at once; they get equal arrays.
    """

    def __init__(self, capture: Capture, host: str) -> None:
        self.capture = capture
        self.host = host
        self._stats: dict[str, tuple[I64, U8]] = {}
        self._kind_stats: dict[int, tuple[I64, U8] | None] = {}
        self._graphs: dict[int, I64] = {}
        self._grouped: dict[str, Ops] = {}
        self._splits: Kept[Split] = Kept()
        self._assignments: Kept[Assignment] = Kept()
        self._costs: dict[str, OpCosts] = {}
        self._derived: Kept[Any] = Kept(_DERIVED)

    @property
    def nbytes(self) -> int:
        """Memory of the capture and of what has been derived from it so far, for caches that are bounded in bytes."""
        return sum(map(held_bytes, list(vars(self).values())))

    @property
    def derived_bytes(self) -> int:
        """Memory of what `derived` keeps so far."""
        return held_bytes(self._derived.values)

    def derived(self, make: Callable[[Timeline], T]) -> T:
        """What a function makes of this timeline, made once, also when several threads ask, and kept as long as it is.

        What holds memory beyond dataclasses of arrays says how much by an `nbytes` of its own.
        """
        found: T = self._derived.get(make, lambda: make(self))
        return found

    @cached_property
    def nesting(self) -> Nesting:
        """Depth, parent and self time of each event, within its track.

        parent: row of the innermost event of the track that contains this one, -1 if none. Intervals are half-open:
        touching events do not nest, an instant at an event's end is outside; of equal intervals the first row is
        outer; of several that overlap without nesting the one that began last is the innermost.
        depth: the lane to draw it in, deeper than the parent's; no two events of a track that overlap share one.
        self_ps: time in which it is the last begun of its track's running events. Where events nest, that is its
        duration less the union of its children; always, a track's self times add up to the time it covers.
        """
        events = self.capture.events
        return _loops.nest(events.track, events.start_ps, events.duration_ps)

    @property
    def depth(self) -> I32:
        return self.nesting.depth

    @property
    def parent(self) -> I32:
        return self.nesting.parent

    @property
    def self_ps(self) -> I64:
        return self.nesting.self_ps

    def enclosing(self, wanted: NDArray[np.bool_]) -> I32:
        """For each event the row of its innermost ancestor for which `wanted` is true, or -1."""
        return _loops.nearest(self.nesting.parent, wanted)

    def stat(self, key: str) -> tuple[I64, U8]:
        """Value (64 bits) and StatKind of the stat `key` of each event; kind 0 where it has none.

        Of several the first counts; where the event has none, its kind's does.
        """
        if key not in self._stats:
            self._stats[key] = self.stat_of(key, None)
        return self._stats[key]

    def stat_of(self, key: str, rows: I64 | None) -> tuple[I64, U8]:
        """As `stat`, of some events only (None: of all), and not kept."""
        events, stats, wanted = self.capture.events, self.capture.stats, self.capture.strings.find(key)
        n = len(events) if rows is None else len(rows)
        if not self.has_stat(key):
            return np.broadcast_to(np.int64(0), n), np.broadcast_to(np.uint8(0), n)
        at = slice(None) if rows is None else at_once(rows)
        begin, end = events.stats_begin[at], events.stats_end[at]
        values, kinds = _loops.first_of_key(begin, end, stats.key, stats.kind, stats.value, wanted)
        of_kinds = self._stat_of_kinds(wanted)
        if of_kinds is not None:
            kind = events.kind[at]
            inherits = np.flatnonzero((kinds == 0) & (kind >= 0))
            values[inherits], kinds[inherits] = (column[kind[inherits]] for column in of_kinds)
        return values, kinds

    def has_stat(self, key: str) -> bool:
        """Whether anything in the capture has the stat `key`."""
        wanted = self.capture.strings.find(key)
        return wanted >= 0 and bool(self._stat_keys[wanted])

    def aggregate_stat(self, key: str, rows: I64) -> tuple[tuple[I64, U8], tuple[I64, U8]]:
        """As `stat`, of some rows of `aggregates`: of each its own, and its kind's."""
        own = (np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8))
        kinds = (np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8))
        if not len(rows) or not self.has_stat(key):
            return own, kinds
        table, stats, wanted = self.capture.aggregates, self.capture.stats, self.capture.strings.find(key)
        begin, end = table.stats_begin[rows], table.stats_end[rows]
        own = _loops.first_of_key(begin, end, stats.key, stats.kind, stats.value, wanted)
        of_kinds = self._stat_of_kinds(wanted)
        if of_kinds is not None:
            kind = table.kind[rows]
            value, says = (column[kind] for column in of_kinds)
            kinds = np.where(kind >= 0, value, 0), np.where(kind >= 0, says, 0).astype(np.uint8)
        return own, kinds

    def _stat_of_kinds(self, wanted: int) -> tuple[I64, U8] | None:
        """Value and StatKind by kind, None where no kind has it; kept, since it is asked for again track by track."""
        if wanted not in self._kind_stats:
            stats, kinds = self.capture.stats, self.capture.kinds
            begin, end = kinds.stats_begin, kinds.stats_end
            found = _loops.first_of_key(begin, end, stats.key, stats.kind, stats.value, wanted)
            self._kind_stats[wanted] = found if found[1].any() else None
        return self._kind_stats[wanted]

    @cached_property
    def _stat_keys(self) -> NDArray[np.bool_]:
        """By string id: whether it is the key of any stat."""
        used = np.zeros(len(self.capture.strings), bool)
        used[self.capture.stats.key] = True
        return used

    @cached_property
    def launches(self) -> Launches:
        """Kernels and copies joined to the host events that launched them, by correlation id."""
        return _launches.join(self)

    @property
    def launch(self) -> I32:
        """Row of the host event that launched each event, -1 where there is none."""
        return self.launches.rows

    @cached_property
    def flows(self) -> Flows:
        """What caused each event across threads and devices, launches apart."""
        return _flows.find(self)

    @property
    def producer(self) -> I32:
        """Row of the event that produced the context that each event consumes, -1 where there is none."""
        return self.flows.producer

    def inherited(self, label: I32) -> I32:
        """Labels by row of `events` (-1 none), handed on to what lies inside and to what was caused; see `_flows`."""
        return _flows.inherited(self, label)

    @cached_property
    def ops(self) -> Ops:
        """Which events are executions of ops, and of which op."""
        return _ops.find(self)

    @cached_property
    def programs(self) -> Programs:
        """The XLA programs that the capture holds."""
        return Programs(self.capture)

    @cached_property
    def instructions(self) -> Instructions:
        """Which events ran which XLA instruction."""
        return _instructions.find(self)

    def op_costs(self, side: str) -> OpCosts:
        """FLOPs and bytes of each op of `ops.ops`, of all its executions on the side `host` or `device`."""
        if side not in self._costs:
            self._costs[side] = _costs.costs(self, side)
        return self._costs[side]

    @cached_property
    def has_costs(self) -> bool:
        """Whether the FLOPs or bytes of any op but a copy can be known."""
        return _costs.any_known(self)

    def device_costs(self) -> OpCosts:
        """As `op_costs`, by row of `ops.device`: those of an op add up to its cost; not kept."""
        return _costs.of_events(self, self.ops.device)

    @cached_property
    def async_ops(self) -> AsyncOps:
        """XLA's ops on CPU that ended on another thread, after their event."""
        return _async_ops.find(self)

    @cached_property
    def op_around(self) -> I32:
        """For each event the row of the innermost host op event that contains it, or -1."""
        return self.enclosing(_ops.mask(self, self.ops.host))

    @cached_property
    def device_calls(self) -> I32:
        """For each event of `ops.device` the row of the host op event that launched it, or -1."""
        return _external.calls(self)

    def is_eager(self, rows: I64) -> NDArray[np.bool_]:
        """Which of some events TensorFlow ran op by op: their nearest `EagerExecute` ancestor says `is_func` = 0.

        Without such an ancestor, or where it does not say, they ran inside a compiled function. What TensorFlow before
        2.5 wrote of the event itself counts first.
        """
        told, says = self.told_eager(rows)
        name = self.capture.strings.find("EagerExecute")
        if name < 0:
            return told
        around = self.enclosing(self.capture.events.name == name)[rows]
        value, kind = self.stat("is_func")
        inside = np.isin(kind, _ops.INTEGER)
        return np.where(says, told, (around >= 0) & inside[around] & (value[around] == 0))

    def told_eager(self, rows: I64) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which of some events, of hosts or devices, say themselves that they ran op by op, and which say anything."""
        value, kind = self.stat_of("is_eager", rows)
        says = np.isin(kind, _ops.INTEGER)
        return says & (value != 0), says

    def host_waits(self, ops: Ops | None = None) -> NDArray[np.bool_]:
        """By op: whether it only waits, for input that other threads prepare, when a host thread runs it."""
        return _waits.host_waits((ops or self.ops).ops)

    def device_waits(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """By row of `ops.device`: whether it only waited, for a copy, a collective or the host; and whether we know."""
        return _waits.device_waits(self)

    def grouped(self, by: str) -> Ops:
        """`ops`, with PyTorch's calls named `by` operator (`op`), `module`, input `shape` or Python `stack`."""
        if by not in _calls.BY:
            return self.ops
        if by not in self._grouped:
            self._grouped[by] = _calls.grouped(self, by)
        return self._grouped[by]

    def self_among(self, rows: I64) -> I64:
        """Self time of some events, rows ascending, when only these count: others between them are looked through."""
        return self_among(self.capture, rows)

    @cached_property
    def host_self_ps(self) -> I64:
        """Self time of each event of `ops.host`, in which only these count."""
        return self.self_among(self.ops.host.rows)

    @cached_property
    def device_spans(self) -> Spans:
        """Duration and self time of each event of `ops.device`; a device's self times add up to its busy time.

        On a TPU's op lines ops nest: the time belongs to the innermost. On a GPU several streams run at once: each
        instant is divided equally among the kernels and copies that run at it.
        """
        return device_spans(self)

    @cached_property
    def devices(self) -> tuple[Activity, ...]:
        """What each device did, in file order; a device that ran nothing is listed too."""
        return tuple(activity(self, plane) for plane in _ops.devices(self.capture))

    def graphs_of_nodes(self, plane: int) -> I64:
        """The events of a device that stand for whole launches of CUDA graphs whose nodes were traced, too."""
        if plane not in self._graphs:
            self._graphs[plane] = _ops.graphs_of_nodes(self, plane)
        return self._graphs[plane]

    @cached_property
    def workers(self) -> tuple[Activity, ...]:
        """The devices that ran something and count as one each. A SparseCore is part of a chip whose TensorCore ran."""
        ran = [device for device in self.devices if device.events]
        names = [self.capture.strings[int(self.capture.planes.name[device.plane])] for device in ran]
        chips = set(names)
        parts = [" SparseCore " in name and name.partition(" SparseCore ")[0] in chips for name in names]
        return tuple(device for device, part in zip(ran, parts, strict=True) if not part)

    @cached_property
    def host_busy(self) -> Intervals:
        """When at least one op ran on a host thread."""
        return busy(self.capture, self.ops.host.rows)

    @cached_property
    def threads(self) -> I64:
        """The tracks that are host threads and hold events."""
        tracks = _ops.host_tracks(self.capture)
        return tracks[self.capture.tracks.events_end[tracks] > self.capture.tracks.events_begin[tracks]]

    def steps(self, choice: str = "auto") -> Steps:
        """When each step began and ended; `steps.find` says what may be chosen. Raises ArgumentError."""
        return self.assignment(choice).steps

    def assignment(self, choice: str = "auto") -> Assignment:
        """The steps, and the step of each event and how that is known. Raises ArgumentError. A few choices are kept."""
        return self._assignments.get(choice, lambda: _retime.assigned(self, find(self, choice)))

    def assigned_shares(self, choice: str = "auto") -> Shares:
        """Self time of the ops of devices and of the host by how their step is known. Raises ArgumentError."""
        return _assign.shares(self, self.assignment(choice))

    def split(self, choice: str = "auto") -> Split:
        """The steps and how the wall time of each divides, per device. Raises ArgumentError. A few choices are kept."""
        return self._splits.get(choice, lambda: split(self, self.assignment(choice).steps))
