"""Sums of an area, hits of a search and events of an export, each counted again here, from the events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tensorboard_perfplugin.tables import TrackKind
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tests.trace.random_traces import FAR, SHORT, Planes, planes, timeline_of
from tests.trace.test_viewer import ask, rows

#: Track, begin, end, name to show.
Event = tuple[int, int, int, str]


def events_of(timeline: Timeline) -> list[Event]:
    c = timeline.capture
    labels = c.strings.of(c.kinds.label)
    texts = [
        labels[kind] if kind >= 0 and labels[kind] else name
        for kind, name in zip(c.events.kind.tolist(), c.strings.of(c.events.name), strict=True)
    ]
    start = c.events.start_ps.tolist()
    ends = [a + n for a, n in zip(start, c.events.duration_ps.tolist(), strict=True)]
    return list(zip(c.events.track.tolist(), start, ends, texts, strict=True))


def overlaps(event: Event, start: int, end: int) -> bool:
    """An instant overlaps what it lies in."""
    _, at, until, _ = event
    return at < end and (until > start or at >= start)


def covered(spans: Iterable[tuple[int, int]]) -> int:
    """Length of the union."""
    total, reach = 0, None
    for low, high in sorted(spans):
        low = low if reach is None else max(low, reach)
        total += max(0, high - low)
        reach = high if reach is None else max(reach, high)
    return total


def clip(event: Event, start: int, end: int) -> tuple[int, int]:
    return max(event[1], start), min(event[2], end)


def measured(timeline: Timeline) -> list[int]:
    kinds = timeline.capture.tracks.kind.tolist()
    return [i for i, kind in enumerate(kinds) if kind not in (TrackKind.DERIVED, TrackKind.COUNTER)]


def area_check(timeline: Timeline, answer: Answer, tracks: list[int], start: int, end: int) -> None:
    inside = [e for e in events_of(timeline) if e[0] in tracks and overlaps(e, start, end)]
    busy = {t: covered(clip(e, start, end) for e in inside if e[0] == t) for t in {e[0] for e in inside}}
    summary = answer.result.summary
    assert summary["area_events"] == len(inside)
    assert summary["area_tracks"] == len(busy)
    assert summary["area_busy_ps"] == sum(busy.values())
    count: Counter[str] = Counter()
    total: Counter[str] = Counter()
    longest: dict[str, int] = {}
    for event in inside:
        low, high = clip(event, start, end)
        count[event[3]] += 1
        total[event[3]] += high - low
        longest[event[3]] = max(longest.get(event[3], 0), high - low)
    said_count: Counter[str] = Counter()
    said_total: Counter[str] = Counter()
    every = events_of(timeline)
    for name, number, ps, most, row in rows(answer, "area_names", "name", "count", "total_ps", "max_ps", "row"):
        whole = every[row][3]
        said_count[whole] += number
        said_total[whole] += ps
        assert name == whole or "…" in name
        low, high = clip(every[row], start, end)
        assert high - low == most <= longest[whole]
    assert said_count == count
    assert +said_total == +total
    for table in ("area_names", "area_categories", "area_flame", "area_bottom_up"):
        top = rows(answer, table, "self_ps", "count", *(["parent"] if "area_f" in table or "area_b" in table else []))
        if table == "area_bottom_up":
            top = [row for row in top if row[-1] == -1]
        assert sum(row[0] for row in top) == sum(busy.values()), table
        assert sum(row[1] for row in top) == len(inside), table
    gaps_check(timeline, answer, inside, busy, start, end)


def gaps_check(
    timeline: Timeline, answer: Answer, inside: list[Event], busy: dict[int, int], start: int, end: int
) -> None:
    """On each track that shows anything gaps and busy time are the area, and no gap touches an event."""
    every = rows(answer, "area_gaps", "track", "start_ps", "duration_ps", "scope")
    gaps = [gap[:3] for gap in every if gap[3] != "device"]
    if len(every) < int(answer.result.summary["area_gaps_rows"] or 0):
        return
    assert len(every) == answer.result.summary["area_gaps_rows"]
    for _, at, long, _ in (gap for gap in every if gap[3] == "device"):
        idle = dict.fromkeys(busy, 0)
        for track, begin, length in gaps:
            idle[track] += max(0, min(begin + length, at + long) - max(begin, at))
        assert sum(ps == long for ps in idle.values()) > 1, "its streams ran nothing then"
    kept = set(measured(timeline))
    for track in busy.keys() & kept:
        assert busy[track] + sum(long for t, _, long in gaps if t == track) == end - start
    for track, at, long in gaps:
        assert track in busy.keys() & kept
        assert start <= at < at + long <= end
        for event in inside:
            low, high = clip(event, start, end)
            assert event[0] != track or high <= at or low >= at + long


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(planes(), st.integers(-5, 80), st.integers(1, 120), st.sampled_from([None, (0, 2), (1, 1), (0, 99)]))
def test_an_area_is_the_sum_of_its_clipped_events(
    given_planes: Planes, start: int, length: int, between: tuple[int, int] | None
) -> None:
    """Numbers beyond those of the capture's tracks are of derived ones."""
    timeline = timeline_of(given_planes)
    assume(len(timeline.capture.events))
    chosen, tracks = measured(timeline), ""
    if between:
        first, last = (min(one, len(timeline.capture.tracks) - 1) for one in between)
        chosen, tracks = list(range(first, last + 1)), f"{first}-{last}"
    origin = {} if timeline.capture.start_ns is None else {"origin_ns": timeline.capture.start_ns}
    end = start + length
    answer = ask(timeline, area=True, start_ps=start, end_ps=end, tracks=tracks, **origin)
    area_check(timeline, answer, chosen, start, end)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(planes(FAR), FAR | SHORT, FAR.filter(bool))
def test_an_area_of_any_magnitude(given_planes: Planes, start: int, length: int) -> None:
    timeline = timeline_of(given_planes)
    assume(len(timeline.capture.events) and start + length <= 1 << 62)
    inside = [e for e in events_of(timeline) if overlaps(e, start, start + length)]
    assume(sum(high - low for low, high in (clip(e, start, start + length) for e in inside)) < 1 << 61)
    answer = ask(timeline, area=True, start_ps=start, end_ps=start + length)
    area_check(timeline, answer, measured(timeline), start, start + length)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(planes(), st.sampled_from(["e", "KERNEL", "MatMul", "سلام", "\x00", "<", "x" * 201]), st.booleans())
def test_a_search_finds_what_is_there(given_planes: Planes, text: str, exact: bool) -> None:
    """Names alone: what an op or an arg holds is found besides."""
    timeline = timeline_of(given_planes)
    how = "exact" if exact else "text"
    answer = ask(timeline, search=text, match=how)
    found = {row for (row,) in rows(answer, "hits", "row")}
    every = events_of(timeline)
    wanted = {i for i, e in enumerate(every) if (e[3] == text if exact else text.casefold() in e[3].casefold())}
    assert int(answer.result.summary["hit_count"] or 0) >= len(wanted)
    if len(every) <= 100:
        assert wanted <= found
        assert len(found) == answer.result.summary["hit_count"]
    for table in ("hit_names", "hit_tracks"):
        assert sum(hits for (hits,) in rows(answer, table, "hits")) == answer.result.summary["hit_count"]
    total = sum(every[row][2] - every[row][1] for row in found)
    assert sum(ps for (ps,) in rows(answer, "hit_names", "total_ps")) == total or len(every) > 100
