"""One collective of the trace: the same on other hosts, and who came last, whatever their clocks say."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.timeline.timelines import timeline
from tests.tools.sync_training import MS, Device, captures
from tests.trace.test_viewer import ask, rows

FAST, SLOW = Device((MS, MS), (5 * MS, 5 * MS)), Device((MS, MS), (9 * MS, 8 * MS))


def hosts(late_ms: int) -> list[Timeline]:
    spaces = captures({"a": [FAST, FAST], "b": [FAST, SLOW]}, {"b": late_ms})
    return [timeline(space, host) for host, space in zip("ab", spaces, strict=True)]


def reduces(t: Timeline, device: int) -> list[int]:
    """Rows of a device's collectives."""
    c = t.capture
    named = np.array(["AllReduce" in c.strings[i] for i in c.events.name.tolist()])
    on = np.array([c.strings[i] == f"/device:GPU:{device}" for i in c.planes.name.tolist()])
    return np.flatnonzero(named & on[c.tracks.plane[c.events.track]]).tolist()


def told(a: Timeline, b: Timeline, event: str) -> tuple[list[tuple[str, int, str]], str]:
    origin = {} if a.capture.start_ns is None else {"origin_ns": a.capture.start_ns}
    answer = ask(a, b, event=event, **origin)
    links = [
        (host, row, text)
        for kind, host, row, text in rows(answer, "links", "kind", "host", "row", "text")
        if kind == "peer"
    ]
    facts = dict(rows(answer, "event", "key", "value"))
    return links, facts["came_last"]


def test_the_same_on_another_host() -> None:
    a, b = hosts(0)
    links, last = told(a, b, f"a:{reduces(a, 0)[1]}")
    assert links == [
        ("a", reduces(a, 1)[1], "The same collective on /device:GPU:1; it started at that instant and ended with it."),
        (
            "b",
            reduces(b, 0)[1],
            (
                "The same collective on /device:GPU:0 of b, matched by the hosts' clocks; "
                "it took 5 ms, as long as this one."
            ),
        ),
        (
            "b",
            reduces(b, 1)[1],
            "The same collective on /device:GPU:1 of b, matched by the hosts' clocks; it took 2 ms, 3 ms shorter.",
        ),
    ]
    assert last == "/device:GPU:1 of b, 3 ms after this one, of 4."


@pytest.mark.parametrize("late_ms", [1000, -1000])
def test_clocks_that_differ_by_more_than_a_capture_is_long(late_ms: int) -> None:
    a, b = hosts(late_ms)
    links, last = told(a, b, f"b:{reduces(b, 1)[0]}")
    assert [link for link in links if link[0] == "a"] == [
        (
            "a",
            reduces(a, 0)[0],
            "The same collective on /device:GPU:0 of a, matched by number, 1 of 2; it took 6 ms, 4 ms longer.",
        ),
        (
            "a",
            reduces(a, 1)[0],
            "The same collective on /device:GPU:1 of a, matched by number, 1 of 2; it took 6 ms, 4 ms longer.",
        ),
    ]
    assert last == "This one, 4 ms after the first, of 4."


def test_what_is_no_collective_has_no_peers() -> None:
    a, b = hosts(0)
    answer = ask(a, b, event="a:0", origin_ns=a.capture.start_ns)
    assert "came_last" not in dict(rows(answer, "event", "key", "value"))
    assert "peer" not in [kind for (kind,) in rows(answer, "links", "kind")]
