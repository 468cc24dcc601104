"""Memory events of one system → which deallocation freed which allocation, and what was in use after each event."""

from __future__ import annotations

import dataclasses
from functools import cached_property

import numpy as np

from ...tables import I64
from .events import UNKNOWN, Bools, Events, SystemName

#: Passes that put events of one instant into the order in which their levels follow from each other.
_PASSES = 8


@dataclasses.dataclass(frozen=True, eq=False)
class Series:
    """One memory system over time. Arrays by event, in time order.

    size: of deallocations too; 0 where it is not recorded. heap, stack: in use after the event, in bytes.
    end: of an allocation the event that ends it, its deallocation or another allocation at its address; n if none does.
    freed_by: of an allocation its deallocation, -1 none; freed: of a deallocation its allocation, -1 none.
    before: whether a deallocation frees what was allocated before the capture.
    reports_use: whether the allocator reported what was in use, or it is the sum of the events.
    doubtful: how many events contradict others, by how they do: `other_size` than its allocation, `address_in_use`,
    `free_already`.
    """

    system: SystemName
    events: Events
    size: I64
    heap: I64
    stack: I64
    end: I64
    freed_by: I64
    freed: I64
    before: Bools
    reports_use: bool
    doubtful: dict[str, int]

    def __len__(self) -> int:
        return len(self.events)

    @cached_property
    def total(self) -> I64:
        """Stack + heap after each event."""
        return self.heap + self.stack

    @cached_property
    def peak(self) -> int:
        """The event after which most is in use; of equal ones the last, before which the capture contains most."""
        return len(self) - 1 - int(np.argmax(self.total[::-1]))

    @cached_property
    def signed(self) -> I64:
        """What each event adds to the heap by its own size."""
        return np.where(self.events.is_allocation, self.size, -self.size)

    @property
    def heap_at_begin(self) -> int:
        """In use before the first event."""
        return max(int(self.heap[0] - self.signed[0]), 0)

    def live_at(self, event: int) -> I64:
        """The allocations of the capture that are live after an event."""
        upto = slice(0, event + 1)
        return np.flatnonzero(self.events.is_allocation[upto] & (self.end[upto] > event))

    def before_at(self, event: int) -> int:
        """Bytes allocated before the capture that are live after an event, never below 0."""
        upto = slice(0, event + 1)
        return max(self.heap_at_begin - int(self.size[upto][self.before[upto]].sum()), 0)

    def before_freed_after(self, event: int) -> int:
        """Bytes allocated before the capture that are freed after an event, within it."""
        later = slice(event + 1, None)
        return int(self.size[later][self.before[later]].sum())


def series(system: SystemName, events: Events) -> Series:
    """Match and fill in. `events`: of one system, by time, at least one."""
    events = _in_order(events)
    end, freed_by, freed, before, doubtful = _matched(events)
    size = events.size
    unknown = np.flatnonzero(size == UNKNOWN)
    if len(unknown):
        size = size.copy()
        size[unknown] = _inferred(events, freed, unknown)
    pairs = np.flatnonzero(freed_by >= 0)
    allocated = events.size[freed_by[pairs]]
    doubtful["other_size"] = int(((allocated >= 0) & (allocated != size[pairs])).sum())
    signed = np.where(events.is_allocation, size, -size)
    heap, reported = _filled(events.heap, signed)
    stack = np.where(events.stack >= 0, events.stack, 0)
    counted = {what: count for what, count in doubtful.items() if count}
    return Series(system, events, size, heap, stack, end, freed_by, freed, before, reported, counted)


def _in_order(events: Events) -> Events:
    """Events of one instant in the order in which what is in use follows from one to the next, where it does."""
    time = events.time_ps
    tied = np.flatnonzero(time[1:] == time[:-1])
    if not len(tied):
        return events
    size = np.where(events.size >= 0, events.size, 0)
    prior = events.heap - np.where(events.is_allocation, size, -size)
    order = np.arange(len(events))
    for turn in range(_PASSES):
        left = tied[tied % 2 == turn % 2]
        a, b = order[left], order[left + 1]
        known = (events.heap[a] >= 0) & (events.heap[b] >= 0)
        swap = known & (events.heap[b] == prior[a]) & (events.heap[a] != prior[b])
        order[left[swap]], order[left[swap] + 1] = b[swap], a[swap]
    return events.take(order)


def _matched(events: Events) -> tuple[I64, I64, I64, Bools, dict[str, int]]:
    """`end`, `freed_by`, `freed`, `before` of Series, and what is contradictory. By address, over the whole capture."""
    n = len(events)
    where = _places(events)
    order = np.argsort(where, kind="stable")
    here, allocates = where[order], events.is_allocation[order]
    same = here[1:] == here[:-1]
    end = np.full(n, n, np.int64)
    freed_by, freed = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    ended = np.flatnonzero(same & allocates[:-1])
    end[order[ended]] = order[ended + 1]
    pair = np.flatnonzero(same & allocates[:-1] & ~allocates[1:])
    freed_by[order[pair]], freed[order[pair + 1]] = order[pair + 1], order[pair]
    first = np.concatenate(([True], ~same))[:n]
    before = np.zeros(n, bool)
    before[order[first & ~allocates]] = True
    doubtful = {
        "address_in_use": int((same & allocates[:-1] & allocates[1:]).sum()),
        "free_already": int((same & ~allocates[:-1] & ~allocates[1:]).sum()),
    }
    return end, freed_by, freed, before, doubtful


def _places(events: Events) -> I64:
    """What tells allocations apart: the address, else the size and how many of that size came before."""
    if events.has_address.all():
        return events.address
    lost = np.flatnonzero(~events.has_address)
    _, place = np.unique(events.address, return_inverse=True)
    kind = events.size[lost] * 2 + events.is_allocation[lost]
    order = np.argsort(kind, kind="stable")
    first = np.concatenate(([True], kind[order][1:] != kind[order][:-1]))
    begin = np.maximum.accumulate(np.where(first, np.arange(len(lost)), 0))
    nth = np.empty(len(lost), np.int64)
    nth[order] = np.arange(len(lost)) - begin
    _, size = np.unique(events.size[lost], return_inverse=True)
    place = place.astype(np.int64)
    place[lost] = len(events) + size * (len(lost) + 1) + nth
    return place


def _inferred(events: Events, freed: I64, rows: I64) -> I64:
    """Sizes of events that do not give theirs: that of the allocation freed, else what the heap changed by, else 0."""
    of_allocation = np.where(freed[rows] >= 0, events.size[np.maximum(freed[rows], 0)], UNKNOWN)
    prior = events.heap[np.maximum(rows - 1, 0)]
    change = np.where((rows > 0) & (prior >= 0) & (events.heap[rows] >= 0), events.heap[rows] - prior, 0)
    change = np.where(events.is_allocation[rows], change, -change)
    return np.where(of_allocation >= 0, of_allocation, np.maximum(change, 0))


def _filled(heap: I64, signed: I64) -> tuple[I64, bool]:
    """What is in use after each event, where it is not reported from the sizes of the events since it was; and whether
    any was.
    """
    reported = heap >= 0
    if reported.all():
        return heap, True
    moved = np.cumsum(signed)
    if not reported.any():
        return moved - min(int(moved.min()), 0), False
    last = np.maximum.accumulate(np.where(reported, np.arange(len(heap)), -1))
    last = np.where(last < 0, int(np.argmax(reported)), last)
    return np.maximum(heap[last] + moved - moved[last], 0), True
