"""Batch norms that run op by op, and biases right before a batch norm: which count, by ops of TensorFlow and calls of
PyTorch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.build_capture import Space
from tests.tools.kernels import A100, gpu, kernel

from .calls import Calls
from .test_findings import about

#: As Keras 3 names them: training, and its gradients; µs.
CONVOLUTION = (("m/conv", "convolution", "Conv2D", 400), ("m/conv", "BiasAdd", "BiasAdd", 40))
TRAINING = (
    ("m/bn", "moments/mean", "Mean", 50),
    ("m/bn", "moments/SquaredDifference", "SquaredDifference", 50),
    ("m/bn", "mul", "Mul", 2),
    ("m/bn", "batchnorm/mul_1", "Mul", 50),
    ("m/bn", "batchnorm/add_1", "AddV2", 50),
    ("m/bn", "AssignVariableOp", "AssignVariableOp", 1),
)
GRADIENTS = (
    ("gradient_tape/m/bn", "batchnorm/mul_1/Mul", "Mul", 60),
    ("gradient_tape/m/conv", "BiasAdd/BiasAddGrad", "BiasAddGrad", 30),
    ("gradient_tape/m/conv", "convolution/Conv2DBackpropInput", "Conv2DBackpropInput", 267),
)
Run = tuple[tuple[str, str, str, int], ...]


def ran(*run: tuple[str, str, str, int]) -> Space:
    space, at = Space(), 0
    line = gpu(space, A100).line(7, "Stream #7(Compute)")
    for scope, op, kind, us in run * 2:
        kernel(line, "k", at, at + us * 1000, tf_op=f"{scope}/{op}:{kind}")
        at += us * 1000
    return space


def total_us(of: Space, code: str) -> float | None:
    finding = about(of, code)
    return None if finding is None else finding.params["total_ps"] / 1e6  # type: ignore[operator]


def test_batch_norm_in_pieces_and_the_bias_before_it() -> None:
    """Of 2 × 1,000 µs: 260 are pieces of a batch norm, 70 a bias and its gradient."""
    of = ran(*CONVOLUTION, *TRAINING, *GRADIENTS)
    pieces, bias = about(of, "batch_norm_unfused"), about(of, "bias_before_norm")
    assert pieces
    assert bias
    assert (pieces.params, pieces.severity) == ({"total_ps": 520e6, "share": 0.26, "layers": 1}, "warning")
    assert (bias.params, bias.severity) == ({"total_ps": 140e6, "share": 0.07}, "note")


def without(run: Run, *ops: str) -> Run:
    return tuple(each for each in run if each[1] not in ops)


def of_layer(run: Run, name: str) -> Run:
    return tuple((scope.replace("m/bn", name), *rest) for scope, *rest in run)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("run", "pieces_us"),
    [
        pytest.param((*CONVOLUTION, *TRAINING), 400, id="training"),
        pytest.param((*CONVOLUTION[:1], *TRAINING), 400, id="no bias"),
        pytest.param((*CONVOLUTION, *without(TRAINING, *(op for _, op, _, _ in TRAINING[:3]))), 200, id="inference"),
        pytest.param((*CONVOLUTION, *without(TRAINING, "AssignVariableOp")), None, id="by layer or group"),
        pytest.param((("m/d", "MatMul", "MatMul", 400), *TRAINING), None, id="two dimensions"),
        pytest.param((*CONVOLUTION, *of_layer(TRAINING, "m/sync_batch_norm")), None, id="of several replicas"),
    ],
)
def test_which_are_batch_norms_that_could_be_fused(run: Run, pieces_us: float | None) -> None:
    assert total_us(ran(*run), "batch_norm_unfused") == pieces_us


FUSED = (("m/bn", "FusedBatchNormV3", "FusedBatchNormV3", 100),)


@pytest.mark.parametrize(
    ("run", "bias_us"),
    [
        pytest.param((*CONVOLUTION, *FUSED), 80, id="fused"),
        pytest.param((*CONVOLUTION, *TRAINING), 80, id="in pieces"),
        pytest.param((*CONVOLUTION, ("m/act", "Relu", "Relu", 20), *FUSED), None, id="an activation between"),
        pytest.param((*CONVOLUTION, *FUSED, *CONVOLUTION, ("m", "Relu", "Relu", 1)), None, id="not each time"),
        pytest.param((*CONVOLUTION, *of_layer(FUSED, "other/bn")), None, id="of another part"),
        pytest.param((CONVOLUTION[0], ("b/conv", "Conv2D", "Conv2D", 9), CONVOLUTION[1], *FUSED), None, id="branches"),
    ],
)
def test_which_biases_a_batch_norm_takes_away(run: Run, bias_us: float | None) -> None:
    assert total_us(ran(*run), "bias_before_norm") == bias_us


IMAGE, KERNEL = [8, 3, 32, 32], [16, 3, 3, 3]


def convolve(calls: Calls, bias: Any, channels: int = 16, between: tuple[str, ...] = ("aten::add_",)) -> None:
    """cuDNN's convolution of 100 µs, its bias of 10, and a batch norm."""
    begin = calls.at
    calls.call("aten::cudnn_convolution", 100)
    if bias:
        calls.call("aten::add_", 10)
    calls.around("aten::conv2d", begin)
    calls.events[-1]["args"] = {**calls.events[-1].get("args", {}), "Input Dims": [IMAGE, KERNEL, bias, [], [], []]}
    for name in between:
        calls.call(name, 1, [[], [], []])
    calls.call("aten::batch_norm", 50, [[8, channels, 30, 30], [channels]])


def test_a_bias_before_pytorchs_batch_norm(tmp_path: Path) -> None:
    calls = Calls()
    for _ in range(3):
        convolve(calls, [16])
    assert calls.said(tmp_path)["bias_before_norm"].params == {"total_ps": 30e6, "share": 30 / 483}


@pytest.mark.parametrize(
    "convolution",
    [
        pytest.param({"bias": []}, id="no bias"),
        pytest.param({"bias": [16], "channels": 8}, id="of another result"),
        pytest.param({"bias": [16], "between": ("aten::relu",)}, id="an activation between"),
        pytest.param({"bias": [16], "between": ("aten::add_", "aten::add_")}, id="more than a count between"),
    ],
)
def test_what_a_batch_norm_leaves(tmp_path: Path, convolution: dict[str, Any]) -> None:
    calls = Calls()
    convolve(calls, **convolution)
    assert "bias_before_norm" not in calls.said(tmp_path)
