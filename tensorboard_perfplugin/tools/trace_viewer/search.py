"""A search of the trace: the hits of all hosts, a page of them by start, and how many each track and each name has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...tables import Cells, Scalar
from ...trace.lanes import TRACKS_MAX, added, shortened
from ...trace.search import HIT_NAMES_MAX, HITS_MAX, First, HitsPart, find, find_derived
from .question import Answered, Asking, Given, Question, Run


def _per_host(asking: Asking) -> list[HitsPart]:
    """Of the capture's tracks and, where they are asked for, of the derived ones."""
    parts = [find(asking.timeline, asking.options, asking.window, asking.tracks)]
    if asking.derived is not None:
        parts.append(find_derived(asking.derived, asking.options, asking.window, asking.derived_tracks))
    return parts


def _answer(given: Sequence[Given[list[HitsPart]]], run: Run) -> Answered:
    parts = [part for one in given for part in one.part]
    hosts = [one.host for one in given for _ in one.part]
    offsets = [one.offset_ps for one in given for _ in one.part]
    return Answered(hit_numbers(parts), hit_tables(hosts, offsets, parts, run.first_hit))


def hit_tables(
    hosts: Sequence[str], offsets: Sequence[int], parts: Sequence[HitsPart], offset: int
) -> dict[str, dict[str, Cells]]:
    """A page of the hits of all hosts by start, and how many each track and each name has."""
    tracks = [(hosts[i], track, count) for i, p in enumerate(parts) for track, count in p.by_track][:TRACKS_MAX]
    return {
        "hits": _page(hosts, offsets, [p.first for p in parts], offset),
        "hit_tracks": {
            "host": [t[0] for t in tracks],
            "track": [t[1] for t in tracks],
            "hits": [t[2] for t in tracks],
        },
        "hit_names": _hit_names(parts),
    }


def _page(hosts: Sequence[str], offsets: Sequence[int], parts: Sequence[First], offset: int) -> dict[str, Cells]:
    """By start, then by host and row."""
    size = [len(part.row) for part in parts]
    start = np.concatenate([np.empty(0, np.int64), *(p.start_ps + o for p, o in zip(parts, offsets, strict=True))])
    at = np.argsort(start, kind="stable")[offset : offset + HITS_MAX]
    host = np.repeat(np.arange(len(parts)), size)[at].tolist()
    row = (at - (np.cumsum([0, *size])[host] if host else 0)).tolist()
    places = list(zip((parts[i] for i in host), row, strict=True))
    return {
        "host": [hosts[i] for i in host],
        "track": [int(p.track[i]) for p, i in places],
        "depth": [int(p.depth[i]) for p, i in places],
        "start_ps": start[at].tolist(),
        "duration_ps": [int(p.duration_ps[i]) for p, i in places],
        "name": shortened(p.names[int(p.name[i])] for p, i in places),
        "row": [int(p.row[i]) for p, i in places],
    }


def hit_numbers(parts: Sequence[HitsPart]) -> dict[str, Scalar]:
    names = {name for p in parts for name, _, _ in p.names}
    beyond = max((p.name_count - len(p.names) for p in parts), default=0)
    return {"hit_count": sum(p.total for p in parts), "hit_names_rows": len(names) + beyond}


def _hit_names(parts: Sequence[HitsPart]) -> dict[str, Cells]:
    total: dict[str, tuple[int, int]] = {}
    for part in parts:
        for name, hits, ps in part.names:
            before = total.get(name, (0, 0))
            total[name] = before[0] + hits, added(before[1], ps)
    rows = sorted(total.items(), key=lambda row: (-row[1][0], -row[1][1], row[0]))[:HIT_NAMES_MAX]
    return {
        "name": shortened(name for name, _ in rows),
        "hits": [hits for _, (hits, _) in rows],
        "total_ps": [ps for _, (_, ps) in rows],
    }


SEARCH = Question(
    name="search",
    asked_by=("search",),
    per_host=_per_host,
    answer=_answer,
    scalars=("hit_count", "hit_names_rows"),
    tables=("hits", "hit_tracks", "hit_names"),
    not_asked="no search was asked for",
)
