"""How much of PyTorch's steps a capture holds. Times in µs."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.steps import Spent, StepSummary, step_summary
from tensorboard_perfplugin.timeline import split_of
from tests.timeline.ops.test_calls import event, pytorch


def summary(*names: str) -> StepSummary:
    """Two steps of 100 µs; in the second an annotation that holds nothing but such operators of 1 µs."""
    marks = [event("user_annotation", f"ProfilerStep#{i}", 100 * i, 100) for i in range(2)]
    region = event("user_annotation", "## backward ##", 120, 60)
    ops = [event("cpu_op", name, 130 + 2 * i, 1) for i, name in enumerate(names)]
    of = pytorch([*marks, event("cpu_op", "aten::mm", 5, 90), region, *ops])
    return step_summary(of, split_of(of))


@pytest.mark.parametrize(
    ("name", "backward"),
    [
        ("AddmmBackward0", 1),
        ("autograd::engine::evaluate_function: ConvolutionBackward0", 1),
        ("torch::autograd::CppNode<LookupBackward>", 0),
        ("torch::autograd::AccumulateGrad", 0),
        ("aten::convolution_backward", 0),
    ],
)
def test_operators_are_counted_and_those_of_autograd_known(name: str, backward: int) -> None:
    found = summary(name, "aten::add")
    assert (found.torch, found.operators, found.backward) == (1, 3, backward)


def test_an_annotation_between_hashes_is_one() -> None:
    """The operator of 1 µs in it is none of its own."""
    assert summary("aten::add").regions == {"## backward ##": Spent(1, 59_000_000)}
