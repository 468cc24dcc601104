"""A sequence of kernels that repeats on a device's busiest stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...tables.capture import I32, I64, U8
from .._ops import at_work, device_tracks, devices
from ._build import Found, built
from ._model import Cut, Steps
from ._rows import ends, shown, track_name

if TYPE_CHECKING:
    from .._timeline import Timeline

#: A sequence must come this often to be called repeated.
_REPEATS = 3
#: The period is looked for among so many kernels from the first on, then cut out of all.
_SAMPLE = 1 << 18
#: So many ways to divide the sequence are tried.
_TRIES = 24
#: This share of the distinct names must be in a typical period, else it is a part of a step: a layer.
_HOLDS = 0.75


class _Division(NamedTuple):
    """at: the places in the sequence at which periods begin. name: of the kernel that begins each."""

    at: I64
    name: int


def kernel_period(timeline: Timeline) -> Steps | None:
    """Steps from one beginning of the period to the next, on the stream with most time."""
    rows = _busiest(timeline)
    if len(rows) < 2 * _REPEATS:
        return None
    capture = timeline.capture
    names = capture.events.name[rows]
    begin, end = capture.events.start_ps[rows], ends(capture, rows)
    division = _divided(names[:_SAMPLE], begin[:_SAMPLE], end[:_SAMPLE])
    if division is None:
        return None
    at = np.flatnonzero(names == division.name)
    first, last = at, np.append(at[1:], len(rows))
    leading = int(at[0])
    if _continues(names, at):
        first, last = np.append(0, first), np.append(leading, last)
    cut = _cuts(first, last, leading)
    number = np.arange(len(first))
    kernel = shown(capture.strings[division.name])
    evidence = (
        f"a sequence of about {int(np.median(np.diff(at)))} kernels, begun by `{kernel}`, comes {len(at)} times on "
        f"`{track_name(capture, int(capture.events.track[rows[0]]))}`"
    )
    reach = np.maximum.reduceat(end, first)
    lane = np.full(len(first), capture.events.track[rows[0]])
    labels = [f"period {i}" for i in number.tolist()]
    found = Found("kernels", "guess", evidence, rows[first], number, labels, begin[first], reach, lane, cut, True)
    found.others = {"kernels before the first period": 0 if first[0] == 0 else leading}
    return built(found)


def _busiest(timeline: Timeline) -> I64:
    """What ran on the stream that has most time, among all devices."""
    capture = timeline.capture
    best, most = np.empty(0, np.int64), 0
    for plane in devices(capture):
        for track in device_tracks(capture, plane).tolist():
            begin, stop = int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track])
            spent = int(capture.events.duration_ps[begin:stop].sum())
            if spent > most:
                best, most = at_work(timeline, plane, np.arange(begin, stop)), spent
    return best


def _divided(names: I32, begin: I64, end: I64) -> _Division | None:
    """The shortest period that holds most of the names."""
    ids, symbol, count = np.unique(names, return_inverse=True, return_counts=True)
    symbol = symbol.reshape(-1)
    order = np.argsort(symbol, kind="stable")
    first = np.concatenate(([0], np.cumsum(count)))
    often = np.unique(count[count >= _REPEATS])
    if not len(often):
        return None
    gap = _gaps(begin, end)
    tries = often[np.unique(np.linspace(0, len(often) - 1, min(_TRIES, len(often))).astype(int))]
    for times in tries[::-1].tolist():
        known = np.flatnonzero(count == times)[:64].tolist()
        regular = [s for s in known if _even(order[first[s] : first[s + 1]], len(names))]
        if not regular:
            continue
        anchor = max(regular, key=lambda s: float(np.median(gap[order[first[s] : first[s + 1]]])))
        at = order[first[anchor] : first[anchor + 1]]
        if _whole(symbol, at, len(ids)):
            return _Division(at, int(ids[anchor]))
    return None


def _gaps(begin: I64, end: I64) -> I64:
    """Idle time before each kernel."""
    return np.append(0, np.maximum(begin[1:] - np.maximum.accumulate(end)[:-1], 0))


def _even(at: I64, count: int) -> bool:
    """Whether places are at regular distances and leave little out at both ends."""
    apart = np.diff(at)
    typical = float(np.median(apart))
    near = np.abs(apart - typical) <= 0.1 * typical
    return bool(np.mean(near) >= 0.8 and at[0] <= 1.5 * typical and count - at[-1] <= 1.5 * typical + 1)


def _whole(symbol: I64, at: I64, distinct: int) -> bool:
    """Whether a typical period holds most of the distinct names, each weighed by no more than one."""
    block = np.cumsum(np.bincount(at, minlength=len(symbol)))
    pair = np.unique(block * distinct + symbol)
    held = np.bincount(pair // distinct, minlength=len(at) + 1)[1:]
    return bool(np.median(held) >= _HOLDS * distinct)


def _continues(names: I32, at: I64) -> bool:
    """Whether what precedes the first period is the end of another."""
    leading = int(at[0])
    length = int(at[1] - at[0])
    return 0 < leading < length and bool((names[:leading] == names[at[1] - leading : at[1]]).mean() >= 0.9)


def _cuts(first: I64, last: I64, leading: int) -> U8:
    """`Cut` flags: the part of a period that the capture begins with, and a last one that lacks kernels."""
    cut = np.zeros(len(first), np.uint8)
    if leading and first[0] == 0:
        cut[0] = Cut.BEGIN
    if last[-1] - first[-1] < 0.95 * np.median(np.diff(first[1:])):
        cut[-1] |= Cut.END
    return cut
