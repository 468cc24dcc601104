"""PyTorch's operators, their time on a GPU, calls of the runtime, and kernels that no operator launched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.tools import Finding
from tests.tools.kineto import Event, ask, launched, on_device, on_host, rows, saved, step

OF_PATH = ("side", "name", "on_path_ms", "on_path_share")


def about(path: Path, code: str) -> Finding:
    return next(finding for finding in ask(path, "op_stats").result.findings if finding.code == code)


def largest(path: Path, op: str) -> Finding:
    return next(finding for finding in ask(path, "op_stats").result.findings if finding.params.get("op") == op)


UNATTRIBUTED: dict[str, tuple[list[Event], str, str]] = {
    "graphs": (
        [
            on_host("cudaGraphLaunch", 10, 3, "cuda_runtime", correlation=5),
            *(on_device("node", 20 + i, 1, correlation=5) for i in range(60)),
        ],
        "node",
        "without CUDA graphs",
    ),
    "outside": (launched("AddFunctor", 10, 20, 60, 5), "AddFunctor", "record_function"),
    "unseen": ([on_device("early", 1, 60)], "early", "torch.cuda.synchronize()"),
}


@pytest.mark.parametrize("cause", UNATTRIBUTED)
def test_why_kernels_belong_to_no_operator(tmp_path: Path, cause: str) -> None:
    events, kernel, action = UNATTRIBUTED[cause]
    usual = [on_host("aten::mm", 100, 10), *launched("gemm", 102, 110, 40, 9)]
    finding = about(saved(tmp_path, *events, *usual), f"ops_unattributed.{cause}")
    assert finding.params == {"share": 0.6, "side": "device", "kernels": 1, "kernel": kernel}
    assert finding.title == "60 % of device op time has no op, only kernels"
    assert action in finding.action


def test_where_only_devices_were_recorded_no_op_can_be_named(tmp_path: Path) -> None:
    """The advice was to mark the code of an own kernel."""
    finding = about(saved(tmp_path, *launched("gemm", 2, 10, 40, 9)), "ops_unattributed.unrecorded")
    assert finding.detail == "1 kernel, most of it gemm; the capture holds no op of a host."
    assert "ProfilerActivity.CPU" in finding.action


def test_a_call_that_synchronizes_only_waits(tmp_path: Path) -> None:
    events = [on_host("aten::mm", 0, 30), *launched("gemm", 2, 10, 90, 9)]
    path = saved(tmp_path, *events, on_host("cudaDeviceSynchronize", 30, 70, "cuda_runtime", correlation=10))
    finding = largest(path, "cudaDeviceSynchronize")
    assert finding.code == "op_takes_most.waiting"
    assert finding.title == (
        "cudaDeviceSynchronize (cuda_runtime) takes 70 % of host op time: 70 µs, only waiting; of the ops that work, "
        "aten::mm takes most: 29 %"
    )
    waits = rows(ask(path, "op_stats", side="host"), "ops", "name", "wait_share")
    assert waits == [("cudaDeviceSynchronize", 1), ("aten::mm", 0), ("cudaLaunchKernel", 0)]


def test_what_the_driver_takes_is_named_for_what_it_is(tmp_path: Path) -> None:
    launches = [on_host("aten::mm", 200, 1)]
    launches += [event for i in range(9) for event in launched("tiny", 10 * i, 10 * i + 5, 1, i + 1)]
    assert "CUDA graphs" in largest(saved(tmp_path, *launches), "cudaLaunchKernel").action
    frees = on_host("hipFree", 100, 50, "cuda_runtime")
    assert "empty_cache()" in largest(saved(tmp_path, *launches, frees), "hipFree").action
    gloo = on_host("gloo:all_reduce", 100, 50, "user_annotation")
    assert "exchanges data" in largest(saved(tmp_path, launches[0], gloo), "gloo:all_reduce").action


def test_a_step_is_no_op_that_shares_are_of(tmp_path: Path) -> None:
    """Of 100 µs an operator takes 40: all of the op time, whatever the step itself takes."""
    path = saved(tmp_path, step(1, 0, 100), on_host("aten::mm", 10, 40))
    answer = ask(path, "op_stats", limit="0")
    assert rows(answer, "ops", "name", "occurrences", "self_us", "self_share", "cumulative_share") == [
        ("ProfilerStep*", 1, 60, None, 0),
        ("aten::mm", 1, 40, 1, 1),
    ]
    assert rows(answer, "types", "type", "host_self_us", "host_self_share") == [("aten::mm", 40, 1)]
    assert answer.result.summary["host_self_ms"] == 0.04


def test_a_programs_annotation_is_no_op_that_takes_most(tmp_path: Path) -> None:
    """Of 100 µs on the main thread 80 are the annotation's own: the backward pass runs on another thread."""
    events = [on_host("## backward ##", 0, 100, "user_annotation"), on_host("aten::copy_", 5, 20)]
    path = saved(tmp_path, *events, on_host("aten::mm", 30, 60) | {"tid": 101})
    assert ask(path, "op_stats").result.findings[0].title == "aten::mm takes 38 % of host op time: 60 µs"
    shares = rows(ask(path, "op_stats", side="host"), "ops", "name", "self_us", "self_share")
    assert shares == [("## backward ##", 80, 0.5), ("aten::mm", 60, 0.375), ("aten::copy_", 20, 0.125)]
    alone = ask(saved(tmp_path, events[0], on_host("aten::mm", 0, 0)), "op_stats").result.findings[0]
    assert alone.title == "## backward ## (user_annotation) takes 100 % of host op time: 100 µs"


