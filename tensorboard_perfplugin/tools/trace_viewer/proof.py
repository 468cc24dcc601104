"""A number of another page, marked in the trace: its events, or its stretches of time, and what to outline."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...advice.text import Sentence
from ...tables import I64, Cells, Scalar, ranges
from ...trace.lanes import TRACKS_MAX
from ...trace.proof import (
    MARKS_MAX,
    Marks,
    RowPart,
    Stretches,
    merged_marks,
    row_part,
    text_of_events,
    text_of_stretches,
    together_of,
)
from ...trace.search import HITS_MAX
from .question import Answered, Asking, Given, Question, Run
from .search import hit_tables


def _per_host(asking: Asking) -> RowPart:
    return row_part(asking.timeline, asking.options, asking.window, asking.whole, asking.tracks)


def _answer(given: Sequence[Given[RowPart]], run: Run) -> Answered:
    is_of_stretches = any(one.part.found is not None for one in given)
    return (_of_stretches if is_of_stretches else _of_events)(given, run.first_hit)


def _of_events(given: Sequence[Given[RowPart]], first: int) -> Answered:
    """As a search has them."""
    parts = [one.part for one in given]
    hits = [part.hits for part in parts if part.hits]
    tables = hit_tables([one.host for one in given], [one.offset_ps for one in given], hits, first)
    tables["marks"] = _marks_table([(host, offset, part.marks) for host, offset, part in given if part.marks])
    text = text_of_events(parts)
    numbers: dict[str, Scalar] = {
        "hit_count": sum(part.total for part in hits),
        "hit_names_rows": len(tables["hit_names"]["name"]),
        "hit_ps": sum(part.ps for part in parts),
        "hit_text": Sentence(text.code, text.params),
    }
    return Answered(numbers, tables)


class _Listed(NamedTuple):
    """Stretches of one host that lie in its window, in the answer's time."""

    host: str
    name: str
    begin: I64
    end: I64


def _of_stretches(given: Sequence[Given[RowPart]], first: int) -> Answered:
    shown = together_of([one.host for one in given], [one.part for one in given])
    of_host = {one.host: one for one in given}
    listed = [
        _Listed(host, name, when.begin[inside] + of_host[host].offset_ps, when.end[inside] + of_host[host].offset_ps)
        for host, whens in shown.hits.items()
        for name, when in whens
        for inside in (of_host[host].part.window.holds(when.begin, when.end - when.begin),)
    ]
    marks, on_track = [], Counter[tuple[str, int]]()
    for host, some in shown.parts.items():
        _, offset, part = of_host[host]
        names_of = part.found.names if isinstance(part.found, Stretches) else ()
        for name, (tracks, when) in zip(names_of or [""] * len(some), some, strict=True):
            inside = part.window.holds(when.begin, when.end - when.begin)
            begin, end = when.begin[inside], when.end[inside]
            on_track.update({(host, track): len(begin) for track in tracks.tolist() if len(begin)})
            one = merged_marks(np.zeros(len(begin), np.int64), begin, end, part.window, part.width)
            marks.append((host, offset, dataclasses.replace(one, tracks=[ranges(tracks)] * len(one.tracks), name=name)))
    text = text_of_stretches(shown)
    numbers: dict[str, Scalar] = {
        "hit_count": sum(len(one.begin) for one in listed),
        "hit_names_rows": 1,
        "hit_ps": shown.ps,
        "hit_text": Sentence(text.code, text.params),
    }
    total = sum(int((one.end - one.begin).sum()) for one in listed)
    return Answered(
        numbers,
        {
            "hits": _hits_table(listed, first),
            "hit_tracks": _tracks_table(on_track),
            "hit_names": {"name": [shown.name], "hits": [shown.number], "total_ps": [total]},
            "marks": _marks_table(marks),
        },
    )


def _tracks_table(on_track: Counter[tuple[str, int]]) -> dict[str, Cells]:
    rows = [(host, track, count) for (host, track), count in on_track.items()][:TRACKS_MAX]
    return {
        "host": [host for host, _, _ in rows],
        "track": [track for _, track, _ in rows],
        "hits": [count for _, _, count in rows],
    }


def _hits_table(listed: Sequence[_Listed], first: int) -> dict[str, Cells]:
    """A page of stretches by begin; they are no events."""
    begin = np.concatenate([np.empty(0, np.int64), *(one.begin for one in listed)])
    end = np.concatenate([np.empty(0, np.int64), *(one.end for one in listed)])
    host = np.repeat(np.arange(len(listed)), [len(one.begin) for one in listed])
    at = np.argsort(begin, kind="stable")[first : first + HITS_MAX]
    n = len(at)
    return {
        "host": [listed[i].host for i in host[at].tolist()],
        "track": [-1] * n,
        "depth": [0] * n,
        "start_ps": begin[at].tolist(),
        "duration_ps": (end - begin)[at].tolist(),
        "name": [listed[i].name for i in host[at].tolist()],
        "row": [-1] * n,
    }


def _marks_table(parts: Sequence[tuple[str, int, Marks]]) -> dict[str, Cells]:
    """Those of all hosts, a fair number of each part."""
    most = max(1, MARKS_MAX // max(1, len(parts)))
    kept = [(host, offset, marks, i) for host, offset, marks in parts for i in range(min(len(marks.tracks), most))]
    kept = kept[:MARKS_MAX]
    return {
        "host": [host for host, *_ in kept],
        "tracks": [marks.tracks[i] for *_, marks, i in kept],
        "start_ps": [int(marks.start_ps[i]) + offset for _, offset, marks, i in kept],
        "end_ps": [int(marks.end_ps[i]) + offset for _, offset, marks, i in kept],
        "count": [int(marks.count[i]) for *_, marks, i in kept],
        "name": [marks.name or None for *_, marks, i in kept],
    }


PROOF = Question(
    name="proof",
    asked_by=("search", "match=row"),
    per_host=_per_host,
    answer=_answer,
    scalars=("hit_count", "hit_names_rows", "hit_ps", "hit_text"),
    tables=("hits", "hit_tracks", "hit_names", "marks"),
    not_asked="no row of a table was asked for",
)
