"""The order of a program's instructions, which uses a value last, and what is worth computing again."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.buffers import host
from tensorboard_perfplugin.analysis.buffers.host import host_buffers
from tensorboard_perfplugin.analysis.buffers.memory import Life, Order, cheap, donated, frees, replay
from tensorboard_perfplugin.timeline.programs.assignment import ALLOC, FREE, SHARE, HeapEvent
from tensorboard_perfplugin.timeline.programs.reader import Program
from tensorboard_perfplugin.timeline.programs.writer import in_order
from tensorboard_perfplugin.wire import Budget
from tests.build_buffers import schedule
from tests.build_capture import chunk, number
from tests.build_program import computation, instruction, packed, program, shape, tuple_of
from tests.tools.memory_viewer.step import capture, step
from tests.wire.spent import spend

OF = shape("f32", 8)


def read(message: bytes) -> Program:
    return Program(message, Budget(100_000))


def order(message: bytes) -> Order:
    return Order(in_order(read(message)))


def names(found: Order) -> list[str]:
    return [one.instruction.name for one in found.placed]


def last(found: Order, name: str, *part: int) -> str:
    return found.name(found.used_last(found.by_name[name], part))


COPIES = program(
    computation(
        1,
        [
            instruction(1, "x", "parameter", OF),
            instruction(2, "start", "copy-start", tuple_of(OF, OF), (1,)),
            instruction(3, "other", "negate", OF, (1,)),
            instruction(4, "done", "copy-done", OF, (2,)),
            instruction(5, "add", "add", OF, (4, 3)),
            instruction(6, "view", "bitcast", OF, (5,)),
            instruction(7, "both", "tuple", tuple_of(OF, OF), (6, 3)),
        ],
        7,
    ),
    entry=1,
)


def test_what_is_copied_is_read_until_the_copy_is_done() -> None:
    found = order(COPIES)
    assert (last(found, "x"), last(found, "start", 0), last(found, "start", 1)) == ("done", "add", "done")


def test_what_only_passes_on_is_no_end() -> None:
    found = order(COPIES)
    assert (last(found, "add"), last(found, "other"), last(found, "both")) == ("both", "both", "both")


def test_parts_of_a_tuple_are_used_by_who_takes_them() -> None:
    entry = computation(
        1,
        [
            instruction(1, "a", "parameter", OF),
            instruction(2, "b", "parameter", OF),
            instruction(3, "pair", "tuple", tuple_of(OF, OF), (1, 2)),
            instruction(4, "first", "get-tuple-element", OF, (3,)),
            instruction(5, "second", "get-tuple-element", OF, (3,)) + number(13, 1),
            instruction(6, "early", "negate", OF, (4,)),
            instruction(7, "late", "add", OF, (5, 6)),
        ],
        7,
    )
    found = order(program(entry, entry=1))
    assert (last(found, "a"), last(found, "b")) == ("early", "late")


def test_a_loop_runs_its_condition_then_its_body_then_itself() -> None:
    body = computation(1, [instruction(1, "state", "parameter", OF), instruction(2, "next", "negate", OF, (1,))], 2)
    condition = computation(2, [instruction(3, "seen", "parameter", OF), instruction(4, "is", "compare", OF, (3,))], 4)
    entry = computation(
        3,
        [
            instruction(5, "x", "parameter", OF),
            instruction(6, "loop", "while", OF, (5,), calls=(1, 2)),
            instruction(7, "out", "negate", OF, (6,)),
        ],
        7,
    )
    found = order(program(body, condition, entry, entry=3))
    assert names(found) == ["x", "seen", "is", "state", "next", "loop", "out"]
    # What a computation gives is read by its caller.
    assert (last(found, "is"), last(found, "x")) == ("state", "out")


def test_a_schedule_is_followed_and_without_one_the_file() -> None:
    instructions = [instruction(i, f"i{i}", "parameter", OF) for i in (1, 2, 3)]
    entry = computation(1, instructions, 3)
    assert names(order(program(entry, entry=1, more=schedule({1: [2, 3, 1]})))) == ["i2", "i3", "i1"]
    assert names(order(program(entry))) == ["i1", "i2", "i3"]
    assert names(order(program())) == []


def test_what_a_value_frees_is_a_quarter_of_the_program_in_which_it_is_not_used() -> None:
    def free(count: int, peak: int) -> bool:
        entry = computation(1, [instruction(i, f"i{i}", "parameter", OF) for i in range(1, count + 1)], count)
        return frees(order(program(entry, entry=1)), (2, 5), peak, {})

    assert [free(12, 3), free(13, 3)] == [True, False]
    # Where it is made or used nothing is freed.
    assert [free(8, peak) for peak in (2, 3, 5)] == [False, True, False]


@pytest.mark.parametrize(("end", "free"), [(10, True), (3, False)])
def test_what_is_computed_again_is_computed_from_what_is_there(end: int, free: bool) -> None:
    """Behind views, until its own last use."""
    made = [instruction(1, "x", "parameter", OF), instruction(2, "view", "bitcast", OF, (1,))]
    made += [instruction(3, "again", "bitcast", OF, (2,)), instruction(4, "cheap", "negate", OF, (3,))]
    made += [instruction(i, f"i{i}", "parameter", OF) for i in range(5, 13)]
    assert frees(order(program(computation(1, made, 12), entry=1)), (3, 10), 9, {0: end}) is free


def test_what_is_cheap_to_compute_again() -> None:
    cheap_ones = {
        ("broadcast",): "broadcast",
        ("iota",): "iota",
        ("iota", "broadcast"): "broadcast",
        ("broadcast", "add", "exponential"): "elementwise",
        ("dot",): "",
        ("add", "reduce"): "",
        (): "",
    }
    found = {}
    for codes in cheap_ones:
        inner = [instruction(1, "p", "parameter", OF)]
        inner += [instruction(i, f"i{i}", code, OF, (i - 1,)) for i, code in enumerate(codes, 2)]
        entry = computation(2, [instruction(20, "fusion", "fusion", OF, (), calls=(1,))], 20)
        made = read(program(computation(1, inner, len(inner)), entry, entry=2))
        found[codes] = cheap(made, in_order(made)[-1])
    assert found == cheap_ones
    for code, how in (("broadcast", "broadcast"), ("tanh", "elementwise"), ("dot", "")):
        made = read(program(computation(1, [instruction(1, "one", code, OF)], 1), entry=1))
        assert cheap(made, in_order(made)[0]) == how


def test_a_program_too_large_to_be_read_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    of = capture(("jit_f(5)", step()))
    for left, reason in ((1, ""), (0, host.TOO_LARGE)):
        spend(monkeypatch, host, 6_000_000, left, lambda: host_buffers(of, "", None, 100, None))
        assert host_buffers(of, "", None, 100, None).reason == reason


#: HloModuleProto.input_output_alias and buffer_donor: parameter 5, and of parameter 6 the part 1 of its part 2.
ALIASES = chunk(
    8, b"".join(chunk(1, packed(1, [0]) + each) for each in (number(2, 5), number(2, 6) + packed(3, [2, 1])))
)


DONORS = chunk(18, b"".join(chunk(1, each) for each in (number(1, 5), number(1, 6) + packed(2, [2, 1]))))


@pytest.mark.parametrize("more", [ALIASES, DONORS])
def test_what_is_donated(more: bytes) -> None:
    entry = computation(1, [instruction(1, "x", "parameter", shape("f32", 8))], 1)
    assert donated(Program(program(entry, entry=1, more=more), Budget(1000))) == {(5, ()), (6, (2, 1))}


SIZES = {1: (100, 80), 2: (50, 50), 3: (100, 80), 4: (7, 7)}


def events(*given: tuple[int, int] | tuple[int, int, int]) -> list[HeapEvent]:
    return [HeapEvent(one[0], one[1], f"i{one[1]}", one[2] if len(one) > 2 else 0) for one in given]


#: Events, bytes that are live after each, and lives.
CASES: dict[str, tuple[list[HeapEvent], list[int], dict[int, Life]]] = {
    "each takes a place": (
        events((ALLOC, 1), (ALLOC, 2), (FREE, 1), (ALLOC, 4), (FREE, 2), (FREE, 4)),
        [100, 150, 50, 57, 7, 0],
        {1: Life(0, 2, (1,)), 2: Life(1, 4, (2,)), 4: Life(3, 5, (4,))},
    ),
    "what shares a place takes none itself": (
        events((ALLOC, 1), (SHARE, 3, 1), (FREE, 1), (FREE, 3)),
        [100, 100, 100, 0],
        {1: Life(0, 3, (1, 3))},
    ),
    # XLA writes that an operand is freed before its user takes its place: the dip is in its trace, as xprof shows.
    "a place that was freed is taken again by what shares it": (
        events((ALLOC, 1), (ALLOC, 2), (FREE, 1), (SHARE, 3, 1), (FREE, 2), (FREE, 3)),
        [100, 150, 50, 150, 100, 0],
        {1: Life(0, 5, (1, 3)), 2: Life(1, 4, (2,))},
    ),
    "what shares with a sharer has the first place": (
        events((ALLOC, 1), (SHARE, 3, 1), (FREE, 1), (SHARE, 2, 3), (FREE, 3), (FREE, 2)),
        [100, 100, 100, 100, 100, 0],
        {1: Life(0, 5, (1, 3, 2))},
    ),
    "events that contradict change nothing": (
        events((FREE, 1), (ALLOC, 1), (ALLOC, 1), (FREE, 1), (FREE, 1), (SHARE, 2, 99), (ALLOC, 99)),
        [0, 100, 100, 0, 0, 0],
        {1: Life(1, 3, (1,))},
    ),
    "an event of another kind is none": (events((ALLOC, 1), (3, 2), (FREE, 1)), [100, 0], {1: Life(0, 1, (1,))}),
    "what is never freed lives to the end": (
        events((ALLOC, 1), (ALLOC, 2), (FREE, 2)),
        [100, 150, 100],
        {1: Life(0, 3, (1,)), 2: Life(1, 2, (2,))},
    ),
}


def test_what_is_live_after_each_event() -> None:
    for name, (given, live, lives) in CASES.items():
        found = replay(given, SIZES)
        assert (found.live_bytes.tolist(), found.lives) == (live, lives), name
    found = replay(CASES["each takes a place"][0], SIZES)
    assert found.logical_bytes.tolist() == [80, 130, 50, 57, 7, 0]
    assert (found.peak, found.at_peak) == (1, (1, 2))
    found = replay((), {})
    assert (found.peak, found.at_peak, found.lives, len(found.live_bytes)) == (-1, (), {}, 0)


def test_any_events_add_up() -> None:
    """What is live at the peak adds up to it; nothing is below zero; a second count, of sets, agrees."""
    rng = random.Random(5)
    for _ in range(200):
        keys = range(1, rng.randint(2, 8))
        sizes = {key: (rng.randint(0, 9), rng.randint(0, 9)) for key in keys}
        kinds = (ALLOC, FREE, FREE, SHARE)
        given = [(rng.choice(kinds), rng.choice(keys), rng.choice(keys)) for _ in range(rng.randint(0, 30))]
        found = replay(events(*given), sizes)
        assert (found.live_bytes >= 0).all()
        if found.peak >= 0:
            assert sum(sizes[key][0] for key in found.at_peak) == found.live_bytes[found.peak]
        assert np.array_equal(found.live_bytes, counted(given, sizes))


def counted(given: list[tuple[int, int, int]], sizes: dict[int, tuple[int, int]]) -> list[int]:
    """By the definition: a place is there as long as one that has it was not freed."""
    home: dict[int, int] = {}
    live: set[int] = set()
    found = []
    for kind, key, shared in given:
        if kind == FREE:
            live.discard(key)
        elif key not in live:
            home[key] = key if kind == ALLOC else home.get(shared, shared)
            live.add(key)
        found.append(sum(sizes[place][0] for place in {home[each] for each in live}))
    return found
