"""What ran in steps, by name, from small captures of every kind of program."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.advice.rules.steps.case import case
from tensorboard_perfplugin.advice.rules.steps.verdict import verdict
from tensorboard_perfplugin.analysis.steps.contents import RankedOps, Spent
from tensorboard_perfplugin.analysis.steps.means import HostSteps, step_means
from tensorboard_perfplugin.analysis.steps.summary import StepSummary, step_summary
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import INDEX, Timeline
from tests.advice.rules.steps.cases import first, spent
from tests.build_capture import Line, Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools import kineto

US = 10**6
HLO: dict[str, StatValue] = {"hlo_op": "dot.1", "hlo_module": "jit_step"}


def program(space: Space, steps: int = 3, step_us: int = 100) -> Line:
    """A thread with marked steps of 90 µs, 100 µs apart."""
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(steps):
        line.event("train", number * step_us * US, (step_us - 10) * US, stats={"step_num": number, "_r": 1})
    return line


def found(space: Space) -> StepSummary:
    t = timeline(space)
    return step_summary(t, split_of(t))


def test_only_what_whole_steps_hold_counts() -> None:
    """Three steps, of which the last has no next: two count. What lies before them does not."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    line.event("b/Add:Add", 0, 50 * US)
    for number in range(3):
        begin = (100 + 100 * number) * US
        line.event("train", begin, 90 * US, stats={"step_num": number, "_r": 1})
        line.event("a/MatMul:MatMul", begin + 20 * US, 30 * US)
    answer = found(space)
    assert (answer.steps, answer.work, answer.types) == (
        2,
        {"a/MatMul": Spent(2, 60 * US)},
        {"MatMul": Spent(2, 60 * US)},
    )
    assert (answer.between_ps, answer.before_ps) == (20 * US, 40 * US)


def test_input_is_told_from_work_by_op_and_thread() -> None:
    space = Space()
    line = program(space)
    for number in range(3):
        line.event("Iterator::Root::ParallelMapV2", (number * 100 + 10) * US, 60 * US)
        line.event("a/MatMul:MatMul", (number * 100 + 70) * US, 10 * US)
    space.planes[0].line(2, "tf_data_private_threadpool/1").event("EagerPyFunc:EagerPyFunc", 0, 190 * US)
    answer = found(space)
    assert answer.waits == {"Iterator::Root::ParallelMapV2": Spent(2, 120 * US)}
    assert answer.feeds == {"EagerPyFunc": Spent(1, 190 * US)}
    assert list(answer.work) == ["a/MatMul"]


def test_ops_that_run_eagerly_are_counted_but_for_asking_for_input() -> None:
    space = Space()
    line = program(space)
    for number in range(3):
        for i, (op, is_func) in enumerate((("Mul", 0), ("Add", 0), ("IteratorGetNext", 0), ("__inference_f_7", 1))):
            begin = (number * 100 + 10 + 10 * i) * US
            stats: dict[str, StatValue] = {"eager_op": op, "is_func": is_func}
            line.event("EagerExecute", begin, 5 * US, stats=stats)
    assert found(space).eager == Spent(4, 20 * US)


@pytest.mark.parametrize(
    "op", ["WriteSummary", "FlushSummaryWriter", "LogicalAnd", "Identity", "SaveV2", "_EagerConst", "OptionalGetValue"]
)
def test_what_logs_and_saves_within_a_step_is_no_op_of_it(op: str) -> None:
    """Forty summaries a step, in a loop without marks, were a step that runs eagerly."""
    space = Space()
    line = program(space)
    for number in range(3):
        stats: dict[str, StatValue] = {"eager_op": op, "is_func": 0}
        line.event("EagerExecute", (number * 100 + 10) * US, 5 * US, stats=stats)
        line.event("EagerExecute", (number * 100 + 20) * US, 5 * US, stats={**stats, "eager_op": "Mul"})
    assert found(space).eager == Spent(2, 10 * US)


