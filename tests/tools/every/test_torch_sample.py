"""The sample of PyTorch, beside what PyTorch itself summed of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.torch_answers import answer, check_key_averages, check_memory, check_steps, host_ops, scopes

SAMPLE = Path(__file__).parents[2] / "samples" / "torch_train"


@pytest.mark.parametrize("by", ["op", "shape"])
def test_key_averages(by: str) -> None:
    check_key_averages(SAMPLE, by)


@pytest.mark.parametrize("by", ["op", "shape"])
def test_memory_of_key_averages(by: str) -> None:
    check_memory(SAMPLE, by)


def test_steps_are_those_of_the_stopwatch() -> None:
    check_steps(SAMPLE)


def test_modules_hold_all_that_ran_in_them_forward_and_backward() -> None:
    found = scopes(SAMPLE)
    linear = "Net_0/Block_0/Linear_0"
    assert found[f"{linear}/aten::linear"] == found[f"{linear}/backward/AddmmBackward0"] == 2
    assert {"Net_0/Block_1/Linear_1", "Net_0/Linear_2", "CrossEntropyLoss_0/backward"} <= set(found)
    ops = answer(SAMPLE, "op_stats", limit=0).result.tables["ops"]
    by_name = dict(zip(ops["name"], ops["occurrences"], strict=True))
    parts = host_ops(SAMPLE, "module")
    assert sum(count for name, (count, _, _) in parts.items() if name.endswith("aten::mm")) == by_name["aten::mm"]


def test_the_loop_waits_for_its_loader() -> None:
    found = answer(SAMPLE, "op_stats").result.findings
    assert "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__ (user_annotation) takes 97 %" in found[0].title
    assert "num_workers" in found[0].action
