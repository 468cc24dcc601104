"""Captures that nobody wrote: the decoders agree, and the numbers are those that the builder was given."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.build_capture import Line, Nothing, Plane, Ref, Space, StatValue, Uint, chunk, number, varint
from tests.decode.both import events, read_both

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(max_size=6)
UNKNOWN = st.sampled_from(
    [b"", number(40, 7), chunk(41, b"abc"), varint(42 << 3 | 1) + bytes(8), b"\x9b\x03\x08\x01\x9c\x03"]
)
VALUES: st.SearchStrategy[StatValue] = st.one_of(
    INT64,
    st.floats(allow_nan=False),
    TEXT,
    st.binary(max_size=5),
    st.integers(0, 2**64 - 1).map(Uint),
    TEXT.map(Ref),
    st.just(Nothing),
)
#: Few keys, so that many are equal.
STATS = st.lists(st.tuples(st.sampled_from(["id", "flops", "", "ä"]), VALUES), max_size=4)
NAMES = st.sampled_from(["/host:CPU", "/device:GPU:0", "/device:TPU:1", "/host:metadata", "Task Environment", "other"])
MISSING_KIND = 10**12

EVENT = st.fixed_dictionaries(
    {
        "name": st.one_of(st.sampled_from(["op", "kernel", ""]), st.just(MISSING_KIND), st.just(-1)),
        "start_ps": st.one_of(st.none(), st.integers(-100, 10**6)),
        "duration_ps": st.integers(-5, 10**4),
        "stats": STATS,
        "occurrences": st.one_of(st.none(), st.none(), st.integers(-1, 5)),
        "extra": UNKNOWN,
    }
)
LINE = st.tuples(
    st.sampled_from([1, 2, -7, 2**63 - 1]),
    TEXT,
    st.integers(0, 1000),
    st.integers(-3, 3),
    TEXT,
    st.lists(EVENT, max_size=6),
)
PLANE = st.tuples(NAMES, STATS, st.lists(LINE, max_size=4), UNKNOWN)


def build(planes: list[Any], texts: list[str]) -> Space:
    space = Space(texts[:1], texts[1:2], texts[2:])
    for name, stats, lines, _ in planes:
        plane = space.plane(name, stats=stats)
        plane.kind("kernel", "label", stats)
        for id, line_name, timestamp_ns, display_id, display_name, contents in lines:
            line = Line(plane, id, line_name, timestamp_ns, display_id, display_name)
            plane.lines.append(line)
            for event in contents:
                line.event(**event)
    return space


def with_unknown(space: Space, planes: list[Any]) -> bytes:
    """The space's bytes, with unknown fields between and inside its planes."""
    parts = [chunk(1, plane.bytes() + extra) + extra for plane, (*_, extra) in zip(space.planes, planes, strict=True)]
    return b"".join(parts) + Space(space.hostnames, space.errors, space.warnings).bytes()


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PLANE, min_size=1, max_size=3), st.lists(TEXT, max_size=4))
def test_generated(planes: list[Any], texts: list[str]) -> None:
    space = build(planes, texts)
    capture = read_both(with_unknown(space, planes))
    given_events = [e for _, _, lines, _ in planes for *_, contents in lines for e in contents]
    timed = [e for e in given_events if e["occurrences"] is None]
    assert capture.quality.events_in_file == len(given_events)
    assert not capture.quality.dropped
    assert len(capture.events) == len(timed)
    assert len(capture.aggregates) == len(given_events) - len(timed)
    assert capture.events.duration_ps.sum() == sum(max(e["duration_ps"], 0) for e in timed)
    assert sorted(row[1] for row in events(capture)) == sorted(
        "" if isinstance(e["name"], int) else e["name"] for e in timed
    )


@settings(max_examples=60, deadline=None)
@given(STATS, st.lists(STATS, max_size=5))
def test_stats_come_back_as_given(own: Any, of_events: list[Any]) -> None:
    space = Space()
    plane: Plane = space.plane("/host:CPU", stats=own)
    line = plane.line(1)
    for i, stats in enumerate(of_events):
        line.event("op", i, 1, stats)
    capture = read_both(space)
    assert capture.values(int(capture.planes.stats_begin[0]), int(capture.planes.stats_end[0])) == plain(own)
    assert [row[4] for row in events(capture)] == [plain(stats) for stats in of_events]


def plain(stats: Any) -> list[tuple[str, object]]:
    return [(key, None if value is Nothing else value) for key, value in stats]
