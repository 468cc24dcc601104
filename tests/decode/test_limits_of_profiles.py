"""Call stacks, sums of functions, traces of whole systems: how much of a file is read, each bound from both sides."""

from __future__ import annotations

import marshal
import zlib
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.common import Source
from tensorboard_perfplugin.decode.perfetto import heap, sched
from tensorboard_perfplugin.decode.perfetto.blocks import slices as slices_of
from tensorboard_perfplugin.decode.perfetto.clocks import Clocks
from tensorboard_perfplugin.decode.perfetto.marks import Marks
from tensorboard_perfplugin.decode.perfetto.members import members_of
from tensorboard_perfplugin.decode.perfetto.packets import packets_of
from tensorboard_perfplugin.decode.perfetto.tracks import Tracks
from tensorboard_perfplugin.decode.python_stats.dump import read_dump
from tensorboard_perfplugin.decode.speedscope import reader
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message
from tests.wire.spent import spend

from .perfetto_traces import event, number, packet, part
from .test_perfetto import PROCESS, read, slices, stats
from .test_perfetto_system import bundle, switch
from .test_speedscope import evented, opened, sampled, written

DAY_S = 86_400


def test_300_000_slices_of_call_stacks_are_read() -> None:
    """299 stacks of a thousand frames, none as the one before, and ones of 999 and two."""
    stacks = [[i % 2] * 1000 for i in range(299)] + [[1] * 999, [0, 1]]
    capture = opened(sampled(stacks, [1] * len(stacks)))
    assert (len(capture.events), capture.quality.dropped) == (300_000, {"beyond_slices": 1})


def test_a_thousand_threads_of_call_stacks_are_read() -> None:
    assert len(opened(*[sampled([[0]], [1])] * 1001).tracks) == 1000


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False)])
def test_a_file_of_call_stacks_has_32_mib_at_most(more: int, is_read: bool) -> None:
    data = written(sampled([[0]], [1])).ljust((32 << 20) + more)
    if is_read:
        assert len(decode.read_bytes(data, "vm.speedscope.json").events) == 1
    else:
        with pytest.raises(UnreadableError, match=r"are read up to 33\.6 MB"):
            decode.read_bytes(data, "vm.speedscope.json")


@pytest.mark.parametrize(
    ("content", "is_parsed"),
    [
        (b"{" * 578_524, True),
        (b"{" * 578_525, False),
        (b"[" * 2_581_110, True),
        (b"[" * 2_581_111, False),
        (b"{" * 578_524 + b"," * 99, True),
        (b"{" * 578_525 + b"," * 99, False),
    ],
    ids=["objects", "more objects", "lists", "more lists", "members", "more members"],
)
def test_lists_and_objects_take_128_mib_at_most(content: bytes, is_parsed: bool) -> None:
    """None of these is JSON: what is parsed is refused for that."""
    with pytest.raises(UnreadableError) as error:
        reader.read(Source("", memoryview(content), content[:100], len(content)))
    assert ("more lists and objects" in str(error.value)) is not is_parsed


@pytest.mark.parametrize(("days", "dropped"), [(100, {}), (100.001, {"impossible_time": 1})])
def test_call_stacks_last_a_hundred_days_at_most(days: float, dropped: dict[str, int]) -> None:
    assert opened(sampled([[0]], [days * DAY_S])).quality.dropped == dropped
    ended = opened(evented(("O", 0, 0), ("C", 0, days * DAY_S)))
    assert (ended.quality.dropped, slices(ended)[0][4] > 0) == (dropped, not dropped)


@pytest.mark.parametrize(
    ("sums", "odd"),
    [
        ((1, 1, 0.5, 4_600_000.0), 0),
        ((1, 1, 0.5, 4_600_001.0), 1),
        ((1, (1 << 52) - 1, 0.5, 0.5), 0),
        ((1, 1 << 52, 0.5, 0.5), 1),
    ],
)
def test_sums_that_no_program_has(sums: tuple[Any, ...], odd: int) -> None:
    dump = read_dump(marshal.dumps({("a", 1, "f"): (*sums, {})}))
    assert (dump.odd, len(dump.keys)) == (odd, 1 - odd)


