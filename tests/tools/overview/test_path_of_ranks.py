"""The critical path of several ranks: at each of their collectives it leads on through the rank that came last."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tests.tools.kineto import H100, Event, launched, on_host, step

STEPS, STEP_US, ENDS_US = 8, 1000.0, 900.0


def rank(number: int, ranks: int, load_us: Sequence[float], clock_us: float) -> str:
    """Loads, then all reduce at once: its kernel runs until the last rank has come, and 50 µs more."""
    events: list[Event] = []
    for i, load in enumerate(load_us):
        begin = clock_us + i * STEP_US
        events += [step(i, begin, STEP_US), on_host("load", begin + 10, load, "user_annotation")]
        reduce = launched("ncclDevKernel_AllReduce_Sum_f32", begin + 12 + load, begin + 15 + load, 0, i + 1)
        reduce[1]["dur"] = ENDS_US - 15 - load
        reduce[1]["args"] |= {"Collective name": "allreduce", "Process Group Name": "0", "Group size": ranks}
        events += [*reduce, on_host("cudaDeviceSynchronize", begin + 14 + load, ENDS_US - 14 - load, "cuda_runtime")]
    info = {"backend": "nccl", "rank": number, "world_size": ranks}
    return json.dumps({"schemaVersion": 1, "deviceProperties": [H100], "distributedInfo": info, "traceEvents": events})


def captured(folder: Path, ranks: int, load_us: Callable[[int, int], float]) -> Path:
    for number in range(ranks):
        loads = [load_us(number, i) for i in range(STEPS)]
        # Clocks of ranks need not agree.
        text = rank(number, ranks, loads, 1000.0 * number)
        (folder / f"rank{number}.1700000000000.pt.trace.json").write_text(text)
    return folder


def first_finding(folder: Path, ranks: int, load_us: Callable[[int, int], float]) -> dict[str, Any]:
    answer = tensorboard_perfplugin.open(captured(folder, ranks, load_us)).overview()
    finding: dict[str, Any] = answer.to_dict()["findings"][0]
    return finding


@pytest.mark.parametrize("ranks", [2, 3])
def test_the_path_crosses_to_the_rank_that_comes_last(tmp_path: Path, ranks: int) -> None:
    """Each rank loads for 800 µs of 1000 in its turn, and for 50 µs else: the run waits for 800 µs in each step, the
    mean rank loads for less."""
    finding = first_finding(tmp_path, ranks, lambda number, i: 800.0 if i % ranks == number else 50.0)
    on_path = finding["params"]["on_path"]["params"]
    assert on_path["rank"]["code"] == "awaited.each"
    assert on_path["share"] == pytest.approx(0.8, abs=0.02)


def test_the_path_stays_with_a_rank_that_is_always_last(tmp_path: Path) -> None:
    finding = first_finding(tmp_path, 3, lambda number, i: 800.0 if number == 2 else 50.0)
    assert "`load` of rank 2, for which the others wait" in finding["title"]
    assert finding["params"]["on_path"]["params"]["share"] == pytest.approx(0.8, abs=0.02)


def test_ranks_that_come_together_have_paths_of_their_own(tmp_path: Path) -> None:
    finding = first_finding(tmp_path, 2, lambda number, i: 800.0 - number)
    assert finding["params"]["on_path"]["params"].get("rank") is None


@pytest.mark.parametrize(
    "late", [lambda number, i: number == 1, lambda number, i: i % 2 == number], ids=["always", "in turn"]
)
def test_without_what_makes_a_rank_late_no_other_waits_for_it(tmp_path: Path, late: Callable[[int, int], bool]) -> None:
    """One that loads for 800 µs of 1000 where another loads for 50: without loading, all take what is left beside."""
    folder = captured(tmp_path, 2, lambda number, i: 800.0 if late(number, i) else 50.0)
    summary = tensorboard_perfplugin.open(folder).whatif(remove="event:load").to_dict()["summary"]
    assert summary["step_ms"] == pytest.approx(1.0, abs=0.02)
    assert summary["changed_step_ms"] == pytest.approx(0.2, abs=0.07)
