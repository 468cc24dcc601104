"""Steps of PyTorch's captures, what their hosts did in them, and why devices idle. Times are µs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin.timeline.names.ops import python_name
from tests.tools.kineto import Event, ask, launched, on_device, on_host, rows, saved, step

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


BATCH = "execute_context_9(8155)_generation_37(37)"
LAYER = ("norm", "qkv_gemm", "attention", "out_gemm", "moe_gemm")


def layers(begin: int, models: int = 1, frames: bool = False) -> list[Event]:
    """Eight layers of five kernels, launched within 20 µs each and run for 100, by so many calls of the model."""
    events = []
    for model in range(models):
        at = 10 + model * 1000
        events.append(on_host("nn.Module: Decoder_0", at, 160, "python_function"))
        for layer in range(8):
            if frames:
                events.append(on_host("model.py(40): attend", at + 20 * layer, 19, "python_function"))
            for i, kernel in enumerate(LAYER):
                number = 1 + i + 5 * (layer + 8 * model)
                where = begin + 1000 * model + 100 * layer + 19 * i
                events += launched(kernel, at + 20 * layer + 3 * i + 1, where, 18, number)
    return events


def found(path: Path) -> tuple[object, object]:
    summary = ask(path, "overview").result.summary
    return summary["step_rule"], summary["step_count"]


@pytest.mark.parametrize("frames", [False, True], ids=["kernels", "frames of Python"])
def test_what_repeats_in_one_call_of_a_model_is_no_step(tmp_path: Path, frames: bool) -> None:
    """Of a vLLM prefill the 24 layers were taken for steps."""
    assert found(saved(tmp_path, *layers(300, frames=frames))) == (None, None)


def test_calls_of_a_model_are_steps_of_all_their_layers(tmp_path: Path) -> None:
    answer = ask(saved(tmp_path, *layers(300, models=4)), "overview")
    assert rows(answer, "steps", "start_ms", "span_ms") == [(round(0.29 + i, 6), 0.794) for i in range(4)]
    assert answer.result.summary["step_evidence"] == (
        "a sequence of about 5 kernels, begun by `norm`, comes 32 times on `Stream #7`, 8 times in each call of a model"
    )


def test_what_repeats_in_one_graph_is_no_step(tmp_path: Path) -> None:
    """A decoder's layers, replayed by one launch."""
    graph = [on_host("cudaGraphLaunch", 10, 5, "cuda_runtime", correlation=1)]
    for layer in range(8):
        graph += [on_device(k, 100 + 100 * layer + 19 * i, 18, correlation=1) for i, k in enumerate(LAYER)]
    assert found(saved(tmp_path, *graph)) == (None, None)


def test_a_batch_that_devices_begin_after_the_server_has_left_it_is_timed_by_their_work(tmp_path: Path) -> None:
    """160 µs on the host, 800 on the device: the step was 91 % "waiting for kernels to be launched"."""
    answer = ask(saved(tmp_path, on_host(BATCH, 0, 180, "user_annotation"), *layers(300)), "overview")
    assert rows(answer, "steps", "name", "start_ms", "duration_ms", "cut") == [(BATCH, 0.3, 0.794, "")]
    assert answer.result.summary["step_evidence"] == (
        f"one event on thread `thread 100` is named as a step, `{BATCH}`; devices begin a step's work after the host "
        "has ended it: steps are timed by that work"
    )
    assert answer.result.findings[0].title.startswith("The only step in the capture takes 794 µs; 7")


def test_a_step_whose_late_work_is_short_lasts_from_the_mark_to_its_end(tmp_path: Path) -> None:
    """The device idles meanwhile: it is the host that takes most of the time."""
    late = [on_host(BATCH, 0, 180, "user_annotation"), *launched("copy", 100, 300, 20, 1)]
    assert rows(ask(saved(tmp_path, *late), "overview"), "steps", "start_ms", "duration_ms") == [(0.0, 0.32)]


US = 1e-3


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("/src/train.py(12): step", "$train.py:12 step"),
        ("torch/serialization.py(9): save", "$serialization.py:9 save"),
        ("<string>(2): __init__", "$<string>:2 __init__"),
        ("<built-in function next>", "$builtins next"),
        ("<built-in method acquire of _thread.lock object at 0x7f80>", "$_thread acquire"),
        ("<built-in method mul_ of Parameter object at 0x7f80>", "$Parameter mul_"),
        ("nn.Module: Linear_0", "$nn.Module Linear_0"),
        ("aten::mm", ""),
        ("a" * 5000 + "(1): f", ""),
    ],
)
def test_names_of_functions_of_python(written: str, name: str) -> None:
    assert python_name(written) == name


def frame(name: str, begin: float, length: float, tid: int = 100) -> Event:
    return on_host(name, begin, length, "python_function") | {"tid": tid}


