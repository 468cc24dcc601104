"""Ends of slices that say no more than when, beside those that do."""

from __future__ import annotations

from .perfetto_traces import annotation, event, packet, track
from .test_perfetto import PROCESS, codes, read, slices, stats


def test_ends_close_what_was_begun_last_on_their_track_whether_or_not_they_say_more() -> None:
    capture = read(
        PROCESS,
        track(3, 1, thread=(7, 71, "other")),
        packet(event(1, 2, "a"), at=0),
        packet(event(1, 2, "b"), at=10),
        packet(event(2, 2), at=20),
        packet(event(1, 3, "c"), at=20),
        packet(event(2, 2, "", {"loss": 0.5}), at=30),
        packet(event(2, 3), at=40),
        packet(event(2, 3), at=50),
        packet(event(1, 2, "open"), at=60),
        packet(event(3, 2, "last"), at=65),
    )
    assert [each[1:] for each in slices(capture)] == [
        ("main", "a", 0, 30),
        ("main", "b", 10, 10),
        ("main", "open", 60, 5),
        ("main", "last", 65, 0),
        ("other", "c", 20, 20),
    ]
    assert stats(capture) == {"loss": 0.5}
    assert capture.quality.dropped == {"end_without_begin": 1}
    assert codes(capture) == ["unclosed_events"]


def test_what_was_begun_on_one_track_of_a_thread_lasts_until_the_last_end_on_another_of_it() -> None:
    capture = read(
        PROCESS,
        track(3, 2, "main"),
        packet(event(1, 2, "open"), at=0),
        packet(event(2, 3), at=50),
    )
    assert [each[2:] for each in slices(capture)] == [("open", 0, 50)]


def test_an_end_before_its_begin_of_the_same_moment_is_its_end() -> None:
    capture = read(
        PROCESS, packet(event(2, 2), at=10), packet(event(1, 2, "x"), at=10), packet(event(1, 2, "y"), at=20)
    )
    assert [each[2:] for each in slices(capture)] == [("x", 10, 0), ("y", 20, 0)]
    assert not capture.quality.dropped


def test_all_begins_before_all_their_ends_are_in_one_order() -> None:
    """Where times say so: one after another, which as nested ones would be longer."""
    begins = [packet(event(1, 2, name), at=at) for name, at in (("a", 0), ("b", 10), ("c", 20))]
    ends = [packet(event(2, 2), at=at) for at in (10, 20, 25)]
    capture = read(PROCESS, *begins, *ends)
    assert [each[2:] for each in slices(capture)] == [("a", 0, 10), ("b", 10, 10), ("c", 20, 5)]


def test_a_file_of_ends_alone_has_no_events() -> None:
    capture = read(packet(event(2, 2), at=10))
    assert not len(capture.events)
    assert capture.quality.dropped == {"end_without_begin": 1}


def test_a_name_that_the_file_lacks_counts_once_of_an_arg_that_holds_others() -> None:
    """Its own name was looked up with the names within, which also read the value of each such arg anew."""
    capture = read(PROCESS, packet(event(3, 2, "x", None, annotation(9, [1, 2])), at=10))
    assert [each.params for each in capture.quality.warnings] == [{"n": 1}]
    assert list(stats(capture).values()) == ["[1,2]"]


def test_what_a_trace_says_of_itself_may_stand_anywhere_among_its_events() -> None:
    """It goes from the events with its args, and each of them keeps its own."""
    said = [packet(event(3, 0, "trace_metadata", {key: "1"})) for key in ("first", "second", "third")]
    events = [packet(event(3, 2, name, {"n": at}), at=at) for at, name in enumerate("ab")]
    for order in ([*said, *events], [*events, *said], [said[0], events[0], said[1], events[1], said[2]]):
        capture = read(PROCESS, *order)
        assert [stats(capture, row) for row in range(2)] == [{"n": 0}, {"n": 1}]
