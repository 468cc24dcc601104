"""Steps by ranges of NVTX that have no number."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline import Timeline, steps_of
from tests.decode.databases import Nsys


def found(made: Nsys) -> tuple[str, list[str]]:
    capture = decode.read_bytes(made.bytes(), "report1.sqlite")
    steps = steps_of(Timeline(capture, "h"))
    return steps.rule, [capture.event_name(row) for row in steps.row.tolist()]


def program(*ranges: str, epoch: str = "", domain: int = 0, times: int = 4) -> Nsys:
    """Turns of ranges, in each of which a kernel is launched."""
    made = Nsys(2025)
    if epoch:
        made.range(epoch, 0, times * 1_000_000)
    for turn in range(times):
        for i, name in enumerate(ranges):
            at, id = turn * 1_000_000 + i * 100_000 + 10, turn * 10 + i + 1
            made.range(name, at, at + (i + 1) * 10_000, domainId=domain)
            made.call("cudaLaunchKernel_v7000", at + 10, at + 20, id)
            made.kernel("k", at + 30, at + 5_000, id)
    return made


@pytest.mark.parametrize("word", ["train_step", "iteration", "Inference", "batch"])
def test_a_word_for_a_turn(word: str) -> None:
    assert found(program("backward", word, "zzz", epoch="epoch")) == ("calls", [word] * 4)


def test_the_outermost_that_repeats_and_takes_most() -> None:
    assert found(program("forward", "backward", epoch="all")) == ("calls", ["backward"] * 4)


def test_ranges_of_libraries_are_no_turn() -> None:
    assert found(program("iteration", domain=3))[0] != "calls"


def test_functions_around_operators_are_no_turn() -> None:
    made = program("attention")
    made.range("aten::mm, seq = 4, op_id = 1", 5_000_000, 5_000_100)
    assert found(made)[0] != "calls"
