"""Attention in TensorFlow, by the types and scopes of ops: which count."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.model import attention_in_scopes
from tensorboard_perfplugin.timeline.names.ops import Op
from tests.build_capture import Space
from tests.tools.kernels import A100, gpu, kernel

from .test_findings import about

MHA = "functional_1/multi_head_attention_1"
#: As TensorFlow 2.21 with Keras 3 writes them: type, name, and whether it is attention.
KERAS = (
    ("BatchMatMulV2", f"{MHA}/query_1/MatMul", False),
    ("Einsum", f"{MHA}/einsum/Einsum", True),
    ("Softmax", f"{MHA}/Softmax", True),
    ("Einsum", f"{MHA}/einsum_1/Einsum", True),
    ("BatchMatMulV2", f"{MHA}/attention_output_1/MatMul", False),
    ("MatMul", "functional_1/dense_1/MatMul", False),
    ("Softmax", "functional_1/dense_1/Softmax", False),
    ("Einsum", f"gradient_tape/{MHA}/einsum_1/Einsum_1", True),
    ("BatchMatMulV2", f"gradient_tape/{MHA}/query_1/MatMul/MatMul_1", False),
)
OWN = (
    ("BatchMatMulV2", "own/MatMul", True),
    ("Softmax", "own/Softmax", True),
    ("BatchMatMulV2", "own/MatMul_1", True),
    ("BatchMatMulV2", "gradient_tape/own/MatMul_1/MatMul", True),
)


@pytest.mark.parametrize("ops", [KERAS, OWN])
def test_attention_forward_and_backward(ops: tuple[tuple[str, str, bool], ...]) -> None:
    found = attention_in_scopes([Op(name, kind) for kind, name, _ in ops])
    assert found.tolist() == [is_attention for _, _, is_attention in ops]


@pytest.mark.parametrize(
    "ops",
    [
        pytest.param(OWN[:2], id="one product"),
        pytest.param((OWN[0], OWN[2]), id="no softmax"),
        pytest.param((OWN[0], ("Softmax", "other/Softmax", False), OWN[2]), id="a softmax elsewhere"),
        pytest.param((OWN[0], OWN[1], OWN[3]), id="one product and its gradient"),
        pytest.param([(kind, name.partition("/")[2], True) for kind, name, _ in OWN[:3]], id="no scope"),
        pytest.param([("MatMul", *op[1:]) if "MatMul" in op[0] else op for op in OWN[:3]], id="not batched"),
    ],
)
def test_what_is_no_attention(ops: tuple[tuple[str, str, bool], ...]) -> None:
    assert not attention_in_scopes([Op(name, kind) for kind, name, _ in ops]).any()


def test_it_is_said_of_tensorflow() -> None:
    """Two products and a softmax of 200 µs each, beside a layer of 400 µs."""
    space, at = Space(), 0
    line = gpu(space, A100).line(7, "Stream #7(Compute)")
    for i, (kind, name, length) in enumerate((*((k, n, 200) for k, n, _ in OWN[:3]), ("MatMul", "dense/MatMul", 400))):
        kernel(line, f"gemm_{i}", at, at + length * 1000, tf_op=f"{name}:{kind}")
        at += length * 1000
    finding = about(space, "attention_unfused")
    assert finding
    assert finding.params == {"total_ps": 600e6, "share": 0.6, "calls": None}