def test_collectives_of_a_gpu_are_not_what_computes(tmp_path: Path) -> None:
    events = [step(1, 0, 100), on_host("record_param_comms", 0, 9), *launched("ncclDevKernel_AllReduce", 2, 10, 60, 1)]
    events += [on_host("aten::mm", 10, 5), *launched("gemm", 12, 20, 50, 2, stream=9)]
    path = saved(tmp_path, *events)
    assert "`aten::mm` takes 100 % of their ops' time" in ask(path, "overview").result.findings[0].title
    finding = largest(path, "record_param_comms")
    assert "see in the pod viewer whether all wait for a slow one" in finding.action


def test_modules_tell_their_calls_and_passes(tmp_path: Path) -> None:
    """`Net` is called twice, for 40 µs each; its `Linear` for 10 each; of the backward pass 6 µs are `Linear`'s."""
    events = []
    for i, at in enumerate((0, 100)):
        number: dict[str, Any] = {"Sequence number": i, "Fwd thread id": 0}
        events += [on_host("nn.Module: Net_0", at, 40, "python_function")]
        events += [on_host("nn.Module: Linear_0", at + 5, 10, "python_function")]
        events += [on_host("aten::addmm", at + 6, 8, **number)]
    for i, at in enumerate((200, 210)):
        number = {"Sequence number": i, "Fwd thread id": 1}
        events += [on_host("AddmmBackward0", at, 3, **number)]
    answer = ask(saved(tmp_path, *events), "op_stats", limit="0")
    assert rows(answer, "scopes", "scope", "occurrences", "calls", "forward_us", "backward_us") == [
        ("Net_0", 4, 2, 80, 6),
        ("Net_0/Linear_0", 4, 2, 20, 6),
        ("Net_0/Linear_0/aten::addmm", 2, None, None, None),
        ("Net_0/Linear_0/backward", 2, None, None, None),
        ("Net_0/Linear_0/backward/AddmmBackward0", 2, None, None, None),
    ]


def test_ids_of_0_join_nothing(tmp_path: Path) -> None:
    """A call and a kernel without ids of their own have 0, for both the launch and the operator."""
    call = on_host("cudaLaunchKernel", 2, 1, "cuda_runtime", **dict.fromkeys(("correlation", "External id"), "0"))
    events = [on_host("aten::mm", 0, 10, **{"External id": "0"}), call]
    for event in (call, events[0]):
        event["args"] = {key: int(value) for key, value in event["args"].items()}
    kernel = on_device("gemm", 20, 5, correlation=0)
    kernel["args"]["External id"] = 0
    answer = ask(saved(tmp_path, *events, kernel), "op_stats", side="device")
    assert rows(answer, "ops", "name", "type") == [("gemm", "Unattributed kernel")]


def test_a_kernel_without_an_op_goes_by_its_demangled_name(tmp_path: Path) -> None:
    """As on the page of kernels; ops had ROCm's mangled names."""
    path = saved(tmp_path, on_device("_ZN1a1kIDF16bEEvPT_.kd", 0, 10))
    assert rows(ask(path, "op_stats"), "ops", "name") == [("void a::k<std::bfloat16_t>(std::bfloat16_t*)",)]
    assert rows(ask(path, "kernel_stats"), "kernels", "name") == rows(ask(path, "op_stats"), "ops", "name")


def host(path: Path, **options: Any) -> list[tuple[Any, ...]]:
    found = rows(ask(path, "op_stats", side="host", **options), "ops", "name", "device_us", "self_device_us")
    return sorted(row for row in found if row[0] != "cudaLaunchKernel")


def test_what_a_call_launches_and_what_calls_within_it_do(tmp_path: Path) -> None:
    """Kernels that run at once add up; what runs later than the call is its all the same. What is launched outside of
    operators is nobody's."""
    events = [on_host("train", 0, 100, "user_annotation"), on_host("aten::linear", 10, 50), on_host("aten::mm", 20, 10)]
    events += [*launched("gemm", 22, 200, 40, 1), *launched("bias", 40, 210, 7, 2, stream=8)]
    events += [*launched("fused", 70, 300, 2, 3)]
    assert host(saved(tmp_path, *events)) == [("aten::linear", 47, 7), ("aten::mm", 40, 40), ("train", 47, 0)]


