# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""The walk back along a critical path, and the replay of what was walked with some of it longer or shorter; compiled
where that can be: the types are in `walk.pxd`, and Python runs it too.

Callers pass numbers that are within bounds; nothing here is checked a second time.

pieces: (5, n), begin and end of each, ascending and disjoint in each track; when what let it begin was done, and on
which track, -1 where nothing shows it; for which track it waits, or -1. waits: of each 0 where it runs, 1 where it
waits for others, 2 for input, 3 where it may do either. running: those that run. tracks: (5, k), of each its first
piece, its side, its last piece before the instant at which the path is, and its first and last of `running`, likewise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...tables import F64, I32, I64, U8

#: `path.Kind` and `path.Side`; rows of `pieces` and of `tracks`.
_RUNS, _WAITS, _LAUNCHES, _HOPS = 0, 1, 2, 3
_MAIN, _POOL, _INPUT, _DEVICE = 0, 1, 2, 3
#: Values of `waits`: for others, for input; of the program's own thread where nothing shows what it does.
_FOR_OTHERS, _FOR_INPUT, _SILENT = 1, 2, 3
_BEGIN, _END, _CAUSE, _CAUSE_TRACK, _AWAITED = 0, 1, 2, 3, 4
_FIRST, _SIDE, _LAST, _FIRST_RUNNING, _LAST_RUNNING = 0, 1, 2, 3, 4
#: By so much, in ps, the clocks of a host and of its device may differ: 5 µs.
_SKEW = 5_000_000


def shown_causes(row: I32, cause: I32, start: I64, duration: I64, track: I32, place: I64, pieces: I64) -> None:
    """Writes when what let each piece begin was done, and on which track. row: its event; cause: by event the one that
    caused it, or -1; start, duration, track: of events; place: by track its place among those with pieces, or -1."""
    for i in range(row.shape[0]):
        by = cause[row[i]]
        begin = pieces[_BEGIN, i]
        if by >= 0 and start[by] <= begin and start[row[i]] == begin and place[track[by]] >= 0:
            pieces[_CAUSE, i] = min(start[by] + duration[by], begin)
            pieces[_CAUSE_TRACK, i] = place[track[by]]


def latest(t: int, after: int, other: int, only: int, pieces: I64, running: I64, tracks: I64) -> int:
    """The track on which the latest piece that runs before an instant ends, after another instant, or -1.

    other: a track that is not asked. only: what side is asked, -1 for all but input ahead. The last running piece of
    each track is kept from call to call, since `t` only goes down.
    """
    found = -1
    last = after
    for k in range(tracks.shape[1]):
        if k == other or (tracks[_SIDE, k] != only and (only >= 0 or tracks[_SIDE, k] == _INPUT)):
            continue
        back(t, k, pieces, running, tracks)
        i = over(k, t, pieces, running, tracks)
        if i < tracks[_FIRST_RUNNING, k]:
            continue
        until = min(pieces[_END, running[i]], t)
        if until > last:
            found = k
            last = until
    return found


def back(t: int, track: int, pieces: I64, running: I64, tracks: I64) -> None:
    """The last running piece of a track is one that began before an instant, or none."""
    i = tracks[_LAST_RUNNING, track]
    while i >= tracks[_FIRST_RUNNING, track] and pieces[_BEGIN, running[i]] >= t:
        i -= 1
    tracks[_LAST_RUNNING, track] = i


def over(track: int, t: int, pieces: I64, running: I64, tracks: I64) -> Any:
    """The place of the last running piece of a track before an instant: of a device, of those that are over by then.
    What a kernel still computes nothing has waited for."""
    i = tracks[_LAST_RUNNING, track]
    if tracks[_SIDE, track] == _DEVICE and i >= tracks[_FIRST_RUNNING, track] and pieces[_END, running[i]] > t + _SKEW:
        return i - 1
    return i


def ended(track: int, t: int, pieces: I64, running: I64, tracks: I64) -> Any:
    """When that piece ended."""
    return pieces[_END, running[over(track, t, pieces, running, tracks)]]


