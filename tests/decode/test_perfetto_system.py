"""Traces of a whole system: the kernel's scheduling, what programs mark there, profiles of the heap."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.memory.events import memory_events
from tensorboard_perfplugin.decode.perfetto import kernel
from tensorboard_perfplugin.tables import TrackKind
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import varint
from tests.wire.spent import spend

from .perfetto_traces import event, number, packet, part, track
from .test_perfetto import read, slices, stats

TREE = packet(
    part(
        2,
        part(1, number(1, 7) + part(3, "app"))
        + part(2, number(1, 7) + part(2, "main") + number(3, 7))
        + part(2, number(1, 8) + part(2, "worker") + number(3, 7)),
    )
)


def switch(at: int, before: int, state: int, after: int) -> bytes:
    said = number(2, before) + number(4, state) + part(5, f"t{after}") + number(6, after)
    return part(2, number(1, at) + part(4, said))


def waking(at: int, thread: int) -> bytes:
    return part(2, number(1, at) + part(20, number(2, thread)))


def mark(at: int, thread: int, text: str) -> bytes:
    return part(2, number(1, at) + number(2, thread) + part(3, part(2, text + "\n")))


def bundle(cpu: int, *events: bytes) -> bytes:
    return packet(part(1, number(1, cpu) + b"".join(events)))


def packed(field: int, *values: int) -> bytes:
    return part(field, b"".join(map(varint, values)))


EXPECTED = [
    ("CPUs", "CPU 0", "main", 0, 1000),
    ("CPUs", "CPU 0", "worker", 1000, 2000),
    ("CPUs", "CPU 0", "worker", 4000, 3000),
    ("app", "main (state)", "Running", 0, 1000),
    ("app", "main (state)", "Sleeping", 1000, 1500),
    ("app", "main (state)", "Runnable", 2500, 4500),
    ("app", "worker (state)", "Running", 1000, 2000),
    ("app", "worker (state)", "Runnable (preempted)", 3000, 1000),
    ("app", "worker (state)", "Running", 4000, 3000),
]


def test_threads_have_states() -> None:
    switches = [switch(1000, 0, 0, 7), switch(2000, 7, 1, 8), switch(4000, 8, 0, 0), switch(5000, 0, 0, 8)]
    more = [waking(3500, 7), waking(3600, 7), waking(2100, 8), switch(8000, 8, 2, 7)]
    capture = read(TREE, bundle(0, *switches, *more))
    assert sorted(slices(capture)) == sorted(EXPECTED)
    assert set(capture.tracks.kind.tolist()) == {TrackKind.DERIVED}
    first = slices(capture).index(EXPECTED[0])
    assert stats(capture, first) == {"tid": 7}


def test_states_in_the_compact_form_are_the_same() -> None:
    compact = packed(1, 1000, 1000, 2000, 1000, 3000) + packed(2, 0, 1, 0, 0, 2) + packed(3, 7, 8, 0, 8, 7)
    compact += packed(7, 2100, 1400) + packed(8, 8, 7)
    assert sorted(slices(read(TREE, bundle(0, part(4, compact))))) == sorted(EXPECTED)


def test_states_lie_beside_the_threads_slices() -> None:
    main = track(1, process=(7, "app")) + track(2, 1, thread=(7, 7, "main"))
    begin = packet(event(1, 2, "work"), at=1500) + packet(event(2, 2), at=1800)
    capture = read(main, begin, TREE, bundle(0, switch(1000, 0, 0, 7), switch(3000, 7, 1, 0), switch(4000, 0, 0, 7)))
    assert sorted(each[:3] for each in slices(capture) if each[0] == "app") == [
        ("app", "main", "work"),
        ("app", "main (state)", "Running"),
        ("app", "main (state)", "Sleeping"),
    ]


def test_what_programs_mark_are_slices_and_counters() -> None:
    marks = [
        mark(1000, 8, "B|7|load|a"),
        mark(1500, 8, "C|7|bytes|64"),
        mark(3000, 8, "E|7"),
        mark(4000, 8, "E"),
        mark(5000, 8, f"B|{1 << 31}|none"),
    ]
    capture = read(TREE, bundle(1, *marks))
    assert slices(capture) == [("process 7", "thread 8", "load|a", 0, 2000), ("process 7", "counters", "bytes", 500, 0)]
    assert (stats(capture, 1), capture.quality.dropped) == ({"value": 64}, {"end_without_begin": 1})


def test_a_profile_of_the_heap_is_memory() -> None:
    tables = part(1, number(1, 1) + part(2, "grow")) + part(1, number(1, 2) + part(2, "load"))
    tables += part(2, number(1, 1) + number(2, 1)) + part(2, number(1, 2) + number(2, 2))
    tables += part(3, number(1, 1) + number(2, 2) + number(2, 1)) + part(3, number(1, 2) + packed(2, 2))

    def dump(at: int, *samples: tuple[int, int, int]) -> bytes:
        each = (part(2, number(1, a) + number(2, b) + number(3, c)) for a, b, c in samples)
        return part(5, number(1, 7) + part(11, "libc.malloc") + number(9, at) + b"".join(each))

    capture = read(TREE, packet(part(37, tables + dump(1000, (1, 100, 40), (2, 50, 0)) + dump(2000, (1, 100, 100)))))
    timeline = Timeline(capture, "h")
    ((system, events),) = memory_events(timeline).systems
    assert (system.id, events.heap.tolist()) == ("heap libc.malloc", [60, 110, 50])
    assert [stats(capture, i)["tf_op"] for i in range(3)] == ["grow", "load", "grow"]


def test_a_cpu_of_any_number_opens() -> None:
    """A number of 64 bits ended in OverflowError."""
    capture = read(TREE, bundle((1 << 64) - 1, switch(1000, 0, 0, 7), switch(2000, 7, 1, 8)))
    assert ("CPUs", "CPU 65535", "main", 0, 1000) in slices(capture)


def test_a_thread_that_is_woken_or_made_can_run() -> None:
    for kind in (17, 20, 114):
        woken = part(2, number(1, 1500) + part(kind, number(2, 8)))
        found = slices(read(bundle(0, switch(1000, 0, 0, 8), switch(1200, 8, 1, 0), woken, switch(2000, 0, 0, 8))))
        assert [each[3:] for each in found if each[2] == "Runnable"] == [(500, 500)], kind


@pytest.mark.parametrize(("left", "ran"), [(0, ["t7", "t8"]), (-1, ["t7"])])
def test_four_million_fields_of_a_packet_of_the_kernel_are_read(
    left: int, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last field says that it was thread 8 that ran until then."""
    until = part(2, number(1, 3000) + part(4, number(4, 1) + number(6, 0) + number(2, 8)))
    trace = bundle(0, switch(1000, 0, 0, 7), switch(2000, 7, 1, 8), until)
    spend(monkeypatch, kernel, 1 << 22, left, lambda: read(trace))
    assert [each[1].removesuffix(" (state)") for each in slices(read(trace)) if each[2] == "Running"] == ran


@pytest.mark.parametrize(("left", "held"), [(0, 1), (-1, 0)])
def test_four_million_fields_of_a_profile_of_the_heap_are_read(
    left: int, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = packet(part(37, part(5, number(1, 7) + part(2, number(1, 1) + number(2, 100)))))
    spend(monkeypatch, kernel, 1 << 22, left, lambda: read(trace))
    assert len(slices(read(trace))) == held
