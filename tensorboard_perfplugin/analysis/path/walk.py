# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""The walk back along a critical path, compiled where it can be: the types are in `walk.pxd`, and Python runs it too.

Callers pass numbers that are within bounds; nothing here is checked a second time.

pieces: (4, n), begin and end of each, ascending and disjoint in each track; when what let it begin was done, and on
which track, -1 where nothing shows it. waits: of each 0 where it runs, 1 where it waits for others, 2 for input.
running: those that run. tracks: (5, k), of each its first piece, its side, its last piece before the instant at which
the path is, and its first and last of `running`, likewise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...tables import I64, U8

#: `path.Kind` and `path.Side`; rows of `pieces` and of `tracks`.
_RUNS, _WAITS, _LAUNCHES, _HOPS = 0, 1, 2, 3
_MAIN, _INPUT, _DEVICE = 0, 2, 3
_BEGIN, _END, _CAUSE, _CAUSE_TRACK = 0, 1, 2, 3
_FIRST, _SIDE, _LAST, _FIRST_RUNNING, _LAST_RUNNING = 0, 1, 2, 3, 4


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
        i = tracks[_LAST_RUNNING, k]
        while i >= tracks[_FIRST_RUNNING, k] and pieces[_BEGIN, running[i]] >= t:
            i -= 1
        tracks[_LAST_RUNNING, k] = i
        if i < tracks[_FIRST_RUNNING, k]:
            continue
        until = min(pieces[_END, running[i]], t)
        if until > last:
            found = k
            last = until
    return found


def ended(track: int, pieces: I64, running: I64, tracks: I64) -> Any:
    """When the last running piece of a track ended."""
    return pieces[_END, running[tracks[_LAST_RUNNING, track]]]


def wait(t: int, low: int, cur: int, kind: int, pieces: I64, running: I64, tracks: I64, to: I64) -> None:
    """Of a piece that waits until `t`: on which track, and where, the path goes on. kind: 2 of a wait for input."""
    to[0] = -1
    if kind == 2:
        to[0] = latest(t, low, cur, _INPUT, pieces, running, tracks)
    if to[0] < 0:
        to[0] = latest(t, low, cur, -1, pieces, running, tracks)
    to[1] = low if to[0] < 0 else ended(to[0], pieces, running, tracks)
    if to[0] < 0:
        to[0] = cur


def cause_on_device(
    t: int, before: int, i: int, near: int, cur: int, pieces: I64, running: I64, tracks: I64, to: I64
) -> None:
    """Of a kernel that begins at `t`, piece i: as `wait`. before: when the one before it on its stream ended."""
    if before < pieces[_CAUSE, i] <= t:
        to[0], to[1] = pieces[_CAUSE_TRACK, i], pieces[_CAUSE, i]
        return
    # It was launched long ago: another stream may have let it begin, else the device itself was late.
    to[0], to[1] = cur, before
    if before < t:
        go = latest(t, before, cur, _DEVICE, pieces, running, tracks)
        if go >= 0 and t - ended(go, pieces, running, tracks) <= near:
            to[0], to[1] = go, ended(go, pieces, running, tracks)


def cause_in_pool(
    t: int, before: int, i: int, near: int, cur: int, pieces: I64, running: I64, tracks: I64, to: I64
) -> None:
    """Of what a pool's thread begins at `t`: as `cause_on_device`; -1 where nothing in the pool let it. A thread that
    is free takes what was handed to it; one that is not ends something else before."""
    cause = pieces[_CAUSE, i] if pieces[_CAUSE_TRACK, i] >= 0 and pieces[_CAUSE, i] <= t else -1
    last = min(cause, t - near) if cause >= 0 else t - near
    to[0], to[1] = latest(t, last, cur, tracks[_SIDE, cur], pieces, running, tracks), last
    if to[0] >= 0:
        to[1] = ended(to[0], pieces, running, tracks)
    if before >= last and (to[0] < 0 or to[1] <= before):
        to[0], to[1] = cur, before
    if cause >= 0 and (to[0] < 0 or cause > to[1]):
        to[0], to[1] = pieces[_CAUSE_TRACK, i], cause
    if to[0] < 0:
        to[1] = t


def walk(state: I64, floor: int, near: int, pieces: I64, waits: U8, running: I64, tracks: I64, out: I64) -> int:
    """Write stretches of the path, the latest first, until it is back at `floor` or `out` is full: how many.

    state: the track on which it is, the instant, the track of the program on which it was last, and room for two;
    kept from call to call. near: pieces of a pool follow each other if no more lies between. out: (4, n): begin, end,
    piece or -1, what it is.
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
            what = _WAITS
            wait(t, max(pieces[_BEGIN, i], floor), cur, waits[i], pieces, running, tracks, to)
        else:
            to[1] = pieces[_BEGIN, i]
        count = put(out, count, to[1], t, piece, what, floor)
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
            count = put(out, count, to[1], t, i, what, floor)
            t = min(to[1], t)
        cur = to[0] if to[0] >= 0 else home
    state[0], state[1], state[2] = cur, t, home
    return count


def put(out: I64, count: int, low: int, t: int, piece: int, what: int, floor: int) -> int:
    """A stretch, unless it is empty; how many there are then."""
    if low < floor:
        low = floor
    if low >= t:
        return count
    out[0, count] = low
    out[1, count] = t
    out[2, count] = piece
    out[3, count] = what
    return count + 1
