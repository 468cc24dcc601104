"""Arrows → which slice leads to which: producers and consumers, as XPlane writes them.

Arrows are events (`s`, `t`, `f`), or slices say so themselves (`flow_out`, `flow_in`, of one `bind_id`). An event lies
on the slice around its time, innermost; an `f` without `bp: e` on the next that begins, but for categories of Chrome
that mean the one around it. An end leads from what last began or went on under its id; after an `f` that id is free.
Of several arrows to one slice the first counts. Arrows from a launch to its kernel say no more than the correlation
ids, where there are such, and are left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...messages import message
from ...tables import I64, StatKind, TrackKind
from ..common.rows import combined
from ..json.columns import ENDS_AROUND, FLOW_IN, FLOW_OUT
from .identities import identities
from .plan import Added, Plan
from .slices import PS_PER_US, SPAN_US, Mask

LAUNCHES = ("ac2g", "async_cpu_to_gpu", "async_gpu", "async")
#: Slices before an arrow's end that are looked at for one that is still running.
_LOOKED_AT = 64
#: In these categories of Chrome an `f` means the slice around it.
_AROUND = ("input", "ipc.flow")
#: In the order of one moment: what begins, what goes on, what ends.
_BEGINS, _GOES_ON, _ENDS = 0, 1, 2


class _Ends(NamedTuple):
    """Ends of arrows: of which arrow, when, of which kind, on which slice (-1: none); whether the id is free then."""

    arrow: I64
    at: I64
    kind: I64
    slice: I64
    closes: Mask


def arrows(plan: Plan, with_launches: bool) -> None:
    """Adds producers and consumers to slices; how many arrows lead nowhere is noted."""
    rows = plan.slices.arrows
    if not with_launches:
        skipped = [i for i, text in enumerate(plan.events.texts) if text in LAUNCHES]
        rows = rows[~np.isin(plan.events.columns["category"][rows], skipped)]
    of_events = _of_events(plan, rows)
    of_slices = _of_slices(plan, int(of_events.arrow.max()) + 1 if len(rows) else 0)
    of_flows = _of_flows(
        plan, max(int(each.arrow.max(initial=-1)) for each in (of_events, of_slices)) + 1, with_launches
    )
    ends = _Ends(*(np.concatenate(parts) for parts in zip(of_events, of_slices, of_flows, strict=True)))
    if not len(ends.at):
        return
    source, target, lost = _pairs(ends)
    if lost:
        plan.notes.append(message("arrows_lost", n=int(lost), all=len(ends.at)))
    # One number a source, whatever number of arrows begin there.
    number = np.unique(source, return_inverse=True)[1].reshape(-1) + 1
    for key, type_key, slices in (("_p", "_pt", source), ("_c", "_ct", target)):
        at_slices, first = np.unique(slices, return_index=True)
        plan.added.append(Added(at_slices, key, StatKind.INT, number[first]))
        plan.added.append(Added(at_slices, type_key, StatKind.INT, np.zeros(len(at_slices), np.int64)))


def joined(plan: Plan, rows: I64) -> tuple[I64, I64]:
    """The slices that some arrows, which are events, lead from and to."""
    source, target, _ = _pairs(_of_events(plan, rows))
    return source, target


def _of_events(plan: Plan, rows: I64) -> _Ends:
    c = plan.events.columns
    phase = c["phase"][rows]
    at = np.clip(c["us"][rows] - plan.slices.base_us, -SPAN_US, SPAN_US) * PS_PER_US + c["ps"][rows]
    kind = np.select([phase == ord("s"), phase == ord("t")], [_BEGINS, _GOES_ON], _ENDS)
    around = [i for i, text in enumerate(plan.events.texts) if any(name in text for name in _AROUND)]
    is_next = (kind == _ENDS) & (c["flags"][rows] & ENDS_AROUND == 0) & ~np.isin(c["category"][rows], around)
    arrow = identities(plan.events, rows, 1 - kind)
    return _Ends(arrow, at, kind, _slices_at(plan, rows, at, is_next), kind == _ENDS)


def _of_slices(plan: Plan, first: int) -> _Ends:
    """Ends that slices themselves say they are. first: number of the first arrow."""
    s, flags = plan.slices, plan.events.columns["flags"]
    bind = plan.events.rare_of("bind", s.row)
    goes = flags[s.row] & (FLOW_IN | FLOW_OUT)
    bound = np.flatnonzero((bind >= 0) & (goes != 0) & _on_thread(plan))
    kind = np.select([goes[bound] == FLOW_OUT, goes[bound] == FLOW_IN], [_BEGINS, _ENDS], _GOES_ON)
    return _Ends(first + bind[bound], s.start_ps[bound], kind, bound, np.zeros(len(bound), bool))


def _of_flows(plan: Plan, first: int, with_launches: bool) -> _Ends:
    """Ends that slices say by their flows: each goes on from where the flow was last. A flow to a GPU's work is a
    launch. first: number of the first arrow."""
    empty = np.empty(0, np.int64)
    row, flow, is_last = plan.document.flows or (empty, empty, empty)
    s = plan.slices
    place = np.minimum(np.searchsorted(s.row, row), max(len(s.row) - 1, 0))
    known = np.flatnonzero(s.row[place] == row) if len(s.row) else empty
    place, flow, is_last = place[known], flow[known], is_last[known]
    if not with_launches and len(place):
        kinds = np.array([track.kind for track in plan.tracks], np.int64)
        launched = np.isin(flow, flow[kinds[plan.track[place]] == TrackKind.STREAM])
        place, flow, is_last = place[~launched], flow[~launched], is_last[~launched]
    if len(flow):
        # A flow may be of one slice.
        which = combined(flow)
        led = np.bincount(which)[which] > 1
        place, flow, is_last = place[led], flow[led], is_last[led]
    arrow = first + combined(flow) if len(flow) else flow
    kind = np.full(len(place), _GOES_ON, np.int64)
    return _Ends(arrow, s.start_ps[place], kind, place, is_last.astype(bool))


def _on_thread(plan: Plan) -> Mask:
    """Only what lies on threads: async slices and samples of counters have no arrows."""
    return np.isin(plan.events.columns["phase"][plan.slices.row], [ord(letter) for letter in "XB"])


def _slices_at(plan: Plan, rows: I64, at: I64, is_next: Mask) -> I64:
    """The slice that each end of an arrow lies on, or -1."""
    if not len(rows):
        return np.empty(0, np.int64)
    c, s = plan.events.columns, plan.slices
    both = np.concatenate((s.row, rows))
    key = combined(c["pid"][both], c["tid"][both])
    has_arrows = np.zeros(int(key.max(initial=0)) + 1, bool)
    has_arrows[key[len(s.row) :]] = True
    plain = np.flatnonzero(_on_thread(plan) & has_arrows[key[: len(s.row)]])
    order = plain[np.lexsort((-s.length_ps[plain], s.start_ps[plain], key[plain]))]
    if not len(order):
        return np.full(len(rows), -1, np.int64)
    keys, starts, ends = key[order], s.start_ps[order], s.start_ps[order] + s.length_ps[order]
    wanted = key[len(s.row) :]
    mark, sought = _marks(keys, starts, wanted, at)
    place = np.maximum(np.searchsorted(mark, sought, "right") - 1, 0)
    for _ in range(_LOOKED_AT):
        wrong = (keys[place] == wanted) & (ends[place] < at) & (place > 0)
        if not wrong.any():
            break
        place = np.where(wrong, place - 1, place)
    hit = (keys[place] == wanted) & (starts[place] <= at) & (ends[place] >= at)
    after = np.minimum(np.searchsorted(mark, sought, "left"), len(order) - 1)
    follows = (keys[after] == wanted) & (starts[after] >= at)
    return np.where(is_next, np.where(follows, order[after], -1), np.where(hit, order[place], -1))


def _marks(keys: I64, starts: I64, wanted: I64, at: I64) -> tuple[I64, I64]:
    """One number for a track and a time on it, that sorts by both: of slices, and of what is sought among them.

    Where times are long and tracks are many, places of times stand for these.
    """
    span = int(max(starts.max(), at.max()) + 2)
    at = np.clip(at, 0, span - 1)
    if (int(keys.max()) + 1) * span >= 1 << 62:
        times = np.unique(np.concatenate((starts, at)))
        span, starts, at = len(times), np.searchsorted(times, starts), np.searchsorted(times, at)
    return keys * span + starts, wanted * span + at


def _pairs(ends: _Ends) -> tuple[I64, I64, int]:
    """Slices from which and to which arrows lead, and how many ends of arrows were left out."""
    order = np.lexsort((ends.kind, ends.at, ends.arrow))
    arrow, kind, slices = (each[order] for each in (ends.arrow, ends.kind, ends.slice))
    place = np.arange(len(order))
    # Before each end: the last that an arrow comes from, and the last that closed its id.
    source, closed = (
        np.concatenate(([-1], np.maximum.accumulate(np.where(mask, place, -1))[:-1]))
        for mask in (kind != _ENDS, ends.closes[order])
    )
    leads = (kind != _BEGINS) & (source > closed)
    leads &= (source >= 0) & (arrow[source] == arrow) & (slices[source] >= 0) & (slices >= 0)
    leads &= slices[source] != slices
    target = np.flatnonzero(leads)
    lost = len(order) - len(np.unique(np.concatenate((source[target], target))))
    return slices[source[target]], slices[target], lost