def test_ops_of_callbacks_are_those_between_steps() -> None:
    space = Space()
    line = program(space)
    stats: dict[str, StatValue] = {"eager_op": "SaveV2", "is_func": 0}
    for number in range(3):
        line.event("EagerExecute", (number * 100 + 92) * US, 5 * US, stats=stats)
        line.event("save/SaveV2:SaveV2", (number * 100 + 93) * US, 3 * US)
    answer = found(space)
    assert (answer.eager, answer.eager_between) == (Spent(0, 0), Spent(2, 10 * US))
    assert answer.between == {"save/SaveV2": Spent(2, 6 * US)}


def test_functions_that_only_run_between_steps_are_those_of_no_step() -> None:
    space = Space()
    line = program(space)
    for number in range(3):
        for begin, function, op in ((10, "step", "a/MatMul"), (91, "evaluate", "b/MatMul"), (96, "step", "a/MatMul")):
            at = number * 100 + begin
            line.event(function, at * US, 4 * US, stats={"tf_function_call": "notTraced-nonXla"})
            line.event(f"{op}:MatMul", (at + 1) * US, 2 * US)
    answer = found(space)
    assert answer.calls_between == {"evaluate": Spent(2, 8 * US)}
    assert answer.only_between == {"b/MatMul": Spent(2, 4 * US)}


def test_ops_of_slow_steps_are_in_a_step() -> None:
    """Of seven steps the fifth evaluates, for ten times as long; what runs after the last one is in none."""
    space = Space()
    line = program(space, steps=4)
    for begin, length in ((400, 990), (1400, 90), (1500, 90)):
        line.event("train", begin * US, length * US, stats={"step_num": 4 + (begin > 400) + (begin > 1400), "_r": 1})
    for begin, length in ((10, 20), (450, 800), (1420, 30), (1700, 70)):
        line.event("a/MatMul:MatMul", begin * US, length * US)
    answer = found(space)
    assert (answer.slow, answer.all_work, answer.outside_ps) == (1, Spent(2, 50 * US), 70 * US)


def test_a_call_within_a_call_is_no_other_call() -> None:
    """JAX records every call of a jitted function twice, one in the other."""
    space = Space()
    line = program(space)
    for number in range(3):
        for begin in (10, 40):
            line.event("PjitFunction(add)", (number * 100 + begin) * US, 20 * US)
            line.event("PjitFunction(add)", (number * 100 + begin) * US, 19 * US)
    answer = found(space)
    assert (answer.calls, answer.all_calls) == ({"PjitFunction(add)": Spent(4, 80 * US)}, Spent(4, 80 * US))


@pytest.mark.parametrize(
    ("call", "stats", "called"),
    [("PjitFunction(step)", {}, "step"), ("fit_step", {"tracing_count": 2}, "fit_step"), ("other", {}, None)],
)
def test_a_compilation_belongs_to_the_call_around_it_on_any_thread(
    call: str, stats: dict[str, StatValue], called: str | None
) -> None:
    space = Space()
    line = program(space)
    pool = space.planes[0].line(2, "tf_PjRtCompilerThreadPool/1")
    for number in range(3):
        line.event(call, (number * 100 + 10) * US, 70 * US, stats=stats)
        line.event("trace_to_jaxpr_dynamic", (number * 100 + 11) * US, 5 * US)
        line.event("backend_compile", (number * 100 + 20) * US, 40 * US)
        pool.event("PjRtCpuClient::Compile", (number * 100 + 21) * US, 35 * US)
    compiled = found(space).compiled
    if called:
        assert compiled == {called: Spent(2, 160 * US)}
    else:
        assert compiled == {
            "backend_compile": Spent(2, 80 * US),
            "PjRtCpuClient::Compile": Spent(2, 70 * US),
            "trace_to_jaxpr_dynamic": Spent(2, 10 * US),
        }


def test_python_is_told_by_function_and_caller_without_what_awaits_devices() -> None:
    space = Space()
    line = program(space)
    for number in range(3):
        line.event("$train.py:12 on_batch_end", (number * 100 + 5) * US, 60 * US)
        line.event("$time sleep", (number * 100 + 10) * US, 50 * US)
        line.event("$api.py:2479 block_until_ready", (number * 100 + 70) * US, 15 * US)
    assert found(space).python == {
        "`time.sleep`, called by `on_batch_end` (train.py:12)": Spent(2, 100 * US),
        "`on_batch_end` (train.py:12)": Spent(2, 20 * US),
    }


