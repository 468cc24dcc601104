"""One clock for all lines of a file."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tests.build_capture import Space, Uint
from tests.decode.both import read_both

UNIX = 1_795_000_000_000_000_000
DAY_NS = 86_400 * 10**9
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
    ],
)
def test_one_clock_of_all_lines(
    lines: list[Given], session: int | None, start_ns: int | None, start_ps: list[int]
) -> None:
    assert clock(*lines, session=session) == (start_ns, start_ps)


@pytest.mark.parametrize(("hours", "is_believed"), [(23, True), (25, False)])
def test_how_far_a_session_s_start_may_be(hours: int, is_believed: bool) -> None:
    session = UNIX - hours * 3600 * 10**9
    assert clock((UNIX, [10]), session=session)[0] == (session if is_believed else UNIX)


@pytest.mark.parametrize(("hours", "shifted_ns"), [(23, 23 * 3600 * 10**9), (25, 0)])
def test_how_late_the_first_line_of_a_session_may_be(hours: int, shifted_ns: int) -> None:
    """Later it is a clock of the machine."""
    assert clock((hours * 3600 * 10**9, [10]), session=UNIX) == (UNIX if shifted_ns else None, [shifted_ns * 1000 + 10])


@pytest.mark.parametrize(("timestamp_ns", "is_unix"), [(99 * 10**16, False), (101 * 10**16, True)])
def test_from_when_on_time_stamps_are_unix_time(timestamp_ns: int, is_unix: bool) -> None:
    assert clock((timestamp_ns, [10])) == (timestamp_ns if is_unix else None, [10])


@pytest.mark.parametrize(("hours", "kept"), [(23, 2), (25, 1)])
def test_how_long_before_the_session_an_event_may_begin(hours: int, kept: int) -> None:
    assert len(capture_of((0, [-hours * 3600 * 10**12, 10])).events) == kept


@pytest.mark.parametrize(("hours", "kept"), [(1256, 2), (1258, 1)])
def test_how_long_after_it_one_may_end(hours: int, kept: int) -> None:
    """2^62 ps are 1281 hours, less the day by which the clock may be set back."""
    assert len(capture_of((0, [0, hours * 3600 * 10**12])).events) == kept


def test_a_session_start_that_cannot_be_is_not_believed() -> None:
    capture = capture_of((UNIX, [10]), session=UNIX - 2 * DAY_NS)
    assert (capture.start_ns, capture.events.start_ps.tolist()) == (UNIX, [10])
    assert capture.quality.warnings == (message("clock_far_from_events"),)


def test_events_that_began_more_than_a_day_before_are_dropped() -> None:
    capture = capture_of((0, [-(2**62), 10]))
    assert capture.events.start_ps.tolist() == [10]
    assert capture.quality.dropped == {"time_not_representable": 1}
    assert capture.quality.events_in_file == 2


def test_times_that_do_not_fit_64_bits_are_dropped() -> None:
    capture = capture_of((1000, [2**63 - 1, 10]), (DAY_NS, [2**63 - DAY_NS * 1000 - 2, 3]))
    assert capture.events.start_ps.tolist() == [1_000_010, DAY_NS * 1000 + 3]
    assert capture.quality.dropped == {"time_not_representable": 2}


def test_an_end_that_does_not_fit_64_bits_is_dropped() -> None:
    """All times are below 2^62, so that tools may add two of them."""
    capture = capture_of((0, [0, 2**61]), duration_ps=2**61)
    assert (capture.events.start_ps.tolist(), capture.span_ps) == ([0], (0, 2**61))
    assert capture.quality.dropped == {"time_not_representable": 1}


def test_huge_time_stamps() -> None:
    capture = capture_of((2**63 - 1, [5]), (-(2**63), [5]))
    assert capture.events.start_ps.tolist() == [5]
    assert capture.start_ns == 2**63 - 1
    assert capture.quality.dropped == {"time_not_representable": 1}