def test_200_000_rows_of_sums_are_read() -> None:
    """Each function is called by one."""
    row = (1, 1, 0.5, 0.5, {("a", 1, "g"): 1})
    dump = read_dump(marshal.dumps({("a", i, "f"): row for i in range(100_001)}, 2))
    assert (len(dump.keys) + len(dump.callees), dump.too_many) == (200_000, True)


@pytest.mark.parametrize(("callers", "lost"), [(199_999, 0), (200_001, 2)])
def test_callers_of_the_last_function_that_are_not_read_are_told(callers: int, lost: int) -> None:
    """They went without a word."""
    called_by = {("a", i, "g"): 1 for i in range(callers - 1)} | {("a", 1, "f"): 1}
    capture = decode.read_bytes(marshal.dumps({("a", 1, "f"): (1, 1, 0.5, 0.5, called_by)}, 2), "x.prof")
    assert capture.quality.dropped.get("beyond_functions", 0) == lost
    assert (message("python_profile_too_long", limit=200_000) in capture.quality.warnings) is (lost > 0)
    capture.check()


@pytest.mark.parametrize(("left", "ran"), [(0, ["t7", "t8"]), (-1, ["t7"])])
def test_four_million_fields_of_a_packet_of_the_kernel_are_read(
    left: int, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last field says that it was thread 8 that ran until then."""
    until = part(2, number(1, 3000) + part(4, number(4, 1) + number(6, 0) + number(2, 8)))
    trace = bundle(0, switch(1000, 0, 0, 7), switch(2000, 7, 1, 8), until)
    spend(monkeypatch, sched, 1 << 22, left, lambda: read(trace))
    assert [each[1].removesuffix(" (state)") for each in slices(read(trace)) if each[2] == "Running"] == ran


@pytest.mark.parametrize(("left", "held"), [(0, 1), (-1, 0)])
def test_four_million_fields_of_a_profile_of_the_heap_are_read(
    left: int, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = packet(part(37, part(5, number(1, 7) + part(2, number(1, 1) + number(2, 100)))))
    spend(monkeypatch, heap, 1 << 22, left, lambda: read(trace))
    assert len(slices(read(trace))) == held


@pytest.mark.parametrize("kind", [17, 20, 114])
def test_a_thread_that_is_woken_or_made_can_run(kind: int) -> None:
    woken = part(2, number(1, 1500) + part(kind, number(2, 8)))
    found = slices(read(bundle(0, switch(1000, 0, 0, 8), switch(1200, 8, 1, 0), woken, switch(2000, 0, 0, 8))))
    assert [each[3:] for each in found if each[2] == "Runnable"] == [(500, 500)]


@pytest.mark.parametrize(("fits", "size"), [(True, 67_000_000), (False, 67_200_000)])
def test_packed_packets_unpack_to_64_mib(fits: bool, size: int) -> None:
    packed = packet(part(50, zlib.compress(packet(part(500, bytes(size))), 1)))
    assert read(PROCESS, packed).quality.dropped == ({} if fits else {"packed_packets": 1})


@pytest.mark.parametrize(("fits", "size"), [(True, 99_000_000), (False, 101_000_000)])
def test_packed_packets_unpack_to_a_hundred_times_the_file(fits: bool, size: int) -> None:
    packed = packet(part(50, zlib.compress(packet(part(500, bytes(size))), 1)))
    rest = packet(part(500, bytes(1_000_000 - len(packed) - len(PROCESS) - 12)))
    assert abs(len(PROCESS + packed + rest) - 1_000_000) < 10
    assert read(PROCESS, packed, rest).quality.dropped == ({} if fits else {"packed_packets": 1})


@pytest.mark.parametrize(("count", "kept"), [(1000, 1000), (1001, 1000)])
def test_a_thousand_members_are_looked_at(count: int, kept: int) -> None:
    attributes = b"".join(part(1, part(1, f"m{i}") + number(2, i)) for i in range(count))
    packets = packets_of(memoryview(packet(part(126, attributes))))
    members, _ = members_of(packets, slices_of(*(np.empty(0, np.int64) for _ in range(5))))
    assert len(members) == kept


@pytest.mark.parametrize(("more", "kept"), [(0, 2), (1, 1)])
def test_members_have_32_mib_of_text_together(more: int, kept: int) -> None:
    sizes = {"a": 20 << 20, "b": (12 << 20) + more}
    attributes = b"".join(part(1, part(1, name) + part(3, "x" * size)) for name, size in sizes.items())
    packets = packets_of(memoryview(packet(part(126, attributes))))
    members, _ = members_of(packets, slices_of(*(np.empty(0, np.int64) for _ in range(5))))
    assert len(members) == kept


@pytest.mark.parametrize(("depth", "is_whole"), [(31, True), (32, True), (33, False)])
def test_annotations_hold_others_32_deep(depth: int, is_whole: bool) -> None:
    inner = part(10, "k") + number(3, 1)
    for _ in range(depth):
        inner = part(10, "k") + part(11, inner)
    capture = read(PROCESS, packet(event(3, 2, "a", {}, part(4, inner)), at=1))
    assert ("…" not in str(stats(capture, 0))) is is_whole


@pytest.mark.parametrize(("snapshots", "kept"), [(100_000, 100_000), (100_001, 100_000)])
def test_a_hundred_thousand_snapshots_of_clocks_are_kept(snapshots: int, kept: int) -> None:
    clocks, data = Clocks(), part(1, number(1, 6) + number(2, 1))
    for _ in range(snapshots):
        clocks.add(data, 0)
    assert len(clocks.snapshots) == kept


def test_five_million_marks_are_kept() -> None:
    """As if there were so many."""

    class Many(list[Any]):
        def __len__(self) -> int:
            return 4_999_998 + super().__len__()

    marks = Marks()
    marks.rows = Many()
    for _ in range(4):
        marks.add(1, 2, "B|7|load")
    assert len(marks.rows) == 5_000_000


def test_a_heap_holds_a_pebibyte_at_most() -> None:
    def held(size: int) -> int:
        dump = part(5, number(1, 7) + part(2, number(1, 1) + number(2, size)))
        return int(stats(read(packet(part(37, dump))), 0)["allocation_bytes"])

    assert (held(1 << 50), held((1 << 50) + 1)) == (1 << 50, 1 << 50)


@pytest.mark.parametrize(
    ("unit", "ps"),
    [("seconds", 10**12), ("milliseconds", 10**9), ("microseconds", 10**6), ("nanoseconds", 1000)],
)
def test_units_of_call_stacks(unit: str, ps: int) -> None:
    assert opened(sampled([[0]], [3], unit=unit)).events.duration_ps.tolist() == [3 * ps]


def test_states_of_20_000_threads_are_shown() -> None:
    def states(threads: int) -> int:
        thread, tick = np.repeat(np.arange(1, threads + 1), 2), np.tile([1000, 2000], threads)
        on, off = np.tile([1, 0], threads), np.tile([0, 1], threads)
        zero = np.zeros(2 * threads, np.int64)
        switches = sched._Switches(tick + 5000 * thread, zero, thread * off, zero, thread * on)
        packets = packets_of(memoryview(b""))
        tracks = Tracks(packets.tracks, packets.texts)
        names = sched._Names(sched._Reading(packets.texts), tracks, packets.texts)
        return len(sched._of_threads(switches, np.empty((0, 2), np.int64), names, 0))

    assert (states(20_000), states(20_001)) == (20_000, 20_000)


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False)])
def test_a_profile_of_functions_has_16_mib_at_most(more: int, is_read: bool) -> None:
    """What stands behind the end of the dump is not looked at."""
    data = marshal.dumps({("a", 1, "f"): (1, 1, 1.0, 1.0, {})}).ljust((16 << 20) + more, b"0")
    if is_read:
        assert len(decode.read_bytes(data, "h.cprofile").aggregates) == 1
    else:
        with pytest.raises(UnreadableError, match="Record a shorter part"):
            decode.read_bytes(data, "h.cprofile")


@pytest.mark.parametrize(("calls", "cut"), [((1 << 75) - 1, False), (1 << 75, True)])
def test_numbers_of_calls_have_five_digits(calls: int, cut: bool) -> None:
    """Of 15 bits each, as marshal writes them. One of five is none that a program has, and the file goes on."""
    dump = read_dump(marshal.dumps({("a", 1, "f"): (1, 1, 1.0, 1.0, {}), ("a", 2, "g"): (1, calls, 1.0, 1.0, {})}))
    assert (len(dump.keys), dump.odd, dump.cut_at is not None) == (1, not cut, cut)
