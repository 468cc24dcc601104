"""The first finding for every cause: its whole sentence, from the parts of a step and what ran in it."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

import numpy as np
import pytest

from tensorboard_perfplugin.advice.rules.verdict import CAUSES, case, verdict
from tensorboard_perfplugin.analysis.steps import Spent, StepSummary, merged
from tensorboard_perfplugin.analysis.steps.hosts import HostSteps
from tensorboard_perfplugin.analysis.steps.means import StepMeans, step_means
from tensorboard_perfplugin.timeline import CATEGORIES, INDEX, Split, Steps, Unit
from tensorboard_perfplugin.tools import Evidence, Finding

MS, US = 10**9, 10**6
#: Steps that count of each program here; one more follows, whose wall time is unknown.
N = 10


def steps(walls_ms: list[float], **more: Any) -> Steps:
    """One step after the other, the last one without a next."""
    wall = (np.array(walls_ms) * MS).astype(np.int64)
    begin = np.cumsum(wall) - wall
    n = len(wall)
    found = Steps(
        "markers",
        more.pop("confidence", "certain"),
        "marks",
        "",
        np.arange(n),
        tuple(f"train {i}" for i in range(n)),
        np.arange(n, dtype=np.int32),
        np.zeros(n, np.int32),
        begin,
        begin + wall,
        np.append(begin[1:], -1),
        np.zeros(n, np.uint8),
        **more,
    )
    found.check()
    return found


def facts(units: list[list[dict[str, float]]], kind: Literal["cpu", "gpu"] = "cpu", **more: Any) -> StepMeans:
    """The run of one host: for each unit, for each step its parts in ms, which add up to the same for all units."""
    walls = [sum(parts.values()) for parts in units[0]]
    exposed = np.zeros((len(units), len(walls), len(CATEGORIES)), np.int64)
    for u, unit in enumerate(units):
        for s, parts in enumerate(unit):
            for key, ms in parts.items():
                exposed[u, s, INDEX[key]] = ms * MS
    named = [Unit(-1, "h", "cpu")] if kind == "cpu" else [Unit(i, f"gpu{i}", kind) for i in range(len(units))]
    split = Split(steps(walls, **more), tuple(named), exposed, exposed)
    split.check()
    return step_means([HostSteps("h", None, split)])


def findings(
    parts: dict[str, float], summary: StepSummary, kind: Literal["cpu", "gpu"] = "cpu", **more: Any
) -> list[Finding]:
    judged = case(facts([[parts] * (N + 1)], kind, **more), dataclasses.replace(summary, steps=N))
    assert judged is not None
    return list(verdict(judged))


def first(parts: dict[str, float], summary: StepSummary, kind: Literal["cpu", "gpu"] = "cpu", **more: Any) -> Finding:
    return findings(parts, summary, kind, **more)[0]


def spent(times: int, ms: float) -> Spent:
    """Of a step → of all."""
    return Spent(N * times, round(N * ms * MS))


MAP = "Iterator::Root::Prefetch::ParallelMapV2"
CONV = "net/conv2d/Conv2D (_MklNativeFusedConv2D)"
MATMUL = StepSummary(work={"dot": spent(1, 2)}, types={"dot": spent(1, 2)}, all_work=spent(4, 3))


@pytest.mark.parametrize(
    ("parts", "summary", "title"),
    [
        pytest.param(
            {"input_wait": 34, "op_compute": 3},
            StepSummary(waits={MAP: spent(1, 34)}, feeds={"EagerPyFunc": spent(16, 60)}),
            "Steps take 37 ms; 34 ms (92 %) of that waits for input, in `ParallelMapV2`; `EagerPyFunc`, a Python "
            "function, takes longest to prepare it",
            id="a sleep in map",
        ),
        pytest.param(
            {"input_wait": 20, "op_compute": 60, "python": 20},
            StepSummary(
                waits={MAP: spent(1, 34)}, feeds={"Iterator::Root::Prefetch::FlatMap[0]::Generator": spent(1, 20)}
            ),
            "Steps take 100 ms; 20 ms (20 %) of that waits for input, in `ParallelMapV2`; a Python generator "
            "(`Generator`) takes longest to prepare it",
            id="a slow generator",
        ),
        pytest.param(
            {"input_wait": 30, "op_compute": 3},
            StepSummary(),
            "Steps take 33 ms; 30 ms (91 %) of that waits for input",
            id="nothing names the input",
        ),
        pytest.param(
            {"python": 21, "op_compute": 3},
            StepSummary(python={"`time.sleep`, called by `log` (train.py:46)": spent(1, 20)}, between_ps=N * 20 * MS),
            "Steps take 24 ms; 21 ms (88 %) of that is Python between steps (callbacks, logging, the loop), most of it "
            "in `time.sleep`, called by `log` (train.py:46)",
            id="a callback, with the Python tracer",
        ),
        pytest.param(
            {"python": 21, "op_compute": 3},
            StepSummary(between_ps=N * 20 * MS),
            "Steps take 24 ms; 21 ms (88 %) of that is Python between steps (callbacks, logging, the loop)",
            id="a callback",
        ),
        pytest.param(
            {"python": 21, "op_compute": 3},
            StepSummary(before_ps=N * 20 * MS),
            "Steps take 24 ms; 21 ms (88 %) of that is Python before the step's first op, where a loop gets its next "
            "input",
            id="a generator that a loop asks",
        ),
        pytest.param(
            {"op_compute": 9, "python": 1},
            StepSummary(work={CONV: spent(1, 7)}, types={"_MklNativeFusedConv2D": spent(1, 7)}, all_work=spent(20, 10)),
            "Steps take 10 ms; 9 ms (90 %) of that computes; `net/conv2d/Conv2D (_MklNativeFusedConv2D)` takes 70 % of "
            "their ops' time",
            id="a convolution",
        ),
        pytest.param(
            {"op_compute": 9, "python": 1},
            StepSummary(work={CONV: spent(1, 2)}, types={"Conv2D": spent(8, 8)}, all_work=spent(20, 10)),
            "Steps take 10 ms; 9 ms (90 %) of that computes; ops of type `Conv2D` take 80 % of their ops' "
            "time; the largest of all ops is `net/conv2d/Conv2D (_MklNativeFusedConv2D)` (20 %)",
            id="many convolutions",
        ),
        pytest.param(
            {"op_compute": 3, "python": 7, "runtime": 2},
            dataclasses.replace(MATMUL, eager=spent(190, 2.5)),
            "Steps take 12 ms and run eagerly, 190 ops one by one from Python; only 3 ms (25 %) of that computes",
            id="eager mode",
        ),
        pytest.param(
            {"op_compute": 0.25, "python": 2, "runtime": 0.25},
            StepSummary(calls={"PjitFunction(add)": spent(200, 1)}, all_calls=spent(400, 2)),
            "Steps take 2.5 ms and dispatch 400 small functions one by one from Python, 5 µs each; only 250 µs (10 %) "
            "of that computes",
            id="a loop of tiny ops without jit",
        ),
        pytest.param(
            {"op_compute": 1, "runtime": 3},
            StepSummary(work={"Tanh": spent(1500, 1)}, all_work=spent(1500, 1.5)),
            "Steps take 4 ms; 3 ms (75 %) of that is the runtime's overhead around many tiny ops (1,500 ops a step, "
            "1 µs each)",
            id="a loop of tiny ops, compiled",
        ),
        pytest.param(
            {"op_compute": 9, "compilation": 90, "python": 1},
            dataclasses.replace(MATMUL, compiled={"train_step": spent(1, 90)}),
            "Steps take 100 ms; 90 ms (90 %) of that traces and compiles `train_step`, 10 times in 10 steps",
            id="a recompile every step",
        ),
        pytest.param(
            {"op_compute": 20, "python": 1},
            StepSummary(work={"debug_callback.1": spent(1, 18)}, all_work=spent(4, 20)),
            "Steps take 21 ms; 20 ms (95 %) of that is ops, most of it `debug_callback.1`, which calls back into "
            "Python",
            id="a compiled step that calls back",
        ),
        pytest.param(
            {"output": 3, "op_compute": 20},
            MATMUL,
            "Steps take 23 ms; 3 ms (13 %) of that writes output: checkpoints, summaries or other files",
            id="checkpoints",
        ),
        pytest.param(
            {"op_compute": 8, "python": 10, "runtime": 6},
            StepSummary(between={"SaveV2": spent(1, 6)}, eager_between=spent(40, 8), between_ps=N * 20 * MS),
            "Steps take 24 ms; 20 ms (83 %) of that lies between steps (callbacks, logging, saving): Python that runs "
            "40 ops one by one, most of it in `SaveV2`",
            id="a callback that saves",
        ),
        pytest.param(
            {"output": 20, "op_compute": 5},
            StepSummary(python={"`time.sleep`, called by `save` (train.py:7)": spent(1, 20)}),
            "Steps take 25 ms; 20 ms (80 %) of that writes output: checkpoints, summaries or other files, most of it "
            "in `time.sleep`, called by `save` (train.py:7)",
            id="checkpoints, with the Python tracer",
        ),
        pytest.param(
            {"op_compute": 15, "python": 80},
            StepSummary(eager=spent(47, 5), between_ps=N * 75 * MS),
            "Steps take 95 ms; 80 ms (84 %) of that is Python between steps (callbacks, logging, the loop)",
            id="a few ops one by one, which do not take the time",
        ),
        pytest.param(
            {"python": 0.01, "runtime": 0.02},
            StepSummary(all_work=spent(1, 0.01), outside_ps=N * 3 * MS),
            "Steps take 30 µs, but only issue work: 99.67 % of op time is after or between them",
            id="a loop that waits for nothing",
        ),
        pytest.param(
            {"python": 10, "runtime": 14, "op_compute": 2},
            StepSummary(between_ps=N * 9 * MS, all_work=spent(10, 2)),
            "Steps take 26 ms; 10 ms (38 %) of that is Python between steps (callbacks, logging, the loop)",
            id="a callback, beside much overhead",
        ),
        pytest.param(
            {"waiting": 8, "op_compute": 2},
            MATMUL,
            "Steps take 10 ms; 8 ms (80 %) of that waits, not for input, and computes nothing meanwhile",
            id="a lock",
        ),
        pytest.param(
            {"launch": 6, "op_compute": 4},
            MATMUL,
            "Steps take 10 ms; 6 ms (60 %) of that launches kernels on a device that the capture does not show",
            id="a capture without its device",
        ),
    ],
)
def test_what_a_step_on_a_cpu_goes_to(parts: dict[str, float], summary: StepSummary, title: str) -> None:
    assert first(parts, summary).title == title


@pytest.mark.parametrize(
    ("parts", "summary", "title"),
    [
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=Spent(3, 30 * MS)),
            "Steps take 10 ms; 6 ms (60 %) of that finds the device waiting for kernels that were launched and did not "
            "begin (less than one kernel a step, 10 ms each)",
            id="a kernel in some steps",
        ),
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=spent(20, 4)),
            "Steps take 10 ms; 6 ms (60 %) of that finds the device waiting for kernels that were launched and did not "
            "begin (20 kernels a step, 200 µs each)",
            id="300 µs for each kernel are no launch",
        ),
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=spent(20, 4), late_ps=N * 5 * MS, stalled_ps=N * MS),
            "Steps take 10 ms; 6 ms (60 %) of that finds the device waiting for kernels to be launched (20 kernels a "
            "step, 200 µs each)",
            id="a host that takes 300 µs for each kernel",
        ),
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=spent(800, 4)),
            "Steps take 10 ms; 6 ms (60 %) of that finds the device waiting for kernels to be launched (800 kernels a "
            "step, 5 µs each)",
            id="launch-bound",
        ),
        pytest.param(
            {"compute_32bit": 6, "copy_in": 4},
            StepSummary(moves={"MemcpyH2D": spent(2, 4)}),
            "Steps take 10 ms; 4 ms (40 %) of that copies memory and computes nothing, most of it from the host to the "
            "device (`MemcpyH2D`)",
            id="copies",
        ),
        pytest.param(
            {"compute_16bit": 6, "collective": 4},
            StepSummary(moves={"MemcpyH2D": spent(2, 5), "ncclDevKernel_AllReduce": spent(2, 4)}),
            "Steps take 10 ms; 4 ms (40 %) of that is collectives that no compute hides (`ncclDevKernel_AllReduce`)",
            id="collectives",
        ),
        pytest.param(
            {"compute_16bit": 6, "host_compute": 4},
            StepSummary(host_work={"Where": spent(2, 4)}),
            "Steps take 10 ms; 4 ms (40 %) of that finds the device waiting for ops on the host, most of it `Where`",
            id="ops on the host",
        ),
        pytest.param(
            {"compute_16bit": 2, "idle": 8},
            StepSummary(),
            "Steps take 10 ms; 8 ms (80 %) of that finds the device idle, and the capture does not tell why",
            id="idle",
        ),
        pytest.param(
            {"compute_16bit": 2, "runtime": 8},
            StepSummary(events={"hipModuleLoad": spent(1, 7)}),
            "Steps take 10 ms; 8 ms (80 %) of that finds the device waiting for the framework's runtime on the host, "
            "most of it in `hipModuleLoad`",
            id="loading kernels",
        ),
        pytest.param(
            {"compute_16bit": 4, "launch": 1.5, "python": 2, "runtime": 2, "waiting": 0.5},
            MATMUL,
            "Steps take 10 ms; 4 ms (40 %) of that computes; `dot` takes 67 % of their ops' time; the rest is spread: "
            "runtime overhead 20 %, Python 20 %, kernel launch 15 %",
            id="a bit of everything",
        ),
        pytest.param(
            {"compute_16bit": 2, "launch": 4, "host_compute": 2, "python": 2},
            StepSummary(eager=spent(100, 3)),
            "Steps take 10 ms and run eagerly, 100 ops one by one from Python; only 2 ms (20 %) of that computes",
            id="eager mode",
        ),
        pytest.param(
            {"compute_16bit": 2, "input_wait": 8},
            StepSummary(eager=spent(100, 3)),
            "Steps take 10 ms; 8 ms (80 %) of that waits for input",
            id="eager mode that mostly waits for input",
        ),
        pytest.param(
            {"compute_other": 9, "idle": 1},
            StepSummary(
                work={"gemm": spent(1, 2), "relu": spent(1, 1)},
                types={"Unattributed kernel": spent(8, 9)},
                all_work=spent(8, 10),
            ),
            "Steps take 10 ms; 9 ms (90 %) of that computes; `gemm` takes 20 % of their ops' time",
            id="kernels of no op",
        ),
    ],
)
def test_what_a_step_on_a_gpu_goes_to(parts: dict[str, float], summary: StepSummary, title: str) -> None:
    assert first(parts, summary, "gpu").title == title


def test_a_finding_says_what_to_do_and_where_to_look() -> None:
    found = first({"input_wait": 34, "op_compute": 3}, StepSummary(feeds={"EagerPyFunc": spent(16, 60)}))
    assert (found.severity, found.tool, found.search) == ("warning", "input_pipeline", "EagerPyFunc")
    assert found.share == pytest.approx(34 / 37)
    assert found.action.startswith("Python functions run one at a time")
    assert "Told first from 20 % of a step on." in found.detail
    assert found.evidence[0] == Evidence("h", 0, 37 * MS, 0)


@pytest.mark.parametrize(
    ("parts", "summary", "computes"),
    [
        pytest.param({"op_compute": 60, "python": 40}, StepSummary(between_ps=N * 30 * MS), False, id="one stretch"),
        pytest.param({"op_compute": 60, "python": 40}, StepSummary(between_ps=N * 10 * MS), True, id="strewn"),
        pytest.param({"op_compute": 6, "runtime": 4}, StepSummary(all_work=spent(2000, 2)), False, id="tiny ops"),
        pytest.param({"op_compute": 6, "runtime": 4}, StepSummary(all_work=spent(50, 6)), True, id="few ops"),
        pytest.param({"op_compute": 60, "waiting": 40}, StepSummary(), True, id="waiting"),
        pytest.param({"op_compute": 80, "input_wait": 20}, StepSummary(), False, id="input"),
        pytest.param({"op_compute": 81, "input_wait": 19}, StepSummary(), True, id="a little input"),
    ],
)
def test_when_compute_is_the_answer(parts: dict[str, float], summary: StepSummary, computes: bool) -> None:
    """What a program can do without comes first even where compute takes more."""
    assert ("of that computes" in first(parts, summary).title) is computes


def test_a_step_that_computes_is_no_warning() -> None:
    assert first({"op_compute": 9, "python": 1}, MATMUL).severity == "info"


def test_other_causes_follow_by_their_share() -> None:
    parts: dict[str, float] = {
        "compute_32bit": 50,
        "input_wait": 22,
        "copy_in": 12,
        "idle": 8,
        "launch": 5,
        "output": 3,
    }
    found = findings(parts, StepSummary(), "gpu")
    assert [f.title for f in found] == [
        "Steps take 100 ms; 22 ms (22 %) of that waits for input",
        "Of a step, 12 ms (12 %) copies memory and computes nothing, most of it from the host to the device",
        "Of a step, 8 ms (8 %) finds the device idle, and the capture does not tell why",
        "Of a step, 5 ms (5 %) finds the device waiting for kernels to be launched",
    ]
    assert [f.severity for f in found] == ["warning", "note", "note", "note"]


def test_a_slow_step_is_told_with_what_it_spent_more_on() -> None:
    """Of two, the slowest is named; evidence is both."""
    usual = {"op_compute": 30.0, "input_wait": 7.0}
    run = [usual] * 4 + [{"op_compute": 30, "input_wait": 90}, {"op_compute": 100}] + [usual] * 4
    judged = case(facts([run]), StepSummary(steps=9))
    assert judged is not None
    (slow,) = [f for f in verdict(judged) if "median" in f.title]
    assert slow.title == (
        "2 of 9 steps take more than 2 × the median; step 4, the slowest, took 120 ms, 3.2 × the median of 37 ms; "
        "83 ms more than usual is input wait"
    )
    assert [e.end_ps - e.start_ps for e in slow.evidence] == [120 * MS, 100 * MS]


@pytest.mark.parametrize(
    ("often", "title"),
    [
        (20, "Step 3 took 800 ms, 20.0 × the median of 40 ms; 760 ms more than usual is compilation"),
        (4, "Steps take 230 ms; 190 ms (83 %) of that traces and compiles functions"),
    ],
)
def test_a_slow_step_that_makes_the_mean_is_told_first(often: int, title: str) -> None:
    """A step that compiles is no reason why others take their time; steps that often compile are."""
    usual, slow = {"op_compute": 40.0}, {"op_compute": 40.0, "compilation": 760.0}
    judged = case(facts([[slow if i % often == 3 % often else usual for i in range(21)]]), StepSummary(steps=20))
    assert judged is not None
    found = list(verdict(judged))
    assert (found[0].title, found[0].severity) == (title, "warning")
    assert sum("median" in f.title for f in found) == 1


@pytest.mark.parametrize(("slow", "action"), [(0, "Profile later steps"), (7, "Open these steps in the trace")])
def test_beside_few_slow_steps_the_others_are_judged(slow: int, action: str) -> None:
    """Of all the mean is 150 ms, of which 110 ms compiles; each of the others computes for 40 ms."""
    usual, more = {"op_compute": 40.0}, {"op_compute": 40.0, "compilation": 1100.0}
    judged = case(facts([[more if i == slow else usual for i in range(11)]]), dataclasses.replace(MATMUL, steps=9))
    assert judged is not None
    one, others = list(verdict(judged))
    assert one.title.startswith(f"Step {slow} took 1.14 s, 28.5 × the median of 40 ms")
    assert one.action.startswith(action)
    assert one.detail.startswith("It is the first one") == (slow == 0)
    assert others.title.startswith("The other 9 steps take 40 ms; 40 ms (100 %) of that computes")
    assert others.severity == "info"


def test_a_step_among_others_that_take_no_time_is_no_multiple_of_them() -> None:
    judged = case(facts([[{"python": 0.0}] * 4 + [{"python": 5.0}] * 2]), StepSummary(steps=5))
    assert judged is not None
    assert [f.title for f in verdict(judged) if "median" in f.title] == []


def test_a_guess_and_a_single_step_say_so() -> None:
    compute = {"op_compute": 10.0}
    assert first(compute, MATMUL, confidence="guess").title.startswith("Steps (a guess, by ")
    judged = case(facts([[compute]]), StepSummary(steps=1))
    assert judged is not None
    assert next(verdict(judged)).title == "The only step in the capture takes 10 ms; 10 ms (100 %) of that computes"


def test_one_device_that_computes_for_longer_is_named() -> None:
    fast, slow = {"compute_16bit": 4.0, "collective": 6.0}, {"compute_16bit": 8.0, "collective": 2.0}
    judged = case(facts([[fast] * 3, [slow] * 3], "gpu"), StepSummary(steps=2))
    assert judged is not None
    assert "gpu1 of h computes 8 ms a step, 33 % more than the mean of the 2 devices" in [
        f.title for f in verdict(judged)
    ]


def test_a_device_that_only_copies_makes_no_other_one_slow() -> None:
    computes, copies = {"compute_16bit": 8.0, "idle": 2.0}, {"copy_in": 1.0, "idle": 9.0}
    judged = case(facts([[computes] * 3, [copies] * 3], "gpu"), StepSummary(steps=2))
    assert judged is not None
    assert [f.title for f in verdict(judged) if "more than the mean" in f.title] == []


def test_wide_numbers_are_told_only_where_they_take_the_time() -> None:
    def told(parts: dict[str, float]) -> list[str]:
        return [f.title for f in findings(parts, StepSummary(), "gpu") if "16 or 8" in f.title]

    assert told({"compute_32bit": 90, "compute_16bit": 5, "idle": 5}) == [
        "90 % of a step computes in 32 bits or more, 5 % in 16 or 8"
    ]
    assert told({"compute_32bit": 60, "compute_16bit": 40}) == []
    assert told({"compute_other": 95, "compute_32bit": 5}) == []


def test_what_one_has_to_know_of_the_steps_is_told() -> None:
    found = findings(
        {"compute_16bit": 10}, StepSummary(), "gpu", on_device=True, others={"loop iterations in steps": 50}
    )
    assert [f.title for f in found[1:]] == [
        "Steps are those of the work on the devices, not of the host that issues it",
        "Not taken for steps, though they repeat: loop iterations in steps (50)",
    ]


def test_no_steps_no_verdict() -> None:
    assert case(step_means([]), StepSummary()) is None


def test_a_server_that_waits_for_requests_is_not_called_slow() -> None:
    run = facts([[{"compute_16bit": 3.0, "python": 7.0}] * 3], "gpu")
    batches = dataclasses.replace(run.parts[0].split.steps, name=("ProcessBatch 0", "ProcessBatch 1", "ProcessBatch 2"))
    split = dataclasses.replace(run.parts[0].split, steps=batches)
    judged = case(step_means([HostSteps("h", None, split)]), StepSummary(steps=2, between_ps=2 * 7 * MS))
    assert judged is not None
    assert next(verdict(judged)).title == (
        "Steps take 10 ms; 7 ms (70 %) of that lies between batches, when the server processes none"
    )


def test_causes_and_compute_are_all_categories() -> None:
    """A category that no cause counts would never be an answer."""
    keys = [key for cause in CAUSES for key in cause.keys]
    assert len(keys) == len(set(keys))
    assert {c.key for c in CATEGORIES} - set(keys) == {c.key for c in CATEGORIES if "compute" in c.key} - {
        "host_compute"
    }


def test_summaries_of_hosts_are_summed() -> None:
    a, b = (
        StepSummary(steps=2, work={"x": Spent(1, 5)}),
        StepSummary(steps=3, work={"x": Spent(1, 1), "y": Spent(1, 9)}),
    )
    assert merged([a, b]) == StepSummary(steps=5, work={"y": Spent(1, 9), "x": Spent(2, 6)})
