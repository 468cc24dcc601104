"""One clock for all lines of a file."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tests.build_capture import Space, Uint
from tests.decode.both import read_both

UNIX = 1_795_000_000_000_000_000
DAY_NS, HOUR_NS = 86_400 * 10**9, 3600 * 10**9
#: A line: its time stamp in ns, its events' offsets in ps.
Given = tuple[int, list[int]]


def capture_of(*lines: Given, session: int | None = None, duration_ps: int = 1) -> Capture:
    space = Space()
    host = space.plane("/host:CPU")
    for i, (timestamp_ns, offsets) in enumerate(lines):
        line = host.line(i + 1, timestamp_ns=timestamp_ns)
        for offset in offsets:
            line.event("op", offset, duration_ps)
    if session is not None:
        space.plane("Task Environment", stats={"profile_start_time": Uint(session)})
    return read_both(space)


def clock(*lines: Given, session: int | None = None) -> tuple[int | None, list[int]]:
    """start_ns, start_ps of all events."""
    capture = capture_of(*lines, session=session)
    return capture.start_ns, capture.events.start_ps.tolist()


@pytest.mark.parametrize(
    ("lines", "session", "start_ns", "start_ps"),
    [
        pytest.param([(5, [10, 20]), (0, [7])], None, None, [5010, 5020, 7], id="relative"),
        pytest.param([(5, [10, 20])], UNIX, UNIX, [5010, 5020], id="relative to the session"),
        pytest.param([(UNIX + 3, [10]), (UNIX, [20])], None, UNIX, [3010, 20], id="unix time"),
        pytest.param([(UNIX + 3, [10])], UNIX, UNIX, [3010], id="unix time and the session's"),
        pytest.param([(UNIX + 3, [10]), (4, [10])], UNIX, UNIX, [3010, 4010], id="both in one file"),
        pytest.param([(UNIX, [10]), (0, [5_000_000])], None, UNIX, [10, 5_000_000], id="counters at zero"),
        pytest.param([(UNIX - DAY_NS, []), (UNIX, [10])], None, UNIX, [10], id="a line without events"),
        pytest.param([(3 * DAY_NS, [10]), (3 * DAY_NS + 2, [0])], None, None, [10, 2000], id="the machine's clock"),
        pytest.param([(0, [-1500, 10])], UNIX, UNIX - 2, [500, 2010], id="events before the session"),
        # A session's start is believed a day before the events, and is one of lines that begin within a day of it.
        pytest.param([(UNIX, [10])], UNIX - 23 * HOUR_NS, UNIX - 23 * HOUR_NS, [23 * HOUR_NS * 1000 + 10], id="23 h"),
        pytest.param([(UNIX, [10])], UNIX - 25 * HOUR_NS, UNIX, [10], id="25 h"),
        pytest.param([(23 * HOUR_NS, [10])], UNIX, UNIX, [23 * HOUR_NS * 1000 + 10], id="23 h late"),
        pytest.param([(25 * HOUR_NS, [10])], UNIX, None, [10], id="25 h late"),
        pytest.param([(99 * 10**16, [10])], None, None, [10], id="before 2001"),
        pytest.param([(101 * 10**16, [10])], None, 101 * 10**16, [10], id="2002"),
    ],
)
def test_one_clock_of_all_lines(
    lines: list[Given], session: int | None, start_ns: int | None, start_ps: list[int]
) -> None:
    assert clock(*lines, session=session) == (start_ns, start_ps)


def test_a_session_start_that_cannot_be_is_not_believed() -> None:
    capture = capture_of((UNIX, [10]), session=UNIX - 2 * DAY_NS)
    assert (capture.start_ns, capture.events.start_ps.tolist()) == (UNIX, [10])
    assert capture.quality.warnings == (message("clock_far_from_events"),)


@pytest.mark.parametrize(
    ("lines", "duration_ps", "start_ps", "dropped"),
    [
        pytest.param([(0, [-23 * HOUR_NS * 1000, 10])], 1, [0, 23 * HOUR_NS * 1000 + 10], 0, id="23 h before"),
        pytest.param([(0, [-25 * HOUR_NS * 1000, 10])], 1, [10], 1, id="25 h before"),
        pytest.param([(0, [-(2**62), 10])], 1, [10], 1, id="far before"),
        # 2^62 ps are 1281 hours, less the day by which the clock may be set back.
        pytest.param([(0, [0, 1256 * HOUR_NS * 1000])], 1, [0, 1256 * HOUR_NS * 1000], 0, id="1256 h after"),
        pytest.param([(0, [0, 1258 * HOUR_NS * 1000])], 1, [0], 1, id="1258 h after"),
        # All times are below 2^62, so that tools may add two of them.
        pytest.param([(0, [0, 2**61])], 2**61, [0], 1, id="the end"),
        pytest.param(
            [(1000, [2**63 - 1, 10]), (DAY_NS, [2**63 - DAY_NS * 1000 - 2, 3])],
            1,
            [1_000_010, DAY_NS * 1000 + 3],
            2,
            id="64 bits",
        ),
        pytest.param([(2**63 - 1, [5]), (-(2**63), [5])], 1, [5], 1, id="time stamps"),
    ],
)
def test_times_that_do_not_fit_are_dropped(
    lines: list[Given], duration_ps: int, start_ps: list[int], dropped: int
) -> None:
    capture = capture_of(*lines, duration_ps=duration_ps)
    assert capture.events.start_ps.tolist() == start_ps
    assert capture.quality.dropped == ({"time_not_representable": dropped} if dropped else {})
    assert capture.quality.events_in_file == len(start_ps) + dropped