def test_python_in_which_no_operator_runs_is_python(tmp_path: Path) -> None:
    """Of 100 µs a step: 40 in a function of the program, 20 wait for a lock. Another thread only waits.

    What the profiler notes of itself, and lasts as long as it recorded, is no work of the program.
    """
    own = {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler"}
    events: list[Event] = [own | {"ts": 0, "dur": 400}, frame("threading.py(3): wait", 0, 400, 101)]
    for i, begin in enumerate((0, 100, 200, 300)):
        events += [step(i, begin, 100), frame("/src/train.py(7): <module>", begin, 99.5)]
        events += [frame("/src/train.py(3): prepare", begin, 40), on_host("aten::mm", begin + 40, 30)]
        events += [frame("<built-in method acquire of _thread.lock object at 0x7f80>", begin + 70, 20)]
    answer = ask(saved(tmp_path, *events), "overview")
    columns = ("op_compute_ms", "waiting_ms", "python_ms", "runtime_ms")
    assert rows(answer, "steps", *columns) == [(30 * US, 20 * US, 50 * US, 0)] * 4
    title = answer.result.findings[0].title
    assert title == "Steps take 100 µs; 50 µs (50 %) of that is Python, most of it in `prepare` (train.py:3)"


def test_marks_of_steps_of_other_ranks_in_one_file_are_no_runtime(tmp_path: Path) -> None:
    """Two ranks, each with a thread of its own: of 100 µs a step an operator runs for 30, nothing for 70."""
    events: list[Event] = []
    for rank in (0, 1):
        for i, begin in enumerate((0, 100, 200, 300)):
            both = step(i, begin, 100), on_host("aten::mm", begin, 30)
            events += [event | {"pid": f"[TP0{rank}] 7", "tid": 100 + rank} for event in both]
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", "op_compute_ms", "python_ms", "runtime_ms") == [(30 * US, 70 * US, 0)] * 4


def test_the_driver_frees_memory_while_the_device_waits(tmp_path: Path) -> None:
    """The operator that launches a kernel first frees what it tried out, for 70 of 100 µs."""
    events = []
    for i, begin in enumerate((0, 100, 200, 300)):
        events += [step(i, begin, 100), on_host("aten::convolution", begin, 90)]
        events += [
            on_host("hipFree", begin + 2, 70, "cuda_runtime"),
            *launched("conv", begin + 80, begin + 85, 14, i + 1),
        ]
    found = ask(saved(tmp_path, *events), "overview").result.findings[0]
    assert found.title == (
        "Steps take 100 µs; 70 µs (70 %) of that is the device waiting for the driver to give memory or to take it "
        "back, most of it in `hipFree` (once a step); `aten::convolution` is 90 % of the critical path (90 µs), most "
        "of it in `hipFree`"
    )
    assert "torch.cuda.empty_cache()" in found.action


def test_a_copy_that_the_host_waits_for_is_no_launch(tmp_path: Path) -> None:
    """ROCm's call copied 60 bytes and lasted 493 of a step's 523 ms, which were told as launching kernels.

    Of each step of 100 µs an operator has 90, the call in it 80; the device copies for 1 µs of these."""
    events: list[Event] = []
    for i in range(4):
        at = 100 * i
        events += [step(i, at, 100), on_host("aten::copy_", at + 5, 90)]
        events.append(on_host("hipMemcpyWithStream", at + 10, 80, "cuda_runtime", correlation=i + 1))
        events.append(on_device("CopyHostToDevice", at + 88, 1, "gpu_memcpy", correlation=i + 1))
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", "waiting_ms", "launch_ms", "copy_in_ms") == [(79 * US, 10 * US, US)] * 4


def test_collectives_on_the_cpu_are_collectives(tmp_path: Path) -> None:
    """`gloo` exchanges for 60 of 100 µs on a thread of its own, 20 of them while an operator runs."""
    events = []
    for i, begin in enumerate((0, 100, 200, 300)):
        events += [
            step(i, begin, 100),
            on_host("aten::mm", begin, 50),
            on_host("## backward ##", begin + 50, 45, "user_annotation"),
        ]
        events += [on_host("gloo:all_reduce", begin + 30, 60, "user_annotation") | {"tid": 102}]
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", "op_compute_ms", "collective_ms", "runtime_ms") == [(50 * US, 40 * US, 0)] * 4
    assert "40 µs (40 %) of that is collectives not overlapped with compute" in answer.result.findings[0].title


def test_why_the_gpu_is_idle_is_told_by_cause(tmp_path: Path) -> None:
    """Of 200 µs from the first kernel to the last it runs 80; 60 of the gaps are the host's, who launches late.

    Of the others 20 are the start of a kernel that had been launched, and 40 of one that waits for something else.
    """
    events = [*launched("a", 0, 10, 20, 1), *launched("b", 80, 90, 20, 2), *launched("c", 85, 130, 20, 3)]
    events += launched("d", 86, 190, 20, 4)
    found = next(f for f in ask(saved(tmp_path, *events), "overview").result.findings if "first kernel" in f.title)
    assert found.title == (
        "The GPU is idle 60 % of the time from the first kernel to the last: 30 % because the host launched the next "
        "work too late; 20 % although the next work had been launched, or what was waited for is not recorded; 10 % in "
        "gaps of less than 30 µs before work that had been launched"
    )
    assert (found.tool, found.search) == ("pod_viewer", "pod_viewer.idle.host_wait_ms?stream=all%20streams")


def test_an_operator_that_is_slow_to_launch_is_told_as_that(tmp_path: Path) -> None:
    """Within an operator of a library functions of Python call operators: views, and one that launches a kernel.

    Each step's kernel begins 80 µs after the last one ended, since it was launched then.
    """
    events = []
    for i, begin in enumerate((0, 100, 200, 300)):
        events += [step(i, begin, 100), on_host("vllm::moe", begin, 90)]
        events += [frame("/src/moe.py(3): forward", begin + 1, 88), on_host("aten::view", begin + 5, 30)]
        events += [on_host("cudaLaunchKernel", begin + 72, 1, "cuda_runtime", correlation=i + 1)]
        events += launched("moe", begin + 72, begin + 80, 20, i + 1)[1:]
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", "host_compute_ms", "launch_ms", "python_ms") == [(0, 80 * US, 0)] * 4
    found = answer.result.findings[0]
    assert "is the device waiting for kernels to be launched (1 kernel a step, 20 µs each)" in found.title
    assert found.detail.startswith("That is 80 µs for each kernel. A launch takes some 10 µs: the rest of it goes into")


def test_waits_and_marks_on_an_mtia_s_stream_are_no_work(tmp_path: Path) -> None:
    ran = [("event_wait", 0, 50), ("pe_exe", 50, 30), ("event_record", 80, 5)]
    mtia = [on_device(name, begin, length, "mtia_ccp_events") for name, begin, length in ran]
    summary = ask(saved(tmp_path, on_host("aten::mm", 0, 100), *mtia), "overview").to_dict()["summary"]
    assert (summary["device_busy_ms"], summary["device_event_count"]) == (30 * US, 1)


def test_a_with_block_that_asks_its_generator_gets_no_input(tmp_path: Path) -> None:
    """Of each step of 100 µs 60 are the end of a `with` block, and 30 get the next batch."""
    events = []
    for begin in (0, 100, 200, 300):
        events += [step(begin // 100, begin, 100), frame("contextlib.py(141): __exit__", begin, 60)]
        events += [frame("<built-in function next>", begin + 1, 58), frame("/src/cache.py(9): kept", begin + 2, 50)]
        events += [frame("<built-in function next>", begin + 60, 30), on_host("aten::mm", begin + 90, 10)]
    answer = ask(saved(tmp_path, *events), "overview")
    assert rows(answer, "steps", "input_wait_ms", "python_ms", "op_compute_ms") == [(30 * US, 60 * US, 10 * US)] * 4


@pytest.mark.parametrize("stacks", [False, True])
def test_stacks_are_not_advised_where_they_were_recorded(tmp_path: Path, stacks: bool) -> None:
    """Of each step of 100 µs 90 are Python; the file says that it has stacks, though none lies in these steps."""
    events: list[Event] = []
    for at in (0, 100, 200, 300):
        events += [step(at // 100, at, 100), *(on_host("aten::mm", at + i, 1) for i in range(10))]
    findings = ask(saved(tmp_path, *events, with_stack=int(stacks)), "overview").result.findings
    bound = next(finding for finding in findings if finding.code == "python_bound")
    assert ("with_stack" in bound.action) is not stacks


@pytest.mark.parametrize(("call_us", "code"), [(1000, "kernels_loaded"), (999, "launch_bound")])
def test_a_launch_that_loads_its_kernel_is_no_reason_for_fewer_launches(
    tmp_path: Path, call_us: int, code: str
) -> None:
    """Each step of 1,200 µs has one launch, whose kernel begins as its call returns."""
    events: list[Event] = []
    for i in range(4):
        at = 1200 * i
        events += [step(i, at, 1200), on_host("hipLaunchKernel", at, call_us, "cuda_runtime", correlation=i + 1)]
        events.append(on_device("k", at + call_us, 100, correlation=i + 1))
    first = ask(saved(tmp_path, *events), "overview").result.findings[0]
    assert first.code == code
    assert ("larger batches" in first.action) is (code == "launch_bound")
