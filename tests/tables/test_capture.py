"""What a capture derives from its columns."""

from __future__ import annotations

from tensorboard_perfplugin import decode
from tests.build_capture import Space


def test_the_span_and_the_names_of_more_events_than_are_looked_at_at_once() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "thread")
    line.event("long", 7, 1_000_000)
    for i in range(40_000):
        line.event("short", 10 + i, 1)
    space.planes[0].kind("never ran")
    capture = decode.read_bytes(space.bytes(), "h.xplane.pb")
    assert capture.span_ps == (7, 1_000_007)
    assert sorted(capture.strings.texts(capture.names_used)) == ["long", "short"]


def test_nothing_ran() -> None:
    capture = decode.read_bytes(Space().bytes(), "h.xplane.pb")
    assert (capture.span_ps, capture.names_used.tolist()) == ((0, 0), [])
