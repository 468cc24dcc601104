"""Windows, events and searches that ask for too much."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.trace import lanes as trace_lanes
from tests.build_capture import Ref, Space, StatValue
from tests.trace.test_viewer import BOTH, NS, ask, opened, rows, shown, two_planes


@BOTH
def test_the_widest_window(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """2^63 ps in one pixel: a bucket's length became negative, and with many events the search for one never ended."""
    if not compiled:
        monkeypatch.setattr(trace_lanes, "_compiled", None)
    far = 1 << 62
    answer = ask(opened(two_planes()), start_ps=-far, end_ps=far, width=1)
    assert answer.result.summary["resolution_ps"] == far
    assert [row[2:] for row in shown(answer)] == [
        (far + 600, 300, "kernel", 1),
        (far + 1000, 0, "copy", 1),
        (far, 1000, "step", 1),
        (far + 100, 600, "f", 2),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"origin_ns": 0}, "origin_ns=0: more than 13 days from a host's start"),
        ({"origin_ns": NS - 10**9, "start_ps": 0, "end_ps": 1 << 62}, None),
        ({"origin_ns": NS + 10**9, "start_ps": 0, "end_ps": 1 << 62}, "too far from the capture"),
        ({"origin_ns": NS - 10**9, "start_ps": -(1 << 62), "end_ps": 1}, "too far from the capture"),
    ],
)
def test_times_beyond_64_bits(options: dict[str, object], message: str | None) -> None:
    """Their sums raised OverflowError, or wrapped."""
    space = Space()
    space.plane("/host:CPU").line(1, timestamp_ns=NS).event("e", 0, 1)
    if message is None:
        assert ask(opened(space), **options).result.summary["shown_count"] == 1
    else:
        with pytest.raises(ArgumentError, match=message):
            ask(opened(space), **options)


def test_many_long_values_of_one_event() -> None:
    """They may all be one text of the file: 1 MB of file made an answer of 2 GB."""
    space = Space()
    stats: list[tuple[str, StatValue]] = [("k", Ref("y" * 1_500_000)) for _ in range(20)]
    line = space.plane("/host:CPU").line(1, "t").event("long", 0, 1, stats)
    line.event("many", 5, 1, [("b", bytes(1000)), *((f"k{i}", i) for i in range(1500))])

    def values(row: int) -> list[str]:
        return [value for group, value in rows(ask(opened(space), event=row), "event", "group", "value")]

    assert values(0)[-5:] == ["y" * 1_000_000 + "… (500000 more characters)"] * 4 + ["16 more"]
    many = values(1)
    assert "1000 bytes: " + " ".join(["00"] * 256) + "…" in many
    assert (len(many), many[-1]) == (1001, "511 more")