def test_a_function_of_python_has_what_counts_as_python() -> None:
    """While an op runs on another thread the step computes; what an iterator calls is input, what saves is output."""
    space = Space()
    line = program(space)
    for number in range(3):
        at = number * 100
        line.event("$train.py:12 fit", (at + 1) * US, 85 * US)
        line.event("$builtins next", (at + 5) * US, 20 * US)
        line.event("$data.py:3 parse", (at + 6) * US, 15 * US)
        line.event("$train.py:30 save_checkpoint", (at + 30) * US, 10 * US)
        line.event("$time sleep", (at + 50) * US, 30 * US)
        space.planes[0].line(10 + number, "tf_Compute/1").event("a/MatMul:MatMul", (at + 60) * US, 10 * US)
    answer = found(space)
    fit, sleep = "`fit` (train.py:12)", "`time.sleep`, called by `fit` (train.py:12)"
    assert answer.python == {fit: Spent(2, 50 * US), sleep: Spent(2, 40 * US)}
    assert answer.traced_calls == 10
    assert answer.writes == {"`save_checkpoint` (train.py:30)": Spent(2, 20 * US)}
    assert answer.gets == {
        "`parse` (data.py:3)": Spent(2, 30 * US),
        "`builtins.next`, called by `fit` (train.py:12)": Spent(2, 10 * US),
    }


def test_python_is_in_annotations_the_innermost_counts() -> None:
    space = Space()
    line = program(space)
    for number in range(3):
        line.event("epoch", (number * 100 + 5) * US, 80 * US)
        line.event("metrics", (number * 100 + 10) * US, 50 * US)
        line.event("a/MatMul:MatMul", (number * 100 + 20) * US, 10 * US)
    assert found(space).regions == {"metrics": Spent(2, 80 * US), "epoch": Spent(2, 60 * US)}


@pytest.mark.parametrize(("length_us", "found_us"), [(94, 94), (95, 0)])
def test_an_annotation_of_a_whole_step_tells_nothing_of_it(length_us: int, found_us: int) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(3):
        line.event("train", number * 100 * US, 100 * US, stats={"step_num": number, "_r": 1})
        line.event("iteration", (number * 100 + 1) * US, length_us * US)
    assert found(space).regions == ({"iteration": Spent(2, 2 * found_us * US)} if found_us else {})


def test_kinds_of_python_have_what_they_call() -> None:
    """Of nested calls of one kind the outermost; annotations tell without the Python tracer, too."""
    space = Space()
    line = program(space)
    for number in range(3):
        at = number * 100
        line.event("$__init__.py:1610 _log", (at + 5) * US, 20 * US)
        line.event("$__init__.py:1690 callHandlers", (at + 10) * US, 10 * US)
        line.event("$builtins print", (at + 30) * US, 5 * US)
        line.event("tokenize", (at + 40) * US, 15 * US)
    kinds = {"logging": Spent(2, 40 * US), "tokenizing": Spent(2, 30 * US), "printing": Spent(2, 10 * US)}
    assert found(space).kinds == kinds


def test_an_async_op_takes_until_it_ends() -> None:
    space = Space()
    program(space)
    for number in range(3):
        space.planes[0].line(10 + number, "tf_XLAEigen/1").event("dot.1", (number * 100 + 10) * US, US, stats=HLO)
        space.planes[0].line(20 + number, "tf_XLAEigen/2").event("end: dot.1", (number * 100 + 60) * US, 1)
    assert found(space).work == {"dot.1": Spent(2, 100 * US)}