def test_a_call_that_only_repeats_the_one_around_it_counts_once(tmp_path: Path) -> None:
    events = [on_host("aten::sum", 10, 30), on_host("aten::sum", 12, 20), *launched("reduce", 15, 50, 9, 1)]
    assert host(saved(tmp_path, *events)) == [("aten::sum", 9, 9)]


def test_a_call_in_another_of_its_name_counts_twice_as_in_pytorch(tmp_path: Path) -> None:
    events = [on_host("aten::add", 10, 50), on_host("aten::add", 12, 10), on_host("aten::mul", 30, 10)]
    events += [*launched("a", 15, 70, 9, 1), *launched("m", 33, 80, 5, 2)]
    assert host(saved(tmp_path, *events)) == [("aten::add", 23, 9), ("aten::mul", 5, 5)]


def test_calls_of_another_thread_are_none_within(tmp_path: Path) -> None:
    backward = on_host("MmBackward0", 20, 30) | {"tid": 101}
    launch, kernel = launched("gemm", 25, 60, 8, 1)
    path = saved(tmp_path, on_host("aten::linear", 10, 50), backward, launch | {"tid": 101}, kernel)
    assert host(path) == [("MmBackward0", 8, 8), ("aten::linear", 0, 0)]


def test_calls_that_begin_at_once_or_touch(tmp_path: Path) -> None:
    events = [on_host("outer", 10, 20), on_host("inner", 10, 10), on_host("next", 30, 10)]
    events += [*launched("a", 12, 50, 3, 1), *launched("b", 32, 60, 4, 2)]
    assert host(saved(tmp_path, *events)) == [("inner", 3, 3), ("next", 4, 4), ("outer", 3, 0)]


def test_without_a_device_or_of_its_rows_it_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "cpu").mkdir()
    assert host(saved(tmp_path / "cpu", on_host("aten::mm", 0, 10))) == [("aten::mm", None, None)]
    path = saved(tmp_path, on_host("aten::mm", 0, 10), *launched("gemm", 2, 20, 40, 1))
    answer = ask(path, "op_stats", side="device")
    assert rows(answer, "ops", "name", "device_us", "self_device_us") == [("aten::mm", None, None)]
    assert host(path, by="shape") == [("aten::mm", 40, 40)]


def test_what_the_critical_path_holds_of_ops_is_no_more_than_the_path(tmp_path: Path) -> None:
    """Two steps of 100 µs: an op launches a kernel that the host waits for; another ran beside it."""
    events: list[Event] = []
    for i in range(2):
        at = 100 * i
        events += [step(i, at, 100), on_host("aten::mm", at + 1, 9), *launched("gemm", at + 2, at + 10, 60, 2 * i + 1)]
        events += launched("other", at + 4, at + 11, 5, 2 * i + 2, stream=8)
        events.append(on_host("cudaDeviceSynchronize", at + 15, 60, "cuda_runtime"))
    ops = ask(saved(tmp_path, *events), "op_stats")
    held = {(side, name): (ms, share) for side, name, ms, share in rows(ops, "ops", *OF_PATH)}
    assert held["device", "aten::mm"] == (0.12, 0.6)
    # Until the launch, which is a row of its own.
    assert held["host", "aten::mm"] == held["host", "cudaLaunchKernel"] == (0.002, 0.01)
    assert sum(share for _, share in held.values() if share) <= 1
    kernels = {name: held for name, *held in rows(ask(tmp_path, "kernel_stats"), "kernels", *OF_PATH[1:])}
    assert kernels == {"gemm": [0.12, 0.6], "other": [0.0, 0.0]}
    # The host waits for what ends last: the other kernel ends 54 µs before that.
    assert dict(rows(ask(tmp_path, "kernel_stats"), "kernels", "name", "slack_ms")) == {"gemm": 0.0, "other": 0.054}
    slack = {(side, name): ms for side, name, ms in rows(ops, "ops", "side", "name", "slack_ms")}
    assert (slack["device", "aten::mm"], slack["host", "aten::mm"]) == (0.0, 0.0)


def test_without_steps_no_path_is_known(tmp_path: Path) -> None:
    path = saved(tmp_path, on_host("aten::mm", 1, 9), *launched("gemm", 2, 10, 60, 1))
    for tool, table in (("op_stats", "ops"), ("kernel_stats", "kernels")):
        assert {cell for row in rows(ask(path, tool), table, *OF_PATH[2:]) for cell in row} == {None}
