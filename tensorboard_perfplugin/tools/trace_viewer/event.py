"""One event of the trace: all that is known of it, what it has to do with, and why it started only then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs

from ...advice.finding import Finding
from ...advice.text.catalogue import Sentence
from ...errors import ArgumentError, NotFoundError
from ...messages import Message
from ...tables import I64, Cells, Evidence, Scalar, ranges
from ...timeline.timeline import cached
from ...trace.derived import derived_of
from ...trace.event import Row, derived_details, derived_related, details
from ...trace.lanes import TRACKS_MAX, added, shortened
from ...trace.links import Collectives, Frame, Link, Party, Related, came_last, collectives, links_to, peers, related
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
from ...trace.search import HIT_NAMES_MAX, HITS_MAX, First, HitsPart, find, find_derived
from ...trace.window import place_of
from .question import Answered, Asking, Given, Question, Run


class Details(NamedTuple):
    rows: list[Row]
    related: Related


class EventPart(NamedTuple):
    """collectives: of every host. details: of the host that has the event."""

    collectives: Collectives
    details: Details | None


def _per_host(asking: Asking) -> EventPart:
    timeline = asking.timeline
    row = place_of(str(asking.options["event"]), timeline.host)
    exchanged = cached(timeline, collectives)
    if row is None:
        return EventPart(exchanged, None)
    if row < len(timeline.capture.events):
        rows = details(timeline, row, asking.offset_ps)
        return EventPart(exchanged, Details(rows, related(timeline, row, asking.offset_ps)))
    derived = derived_of(timeline)
    rows = derived_details(derived, row, asking.offset_ps)
    return EventPart(exchanged, Details(rows, derived_related(derived, row, asking.offset_ps)))


def _answer(given: Sequence[Given[EventPart]], run: Run) -> Answered:
    asked = str(run.options["event"])
    if len(given) > 1 and ":" not in asked:
        raise ArgumentError(f"event={asked[:80]!r}: the run has several hosts; give `host:row`")
    for host, _, part in given:
        if part.details is not None:
            return _of_event(given, host, part.details, run.axis.origin_ns is not None)
    raise NotFoundError(f"event={asked[:80]!r}: the hosts are {', '.join(one.host for one in given[:20])}")


def _of_event(given: Sequence[Given[EventPart]], host: str, event: Details, one_clock: bool) -> Answered:
    facts = {key: value for group, key, value in event.rows if group == "event"}
    links, last = _together(given, host, int(facts["row"]), event.related, one_clock)
    rows = event.rows + ([("event", "came_last", Sentence(last.code, last.params))] if last else [])
    group, key, value = zip(*rows, strict=True)
    tables: dict[str, dict[str, Cells]] = {
        "event": {"group": group, "key": key, "value": value},
        "links": _links_table(links),
        "stack": _stack_table(event.related.stack),
    }
    begin, why = int(facts["start_ps"]), event.related.why.message
    place = Evidence(host, begin, begin + int(facts["duration_ps"]), int(facts["track"]))
    findings = [Finding(code=why.code, params=why.params, evidence=(place,))] if why else []
    return Answered(tables=tables, findings=findings)


def _together(
    given: Sequence[Given[EventPart]], host: str, row: int, event: Related, one_clock: bool
) -> tuple[list[Link], Message | None]:
    """The links of an event with the same collective on other hosts, and the host that came last to it."""
    exchanged = [(one.host, one.offset_ps, one.part.collectives) for one in given]
    this, far = peers(exchanged, host, row, one_clock)
    if this is None:
        return event.links, None
    parties = event.parties + [Party(one.device, one.host, one.end - one.begin) for one in far]
    return event.links + links_to(far, this), came_last(this, parties)


def _links_table(links: Sequence[Link]) -> dict[str, Cells]:
    return {
        "kind": [link.kind for link in links],
        "host": [link.host for link in links],
        "row": [link.row for link in links],
        "track": [link.track for link in links],
        "depth": [link.depth for link in links],
        "start_ps": [link.start_ps for link in links],
        "duration_ps": [link.duration_ps for link in links],
        "name": shortened(link.name for link in links),
        "text": [Sentence(link.message.code, link.message.params) for link in links],
    }


def _stack_table(frames: Sequence[Frame]) -> dict[str, Cells]:
    return {
        "name": shortened(frame.name for frame in frames),
        "row": [frame.row for frame in frames],
        "start_ps": [frame.start_ps for frame in frames],
        "duration_ps": [frame.duration_ps for frame in frames],
        "track": [frame.track for frame in frames],
        "kind": [frame.kind for frame in frames],
    }


EVENT = Question(
    name="event",
    asked_by=("event",),
    per_host=_per_host,
    answer=_answer,
    tables=("event", "links", "stack"),
)


# A search of the trace: the hits of all hosts, a page of them by start, and how many each track and each name has.


def _search_per_host(asking: Asking) -> list[HitsPart]:
    """Of the capture's tracks and, where they are asked for, of the derived ones."""
    parts = [find(asking.timeline, asking.options, asking.window, asking.tracks)]
    if asking.derived is not None:
        parts.append(find_derived(asking.derived, asking.options, asking.window, asking.derived_tracks))
    return parts


def _search_answer(given: Sequence[Given[list[HitsPart]]], run: Run) -> Answered:
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
    per_host=_search_per_host,
    answer=_search_answer,
    scalars=("hit_count", "hit_names_rows"),
    tables=("hits", "hit_tracks", "hit_names"),
    not_asked="no search was asked for",
)


# A number of another page, marked in the trace: its events, or its stretches of time, and what to outline.


def _proof_per_host(asking: Asking) -> RowPart:
    return row_part(asking.timeline, asking.options, asking.window, asking.whole, asking.tracks)


def _proof_answer(given: Sequence[Given[RowPart]], run: Run) -> Answered:
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
            marks.append((host, offset, structs.replace(one, tracks=[ranges(tracks)] * len(one.tracks), name=name)))
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
    per_host=_proof_per_host,
    answer=_proof_answer,
    scalars=("hit_count", "hit_names_rows", "hit_ps", "hit_text"),
    tables=("hits", "hit_tracks", "hit_names", "marks"),
    not_asked="no row of a table was asked for",
)