def wait(
    t: int, i: int, low: int, near: int, cur: int, kind: int, pieces: I64, running: I64, tracks: I64, to: I64
) -> None:
    """Of piece i, which waits from `low` until `t`: on which track, and where, the path goes on. kind: of `waits`."""
    to[0] = pieces[_AWAITED, i]
    if to[0] >= 0:
        back(t, to[0], pieces, running, tracks)
        at = over(to[0], t, pieces, running, tracks)
        if at < tracks[_FIRST_RUNNING, to[0]] or pieces[_END, running[at]] <= low:
            # Its stream was done before: the call itself takes that long, unless it waits for something else.
            to[0] = cur if t - low <= near else -1
    if to[0] < 0 and kind == _FOR_INPUT:
        to[0] = latest(t, low, cur, _INPUT, pieces, running, tracks)
    if to[0] < 0:
        to[0] = latest(t, low, cur, _POOL if kind == _SILENT else -1, pieces, running, tracks)
    to[1] = low if to[0] < 0 or to[0] == cur else ended(to[0], t, pieces, running, tracks)
    if to[0] < 0:
        to[0] = cur


def cause_on_device(
    t: int, before: int, i: int, near: int, cur: int, pieces: I64, running: I64, tracks: I64, to: I64
) -> None:
    """Of a kernel that begins at `t`, piece i: as `wait`. before: when the one before it on its stream ended."""
    to[0], to[1] = cur, before
    if before < pieces[_CAUSE, i] <= t:
        to[0], to[1] = pieces[_CAUSE_TRACK, i], pieces[_CAUSE, i]
    # It was launched long ago: another stream may have let it begin, else the device itself was late.
    if to[1] < t and (to[0] == cur or t - to[1] > near):
        go = latest(t, to[1], cur, _DEVICE, pieces, running, tracks)
        if go >= 0 and t - ended(go, t, pieces, running, tracks) <= near:
            to[0], to[1] = go, ended(go, t, pieces, running, tracks)


def cause_in_pool(
    t: int, before: int, i: int, near: int, cur: int, pieces: I64, running: I64, tracks: I64, to: I64
) -> None:
    """Of what a pool's thread begins at `t`: as `cause_on_device`; -1 where nothing in the pool let it. A thread that
    is free takes what was handed to it; one that is not ends something else before."""
    cause = pieces[_CAUSE, i] if pieces[_CAUSE_TRACK, i] >= 0 and pieces[_CAUSE, i] <= t else -1
    last = min(cause, t - near) if cause >= 0 else t - near
    to[0], to[1] = latest(t, last, cur, tracks[_SIDE, cur], pieces, running, tracks), last
    if to[0] >= 0:
        to[1] = ended(to[0], t, pieces, running, tracks)
    if before >= last and (to[0] < 0 or to[1] <= before):
        to[0], to[1] = cur, before
    if cause >= 0 and (to[0] < 0 or cause > to[1]):
        to[0], to[1] = pieces[_CAUSE_TRACK, i], cause
    if to[0] < 0:
        to[1] = t


def walk(state: I64, floor: int, near: int, pieces: I64, waits: U8, running: I64, tracks: I64, out: I64) -> int:
    """Write stretches of the path, the latest first, until it is back at `floor` or `out` is full: how many.

    state: the track on which it is, the instant, the track of the program on which it was last, and room for two;
    kept from call to call. near: pieces of a pool follow each other if no more lies between. out: (5, n): begin, end,
    piece or -1, what it is, track.
    """
    cur, t, home, count = state[0], state[1], state[2], 0
    to = state[3:]
    while t > floor and count + 1 < out.shape[1]:
        if tracks[_SIDE, cur] == _MAIN:
            home = cur
        i = tracks[_LAST, cur]
        while i >= tracks[_FIRST, cur] and pieces[_BEGIN, i] >= t:
            i -= 1
        tracks[_LAST, cur] = i
        what, piece = _RUNS, i
        to[0], to[1] = cur, floor
        if i < tracks[_FIRST, cur] or pieces[_END, i] < t:
            # Nothing on this track: the program's own thread runs Python there; another had not begun.
            if cur != home:
                cur = home
                continue
            piece = -1
            to[1] = floor if i < tracks[_FIRST, cur] else pieces[_END, i]
        elif waits[i]:
            what = _RUNS if waits[i] == _SILENT else _WAITS
            wait(t, i, max(pieces[_BEGIN, i], floor), near, cur, waits[i], pieces, running, tracks, to)
        else:
            to[1] = pieces[_BEGIN, i]
        count = put(out, count, to[1], t, piece, what, cur, floor)
        t = min(to[1], t)
        if what == _RUNS and piece >= 0 and tracks[_SIDE, cur] != _MAIN and t > floor:
            # A piece of another thread, or of a device, begins here: what let it?
            before = max(pieces[_END, i - 1], floor) if i > tracks[_FIRST, cur] else floor
            if tracks[_SIDE, cur] == _DEVICE:
                what = _LAUNCHES
                cause_on_device(t, before, i, near, cur, pieces, running, tracks, to)
            elif before < t:
                what = _HOPS
                cause_in_pool(t, before, i, near, cur, pieces, running, tracks, to)
            count = put(out, count, to[1], t, i, what, cur, floor)
            t = min(to[1], t)
        cur = to[0] if to[0] >= 0 else home
    state[0], state[1], state[2] = cur, t, home
    return count


