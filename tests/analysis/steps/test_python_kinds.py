"""What steps are told of: kinds of Python, operators of PyTorch, and what only slow steps run."""

from __future__ import annotations

from tensorboard_perfplugin.analysis.steps.contents import Spent, kind_of_python
from tensorboard_perfplugin.analysis.steps.summary import StepSummary, step_summary
from tensorboard_perfplugin.timeline.split.split import split_of
from tests.analysis.steps.test_summary import US, found
from tests.build_capture import Line, Space
from tests.timeline.ops.test_calls import event, pytorch


def summary(*names: str) -> StepSummary:
    """Two steps of 100 µs; in the second an annotation that holds nothing but such operators of 1 µs."""
    marks = [event("user_annotation", f"ProfilerStep#{i}", 100 * i, 100) for i in range(2)]
    region = event("user_annotation", "## backward ##", 120, 60)
    ops = [event("cpu_op", name, 130 + 2 * i, 1) for i, name in enumerate(names)]
    of = pytorch([*marks, event("cpu_op", "aten::mm", 5, 90), region, *ops])
    return step_summary(of, split_of(of))


def test_an_annotation_between_hashes_is_one() -> None:
    """The operator of 1 µs in it is none of its own."""
    assert summary("aten::add").regions == {"## backward ##": Spent(1, 59_000_000)}


def loop(space: Space, slow_us: int) -> tuple[Line, int]:
    """Seven marked steps of 100 µs, the fourth of which takes so long; the thread, and where that one begins."""
    line, begin = space.plane("/host:CPU").line(1, "python"), 0
    for number in range(7):
        length = slow_us if number == 3 else 100
        line.event("train", begin * US, (length - 10) * US, stats={"step_num": number, "_r": 1})
        line.event(f"a{number}/MatMul:MatMul", (begin + 10) * US, 30 * US)
        begin += length
    return line, 300


def evaluated(slow_us: int) -> StepSummary:
    space = Space()
    line, begin = loop(space, slow_us)
    line.event("evaluate", (begin + 50) * US, 120 * US)
    line.event("evaluate_batch", (begin + 60) * US, 20 * US)
    line.event("save", (begin + 175) * US, 135 * US - 1)
    space.planes[0].line(2, "another").event("report", (begin + 50) * US, 100 * US)
    return found(space)


def test_what_only_the_slow_step_runs() -> None:
    """`a3` is `a0` again; what lies in `evaluate` is part of it; `save` goes on after its step; other threads are not
    the step's."""
    answer = evaluated(210)
    assert (answer.slow, answer.steps) == (1, 5)
    assert answer.only_slow == {"evaluate": Spent(1, 120 * US), "save": Spent(1, 35 * US)}


def test_what_lasts_through_other_steps_is_no_slow_steps_own() -> None:
    """A function that began to run the loop in a slow step ran the others, too; what it calls there alone is named."""
    space = Space()
    line, begin = loop(space, 210)
    line.event("loop", (begin + 1) * US, 309 * US)
    line.event("evaluate", (begin + 50) * US, 120 * US)
    assert found(space).only_slow == {"evaluate": Spent(1, 120 * US)}


def test_ops_of_typical_and_of_slow_steps_are_counted() -> None:
    space = Space()
    line, begin = loop(space, 210)
    line.event("b/MatMul:MatMul", (begin + 50) * US, 120 * US)
    assert (found(space).ops, found(space).slow_ops) == (5, 2)


def test_no_slow_step_runs_nothing_of_its_own() -> None:
    answer = evaluated(190)
    assert (answer.slow, answer.only_slow) == (0, {})


def test_a_name_tells_the_kind() -> None:
    kinds = {
        "garbage": ("$gc collect", "$builtins collect"),
        "logging": ("$__init__.py:1610 _log", "$wandb_run.py:1700 log", "log_metrics"),
        "printing": ("$builtins print", "$std.py:1230 update"),
        "tokenizing": ("$tokenization_utils_fast.py:500 _batch_encode_plus", "$data.py:5 tokenize_batch"),
        "importing": ("$<frozen importlib._bootstrap> _find_and_load",),
        "serializing": ("$json dumps", "$encoder.py:204 iterencode"),
        "anomaly": ("$anomaly_mode.py:90 __enter__",),
        "": ("$collections.py:3 collect", "logits", "$train.py:12 forward", "forward"),
    }
    assert {kind: [kind_of_python(name) for name in names] for kind, names in kinds.items()} == {
        kind: [kind] * len(names) for kind, names in kinds.items()
    }


def test_operators_are_counted_and_those_of_autograd_known() -> None:
    backward = {
        "AddmmBackward0": 1,
        "autograd::engine::evaluate_function: ConvolutionBackward0": 1,
        "torch::autograd::CppNode<LookupBackward>": 0,
        "torch::autograd::AccumulateGrad": 0,
        "aten::convolution_backward": 0,
    }
    for name, known in backward.items():
        answer = summary(name, "aten::add")
        assert (answer.torch, answer.operators, answer.backward) == (1, 3, known), name
