"""Rows of events by thread, by name and by what contains them: what the rules look through."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...tables import I32, I64, Capture
from ..tracks.tracks import host_tracks, rows_of

#: What a rule or a person's pattern sees of a name; longer ones are hostile or whole programs.
NAME_LIMIT = 1000

#: So many kinds of what looks like a step are told apart.
_KINDS = 7

Flags = NDArray[np.bool_]


class Call(NamedTuple):
    """The events of one name on one track. rows: ascending. typical_ps: the lower median of their durations."""

    name: int
    track: int
    rows: I64
    typical_ps: int

    @property
    def weight(self) -> int:
        """Their time, were none longer than is typical: a first call that compiles counts as one of many."""
        return len(self.rows) * self.typical_ps


def host_rows(capture: Capture) -> I64:
    """The event rows of all host threads, ascending."""
    return rows_of(capture, host_tracks(capture))


def names_where(capture: Capture, rows: I64, wanted: Callable[[str], object]) -> Flags:
    """By string id: whether it names one of the rows and is wanted. Each distinct name is asked for once."""
    used = np.zeros(len(capture.strings), bool)
    used[capture.events.name[rows]] = True
    is_wanted = np.zeros(len(capture.strings), bool)
    for i in np.flatnonzero(used).tolist():
        is_wanted[i] = bool(wanted(capture.strings[i][:NAME_LIMIT]))
    return is_wanted


def name_ids(capture: Capture, names: tuple[str, ...]) -> I64:
    """String ids of those names that the capture has."""
    ids = np.array([capture.strings.find(name) for name in names], np.int64)
    return ids[ids >= 0]


def ends(capture: Capture, rows: I64) -> I64:
    end: I64 = capture.events.start_ps[rows] + capture.events.duration_ps[rows]
    return end


def outermost(capture: Capture, rows: I64) -> Flags:
    """Which of some events, rows ascending, lie inside no other of them on their track."""
    if len(rows) < 2:
        return np.ones(len(rows), bool)
    _, rank = np.unique(ends(capture, rows), return_inverse=True)
    key = capture.events.track[rows].astype(np.int64) * len(rows) + rank.reshape(-1)
    reach = np.maximum.accumulate(key)
    top: Flags = np.append(True, key[1:] > reach[:-1])
    return top


def calls(capture: Capture, rows: I64, group: I64 | I32 | None = None) -> list[Call]:
    """Some events by name (or by another number of each) and track, those of most typical time first.

    Of more than 10,000 groups the largest are taken.
    """
    if not len(rows):
        return []
    name = capture.events.name[rows] if group is None else group
    order = np.lexsort((rows, capture.events.track[rows], name))
    a, b = name[order], capture.events.track[rows[order]]
    first = np.flatnonzero(np.append(True, (a[1:] != a[:-1]) | (b[1:] != b[:-1])))
    last = np.append(first[1:], len(order))
    largest = np.argsort(first - last, kind="stable")[:10_000].tolist()
    parts = [rows[order[first[i] : last[i]]] for i in largest]
    repeated = [
        Call(int(a[first[i]]), int(b[first[i]]), part, _typical(capture.events.duration_ps[part]))
        for i, part in zip(largest, parts, strict=True)
    ]
    return sorted(repeated, key=lambda call: -call.weight)


def _typical(duration_ps: I64) -> int:
    middle = (len(duration_ps) - 1) // 2
    return int(np.partition(duration_ps, middle)[middle])


def track_name(capture: Capture, track: int) -> str:
    """A track's name, without the thread's number."""
    name = capture.strings[int(capture.tracks.name[track])]
    return shown(name.split("/")[0] or f"thread {int(capture.tracks.id[track])}")


def shown(name: str, limit: int = 80) -> str:
    """The beginning of a name: names may be programs."""
    return name if len(name) <= limit else name[: limit - 1] + "…"


def whole_percent(share: float) -> int:
    return int(f"{100 * share:.0f}")


def count_other(others: dict[Message, int], what: Message, count: int) -> None:
    """Add to what else looked like a step; beyond a few kinds of it they are counted together."""
    if what not in others and len(others) >= _KINDS:
        what = Message("not_steps.further")
    others[what] = others.get(what, 0) + count