def put(out: I64, count: int, low: int, t: int, piece: int, what: int, track: int, floor: int) -> int:
    """A stretch, unless it is empty; how many there are then."""
    if low < floor:
        low = floor
    if low >= t:
        return count
    out[0, count] = low
    out[1, count] = t
    out[2, count] = piece
    out[3, count] = what
    out[4, count] = track
    return count + 1


def before_instant(t: int, track: int, pieces: I64, tracks: I64) -> int:
    """The last piece of a track that began before an instant, or -1."""
    low = tracks[_FIRST, track]
    high = tracks[_FIRST, track + 1] if track + 1 < tracks.shape[1] else pieces.shape[1]
    while low < high:
        middle = (low + high) // 2
        if pieces[_BEGIN, middle] < t:
            low = middle + 1
        else:
            high = middle
    return low - 1 if low > tracks[_FIRST, track] else -1


def causes(
    order: I64, near: int, home: int, pieces: I64, waits: U8, running: I64, tracks: I64, to: I64, found: I64
) -> None:
    """What let each piece begin, but for the one before it on its track: into `found`, (2, n), a piece, -1 without any,
    and the instant in it. order: (2, n), pieces, the last begun first, and the track of each. to: room for two."""
    for at in range(order.shape[1]):
        i, cur = order[0, at], order[1, at]
        t = pieces[_BEGIN, i]
        found[0, i] = -1
        if tracks[_SIDE, cur] == _MAIN:
            continue
        before = pieces[_END, i - 1] if i > tracks[_FIRST, cur] else -1
        if tracks[_SIDE, cur] == _DEVICE:
            cause_on_device(t, before, i, near, cur, pieces, running, tracks, to)
            if to[0] == cur:
                to[0], to[1] = pieces[_CAUSE_TRACK, i], min(pieces[_CAUSE, i], t)
        else:
            if before >= t:
                continue
            cause_in_pool(t, before, i, near, cur, pieces, running, tracks, to)
            if to[0] < 0:
                # The program's own thread let it, or what that waits for.
                k = last_running(t, home, pieces, waits, tracks)
                to[0] = latest(t, pieces[_END, k] if k >= 0 else 0, cur, -1, pieces, running, tracks)
                to[1] = t if to[0] < 0 else ended(to[0], t, pieces, running, tracks)
                if to[0] < 0 or (k >= 0 and pieces[_END, k] >= t):
                    to[0], to[1] = home, t
        if to[0] >= 0 and to[0] != cur:
            found[0, i] = last_running(min(to[1], t), to[0], pieces, waits, tracks)
            found[1, i] = min(to[1], t)


def last_running(t: int, track: int, pieces: I64, waits: U8, tracks: I64) -> int:
    """The last piece of a track that began before an instant and runs, or -1."""
    k = before_instant(t, track, pieces, tracks)
    while k >= tracks[_FIRST, track] and waits[k]:
        k -= 1
    return k if k >= tracks[_FIRST, track] else -1


def replay(order: I64, pieces: I64, waits: U8, scale: F64, cause: I64, running: I64, tracks: I64, now: I64) -> None:
    """When pieces begin and end if they are `scale` times as long: into `now`, (2, n).

    order: (2, n), pieces as they began, those that wait as they ended; and the track of each. cause: as `causes` finds
    it. What lay between a piece and what let it begin stays as long as it was; a wait ends when all have that ended
    during it. tracks: as for `walk`, but the first running piece of each that has not ended before, in the place of the
    last.
    """
    for at in range(order.shape[1]):
        i, cur = order[0, at], order[1, at]
        let = begin = pieces[_BEGIN, i]
        c = cause[0, i]
        if i > tracks[_FIRST, cur]:
            let = pieces[_END, i - 1]
            begin = now[1, i - 1]
            if c >= 0:
                let = max(let, cause[1, i])
                begin = max(begin, moved(c, cause[1, i], pieces, now))
        elif c >= 0:
            let = cause[1, i]
            begin = moved(c, let, pieces, now)
        now[0, i] = begin + max(pieces[_BEGIN, i] - let, 0)
        now[1, i] = now[0, i] + int((pieces[_END, i] - pieces[_BEGIN, i]) * scale[i])
        if waits[i]:
            join(i, cur, waits[i], pieces, running, tracks, now)


