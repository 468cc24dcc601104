"""Captures just within and just beyond the numbers by which steps are found. Times in µs."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.timeline.steps import kernels, pauses
from tensorboard_perfplugin.timeline.steps.build import Draft, built, texts
from tensorboard_perfplugin.timeline.steps.calls import _launches
from tensorboard_perfplugin.timeline.steps.find import find
from tensorboard_perfplugin.timeline.steps.kernels import _alike, _continues, _cuts, _even, _whole
from tensorboard_perfplugin.timeline.steps.markers import with_last
from tensorboard_perfplugin.timeline.steps.pauses import turns
from tensorboard_perfplugin.timeline.steps.rows import count_other
from tests.build_capture import Space
from tests.timeline.ops.test_calls import event
from tests.timeline.ops.test_limits import pytorch
from tests.timeline.steps.steps_of import put, steps_of, thread
from tests.timeline.steps.test_calls import jitted
from tests.timeline.steps.test_kernels import stream
from tests.timeline.timelines import timeline


@pytest.mark.parametrize(
    ("first", "others", "cut"),
    [(53, 3, 1), (55, 3, 0), (10, 2, 1), (10, 1, 0)],
    ids=["88 %", "92 %", "the third", "the second"],
)
def test_a_mark_is_cut_that_is_shorter_than_nine_tenths_of_two_others(first: int, others: int, cut: int) -> None:
    space = Space()
    python, other = thread(space), thread(space, "other", 2)
    put(python, "train", 5, first, _r=1)
    for i in range(others):
        put(python, "train", 100 + 100 * i, 60, _r=1)
    put(other, "work", 5, 100)
    assert steps_of(space).cut[0] == cut


def test_a_million_steps_are_kept() -> None:
    n = 1_000_001
    at = np.arange(n)
    found = built(Draft("any", "guess", message("steps_seen.marks"), at, at, [""] * n, at, at, at * 0))
    assert len(found) == 1_000_000
    assert found.others == {message("not_steps.beyond_limit", limit=1_000_000): 1}


class Claimed(list[str]):
    """One text that claims to be as many."""

    def __init__(self, one: str, count: int) -> None:
        super().__init__([one])
        self._count = count

    def __len__(self) -> int:
        return self._count


@pytest.mark.parametrize(("names", "letters"), [(320_000, 200), (640_000, 100), (10_000_000, 16)])
def test_all_names_have_64_million_letters(names: int, letters: int) -> None:
    assert texts(Claimed("x" * 300, names), Claimed("#", names)) == ["x" * letters + " #"]


@pytest.mark.parametrize(("calls", "confidence"), [(2, "guess"), (3, "likely")])
def test_three_calls_are_likely_steps(calls: int, confidence: str) -> None:
    space = Space()
    for i in range(calls):
        jitted(thread(space), "train_step", 50 * i, 40)
    assert steps_of(space).confidence == confidence


@pytest.mark.parametrize(("length", "confidence"), [(52, "likely"), (48, "guess")])
def test_the_call_with_half_of_the_time_is_likely_the_step(length: int, confidence: str) -> None:
    space = Space()
    for i in range(4):
        jitted(thread(space), "train_step", 200 * i, length)
        for j in range(2):
            jitted(thread(space), f"other{j}", 200 * i + 60 + 30 * j, (100 - length) // 2)
    found = steps_of(space)
    assert (found.name[0], found.confidence) == ("train_step 0", confidence)


@pytest.mark.parametrize(("others", "steps"), [(2, 11), (3, 33 + 3)])
def test_eight_of_ten_turns_hold_as_many_calls(others: int, steps: int) -> None:
    """Others hold one more; then each call is a step."""
    space = Space()
    python = thread(space)
    for i in range(11):
        for j in range(3 + (0 < i <= others)):
            jitted(python, "slopes", 100 * i + 20 * j, 18)
        jitted(python, "apply_updates", 100 * i + 90, 5)
    assert len(steps_of(space)) == steps


@pytest.mark.parametrize(("meanwhile", "is_work"), [(5, True), (4, False)])
def test_calls_that_launch_a_twentieth_of_what_runs_on_devices_are_steps(meanwhile: int, is_work: bool) -> None:
    calls = [event("cuda_runtime", "cudaLaunchKernel", 10 * i, 1, {"correlation": i + 1}) for i in range(100)]
    device = {"device": 0, "stream": 7}
    run = [event("kernel", "k", 10 * i + 2, 5, {"correlation": i + 1, **device}, 7, 0) for i in range(100)]
    of = pytorch([*calls, *run])
    begin, end = np.array([0]), np.array([10 * meanwhile]) * 10**6
    assert _launches(of, begin, end) is is_work


@pytest.mark.parametrize(("length", "is_whole"), [(50, True), (49, False)])
def test_a_last_mark_of_half_a_step_is_a_step(length: int, is_whole: bool) -> None:
    space = Space()
    for i in range(4):
        put(thread(space), "train", 100 * i, 100 if i < 3 else length, _r=1)
    of = timeline(space)
    found = with_last(of.capture, find(of, "auto"))
    assert (found.next_ps[-1] == found.end_ps[-1]) == is_whole


@pytest.mark.parametrize(("length", "ops", "is_whole"), [(10, 3, True), (10, 2, False), (50, 0, True), (49, 0, False)])
def test_beside_one_step_a_last_mark_is_a_step_if_it_runs_half_as_much(length: int, ops: int, is_whole: bool) -> None:
    """The first step, which loads kernels, may take many times as long as others do."""
    space = Space()
    put(thread(space), "train", 0, 100, _r=1)
    put(thread(space), "train", 100, length, _r=1)
    for i, n in enumerate((6, ops)):
        for j in range(n):
            put(thread(space), "op", 100 * i + 1 + j, 1)
    of = timeline(space)
    found = with_last(of.capture, find(of, "auto"))
    assert (found.next_ps[-1] == found.end_ps[-1]) == is_whole


@pytest.mark.parametrize(("asks", "confidence"), [(3, "guess"), (4, "likely")])
def test_three_regular_distances_between_asks_are_likely_steps(asks: int, confidence: str) -> None:
    space = Space()
    for i in range(asks):
        put(thread(space), "Iterator::Root", 50 * i, 5)
    assert steps_of(space).confidence == confidence


def asked(apart: Sequence[int]) -> str:
    space = Space()
    for at in np.cumsum([0, *apart]).tolist():
        put(thread(space), "Iterator::Root", at, 5)
    return steps_of(space).confidence


def test_seven_of_ten_distances_that_differ_by_half_are_regular() -> None:
    assert [asked([100] * 3 + [far] * 2 + [100] * 2) for far in (149, 151)] == ["likely", "likely"]
    assert [asked([100] * 3 + [far] * 3 + [100] * 2) for far in (149, 151)] == ["likely", "guess"]


@pytest.mark.parametrize(("length", "name"), [(30, "train_step 0"), (20, "eval_step 0")])
def test_the_main_thread_s_calls_are_steps_with_a_quarter_of_the_time(length: int, name: str) -> None:
    space = Space()
    for i in range(4):
        jitted(thread(space, "python", 10), "train_step", 200 * i, length)
        jitted(thread(space, "python", 11), "eval_step", 200 * i, 100)
    assert steps_of(space).name[0] == name


@pytest.mark.parametrize(("functions", "name"), [(4, "f0 0"), (6, "step 0")])
def test_a_function_with_a_fifth_of_the_time_matters(functions: int, name: str) -> None:
    """With less the frame around it is the step."""
    space = Space()
    python = thread(space)
    for i in range(4):
        put(python, "$train.py:20 step", 200 * i, 190)
        for j in range(functions):
            jitted(python, f"f{j}", 200 * i + 20 + 20 * j, 18)
    assert steps_of(space).name[0] == name


@pytest.mark.parametrize(("outside", "is_step"), [(4, True), (6, False)])
def test_a_frame_is_the_step_that_holds_four_fifths_of_the_calls(outside: int, is_step: bool) -> None:
    """Of operations that stand alone; twenty lie in four frames."""
    space = Space()
    python = thread(space)
    for i in range(4):
        put(python, "$train.py:20 step", 200 * i, 150)
        for j in range(5):
            jitted(python, "add", 200 * i + 10 + 20 * j, 18)
    for i in range(outside):
        jitted(python, "add", 1000 + 20 * i, 18)
    assert steps_of(space).name[0].startswith("step ") is is_step


@pytest.mark.parametrize(("others", "is_step"), [(63, True), (64, False)])
def test_64_frames_are_looked_at(others: int, is_step: bool) -> None:
    """Each of the others has more time."""
    space = Space()
    python = thread(space)
    for i in range(2):
        put(python, "$train.py:20 step", 1000 * i, 900)
        for j in range(5):
            jitted(python, "add", 1000 * i + 10 + 20 * j, 18)
    for j in range(others):
        for i in range(2):
            put(python, f"$other.py:{j} f", 10_000 + 4000 * j + 2000 * i, 1000)
    assert steps_of(space).name[0].startswith("step ") is is_step


@pytest.mark.parametrize(("first", "cut"), [(79, 1), (81, 0)])
def test_a_step_of_a_device_is_cut_that_is_shorter_than_four_fifths(first: int, cut: int) -> None:
    space = Space()
    line = space.plane("/device:TPU:0").line(1, "Steps")
    for i, length in enumerate((first, 100, 100, 100, 100)):
        put(line, str(i), 200 * i, length)
    assert steps_of(space).cut[0] == cut


@pytest.mark.parametrize(("length", "confidence"), [(52, "likely"), (48, "guess")])
def test_the_module_with_half_of_the_time_is_likely_the_step(length: int, confidence: str) -> None:
    space = Space()
    line = space.plane("/device:TPU:0").line(2, "XLA Modules")
    for i in range(4):
        put(line, "jit_step(1)", 200 * i, length)
        for j in range(2):
            put(line, f"jit_other{j}(1)", 200 * i + 60 + 30 * j, (100 - length) // 2)
    assert steps_of(space).confidence == confidence


@pytest.mark.parametrize(("apart", "workers"), [(5, 1), (6, 2)])
def test_devices_are_workers_where_most_steps_are_apart(apart: int, workers: int) -> None:
    space = Space()
    a, b = (space.plane(f"/device:GPU:{gpu}").line(7, "Stream #7") for gpu in (0, 1))
    for i in range(10):
        put(a, "kernel", 1000 * i, 100, group_id=i)
        put(b, "kernel", 1000 * i + (500 if i < apart else 50), 100, group_id=i)
    assert len(steps_of(space)) == 10 * workers


@pytest.mark.parametrize(("turns", "found"), [(2, 0), (3, 3)])
def test_three_times_is_a_sequence(turns: int, found: int) -> None:
    space = Space()
    stream(space, [["embed", "gemm", "gelu", "loss"]] * turns)
    assert len(steps_of(space)) == found


def test_periods_of_kernels() -> None:
    """The distances, what is left out at the ends, the names, and whether what comes first is the end of another."""
    near = [0, 100, 200, 300, 400, 500, 600, 700, 800]
    assert _even(np.array([*near, 909]), 1000)
    assert [_even(np.array([*near, *more]), 1150) for more in ([911, 1022], [911, 1022, 1133])] == [True, False]
    assert [_even(np.array(near) + first, 1100) for first in (149, 151)] == [True, False]
    assert [_even(np.array(near), 801 + last) for last in (150, 151)] == [True, False]
    at = np.array([0, 8, 16])
    held = [np.tile(np.arange(kinds), 24 // kinds) for kinds in (6, 5)]
    assert [_whole(symbol, at, 8) for symbol in held] == [True, False]
    names = np.tile(np.arange(20), 4)
    before = [names[1:20].copy() for _ in range(2)]
    before[0][:1], before[1][:2] = 99, 99
    at = np.array([19, 39, 59])
    assert [_continues(np.concatenate((first, names)), at) for first in before] == [True, False]


def test_a_period_of_fewer_kernels_is_cut() -> None:
    assert [_cuts(np.array([first, 100, 100, last])).tolist() for first, last in ((94, 96), (96, 94))] == [
        [1, 0, 0, 0],
        [0, 0, 0, 2],
    ]


def test_periods_are_alike() -> None:
    """Three of a length, and of the same names; of so many periods most."""
    names = np.tile(np.arange(10), 8)
    assert [_alike(names, np.arange(0, 10 * n, 10)) for n in (3, 4)] == [False, True]
    ragged = [np.cumsum([0, *[10] * 6, *[7] * short]) for short in (2, 3)]
    assert [_alike(names, at) for at in ragged] == [True, False]


def test_seven_kinds_of_others_are_told_apart() -> None:
    others: dict[Message, int] = {}
    for i in range(10):
        count_other(others, message("not_steps.beside", name=str(i)), 2)
    assert len(others) == 8
    assert others[Message("not_steps.further")] == 6


@pytest.mark.parametrize(("length", "found"), [(1000, 3), (1001, 0)])
def test_a_pattern_sees_1000_characters_of_a_rule_s_names(length: int, found: int) -> None:
    space = Space()
    for i in range(3):
        put(thread(space), "a:XLA module".rjust(length, "a"), 50 * i, 40)
    assert len(steps_of(space)) == found


@pytest.mark.parametrize(("others", "near"), [(4999, ("wanted",)), (5000, ())])
def test_names_like_a_missing_one_are_looked_for_among_5000(others: int, near: tuple[str, ...]) -> None:
    space = Space()
    python = thread(space)
    for i in range(others):
        put(python, f"{i:04}#", 2 * i, 1)
        put(python, f"{i:04}#", 2 * i + 1, 1)
    put(python, "wanted", 20_000, 1)
    reason = steps_of(space, "wantet").reason
    assert reason is not None
    assert reason.params["near"] == near


def turned(turns: int, wait: int = 1, pause: int = 31, calls: int = 6, more: int = 0) -> Any:
    """The events of so many turns of calls, with a wait before each call and a pause before each turn.

    more: calls of the first turn that the others lack.
    """
    at = np.arange(calls * turns + more)
    begun = np.maximum(at - more, 0) // calls
    start = (4 + wait) * at + (pause - wait) * begun
    return SimpleNamespace(events=SimpleNamespace(start_ps=start, duration_ps=4 + 0 * at, name=0 * at))


def turns_of(capture: Any) -> list[int]:
    found = turns(capture, np.arange(len(capture.events.name)))
    return [] if found is None else found.tolist()


@pytest.mark.parametrize(("count", "found"), [(2, []), (3, [0, 6, 12])])
def test_three_turns_repeat(count: int, found: list[int]) -> None:
    """Between them are two pauses; a single one has no distance."""
    assert turns_of(turned(count)) == found


@pytest.mark.parametrize(("pause", "found"), [(30, []), (31, [0, 6, 12, 18, 24])])
def test_a_pause_is_three_times_as_long_as_a_wait(pause: int, found: list[int]) -> None:
    assert turns_of(turned(5, wait=10, pause=pause)) == found


@pytest.mark.parametrize(("paused", "is_found"), [((1, 2, 3, 6, 7, 8, 9), True), ((1, 2, 3, 6, 7, 8), False)])
def test_seven_of_ten_turns_begin_after_a_pause(paused: tuple[int, ...], is_found: bool) -> None:
    found = pauses._grid(6 * np.array(paused), 66, np.zeros(66, np.int32))
    assert (found == (0, 6)) is is_found


@pytest.mark.parametrize(("more", "found"), [(2, [0, 12, 22, 32]), (3, [3, 13, 23, 33])])
def test_a_fifth_more_calls_before_the_first_turn_are_of_it(more: int, found: list[int]) -> None:
    """Of more none is: they begin before the turns."""
    assert turns_of(turned(4, calls=10, more=more)) == found


@pytest.mark.parametrize(("others", "grid"), [(3, (0, 6)), (4, None)])
def test_95_percent_of_the_calls_are_those_of_the_next_turn(others: int, grid: tuple[int, int] | None) -> None:
    """Of 60 pairs, the last ones."""
    names = np.zeros(66, np.int32)
    names[66 - others :] = 1
    assert pauses._grid(np.arange(6, 66, 6), 66, names) == grid


@pytest.mark.parametrize("count", [256, 370, 2000])
def test_many_turns_are_as_many(count: int) -> None:
    """Of 370, five were one, and of more there were none: of the pauses 256 were looked at, of the turns all."""
    found = turns(turned(count), np.arange(6 * count))
    assert found is not None
    assert found.tolist() == list(range(0, 6 * count, 6))


def test_turns_are_looked_for_among_256_pauses_and_262_144_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(pauses, "_grid", lambda at, count, names: seen.append((len(at), count)))
    turns(turned(1000), np.arange(6000))
    n = 600_000
    calls: Any = SimpleNamespace(start_ps=5 * np.arange(n), duration_ps=np.full(n, 4), name=np.zeros(n))
    of: Any = SimpleNamespace(events=calls)
    turns(of, np.arange(n))
    # The 257th pause is before the 258th turn, since the first has none.
    assert seen == [(256, 257 * 6), (0, 262_144)]


def test_a_period_is_looked_for_among_262_144_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(kernels, "_divided", lambda symbols, begin, end: seen.append(len(symbols)))
    n = 600_000
    zeros = np.zeros(n, np.int64)
    capture = SimpleNamespace(events=SimpleNamespace(name=zeros, start_ps=zeros, duration_ps=zeros), strings=[""])
    of: Any = SimpleNamespace(capture=capture)
    kernels._by_names(of, np.arange(n), False)
    assert seen == [262_144]


@pytest.mark.parametrize(("fewer", "is_found"), [(28, True), (30, False)])
def test_24_of_the_counts_of_names_are_tried(fewer: int, is_found: bool) -> None:
    """Of 61, of which `fewer` are smaller than that of the name that comes once in each of 100 periods."""
    order = np.random.default_rng(1)
    missing = {name: set(order.permutation(100)[: fewer - name].tolist()) for name in range(fewer)}
    more = {name: set(order.permutation(100)[: name - fewer + 1].tolist()) for name in range(fewer, 60)}
    names: list[int] = []
    for period in range(100):
        held = [name for name in range(60) if period not in missing.get(name, ())]
        held += [name for name in range(60) if period in more.get(name, ())]
        names += [60, *order.permutation(held).tolist()]
    begin = np.arange(len(names)) * 2
    found = kernels._divided(np.array(names), begin, begin + 1)
    assert (found is not None and found.name == 60) is is_found


def waits(*places: tuple[int, int], length: int, periods: int) -> list[int]:
    """Where the first two periods begin; their first places, and then those given, wait longer in some periods."""
    at = np.arange(0, length * periods, length)
    gap = np.zeros(length * periods + length // 2, np.int64)
    for place, first in places:
        gap[at[first:] + place] = 100
    found: list[int] = kernels._after_pause(at, gap)[:2].tolist()
    return found


def test_the_wait_before_a_period_is_looked_for_in_64_periods_of_16_384_kernels() -> None:
    assert [waits((place, 0), length=20_000, periods=4)[0] for place in (16_383, 16_384)] == [16_383, 0]
    # In 33 of 64 periods.
    gap_in = [waits((5, first), length=10, periods=65)[0] for first in (31, 33)]
    assert gap_in == [5, 0]
    # In 59 of 99, of which 24 are among the first 64.
    assert waits((5, 40), length=10, periods=100)[0] == 0


@pytest.mark.parametrize(("longest", "begins"), [(150, 0), (151, 5)])
def test_a_period_begins_where_its_stream_waits_1_5_times_as_long_as_before_its_first_kernel(
    longest: int, begins: int
) -> None:
    at, gap = np.arange(0, 40, 10), np.zeros(45, np.int64)
    gap[at], gap[at + 5] = 100, longest
    assert kernels._after_pause(at, gap)[0] == begins
