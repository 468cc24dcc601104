"""Calls in which PyTorch waits for its GPU, and how long that stands still after them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.steps.contents import Spent
from tensorboard_perfplugin.analysis.steps.summary import StepSummary, step_summary
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.tools.kineto import H100, Event, launched, on_device, on_host, step

US = 10**6
STEPS = 3


def summary(*of_a_step: Event, every: float = 100) -> StepSummary:
    """The same events in each step, which are 100 µs apart; numbers of launches are made distinct."""
    events = []
    for number in range(STEPS):
        events.append(step(number, number * every, every - 10))
        for event in of_a_step:
            args = dict(event["args"])
            if "correlation" in args:
                args["correlation"] += 100 * number
            events.append({**event, "ts": event["ts"] + number * every, "args": args})
    data = {"schemaVersion": 1, "deviceProperties": [H100], "traceEvents": events}
    timeline = Timeline(decode.read_bytes(json.dumps(data).encode(), "h.pt.trace.json"), "h")
    return step_summary(timeline, split_of(timeline))


def fetch(begin: float, returns: float, copied: float, **more: Any) -> list[Event]:
    """`aten::item` of 50 µs at most, whose copy ends at some time; what is waited for ends 2 µs before."""
    return [
        on_host("aten::item", begin, 50),
        on_host("aten::_local_scalar_dense", begin + 1, 48),
        on_host("cudaMemcpyAsync", begin + 2, returns - begin - 2, "cuda_runtime", correlation=2),
        on_device("Memcpy DtoH (Device -> Pageable)", copied - 2, 2, "gpu_memcpy", correlation=2),
        on_host("cudaStreamSynchronize", returns + 1, 1, "cuda_runtime", correlation=3),
    ]


def test_an_op_that_fetches_a_number_waits_once() -> None:
    """A kernel from 5 to 38, the copy until 40, the call until 44; the next kernel begins at 60.

    The copy's call waits 32 µs, the other 1; the device stands still for 20.
    """
    found = summary(
        *launched("gemm", 3, 5, 33, 1), *fetch(10, returns=44, copied=40), *launched("gemm", 58, 60, 44, 4)
    ).synchronizations
    assert (found.waits, found.still_ps, found.lost_ps) == (Spent(3, 99 * US), 60 * US, 60 * US)
    assert (found.ops, found.functions) == ({"aten::item": Spent(3, 60 * US)}, {})


def test_what_the_host_did_not_wait_for_is_not_lost() -> None:
    """The kernel ends soon: 6 µs of waiting, 40 in which the device stands still."""
    found = summary(
        *launched("gemm", 3, 5, 6, 1), *fetch(10, returns=17, copied=15), *launched("gemm", 53, 55, 50, 4)
    ).synchronizations
    assert (found.waits, found.still_ps, found.lost_ps) == (Spent(3, 18 * US), 120 * US, 18 * US)


@pytest.mark.parametrize(("returns", "waits"), [(14, 0), (20, 3)])
def test_a_copy_that_goes_on_after_its_call_is_no_wait(returns: float, waits: int) -> None:
    """It ends at 20, as into pinned memory."""
    copy = [
        on_host("cudaMemcpyAsync", 10, returns - 10, "cuda_runtime", correlation=2),
        on_device("Memcpy DtoH (Device -> Pinned)", 18, 2, "gpu_memcpy", correlation=2),
    ]
    assert summary(*launched("gemm", 3, 5, 13, 1), *copy).synchronizations.waits.times == waits


@pytest.mark.parametrize(("name", "waits"), [("cudaDeviceSynchronize", 3), ("cudaEventRecord", 0)])
def test_a_call_of_the_driver_outside_of_operators(name: str, waits: int) -> None:
    call = on_host(name, 10, 30, "cuda_runtime", correlation=2)
    found = summary(*launched("gemm", 3, 5, 33, 1), call, *launched("gemm", 58, 60, 44, 4)).synchronizations
    assert (found.waits.times, list(found.ops)) == (waits, [name] if waits else [])


def test_what_stood_still_before_the_call_is_none_of_its_time() -> None:
    call = on_host("cudaDeviceSynchronize", 20, 30, "cuda_runtime", correlation=2)
    found = summary(*launched("gemm", 3, 5, 5, 1), call, *launched("gemm", 58, 60, 44, 4)).synchronizations
    assert (found.waits, found.still_ps) == (Spent(3, 90 * US), 0)


def test_the_function_of_the_program_is_named_not_of_a_library() -> None:
    frames = [
        on_host("/home/me/train.py(12): train", 0, 80, "python_function"),
        on_host("torch/_tensor.py(9): __float__", 9, 60, "python_function"),
    ]
    work = [*launched("gemm", 3, 5, 33, 1), *fetch(10, returns=44, copied=40), *launched("gemm", 58, 60, 44, 4)]
    assert summary(*frames, *work).synchronizations.functions == {"`train` (train.py:12)": Spent(3, 60 * US)}


def waiting(*around: Event) -> tuple[dict[str, Spent], dict[str, Spent]]:
    found = summary(
        *around,
        *launched("gemm", 3, 5, 33, 1),
        *fetch(10, returns=44, copied=40),
        *launched("gemm", 58, 60, 44, 4),
    ).synchronizations
    return found.places, found.helpers


@pytest.mark.parametrize(
    ("frame", "helper"),
    [
        ("torch/amp/grad_scaler.py(351): _maybe_opt_step", "scaler"),
        ("torch/cuda/amp/grad_scaler.py(300): step", "scaler"),
        ("/usr/lib/python3.11/site-packages/torch/nn/utils/clip_grad.py(60): clip_grad_norm_", "clip"),
        ("torch/optim/adamw.py(120): step", "optimizer"),
        ("torch/optim/optimizer.py(373): wrapper", None),
        ("my/grad_scaler.py(3): step", None),
    ],
)
def test_functions_of_pytorch_that_wait_are_told_apart(frame: str, helper: str | None) -> None:
    assert waiting(on_host(frame, 9, 52, "python_function"))[1] == ({helper: Spent(3, 60 * US)} if helper else {})


def test_the_outermost_of_them_asked() -> None:
    scaler = on_host("torch/amp/grad_scaler.py(351): step", 8, 54, "python_function")
    adam = on_host("torch/optim/adam.py(120): step", 9, 52, "python_function")
    assert list(waiting(scaler, adam)[1]) == ["scaler"]


def test_the_innermost_module_or_annotation_is_the_place() -> None:
    module = on_host("nn.Module: Router_0", 8, 54, "python_function")
    assert waiting(module)[0] == {"Router_0": Spent(3, 60 * US)}
    step = on_host("Optimizer.step#AdamW.step", 9, 52, "user_annotation")
    assert list(waiting(module, step)[0]) == ["Optimizer.step#AdamW.step"]
    assert waiting()[0] == {}
