"""The last step of a PyTorch capture, whose mark ends before the devices' work does. Times are µs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.kineto import Event, ask, launched, rows, saved, step

TIMES = ("duration_ms", "span_ms", "cut", "compute_other_ms")


def test_the_only_step_holds_all_its_work(tmp_path: Path) -> None:
    """Marked for 1000 µs, in which the device does 500 of its 2500: 80 % of the work were lost."""
    events = [step(7, 0, 1000), *launched("gemm", 400, 500, 1500, 1), *launched("gemm", 600, 2000, 1000, 2)]
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", *TIMES) == [(3.0, 3.0, "", 2.5)]
    summary = answer.result.summary
    assert (summary["step_time_ms"], summary["outside_steps_share"], summary["step_confidence"]) == (
        3.0,
        0.0,
        "certain",
    )


def test_work_that_only_runs_after_the_step_is_told(tmp_path: Path) -> None:
    events = [step(7, 0, 1000), *launched("gemm", 400, 500, 300, 1), *launched("gemm", 1100, 1200, 700, 2)]
    answer = ask(saved(tmp_path, *events), "overview")
    summary = answer.result.summary
    assert rows(answer, "steps", *TIMES) == [(1.0, 1.0, "", 0.3)]
    assert (summary["device_outside_steps_ms"], summary["outside_steps_share"]) == (0.7, 0.7)
    assert summary["step_confidence"] == "likely"
    assert "work_outside_steps" in [finding.code for finding in answer.result.findings]


@pytest.mark.parametrize(("first_us", "sure"), [(2000, "certain"), (2001, "likely")])
def test_one_step_of_two_is_less_sure(tmp_path: Path, first_us: int, sure: str) -> None:
    """The first takes more than twice as long."""
    events = [step(1, 0, first_us), step(2, first_us, 1000)]
    for i, at in enumerate((0, first_us)):
        events += launched("gemm", at + 10, at + 100, 800, i + 1)
    answer = ask(saved(tmp_path, *events), "overview")
    assert answer.result.summary["step_confidence"] == sure


def test_a_host_that_devices_hold_back_tells_the_last_step_s_time(tmp_path: Path) -> None:
    """Each step's work runs 600 µs into the next mark: of the last one only the span ends with it."""
    events: list[Event] = []
    for i in range(4):
        events += [step(i, 1000 * i, 1000), *launched("gemm", 1000 * i + 10, 1000 * i + 600, 1000, i + 1)]
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", *TIMES)[-1] == (1.0, 1.6, "", 1.0)
    assert answer.result.summary["step_time_ms"] == 1.0


def test_a_last_step_of_its_own_is_as_long_as_its_work(tmp_path: Path) -> None:
    events: list[Event] = []
    for i in range(4):
        events += [step(i, 1000 * i, 1000), *launched("gemm", 1000 * i + 10, 1000 * i + 100, 800, i + 1)]
    events += launched("checkpoint", 3900, 3950, 1050, 5)
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", *TIMES)[-1] == (2.0, 2.0, "", 1.85)
