"""The answer for every cause, from the parts of a step and what ran in it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.rules.steps.case import case
from tensorboard_perfplugin.advice.rules.steps.verdict import CAUSES, verdict
from tensorboard_perfplugin.analysis.input.bottleneck import Bottleneck, Stage
from tensorboard_perfplugin.analysis.steps.contents import Spent
from tensorboard_perfplugin.analysis.steps.means import HostSteps, step_means
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tests.advice.rules.steps.cases import MATMUL, MS, US, N, first, judged, means, specific, spent

MAP = "Iterator::Root::Prefetch::ParallelMapV2"
GENERATOR = "Iterator::Root::Prefetch::FlatMap[0]::Generator"
CONV = "net/conv2d/Conv2D (_MklNativeFusedConv2D)"
SLEEP = "`time.sleep`, called by `log` (train.py:46)"
PART = Message("python_bound.part", {"function": SLEEP, "share": 20 / 21})
BETWEEN = {"between": True, "before": False, "marked": True}
NO_PLACE = {"between": False, "before": False, "marked": True}


@pytest.mark.parametrize(
    ("parts", "summary", "code", "params"),
    [
        pytest.param(
            {"input_wait": 34, "op_compute": 3},
            StepSummary(waits={MAP: spent(1, 34)}, feeds={"EagerPyFunc": spent(16, 60)}),
            "input_bound.python_function",
            {"stage": "ParallelMapV2", "feed": "EagerPyFunc", "feed_ps": N * 60 * MS, "steps": N},
            id="a sleep in map",
        ),
        pytest.param(
            {"input_wait": 20, "op_compute": 60, "python": 20},
            StepSummary(waits={MAP: spent(1, 34)}, feeds={GENERATOR: spent(1, 20)}),
            "input_bound.generator",
            {"stage": "ParallelMapV2", "feed": "Generator", "feed_ps": N * 20 * MS, "steps": N},
            id="a slow generator",
        ),
        pytest.param({"input_wait": 30, "op_compute": 3}, StepSummary(), "input_bound", {"stage": ""}, id="no name"),
        pytest.param(
            {"input_wait": 30, "op_compute": 3},
            StepSummary(gets={SLEEP: spent(1, 20)}),
            "input_bound.function",
            {"function": SLEEP},
            id="a function of Python, and no pipeline",
        ),
        pytest.param(
            {"python": 21, "op_compute": 3},
            StepSummary(python={SLEEP: spent(1, 20)}, between_ps=N * 20 * MS),
            "python_bound.function",
            {**BETWEEN, "function": SLEEP, "steps": N, "self_ps": N * 20 * MS, "functions": (PART,)},
            id="a callback, with the Python tracer",
        ),
        pytest.param(
            {"python": 21, "op_compute": 3},
            StepSummary(between_ps=N * 20 * MS),
            "python_bound",
            {**BETWEEN, "traced": False},
            id="a callback",
        ),
        pytest.param(
            {"python": 21, "op_compute": 3},
            StepSummary(before_ps=N * 20 * MS),
            "python_bound",
            {"between": False, "before": True, "marked": True, "traced": False},
            id="a generator that a loop asks",
        ),
        pytest.param(
            {"op_compute": 9, "python": 1},
            StepSummary(work={CONV: spent(1, 7)}, types={"_MklNativeFusedConv2D": spent(1, 7)}, all_work=spent(20, 10)),
            "computes",
            {"most": True, "others": (), "op": CONV, "op_share": 0.7},
            id="a convolution",
        ),
        pytest.param(
            {"op_compute": 9, "python": 1},
            StepSummary(work={CONV: spent(1, 2)}, types={"Conv2D": spent(8, 8)}, all_work=spent(20, 10)),
            "computes",
            {"most": True, "others": (), "op": CONV, "op_share": 0.2, "type": "Conv2D", "type_share": 0.8},
            id="many convolutions",
        ),
        pytest.param(
            {"op_compute": 3, "python": 7, "runtime": 2},
            structs.replace(MATMUL, eager=spent(190, 2.5)),
            "eager_steps",
            {"ops": 190, "each_ps": 2.5 * MS / 190, "computes_ps": 3 * MS, "computes_share": 0.25, "little": True},
            id="eager mode",
        ),
        pytest.param(
            {"op_compute": 0.25, "python": 2, "runtime": 0.25},
            StepSummary(calls={"PjitFunction(add)": spent(200, 1)}, all_calls=spent(400, 2)),
            "small_calls",
            {
                "calls": 400,
                "function": "PjitFunction(add)",
                "each_ps": 5 * US,
                "computes_ps": 0.25 * MS,
                "computes_share": 0.1,
                "little": True,
            },
            id="a loop of tiny ops without jit",
        ),
        pytest.param(
            {"op_compute": 1, "runtime": 3},
            StepSummary(work={"Tanh": spent(1500, 1)}, all_work=spent(1500, 1.5)),
            "runtime_bound",
            {"tiny": True, "unrecorded": False, "ops": Message("ops_a_step", {"times": 1500, "each_ps": US})},
            id="a loop of tiny ops, compiled",
        ),
        pytest.param(
            {"op_compute": 0.125, "runtime": 0.75},
            StepSummary(all_work=spent(4, 0.1)),
            "runtime_bound.few_ops",
            {"ops": Message("ops_a_step", {"times": 4, "each_ps": 25 * US})},
            id="a call of few short ops",
        ),
        pytest.param(
            {"op_compute": 0.125, "runtime": 0.875},
            StepSummary(all_work=spent(4, 0.1)),
            "runtime_bound.event",
            {"ops": Message("ops_a_step", {"times": 4, "each_ps": 25 * US})},
            id="few short ops that do not explain it",
        ),
        pytest.param(
            {"op_compute": 30, "runtime": 20},
            StepSummary(all_work=spent(15, 30), events={"H2D Dispatch": spent(2, 18), "Execute": spent(40, 1)}),
            "runtime_bound.event",
            {
                "ops": Message("ops_a_step", {"times": 15, "each_ps": 2 * MS}),
                "event": "H2D Dispatch",
                "times": 2,
                "event_ps": 18 * MS,
                "moves": True,
            },
            id="a large array that is put on a device in each step",
        ),
        pytest.param(
            {"op_compute": 1, "runtime": 3},
            StepSummary(events={"ExecutorState::Process": spent(1, 2)}),
            "runtime_bound.no_op",
            {"event": "ExecutorState::Process"},
            id="a runtime, and no op",
        ),
        pytest.param(
            {"op_compute": 9, "compilation": 90, "python": 1},
            structs.replace(MATMUL, compiled={"train_step": spent(1, 90)}),
            "compiles_again",
            {"function": "train_step", "times": N, "steps": N},
            id="a recompile every step",
        ),
        pytest.param(
            {"op_compute": 9, "compilation": 90, "python": 1},
            structs.replace(MATMUL, compiled={"train_step": Spent(1, 900 * MS)}),
            "compiles_once",
            {"function": "train_step"},
            id="one compilation",
        ),
        pytest.param(
            {"op_compute": 9, "compilation": 90, "python": 1},
            MATMUL,
            "compiles_again",
            {},
            id="unknown",
        ),
        pytest.param(
            {"op_compute": 20, "python": 1},
            StepSummary(work={"debug_callback.1": spent(1, 18)}, all_work=spent(4, 20)),
            "calls_back",
            {"op": "debug_callback.1"},
            id="a compiled step that calls back",
        ),
        pytest.param({"output": 3, "op_compute": 20}, MATMUL, "output_bound", {"device": False}, id="checkpoints"),
        pytest.param(
            {"output": 20, "op_compute": 5},
            StepSummary(writes={SLEEP: spent(1, 20)}),
            "output_bound",
            {"device": False, "function": SLEEP},
            id="checkpoints, with the Python tracer",
        ),
        pytest.param(
            {"op_compute": 8, "python": 10, "runtime": 6},
            StepSummary(between={"SaveV2": spent(1, 6)}, eager_between=spent(40, 8), between_ps=N * 20 * MS),
            "between_steps",
            {"ops": 40, "op": "SaveV2"},
            id="a callback that saves",
        ),
        pytest.param(
            {"op_compute": 15, "python": 80},
            StepSummary(eager=spent(47, 5), between_ps=N * 75 * MS),
            "python_bound",
            {**BETWEEN, "traced": False},
            id="a few ops one by one, which do not take the time",
        ),
        pytest.param(
            {"python": 0.01, "runtime": 0.02},
            StepSummary(all_work=spent(1, 0.01), outside_ps=N * 3 * MS),
            "runs_ahead",
            {"late": pytest.approx(300 / 301), "outside_ps": N * 3 * MS, "inside_ps": N * MS // 100},
            id="a loop that waits for nothing",
        ),
        pytest.param(
            {"python": 10, "runtime": 14, "op_compute": 2},
            StepSummary(between_ps=N * 9 * MS, all_work=spent(10, 2)),
            "python_bound",
            {**BETWEEN, "traced": False},
            id="a callback, beside much overhead",
        ),
        pytest.param(
            {"python": 21, "op_compute": 3}, StepSummary(), "python_bound", {**NO_PLACE, "traced": False}, id="Python"
        ),
        pytest.param({"waiting": 8, "op_compute": 2}, MATMUL, "waiting", {}, id="a lock"),
        pytest.param(
            {"launch": 6, "op_compute": 4}, MATMUL, "launch_bound.device_unseen", {"each_ps": 1.5 * MS}, id="GPU"
        ),
    ],
)
def test_what_a_step_on_a_cpu_goes_to(
    parts: dict[str, float], summary: StepSummary, code: str, params: dict[str, Any]
) -> None:
    answer = first(parts, summary)
    assert (answer.code, specific(answer)) == (code, params)


def kernels(times: int | None, each_ps: float) -> Message:
    return Message("kernels_a_step", {"times": times, "each_ps": each_ps})


@pytest.mark.parametrize(
    ("parts", "summary", "code", "params"),
    [
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=Spent(3, 30 * MS), stalled_ps=N * 6 * MS),
            "kernels_start_late",
            {"kernels": kernels(None, 10 * MS), "each_ps": 20 * MS},
            id="a kernel in some steps",
        ),
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=spent(20, 4), stalled_ps=N * 6 * MS),
            "kernels_start_late",
            {"kernels": kernels(20, 200 * US), "each_ps": 300 * US},
            id="300 µs for each kernel are no launch",
        ),
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=spent(20, 4), late_ps=N * 5 * MS, stalled_ps=N * MS),
            "launch_bound",
            {"kernels": kernels(20, 200 * US), "each_ps": 300 * US},
            id="a host that takes 300 µs for each kernel",
        ),
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=spent(20, 4)),
            "launch_bound",
            {"kernels": kernels(20, 200 * US), "each_ps": 300 * US},
            id="nothing tells when each kernel was launched",
        ),
        pytest.param(
            {"compute_32bit": 4, "launch": 6},
            StepSummary(all_work=spent(800, 4)),
            "launch_bound",
            {"kernels": kernels(800, 5 * US)},
            id="launch-bound",
        ),
        pytest.param(
            {"compute_32bit": 6, "copy_in": 4},
            StepSummary(moves={"MemcpyH2D": spent(2, 4)}),
            "copies_exposed.to_device",
            {"copy": "MemcpyH2D"},
            id="copies to a device",
        ),
        pytest.param({"compute_32bit": 6, "copy_out": 4}, StepSummary(), "copies_exposed.to_host", {}, id="back"),
        pytest.param(
            {"compute_32bit": 6, "copy_device": 4},
            StepSummary(),
            "copies_exposed.on_device",
            {},
            id="on it",
        ),
        pytest.param(
            {"compute_16bit": 6, "collective": 4},
            StepSummary(moves={"MemcpyH2D": spent(2, 5), "ncclDevKernel_AllReduce": spent(2, 4)}),
            "collectives_exposed",
            {"collective": "ncclDevKernel_AllReduce"},
            id="collectives",
        ),
        pytest.param(
            {"compute_16bit": 6, "collective": 4},
            StepSummary(moves={"deep_ep::intranode::dispatch": spent(2, 4), "ncclDevKernel_AllReduce": spent(2, 1)}),
            "collectives_exposed.experts",
            {"collective": "deep_ep::intranode::dispatch"},
            id="experts",
        ),
        pytest.param(
            {"compute_16bit": 6, "host_compute": 4},
            StepSummary(host_work={"Where": spent(2, 4)}),
            "host_ops_bound",
            {"op": "Where"},
            id="ops on the host",
        ),
        pytest.param({"compute_16bit": 2, "idle": 8}, StepSummary(), "idle_unexplained", {"device": True}, id="idle"),
        pytest.param({"compute_16bit": 2, "output": 8}, StepSummary(), "output_bound", {"device": True}, id="outfeed"),
        pytest.param(
            {"compute_16bit": 2, "runtime": 8},
            StepSummary(events={"hipModuleLoad": spent(1, 7)}),
            "runtime_bound.device",
            {"event": "hipModuleLoad"},
            id="loading kernels",
        ),
        pytest.param(
            {"compute_16bit": 2, "runtime": 8},
            StepSummary(events={"cudaFree": spent(3, 7)}),
            "runtime_bound.allocator",
            {"event": "cudaFree", "times": 3, "once": False},
            id="an allocator",
        ),
        pytest.param(
            {"compute_16bit": 2, "runtime": 8},
            StepSummary(events={"cudaFree": spent(1, 7)}),
            "runtime_bound.allocator",
            {"event": "cudaFree", "once": True},
            id="an allocator, once a step",
        ),
        pytest.param(
            {"compute_16bit": 4, "copy_in": 1.1, "launch": 1, "python": 2, "runtime": 1.9},
            MATMUL,
            "computes",
            {
                "most": False,
                "op": "dot",
                "op_share": 2 / 3,
                "others": tuple(
                    Message("time_in.share", {"category": Message(f"time_in.{key}"), "share": share})
                    for key, share in (("python", 0.2), ("runtime", 0.19), ("copy_in", 0.11))
                ),
            },
            id="a bit of everything",
        ),
        pytest.param(
            {"compute_16bit": 2, "launch": 4, "host_compute": 2, "python": 2},
            StepSummary(eager=spent(100, 3)),
            "eager_steps",
            {"ops": 100, "each_ps": 30 * US, "computes_ps": 2 * MS, "computes_share": 0.2, "little": True},
            id="eager mode",
        ),
        pytest.param(
            {"compute_16bit": 2, "input_wait": 8},
            StepSummary(eager=spent(100, 3)),
            "input_bound",
            {"stage": ""},
            id="eager mode that mostly waits for input",
        ),
        pytest.param(
            {"compute_other": 9, "idle": 1},
            StepSummary(
                work={"gemm": spent(1, 2), "relu": spent(1, 1)},
                types={"Unattributed kernel": spent(8, 9)},
                all_work=spent(8, 10),
            ),
            "computes",
            {"most": True, "others": (), "op": "gemm", "op_share": 0.2},
            id="kernels of no op",
        ),
        pytest.param(
            {"compute_other": 9, "idle": 1}, StepSummary(), "computes.no_op", {"most": True, "others": ()}, id="no op"
        ),
    ],
)
def test_what_a_step_on_a_gpu_goes_to(
    parts: dict[str, float], summary: StepSummary, code: str, params: dict[str, Any]
) -> None:
    answer = first(parts, summary, "gpu")
    assert (answer.code, specific(answer)) == (code, params)


@pytest.mark.parametrize(("compiles_ms", "code"), [(10, "compiles_again"), (9.99, "computes")])
def test_compilation_that_takes_a_tenth_of_a_step_is_to_be_looked_at_first(compiles_ms: float, code: str) -> None:
    assert first({"op_compute": 100 - compiles_ms, "compilation": compiles_ms}, MATMUL).code == code


@pytest.mark.parametrize(("unseen_ms", "code"), [(4, "waiting.unseen"), (3.99, "waiting")])
def test_a_wait_for_a_device_without_work_is_told_as_that(unseen_ms: float, code: str) -> None:
    """Half of 8 ms."""
    answer = first({"waiting": 8, "compute_16bit": 2}, StepSummary(unseen={"cudaMemcpy": spent(1, unseen_ms)}), "gpu")
    assert (answer.code, specific(answer)) == (code, {"call": "cudaMemcpy"} if code == "waiting.unseen" else {})


@pytest.mark.parametrize(("ms", "code"), [(3, "records_graph"), (2.99, "host_ops_bound")])
def test_a_step_that_records_a_graph(ms: float, code: str) -> None:
    """The ops whose launches it records were told to be placed on the device."""
    summary = StepSummary(recording=spent(1, ms), host_work={"aten::mm": spent(9, 5)})
    assert first({"host_compute": 8, "compute_16bit": 2}, summary, "gpu").code == code


def test_input_comes_before_a_graph_that_is_recorded() -> None:
    summary = StepSummary(recording=spent(1, 4))
    assert first({"input_wait": 6, "python": 4}, summary, "gpu").code == "input_bound"


def test_sentences_of_an_answer() -> None:
    """In the words of TensorFlow and JAX, of PyTorch, and of a trace that any program wrote."""
    answer = first({"python": 21, "op_compute": 3}, StepSummary(between_ps=N * 20 * MS))
    assert answer.title == (
        "Steps take 24 ms; 21 ms (88 %) of that is Python between steps (callbacks, logging, the loop)"
    )
    assert answer.action == (
        "Do less between the calls of the compiled step. Look at callbacks, logging and saving, and at what yields the "
        "next input. To see which function it is, record Python: `python_tracer_level=1` in JAX; in TensorFlow, whose "
        "captures within the program ignore that option, `perfplugin capture ADDRESS --preset python`."
    )
    assert answer.in_words_of("pytorch").action.endswith(
        "`torch.profiler.profile(with_stack=True)` shows which function it is."
    )
    assert answer.in_words_of("any").title == "Steps take 24 ms; 21 ms (88 %) of that is without a slice between steps"


def test_an_answer_says_where_to_look() -> None:
    waits = first({"input_wait": 34, "op_compute": 3}, StepSummary(waits={MAP: spent(1, 34)}))
    assert (waits.tool, waits.search, waits.match) == ("input_pipeline", "ParallelMapV2", "text")
    python = first({"python": 21, "op_compute": 3}, StepSummary(python={SLEEP: spent(1, 20)}))
    assert (python.tool, python.search, python.match) == (
        "trace_viewer",
        "overview.split.step_ms?category=python",
        "row",
    )
    assert [(e.host, e.start_ps, e.end_ps) for e in python.evidence] == [
        ("h", i * 24 * MS, (i + 1) * 24 * MS) for i in range(3)
    ]


def test_a_server_that_waits_for_requests_is_not_called_slow() -> None:
    run = means([[{"compute_16bit": 3.0, "python": 7.0}] * 3], "gpu")
    batches = structs.replace(run.parts[0].split.steps, name=("ProcessBatch 0", "ProcessBatch 1", "ProcessBatch 2"))
    split = structs.replace(run.parts[0].split, steps=batches)
    answer, *_ = judged(step_means([HostSteps("h", None, split)]), StepSummary(steps=2, between_ps=2 * 7 * MS))
    assert (answer.code, answer.share) == ("between_batches", 0.7)


def test_no_steps_no_verdict() -> None:
    assert case(step_means([]), [StepSummary()]) is None


def test_causes_and_compute_are_all_categories() -> None:
    """A category that no cause counts would never be an answer."""
    keys = [key for cause in CAUSES for key in cause.keys]
    assert len(keys) == len(set(keys))
    assert {c.key for c in CATEGORIES} - set(keys) == {c.key for c in CATEGORIES if "compute" in c.key} - {
        "host_compute"
    }


def test_what_the_verdict_takes_is_a_case() -> None:
    whole = case(means([[{"op_compute": 10.0}] * 3]), [structs.replace(MATMUL, steps=2)])
    assert whole is not None
    assert (whole.step.step_ps, whole.step.device, whole.a_step(Spent(5, 8))) == (10 * MS, False, Spent(2, 4))
    assert next(verdict(whole)).code == "computes"


@pytest.mark.parametrize(("needs_ms", "code"), [(85, "input_bound.stage"), (84, "python_bound")])
def test_a_pipeline_that_sets_the_pace_comes_before_what_it_overlaps(needs_ms: int, code: str) -> None:
    """Without the Python steps would take as long, without the pipeline half of it."""
    of = means([[{"input_wait": 40, "python": 55, "op_compute": 5}] * (N + 1)])
    stage = Stage(MAP, "ParallelMapV2", "preprocessing", count=100, function_ps=1.0, calls=1)
    needs_ps = float(needs_ms * MS * (N + 1))
    limit = Bottleneck(stage, needs_ps, 1, "", False, needs_ps)
    judged = case(of, [StepSummary(steps=N, between_ps=N * 55 * MS)], limit)
    assert judged is not None
    assert next(iter(verdict(judged))).code == code


@pytest.mark.parametrize(
    ("held_up_ms", "code"), [(0, "input_bound.stage"), (15, "input_bound.stage"), (16, "python_bound")]
)
def test_a_pipeline_whose_python_waits_for_the_program_s_sets_no_pace(held_up_ms: int, code: str) -> None:
    """A generator beside a loss in plain Python: an element took 1.1 ms while the program waited, else 5 ms more."""
    of = means([[{"input_wait": 40, "python": 55, "op_compute": 5}] * (N + 1)])
    held_up_ps = float(held_up_ms * MS * (N + 1))
    stage = Stage(MAP, "Generator", "advance read", count=100, function_ps=1.0, calls=1, held_up_ps=held_up_ps)
    need = Bottleneck(stage, 1e2 * MS * (N + 1), 1, "", False, 1e2 * MS * (N + 1))
    judged = case(of, [StepSummary(steps=N, between_ps=N * 55 * MS)], need)
    assert judged is not None
    assert next(iter(verdict(judged))).code == code


@pytest.mark.parametrize(("ms", "before"), [(10, True), (9.9, False)])
def test_python_lies_where_half_of_it_does(ms: float, before: bool) -> None:
    """Of 862 µs of Python in a capture of TensorFlow 2.2, 272 lay before the first op, and all was said to."""
    assert first({"python": 20, "op_compute": 3}, StepSummary(before_ps=round(N * ms * MS))).params["before"] is before


@pytest.mark.parametrize(
    ("summaries", "ops", "kind", "share"),
    [(12, 36, "cpu", 0.8), (12, 72, "cpu", 0.4), (12, 73, "cpu", None), (11, 33, "cpu", None), (12, 36, "gpu", None)],
)
def test_twelve_summaries_whose_ops_are_half_of_a_step_s_are_what_it_waits_for(
    summaries: int, ops: int, kind: Any, share: float | None
) -> None:
    """A loop with 40 `tf.summary.scalar` a step was said to wait for the runtime around many tiny ops."""
    work = {"WriteSummary": spent(summaries, 0.01), "LogicalAnd": spent(ops - summaries, 0.01)}
    found = first({"runtime": 8, "op_compute": 2}, StepSummary(work=work, all_work=spent(ops, 0.02)), kind)
    assert (found.code == "output_bound.summaries") is (share is not None)
    assert share is None or (specific(found), found.share) == ({"times": summaries, "ops": ops}, share)
