"""Steps are replayed without a part of them, by hand; what cannot be read is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tools import Answer
from tests.tools.kineto import Event, ask, launched, on_device, on_host, saved, step

TURN = 100


def turns() -> list[Event]:
    """Four steps of 100 µs. The host loads for 30, copies for 10 and launches two kernels of 20 µs; then it waits."""
    events: list[Event] = []
    for number in range(4):
        at = TURN * number
        events += [step(number, at, TURN), on_host("app/data.py(3): load", at, 30, "python_function")]
        events.append(on_host("aten::copy_", at + 30, 4))
        events.append(on_host("cudaMemcpyAsync", at + 31, 1, "cuda_runtime", correlation=10 * number + 1))
        copy = "Memcpy HtoD (Pageable -> Device)"
        events.append(on_device(copy, at + 33, 10, "gpu_memcpy", correlation=10 * number + 1))
        for i in range(2):
            events += launched(f"gemm_{i}", at + 35 + 2 * i, at + 43 + 20 * i, 20, 10 * number + 2 + i)
        events.append(on_host("cudaDeviceSynchronize", at + 40, 45, "cuda_runtime"))
        events.append(on_host("app/train.py(9): log", at + 85, 15, "python_function"))
    return events


def changed(folder: Path, **options: str) -> Answer:
    return ask(saved(folder, *turns()), "whatif", **options)


@pytest.mark.parametrize(
    ("options", "step_us"),
    [
        ({}, 100),
        ({"remove": "function:load"}, 70),
        ({"remove": "load*"}, 70),
        ({"remove": "kernel:gemm_?"}, 60),
        ({"scale": "kernel:gemm_1=0.5"}, 90),
        ({"scale": "gemm_*=2; function:log=0"}, 125),
        # The first kernel was launched at 36 µs, and waited until 43 for the copy.
        ({"remove": "copy:h2d"}, 93),
        ({"overlap": "copy:h2d"}, 93),
        ({"remove": "category:compute_other"}, 60),
    ],
)
def test_a_step_takes_as_long_as_what_is_left(tmp_path: Path, options: dict[str, str], step_us: float) -> None:
    summary = changed(tmp_path, **options).result.summary
    assert summary["step_ms"] == pytest.approx(TURN / 1000)
    assert summary["changed_step_ms"] == pytest.approx(step_us / 1000, abs=3e-3)


def test_it_says_what_is_left_and_that_nothing_was_held(tmp_path: Path) -> None:
    first = changed(tmp_path, remove="kernel:gemm*").result.findings[0]
    assert first.title == "A step would take 60 µs instead of 100 µs"
    assert "`load` (data.py:3), 30 µs a step" in first.detail
    assert changed(tmp_path, remove="op:conv").result.findings[0].code == "whatif.nothing"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"remove": "copy:up"}, "copy 'up'"),
        ({"scale": "kernel:gemm"}, "KIND:NAME=TIMES"),
        ({"remove": "kernel:gemm=2"}, "KIND:NAME"),
        ({"remove": ";".join("abcdefghijklmnopqrstuvwxyz")}, "at most 20"),
    ],
)
def test_a_selection_that_cannot_be_read_is_an_error(tmp_path: Path, options: dict[str, str], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        changed(tmp_path, **options)
