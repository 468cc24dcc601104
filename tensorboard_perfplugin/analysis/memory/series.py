"""Memory events of one system → which deallocation freed which allocation, and what was in use after each event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np

from ...patterns import regex
from ...tables import HEAP_FRAME, I64, RECORDED_PEAK, Capture, among
from ...timeline.timeline import Timeline
from .events import NOT_FREED, OP, STACK, UNEXPLAINED, UNKNOWN, Bools, Events, Live, SystemName

#: Passes that put events of one instant into the order in which their levels follow from each other.
_PASSES = 8


class Series(msgspec.Struct, frozen=True, eq=False, dict=True):
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


# What was live at an allocator's peak as TensorFlow itself recorded it → the same parts as from events.
#
# Its files keep only a part of the events, of which the peak does not follow; they keep the rows at the peak as well.

#: The special rows that the recorder adds.
_SPECIAL = {"unused preallocated device memory": NOT_FREED, "stack": STACK}
#: Recorded rows that are read.
_ROWS = 100_000
#: Larger sizes and counts are of no machine.
_MOST, _MOST_COUNT = 1 << 60, 1 << 31


def recorded(capture: Capture) -> dict[str, list[Live]]:
    """By allocator, what was recorded to be live at its peak."""
    key = capture.strings.find(RECORDED_PEAK)
    if key < 0:
        return {}
    table, parts = capture.aggregates, dict[str, list[Live]]()
    has = np.concatenate(([0], np.cumsum(capture.stats.key == key)))
    for row in np.flatnonzero(has[table.stats_end] > has[table.stats_begin])[:_ROWS].tolist():
        stats = dict(capture.values(int(table.stats_begin[row]), int(table.stats_end[row])))
        parts.setdefault(str(stats.get("allocator_name", "")), []).append(_live(stats, int(table.occurrences[row])))
    return parts


def _live(stats: Mapping[str, object], occurrences: int) -> Live:
    op, region, shape = (str(stats.get(key) or "") for key in ("tf_op", "region_type", "shape"))
    size, requested = (_number(stats.get(key), _MOST) for key in ("allocation_bytes", "requested_bytes"))
    count = max(_number(occurrences, _MOST_COUNT), 0)
    if op in _SPECIAL:
        return Live(_SPECIAL[op], max(size, 0), count)
    return Live(
        OP,
        max(size, 0),
        count,
        op,
        op_from="recorded" if op else "",
        region=region,
        data_type=max(_number(stats.get("data_type"), _MOST), 0),
        shape=shape,
        requested=requested if requested >= 0 else None,
    )


def _number(value: object, most: int) -> int:
    return value if isinstance(value, int) and 0 <= value <= most else -1


def recorded_at_peak(live: Sequence[Live], peak: int, limit: int) -> tuple[list[Live], int]:
    """Largest first: `limit` parts of ops (0: all) and all others, one of them for what they lack of the peak; and how
    many parts there are.
    """
    rest = peak - sum(part.total for part in live)
    parts = sorted([*live, *([Live(UNEXPLAINED, rest)] if rest else [])], key=lambda part: -abs(part.total))
    ops = [i for i, part in enumerate(parts) if part.kind == OP]
    left_out = set(ops[limit:]) if limit else set()
    return [part for i, part in enumerate(parts) if i not in left_out], len(parts)


# One memory system and a window of time → its use over time, a row a pixel, with the lowest and the highest.


class Stretches(NamedTuple):
    """Use of one memory system in a window, by stretch of time with events in it; times in ps, sizes in bytes.

    begin_heap, begin_stack: in use when the window begins, which holds for `begin_duration_ps`. highest: the event
    after which most is in use, the first of equal ones.
    """

    begin_ps: int
    begin_duration_ps: int
    begin_heap: int
    begin_stack: int
    start_ps: I64
    duration_ps: I64
    events: I64
    least: I64
    most: I64
    last: I64
    highest: I64


def stretches(of: Series, begin_ps: int, end_ps: int, pixels: int) -> Stretches:
    """Of the window [begin, end]. With no more events than pixels every event is a stretch of its own."""
    time = of.events.time_ps
    low = int(np.searchsorted(time, begin_ps))
    high = max(int(np.searchsorted(time, end_ps, side="right")), low)
    begins, length = _begins(time[low:high], begin_ps, end_ps, pixels)
    first = begins + low
    last = np.append(first, high)[1:] - 1 if len(first) else first
    start = time[first] if not length else begin_ps + (time[first] - begin_ps) // length * length
    until = np.append(start[1:], end_ps) if not length else np.minimum(start + length, max(end_ps, begin_ps))
    before = int(start[0]) if len(start) else end_ps
    heap, stack = (int(of.heap[low - 1]), int(of.stack[low - 1])) if low else (of.heap_at_begin, int(of.stack[0]))
    least, most, highest = _extremes(of, first, last, high)
    return Stretches(
        begin_ps,
        max(before - begin_ps, 0),
        heap,
        stack,
        start,
        np.maximum(until - start, 0),
        events=last - first + 1,
        least=least,
        most=most,
        last=of.total[last],
        highest=highest,
    )


def _begins(time: I64, begin_ps: int, end_ps: int, pixels: int) -> tuple[I64, int]:
    """The first event of each stretch that has any, and its length; length 0: each event is a stretch."""
    if len(time) <= pixels:
        return np.arange(len(time)), 0
    length = max(-(-(end_ps - begin_ps + 1) // pixels), 1)
    bucket = (time - begin_ps) // length
    return np.flatnonzero(np.concatenate(([True], bucket[1:] != bucket[:-1]))), length


def _extremes(of: Series, first: I64, last: I64, high: int) -> tuple[I64, I64, I64]:
    """Least and most in use after an event of each stretch, and the event of the latter."""
    if not len(first):
        return first, first, first
    shown = of.total[int(first[0]) : high]
    most = np.maximum.reduceat(shown, first - first[0])
    highest = np.flatnonzero(shown == np.repeat(most, last - first + 1)) + first[0]
    return np.minimum.reduceat(shown, first - first[0]), most, highest[np.searchsorted(highest, first)]


# Call stacks, and how long allocations live → what each allocation is for: parameter, gradient, activation …
#
# Of a stack's frames the innermost that says something counts: `torch/optim` is the optimizer's, PyTorch's autograd
# engine the backward pass, `Module._apply` or loading a checkpoint parameters, a module's call the forward pass, a data
# loader or a copy to the device outside of all those an input. How long an allocation lives tells the rest: what the
# forward pass allocates is an activation if it is still there when the backward pass begins, what the backward pass
# allocates is a gradient if it is still there when that has ended, what the optimizer allocates is its state if it
# outlives its step; what is freed before is temporary. What the program itself reports (`_set_memory_metadata`, the
# field `category`) goes before all.

#: In the order in which they lie upon each other, the longest-lived first.
CATEGORIES = (
    "parameter",
    "gradient",
    "optimizer",
    "activation",
    "input",
    "communication",
    "temporary",
    "other",
    "before",
)
PARAMETER, GRADIENT, OPTIMIZER, ACTIVATION, INPUT, COMMUNICATION, TEMPORARY, OTHER, BEFORE = range(len(CATEGORIES))
#: What a frame says: name, file. The first that fits.
_PLACES = (
    (OPTIMIZER, regex(r""), regex(r"torch[/\\]optim[/\\]|bitsandbytes[/\\]optim|apex[/\\]optimizers")),
    (COMMUNICATION, regex(r"^c10d::|^nccl"), None),
    (COMMUNICATION, regex(r""), regex(r"torch[/\\]distributed[/\\]")),
    (GRADIENT, regex(r"^torch::autograd::(?:Engine|AccumulateGrad|generated::)|Backward\d*::apply"), None),
    (GRADIENT, regex(r"^(?:backward|vjp)$"), None),
    (GRADIENT, regex(r"^(?:grad|_engine_run_backward|_make_grads)$"), regex(r"torch[/\\]autograd[/\\]")),
    (
        PARAMETER,
        regex(r"^(?:_apply|convert|to|cuda|half|float|bfloat16|load_state_dict|to_empty|register_buffer)$"),
        regex(r"torch[/\\]nn[/\\]modules[/\\]module\.py$"),
    ),
    (PARAMETER, regex(r"^(?:__init__|reset_parameters)$"), regex(r"torch[/\\]nn[/\\]modules[/\\]")),
    (PARAMETER, regex(r""), regex(r"torch[/\\]nn[/\\](?:init|parameter)\.py$|safetensors[/\\]")),
    (PARAMETER, regex(r"^(?:from_pretrained|load_state_dict|load_checkpoint|load_weights)$"), None),
    (ACTIVATION, regex(r"^(?:_call_impl|_wrapped_call_impl)$"), None),
    (ACTIVATION, regex(r"^forward$"), None),
    (INPUT, regex(r""), regex(r"torch[/\\]utils[/\\]data[/\\]")),
    (INPUT, regex(r"^(?:to_device|move_to_device|send_to_device|batch_to_device|prefetch|preload)$"), None),
)
#: What a program may call them.
_PROGRAM_CATEGORY = {
    "parameter": PARAMETER,
    "parameters": PARAMETER,
    "weight": PARAMETER,
    "weights": PARAMETER,
    "gradient": GRADIENT,
    "gradients": GRADIENT,
    "optimizer": OPTIMIZER,
    "optimizer_state": OPTIMIZER,
    "activation": ACTIVATION,
    "activations": ACTIVATION,
    "input": INPUT,
    "inputs": INPUT,
    "temporary": TEMPORARY,
    "autograd_detail": TEMPORARY,
}


def of_frame(text: str) -> int:
    """What a `HEAP_FRAME` says, -1 for nothing."""
    name, _, rest = text.partition("\t")
    file = rest.partition("\t")[0]
    for category, names, files in _PLACES:
        if names.search(name) and (files is None or files.search(file)):
            return category
    return -1


def of_kinds(capture: Capture) -> I64:
    """What the stack of each kind says, `OTHER` for nothing."""
    stats, kinds = capture.stats, capture.kinds
    found = np.full(len(kinds), OTHER, np.int64)
    key = capture.strings.find(HEAP_FRAME)
    if key < 0 or not len(kinds):
        return found
    # Kinds' stats lie before all others, kind after kind.
    end = int(kinds.stats_end.max())
    ids = np.where(stats.key[:end] == key, stats.value[:end], 0)
    used, at = np.unique(ids, return_inverse=True)
    reported = np.array([of_frame(capture.strings[i]) if i else -1 for i in used.tolist()], np.int64)[at.reshape(-1)]
    # Outermost first: the last that says something counts.
    place = np.where(reported >= 0, np.arange(end), -1)
    filled = np.flatnonzero(kinds.stats_end > kinds.stats_begin)
    last = np.maximum.reduceat(place, kinds.stats_begin[filled]) if len(filled) else filled
    hit = last >= 0
    found[filled[hit]] = reported[last[hit]]
    return found


def of_series(timeline: Timeline, of: Series) -> I64:
    """The category of each event of a memory system; of deallocations that of what they free, `BEFORE` without one."""
    capture, n = timeline.capture, len(of)
    rows, allocates = of.events.row, of.events.is_allocation
    kind = capture.events.kind[rows]
    base = of_kinds(capture)
    stack = np.where(kind >= 0, base[np.maximum(kind, 0)] if len(base) else OTHER, OTHER)
    category = np.where(allocates, _by_life(stack, of), BEFORE)
    reported = _reported_category(timeline, rows)
    category = np.where(allocates & (reported >= 0), reported, category)
    freed = np.flatnonzero(of.freed >= 0)
    category[freed] = category[of.freed[freed]]
    assert len(category) == n
    return category


def _by_life(stack: I64, of: Series) -> I64:
    """What an allocation is by what its stack says and which pass comes while it lives."""
    allocates = of.events.is_allocation
    found = stack.copy()
    for what, ends in (
        (ACTIVATION, (GRADIENT,)),
        (GRADIENT, (OPTIMIZER, ACTIVATION, INPUT)),
        (OPTIMIZER, (ACTIVATION, INPUT, GRADIENT)),
    ):
        mine = np.flatnonzero(allocates & (stack == what))
        passes = np.flatnonzero(allocates & among(stack, ends))
        until = _next(passes, mine, len(stack))
        if what == GRADIENT and len(mine):
            # Those of SGD are freed before anything else is allocated: its last allocation ends the backward pass.
            until = np.where(until > 0, mine[np.searchsorted(mine, until) - 1] + 1, mine[-1] + 1)
        # What nothing follows, and is there at the end, may still be what its stack says.
        found[mine[of.end[mine] < until]] = TEMPORARY
    return found


def _next(passes: I64, mine: I64, end: int) -> I64:
    """The first event of another pass after each of some events; without one the end for what is in use there."""
    if not len(passes):
        return np.zeros(len(mine), np.int64)
    follows = np.searchsorted(passes, mine, side="right")
    return np.where(follows < len(passes), passes[np.minimum(follows, len(passes) - 1)], end)


def _reported_category(timeline: Timeline, rows: I64) -> I64:
    """What the program called each allocation, -1 for nothing that is known."""
    found = np.full(len(rows), -1, np.int64)
    for key in ("user_metadata", "region_type"):
        value, kind = timeline.stat_of(key, rows)
        ids = np.where(kind == 4, value, 0)
        used, at = np.unique(ids, return_inverse=True)
        known = [_PROGRAM_CATEGORY.get(timeline.capture.strings[i].lower(), -1) for i in used.tolist()]
        reported = np.array(known, np.int64)[at.reshape(-1)]
        found = np.where(reported >= 0, reported, found)
    return found
