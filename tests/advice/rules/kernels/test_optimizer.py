"""Optimizers that update one parameter after another: which count, and both sides of each threshold."""

from __future__ import annotations

from pathlib import Path

import pytest

from .calls import Calls


def steps(
    kernels: int = 100,
    *,
    name: str = "AdamW",
    length: float = 20,
    model: float = 2000,
    op: str = "aten::add_",
    inside: str = "",
    more: float = 0,
    times: int = 2,
) -> Calls:
    """Steps of a model that runs for so long, and of an optimizer with so many kernels, each so long."""
    calls = Calls()
    for _ in range(times):
        calls.call("aten::mm", model)
        begin = calls.at
        for _ in range(kernels):
            calls.call(op, length)
        if inside:
            calls.around(inside, begin)
        if more:
            calls.call("aten::_foreach_add_", more)
        calls.around(f"Optimizer.step#{name}.step", begin, "user_annotation")
    return calls


def code(found: dict[str, object]) -> str:
    return next((each for each in found if each.startswith("optimizer_one_by_one")), "")


def test_what_is_said_of_an_optimizer(tmp_path: Path) -> None:
    found = steps().said(tmp_path)["optimizer_one_by_one.fused"]
    assert found.params == {
        "optimizer": "AdamW",
        "kernels": 100,
        "step_ps": 2000e6,
        "kernel_ps": 2000e6,
        "share": 0.5,
    }
    assert [each.end_ps - each.start_ps for each in found.evidence] == [1000 * 10**6] * 2


@pytest.mark.parametrize(
    ("model", "severity"),
    [(19_000, "note"), (19_001, None), (17_000 / 3, "warning"), (17_001 / 3, "note")],
)
def test_from_which_share_of_the_time_on(tmp_path: Path, model: float, severity: str | None) -> None:
    """A twentieth, and 15 %, of the time from the first to the last kernel."""
    found = steps(length=10, model=model).said(tmp_path).get("optimizer_one_by_one.fused")
    assert (found.severity if found else None) == severity


@pytest.mark.parametrize(("kernels", "many"), [(50, True), (49, False)])
def test_how_many_kernels_are_many(tmp_path: Path, kernels: int, many: bool) -> None:
    assert bool(code({**steps(kernels).said(tmp_path)})) is many


@pytest.mark.parametrize(("more", "mostly"), [(2000, True), (2001, False)])
def test_half_of_its_time_are_updates_of_one_tensor(tmp_path: Path, more: float, mostly: bool) -> None:
    assert bool(code({**steps(more=more).said(tmp_path)})) is mostly


@pytest.mark.parametrize(
    ("name", "way"), [("SGD", "fused"), ("Adagrad", "foreach"), ("RMSprop", "foreach"), ("Shampoo", "own")]
)
def test_what_helps_depends_on_the_class(tmp_path: Path, name: str, way: str) -> None:
    assert code({**steps(name=name).said(tmp_path)}) == f"optimizer_one_by_one.{way}"


@pytest.mark.parametrize("op", ["aten::mm", "aten::_foreach_add_", "aten::_fused_adamw_"])
def test_other_kernels_are_no_updates_one_by_one(tmp_path: Path, op: str) -> None:
    assert code({**steps(op=op).said(tmp_path)}) == ""


def test_an_op_for_many_tensors_may_launch_one_by_one(tmp_path: Path) -> None:
    """So PyTorch does where they are of different types: `foreach=True` is there already."""
    assert code({**steps(inside="aten::_foreach_add_").said(tmp_path)}) == ""


def test_on_the_overview(tmp_path: Path) -> None:
    """Its share is of the time already; what concerns so much of it is a warning there, too."""
    found = steps().said(tmp_path, "overview")["optimizer_one_by_one.fused"]
    assert (found.severity, found.share) == ("warning", 0.5)
