# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False
"""Begins and ends, by track and in the order of the file → which end closes which begin, as `pairing.py` says.

Rows are the events that begin or end something and, between them, the ends that are no events: `merged` lays them out,
`by_track` sorts them.

Arguments are the same throughout: `order` has the rows by track, of which `track`, `time` and `opens` (1 a begin, 0 an
end) are known. `end` becomes of a begin the row of its end, NONE where none closes it; of an end CLOSES or LOST; of
rows that must be sorted by time first, LEFT. Compiled with the types of `closing.pxd`; runs without.
"""

from __future__ import annotations

from typing import Any

#: Below as numbers: a compiler would look them up each time.
NONE, CLOSES, LOST, LEFT = -1, -2, -3, -4


def merged(
    either: Any,
    opens: Any,
    of: Any,
    at: Any,
    before: Any,
    end_of: Any,
    end_at: Any,
    source: Any,
    track: Any,
    time: Any,
    begins: Any,
) -> int:
    """How many rows there are. either: by event whether it is one; opens, of, at: whether it begins something, its
    track and its time. before, end_of, end_at: of ends that are no events how many events come before each, its track
    and its time. By row are written `track`, `time`, `begins` and `source`: the event, -1 where it is none.
    """
    made = k = 0
    n = len(either)
    ends = len(before)
    for i in range(n + 1):
        while k < ends and before[k] <= i:
            source[made] = -1
            track[made] = end_of[k]
            time[made] = end_at[k]
            begins[made] = 0
            made += 1
            k += 1
        if i < n and either[i]:
            source[made] = i
            track[made] = of[i]
            time[made] = at[i]
            begins[made] = opens[i]
            made += 1
    return made


def by_track(track: Any, place: Any, order: Any) -> int:
    """Rows by track, in order within each. place: zeros, one more than there are tracks."""
    n = len(track)
    for i in range(n):
        place[track[i]] += 1
    at = 0
    for k in range(len(place)):
        count = place[k]
        place[k] = at
        at += count
    for i in range(n):
        k = track[i]
        order[place[k]] = i
        place[k] += 1
    return 0


def before_begins(order: Any, track: Any, time: Any, opens: Any) -> int:
    """Whether in a run of begins and as many ends on a track the first end comes before the last begin."""
    n = len(order)
    i = 0
    while i < n:
        middle = _middle(i, order, track, opens)
        stop = _stop(middle, i, order, track, opens)
        if middle > i and stop - middle == middle - i and time[order[middle]] < time[order[middle - 1]]:
            return 1
        i = stop
    return 0


def in_order(order: Any, track: Any, time: Any, opens: Any, end: Any) -> int:
    """In runs of begins and as many ends the nth end closes the nth begin, where each is after its begin."""
    n = len(order)
    i = 0
    while i < n:
        middle = _middle(i, order, track, opens)
        stop = _stop(middle, i, order, track, opens)
        count = middle - i
        is_sound = count > 0 and stop - middle == count
        k = 0
        while is_sound and k < count:
            is_sound = time[order[middle + k]] >= time[order[i + k]]
            k += 1
        if is_sound:
            for k in range(count):
                end[order[i + k]] = order[middle + k]
                end[order[middle + k]] = -2
        i = stop
    return 0


def _middle(i: int, order: Any, track: Any, opens: Any) -> int:
    """Where the begins end that stand from here on."""
    n = len(order)
    first = i
    while i < n and track[order[i]] == track[order[first]] and opens[order[i]]:
        i += 1
    return i


def _stop(i: int, first: int, order: Any, track: Any, opens: Any) -> int:
    """Where the ends end that stand from here on, of the track of the row at `first`."""
    n = len(order)
    while i < n and track[order[i]] == track[order[first]] and not opens[order[i]]:
        i += 1
    return i


def by_time(order: Any, track: Any, time: Any, opens: Any, end: Any, stack: Any) -> int:
    """Of rows that are LEFT so far: an end closes what was begun last. Tracks whose rows go back in time stay LEFT."""
    n = len(order)
    i = 0
    while i < n:
        stop = i
        while stop < n and track[order[stop]] == track[order[i]]:
            stop += 1
        if _is_sorted(i, stop, order, time, opens, end):
            _closed(i, stop, order, opens, end, stack)
        i = stop
    return 0


def _is_sorted(i: int, stop: int, order: Any, time: Any, opens: Any, end: Any) -> bool:
    """Also whether no end stands alone before a begin of the same moment, whose own it may be."""
    depth = 0
    last = 0
    is_alone = is_first = 1
    while i < stop:
        row = order[i]
        i += 1
        if end[row] != -4:
            continue
        if not is_first and time[row] < last:
            return False
        if is_first or time[row] > last:
            is_alone = 0
        is_first = 0
        last = time[row]
        if opens[row]:
            if is_alone:
                return False
            depth += 1
        elif depth > 0:
            depth -= 1
        else:
            is_alone = 1
    return True


def _closed(i: int, stop: int, order: Any, opens: Any, end: Any, stack: Any) -> int:
    depth = 0
    while i < stop:
        row = order[i]
        i += 1
        if end[row] != -4:
            continue
        if opens[row]:
            stack[depth] = row
            depth += 1
        elif depth > 0:
            depth -= 1
            end[stack[depth]] = row
            end[row] = -2
        else:
            end[row] = -3
    while depth > 0:
        depth -= 1
        end[stack[depth]] = -1
    return 0
