"""Steps, input and idle time of PyTorch's training loops."""

from __future__ import annotations

from pathlib import Path

from tests.tools.kineto import ask, launched, on_host, rows, saved, step

LOADER = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"


def test_every_step_counts_the_last_too(tmp_path: Path) -> None:
    """A step lasts to the next one's begin, the last as long as its mark; its work is what it launched."""
    events = [
        *(step(5, 0, 99), step(6, 100, 98), step(7, 200, 120)),
        *launched("first", 10, 20, 30, 1),
        # Launched in step 5, runs in step 6, which launches nothing.
        *launched("late", 80, 110, 20, 2),
        *launched("last", 210, 220, 40, 3),
    ]
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", "step", "duration_ms", "span_ms", "cut") == [
        (5, 0.1, 0.099, ""),
        (6, 0.1, 0.098, ""),
        (7, 0.12, 0.12, ""),
    ]
    summary = answer.result.summary
    assert (summary["step_count"], summary["steps_not_counted"]) == (3, 0)
    assert round(float(summary["step_time_ms"] or 0), 6) == 0.106667


def test_one_step_is_a_step(tmp_path: Path) -> None:
    summary = ask(saved(tmp_path, step(0, 0, 100), *launched("kernel", 10, 20, 30, 1)), "overview").result.summary
    assert (summary["step_time_ms"], summary["steps_not_counted"]) == (0.1, 0)


def test_what_began_when_the_profiler_stopped_is_no_step(tmp_path: Path) -> None:
    """`step()` after the last batch begins one more mark, which ends with the profiler."""
    events = [step(1, 0, 99), step(2, 100, 99), step(3, 200, 5), *launched("kernel", 10, 20, 30, 1)]
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", "step", "duration_ms", "cut") == [(1, 0.1, ""), (2, 0.1, ""), (3, 0.005, "last")]
    assert answer.result.summary["step_time_ms"] == 0.1


def test_operators_around_a_launch_are_its_launch(tmp_path: Path) -> None:
    """`linear` calls `addmm`, which calls `empty` and launches: 60 µs of launching, whatever of it is whose."""
    events = []
    for i, begin in enumerate((0, 200, 400)):
        events += [step(i, begin, 200), on_host("aten::linear", begin, 60), on_host("aten::addmm", begin + 10, 45)]
        events += [on_host("aten::empty", begin + 12, 20), *launched("kernel", begin + 50, begin + 60, 100, i + 1)]
        events += [on_host("aten::sort", begin + 165, 30)]
    answer = ask(saved(tmp_path, *events), "overview")
    columns = ("step", "launch_ms", "compute_other_ms", "host_compute_ms", "python_ms")
    assert rows(answer, "steps", *columns) == [(i, 0.06, 0.1, 0.03, 0.01) for i in range(3)]


def test_asking_the_loader_is_waiting_for_input(tmp_path: Path) -> None:
    """40 of 100 µs, of which the device works in 10 on what the step before launched."""
    events = []
    for i, begin in enumerate((0, 100, 200, 300)):
        events += [step(i, begin, 100), on_host(LOADER, begin, 40, "user_annotation")]
        events += launched("kernel", begin + 45, begin + 60, 50, i + 1)
    answer = ask(saved(tmp_path, *events), "input_pipeline")
    assert rows(answer, "steps", "step", "duration_ms", "input_wait_ms") == [
        (0, 0.1, 0.04),
        (1, 0.1, 0.03),
        (2, 0.1, 0.03),
        (3, 0.1, 0.03),
    ]
    assert answer.result.summary["input_wait_share"] == 0.325


def test_advice_is_in_pytorchs_terms(tmp_path: Path) -> None:
    path = saved(tmp_path, step(0, 0, 100), *launched("kernel", 10, 20, 30, 1))
    assert ask(path, "memory_profile").result.unknown["peak_bytes"] == (
        "this capture holds no memory events: `torch.profiler.profile(profile_memory=True)` records them"
    )


def test_calls_that_launch_next_to_nothing_are_no_steps(tmp_path: Path) -> None:
    """A server first files eight requests, one after the other; what the device does is launched after that."""
    calls = [on_host("/src/batch.py(30): add_request", 10 * i, 9.5, "python_function") for i in range(8)]
    events = [event for i in range(3) for event in launched(f"kernel{i}", 100 + 10 * i, 105 + 10 * i, 4, i + 1)]
    summary = ask(saved(tmp_path, *calls, *events), "overview").result.summary
    assert (summary["step_rule"], summary["step_count"]) == (None, None)
    assert ask(saved(tmp_path, *calls), "overview").result.summary["step_rule"] == "calls"