def test_the_op_that_the_path_holds_most_of_is_the_largest() -> None:
    """A copy that a step waits for, on a thread of its own, beside more time of five threads that are done before."""
    space = Space()
    line = program(space)
    for number in range(3):
        at = number * 100
        line.event("$api.py:2479 block_until_ready", (at + 1) * US, 89 * US)
        for thread in range(5):
            pool = space.planes[0].line(100 * number + thread, f"tf_XLAEigen/{thread}")
            pool.event("dot.1", (at + 10) * US, 20 * US, stats=HLO)
        copying = space.planes[0].line(100 * number + 5, "tf_XLAEigen/5")
        copying.event("copy", (at + 5) * US, US, stats={**HLO, "hlo_op": "copy"})
        space.planes[0].line(100 * number + 6, "tf_XLAEigen/6").event("end: copy", (at + 85) * US, 1)
    of = timeline(space)
    answer, means = found(space), step_means([HostSteps("h", None, split_of(of))])
    assert answer.work == {"dot.1": Spent(10, 200 * US), "copy": Spent(2, 160 * US)}
    assert list(answer.on_path.work) == ["copy", "dot.1"]
    assert answer.on_path.work["dot.1"].ps == 40 * US
    whole = case(means, [answer])
    assert whole is not None
    answered = next(iter(verdict(whole)))
    assert (answered.code, answered.search) == ("computes", "copy")


@pytest.mark.parametrize(("ms", "largest"), [(0.51, "dot"), (0.49, "copy")])
def test_where_the_path_leads_past_half_of_what_computes_self_time_decides(ms: float, largest: str) -> None:
    work = {"copy": spent(1, 2), "dot": spent(1, 1)}
    on_path = RankedOps({"dot": spent(1, ms)}, {}, {}, {}, spent(1, ms))
    summary = StepSummary(work=work, types={}, all_work=spent(2, 3), on_path=on_path)
    assert first({"op_compute": 1.0, "python": 0.1}, summary).params["op"] == largest


def test_on_a_device_copies_and_collectives_are_no_work() -> None:
    space = Space()
    program(space)
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    for number in range(3):
        at = number * 100 * US
        stream.event("gemm", at + 10 * US, 30 * US, stats={"tf_op": "a/MatMul:MatMul"})
        stream.event("MemcpyH2D", at + 50 * US, 10 * US)
        stream.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 60 * US, 20 * US)
    answer = found(space)
    assert answer.work == {"a/MatMul": Spent(2, 60 * US)}
    assert [name.split(" ")[0] for name in answer.moves] == ["ncclDevKernel_AllReduce_Sum_f32_RING_LL", "MemcpyH2D"]
    assert answer.all_work == Spent(2, 60 * US)


def test_a_collective_of_pytorch_is_named_by_its_kernel(tmp_path: Path) -> None:
    """One op stands for all of them; the finding then named a smaller one."""
    events = [kineto.on_host(f"ProfilerStep#{i}", 100 * i, 90, "user_annotation") for i in range(2)]
    for i, (kernel, length) in enumerate((("ncclDevKernel_SendRecv(args)", 20), ("ncclDevKernel_AllReduce(args)", 5))):
        at = 10 + 40 * i
        events.append(kineto.on_host("record_param_comms", at, 8, "cpu_op"))
        events += kineto.launched(kernel, at + 2, at + 10, length, i + 1)
    t = Timeline(decode.read(str(kineto.saved(tmp_path, *events))), "h")
    assert step_summary(t, split_of(t)).moves == {
        "ncclDevKernel_SendRecv": Spent(1, 20 * US),
        "ncclDevKernel_AllReduce": Spent(1, 5 * US),
    }


def test_ops_that_launch_are_no_work_of_the_host(tmp_path: Path) -> None:
    """The op that took most was named as one that launches nothing: it launched a kernel each time."""
    events = [kineto.on_host("ProfilerStep#0", 0, 90, "user_annotation")]
    events += [kineto.on_host("aten::add_", 10, 40), kineto.on_host("aten::empty", 12, 10)]
    events += [kineto.on_host("aten::view", 60, 5), *kineto.launched("add", 30, 40, 5, 1)]
    t = Timeline(decode.read(str(kineto.saved(tmp_path, *events))), "h")
    assert step_summary(t, split_of(t)).host_work == {"aten::view": Spent(1, 5 * US)}


@pytest.mark.parametrize(
    ("gpus", "type"),
    [
        ([8], "bfloat16"),
        ([7], "float16"),
        ([9, 7], "float16"),
        ([6], "wide_only"),
        ([9, None], None),
    ],
)
def test_what_devices_multiply_fast_in(gpus: list[int | None], type: str | None) -> None:
    """By NVIDIA's compute capability, and the device that has least."""
    space = Space()
    program(space)
    for i, major in enumerate(gpus):
        stats: dict[str, StatValue] = {} if major is None else {"compute_cap_major": major, "compute_cap_minor": 0}
        plane = space.plane(f"/device:GPU:{i}", id=i + 1, stats=stats)
        plane.line(7, "Stream #7(Compute)").event("gemm", 10 * US, 30 * US)
    answer = found(space)
    assert [name for name in ("bfloat16", "float16", "wide_only") if getattr(answer, name)] == ([type] if type else [])


