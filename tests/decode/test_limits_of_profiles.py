"""Call stacks, sums of functions, traces of whole systems: how much of a file is read, each bound from both sides."""

from __future__ import annotations

import marshal
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.common import Source
from tensorboard_perfplugin.decode.perfetto import heap, sched
from tensorboard_perfplugin.decode.python_stats.dump import read_dump
from tensorboard_perfplugin.decode.speedscope import reader
from tensorboard_perfplugin.errors import UnreadableError
from tests.wire.spent import spend

from .perfetto_traces import number, packet, part
from .test_perfetto import read, slices
from .test_perfetto_system import bundle, switch
from .test_speedscope import evented, opened, sampled, written

DAY_S = 86_400


@pytest.mark.parametrize(("last", "dropped"), [([0], {}), ([0, 1], {"beyond_slices": 1})])
def test_300_000_slices_of_call_stacks_are_read(last: list[int], dropped: dict[str, int]) -> None:
    """299 stacks of a thousand frames, none as the one before, and one of 999."""
    stacks = [[i % 2] * 1000 for i in range(299)] + [[1] * 999, last]
    capture = opened(sampled(stacks, [1] * len(stacks)))
    assert (len(capture.events), capture.quality.dropped) == (300_000, dropped)


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


@pytest.mark.parametrize(("functions", "too_many"), [(100_000, False), (100_001, True)])
def test_200_000_rows_of_sums_are_read(functions: int, too_many: bool) -> None:
    """Each function is called by one."""
    row = (1, 1, 0.5, 0.5, {("a", 1, "g"): 1})
    dump = read_dump(marshal.dumps({("a", i, "f"): row for i in range(functions)}, 2))
    assert (len(dump.keys) + len(dump.callees), dump.too_many) == (200_000, too_many)


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