def moved(piece: int, instant: int, pieces: I64, now: I64) -> Any:
    """When an instant in a piece is, as far before its end as it was."""
    return max(now[1, piece] - (pieces[_END, piece] - instant), now[0, piece])


def join(i: int, cur: int, kind: int, pieces: I64, running: I64, tracks: I64, now: I64) -> None:
    """Ends a piece that waits when all that ended during it have ended."""
    low, t = pieces[_BEGIN, i], pieces[_END, i]
    last, ends = -1, -1
    for k in range(tracks.shape[1]):
        if not may_end(i, k, cur, kind, pieces, tracks):
            continue
        place = tracks[_LAST_RUNNING, k]
        stop = tracks[_FIRST_RUNNING, k + 1] if k + 1 < tracks.shape[1] else running.shape[0]
        while place < stop and pieces[_END, running[place]] <= t:
            place += 1
        tracks[_LAST_RUNNING, k] = place
        if place > tracks[_FIRST_RUNNING, k] and pieces[_END, running[place - 1]] > low:
            last = max(last, pieces[_END, running[place - 1]])
            ends = max(ends, now[1, running[place - 1]])
    if last >= 0:
        now[1, i] = max(now[0, i], ends + t - last)


def latest_ends(order: I64, pieces: I64, waits: U8, cause: I64, running: I64, tracks: I64, late: I64) -> None:
    """How late each piece may end in a `replay` without any that ends later than `late` says, into which it goes.

    tracks: as for `replay`, but past the last running piece of each that has ended.
    """
    for at in range(order.shape[1] - 1, -1, -1):
        i, cur = order[0, at], order[1, at]
        limit = late[i]
        if not waits[i] or not join_late(i, cur, waits[i], pieces, running, tracks, late):
            limit -= pieces[_END, i] - pieces[_BEGIN, i]
        c = cause[0, i]
        let = pieces[_BEGIN, i]
        if i > tracks[_FIRST, cur]:
            let = max(pieces[_END, i - 1], cause[1, i]) if c >= 0 else pieces[_END, i - 1]
        elif c >= 0:
            let = cause[1, i]
        limit -= max(pieces[_BEGIN, i] - let, 0)
        if i > tracks[_FIRST, cur]:
            late[i - 1] = min(late[i - 1], limit)
        if c >= 0:
            late[c] = min(late[c], limit + pieces[_END, c] - cause[1, i])


def may_end(i: int, k: int, cur: int, kind: int, pieces: I64, tracks: I64) -> Any:
    """Whether a wait, piece i of track `cur`, may be for what track `k` runs."""
    if pieces[_AWAITED, i] >= 0:
        return k == pieces[_AWAITED, i]
    if kind == _SILENT:
        return tracks[_SIDE, k] == _POOL
    return k != cur and (tracks[_SIDE, k] != _INPUT or kind == _FOR_INPUT)


def join_late(i: int, cur: int, kind: int, pieces: I64, running: I64, tracks: I64, late: I64) -> int:
    """What ended last during a wait, on each track, ends no later than that lets it; whether anything did."""
    low, t, last = pieces[_BEGIN, i], pieces[_END, i], -1
    for k in range(tracks.shape[1]):
        if not may_end(i, k, cur, kind, pieces, tracks):
            continue
        place = tracks[_LAST_RUNNING, k]
        while place > tracks[_FIRST_RUNNING, k] and pieces[_END, running[place - 1]] > t:
            place -= 1
        tracks[_LAST_RUNNING, k] = place
        if place > tracks[_FIRST_RUNNING, k]:
            last = max(last, pieces[_END, running[place - 1]])
    if last <= low:
        return 0
    for k in range(tracks.shape[1]):
        if not may_end(i, k, cur, kind, pieces, tracks):
            continue
        place = tracks[_LAST_RUNNING, k]
        if place > tracks[_FIRST_RUNNING, k] and pieces[_END, running[place - 1]] > low:
            late[running[place - 1]] = min(late[running[place - 1]], late[i] - (t - last))
    return 1