def waits(folder: Path, wait_us: int, busy_us: int) -> StepSummary:
    """A step whose first call waits for a device, which meanwhile works for so long."""
    events = [kineto.on_host("ProfilerStep#0", 0, 9000, "user_annotation")]
    events += [kineto.on_host("cudaDeviceSynchronize", 100, wait_us, "cuda_runtime", correlation=5)]
    events += kineto.launched("gemm", 50, 101, busy_us, 1)
    t = Timeline(decode.read(str(kineto.saved(folder, *events))), "h")
    return step_summary(t, split_of(t))


@pytest.mark.parametrize(
    ("wait_us", "busy_us", "unseen_us"), [(1002, 1, 1000), (1001, 2, 0), (3001, 3000, 0), (999, 1, 0)]
)
def test_a_wait_for_a_device_that_shows_no_work(tmp_path: Path, wait_us: int, busy_us: int, unseen_us: int) -> None:
    """A copy waited 463 ms for the batch before, of which the capture holds nothing."""
    unseen = waits(tmp_path, wait_us, busy_us).unseen.get("cudaDeviceSynchronize", Spent(0, 0))
    assert unseen.ps == unseen_us * US


def test_graphs_that_a_step_records() -> None:
    """From the call that begins one to the next that ends one on the same thread."""
    space = Space()
    line = program(space)
    for name, at in (("hipStreamBeginCapture", 10), ("hipLaunchKernel", 20), ("hipStreamEndCapture", 60)):
        line.event(name, at * US, US)
    line.event("hipStreamBeginCapture", 110 * US, US)
    space.planes[0].line(2, "other").event("hipStreamEndCapture", 150 * US, US)
    assert found(space).recording == Spent(1, 50 * US)


def test_what_a_runtime_does_is_told_by_name() -> None:
    space = Space()
    line = program(space)
    for number in range(3):
        line.event("ExecutorState::Process", (number * 100 + 10) * US, 40 * US)
        line.event("$x.py:1 f", (number * 100 + 60) * US, 20 * US)
    assert found(space).events == {"ExecutorState::Process": Spent(2, 80 * US)}


def test_without_steps_there_are_none() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "python").event("a/MatMul:MatMul", 0, US)
    assert found(space) == StepSummary()


def shared(of: Timeline, **permille: int) -> StepSummary:
    """With so much of every step in each category."""
    split = split_of(of)
    exposed = np.zeros_like(split.exposed_ps)
    for key, part in permille.items():
        exposed[:, :, INDEX[key]] = part
    return step_summary(of, structs.replace(split, exposed_ps=exposed))


def test_events_are_summed_up_where_the_runtime_takes_two_percent_of_steps() -> None:
    space = Space()
    program(space).event("TFE_Execute", 10**6, 10**6)
    of = timeline(space)
    assert [bool(shared(of, python=1000 - part, runtime=part).events) for part in (21, 19)] == [True, False]


def test_half_a_millisecond_of_python_is_a_stretch_where_python_takes_a_tenth_of_steps() -> None:
    """Steps of 2 ms that begin with an op and hold nothing else."""

    def between_ops(op_us: int) -> Timeline:
        space = Space()
        line = program(space, step_us=2000)
        for number in range(3):
            line.event("a/MatMul:MatMul", number * 2000 * US, op_us * US)
        return timeline(space)

    for op_us, stretch_us in ((1500, 500), (1501, 0)):
        summary = step_summary(between_ops(op_us), split_of(between_ops(op_us)))
        assert (summary.steps, summary.stretches_ps) == (2, 2 * stretch_us * US)
    looked_at = [bool(shared(between_ops(1000), python=p, op_compute=1000 - p).stretches_ps) for p in (100, 99)]
    assert looked_at == [True, False]
