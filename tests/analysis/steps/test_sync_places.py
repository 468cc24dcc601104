"""Where in a program of PyTorch it waits for its GPU, and for which of PyTorch's functions."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.steps import Spent
from tests.analysis.steps.test_synchronizations import US, fetch, summary
from tests.tools.kineto import Event, launched, on_host


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
