"""Buffer assignments that nobody should believe: an answer or a reason, in bounded time."""

from __future__ import annotations

import random
import time

import pytest

from tensorboard_perfplugin.analysis.buffers import host
from tests.build_buffers import Event, assignment, held, schedule, value
from tests.build_capture import chunk, number, text
from tests.build_program import computation, instruction, program, shape
from tests.tools.answered import rows_of
from tests.tools.memory_viewer.step import ALLOCATIONS, TRACE, VALUES, of_step, step


def test_what_is_cut_off_anywhere_gives_an_answer() -> None:
    whole = step()
    for end in range(0, len(whole), 17):
        of_step(whole[:end])


def test_any_changed_bytes_give_an_answer() -> None:
    rng, whole = random.Random(3), step()
    for _ in range(50):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 20)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        of_step(bytes(data))


def test_sizes_below_zero_and_beyond_all_memory_are_none() -> None:
    values = [*VALUES[:-1], value(10, (1 << 63) - 1, "out"), value(11, -5, "mul")]
    answer = of_step(step([held(0, -1, {10: 0}, out=True), *ALLOCATIONS[1:]], values=values))
    assert answer.result.summary["output_bytes"] == 0


def test_ids_that_repeat_or_name_nothing() -> None:
    values = [*VALUES, value(4, 5, "state"), value(99, 7, "nobody")]
    allocations = [*ALLOCATIONS, held(5, 77, {4: 0, 5: 0}), held(9, 7, {99: 0, 1234: 0})]
    answer = of_step(step(allocations, (TRACE, [("alloc", 777, "x"), ("share", 4, "mask", 4)]), values=values))
    rows = rows_of(answer, "buffers", "bytes", "at_peak")
    assert sum(size for size, at_peak in rows if at_peak) == answer.result.summary["program_peak_bytes"]


def test_computations_that_call_each_other_are_gone_through_once() -> None:
    one = computation(1, [instruction(1, "a", "call", shape("f32"), calls=(2,))], 1)
    other = computation(2, [instruction(2, "b", "while", shape("f32"), calls=(1, 2))], 2)
    message = program(one, other, entry=1) + assignment([value(1, 4, "b")], [held(0, 4, {1: 0}, out=True)])
    assert of_step(message).result.summary["scheduled_instructions"] == 2


def test_operands_in_a_circle_end() -> None:
    names = [instruction(i, f"i{i}", "tuple", shape("f32", 4), ((i % 50) + 1,) * 3) for i in range(1, 51)]
    entry = computation(1, names, 50)
    events: list[Event] = [("alloc", 1, "i1"), ("free", 1, "i1")]
    message = program(entry, entry=1) + assignment([value(1, 16, "i1")], [held(0, 16, {1: 0})], [events])
    assert of_step(message).result.summary["program_peak_bytes"] == 16


def test_a_schedule_that_repeats_an_instruction() -> None:
    assert (
        of_step(step(order=[1, 2, 2, 2, 77, 3, 4, 5, 6, 7, 8, 9, 10, 11])).result.summary["peak_instruction"] == "dot.2"
    )


def test_a_name_of_a_megabyte_is_cut() -> None:
    long = "x" * 1_000_000
    entry = computation(1, [instruction(1, long, "parameter", shape("f32", 4), op_name=long)], 1)
    message = program(entry, entry=1) + assignment([value(1, 16, 1)], [held(0, 16, {1: 0}, parameter=0)])
    [row] = rows_of(of_step(message), "buffers", "instruction", "op")
    assert max(map(len, row)) <= 4000


def test_a_program_that_is_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "MAX_FIELDS", 100)
    answer = of_step()
    assert answer.result.unknown["program_peak_bytes"] == "the program is larger than what is read of one"


@pytest.mark.slow
def test_a_hundred_thousand_instructions_take_seconds() -> None:
    """Each made of the one before it, half of them through a tuple; each frees the one before."""
    count, of = 100_000, shape("f32", 8, 128)
    made = [instruction(1, "i1", "parameter", of)]
    made += [instruction(i, f"i{i}", "add", of, (i - 1, 1), op_name=f"jit(f)/{i % 100}") for i in range(2, count)]
    entry = computation(1, made, count - 1)
    values = [value(i, 4096, i) for i in range(1, count)]
    allocations = [held(0, 4096, {1: 0}, parameter=0), held(1, 8192, {i: 4096 * (i % 2) for i in range(2, count)})]
    events: list[Event] = [("alloc", 2, "i2")]
    for i in range(3, count):
        events += [("alloc", i, f"i{i}"), ("free", i - 1, f"i{i - 1}")]
    message = program(entry, entry=1, more=schedule({1: range(1, count)})) + assignment(values, allocations, [events])
    began = time.process_time()
    answer = of_step(message)
    assert answer.result.summary["program_peak_bytes"] == 3 * 4096
    assert time.process_time() - began < 60


def test_many_simulations_are_bounded_by_what_is_read() -> None:
    """A thousand of them, each of all buffers."""
    events: list[Event] = [("alloc", key, "") for key in range(4, 10)]
    answer = of_step(step(traces=[events] * 1000))
    assert answer.result.summary["program_peak_bytes"]


def test_a_field_of_the_wrong_kind_is_left_out() -> None:
    wrong = chunk(3, text(1, "no buffer") + number(3, 5) + chunk(3, number(9, 1)) + chunk(4, number(1, 7)))
    assert of_step(step() + wrong).result.summary["peak_instruction"] == "dot.2"
