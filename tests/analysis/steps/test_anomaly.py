"""Autograd's anomaly mode: stacks that operators keep, and nodes of the backward pass that look for NaN."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.steps import step_summary
from tensorboard_perfplugin.timeline import Timeline, split_of
from tests.tools.kineto import Event, ask, launched, on_host, saved, step

US = 10**6


def numbered(name: str, at: float, length: float, number: int, thread: int = 0) -> Event:
    event = on_host(name, at, length)
    return event | {"args": {"Sequence number": number, "Fwd thread id": thread}}


def backward(name: str, at: float, number: int, checked: bool) -> list[Event]:
    """A node of 100 µs, of which 60 are its own work and 35 look for NaN."""
    node = numbered(f"autograd::engine::evaluate_function: {name}", at, 100, number, 1)
    own = numbered(name, at, 60, number, 1)
    checks = [("aten::isnan", 61, 10), ("aten::_is_any_true", 71, 20), ("aten::item", 91, 5)]
    return [node, own, *(on_host(check, at + begin, length) for check, begin, length in checks if checked)]


def trained(checked: int = 2, stack: float = 300, first: str = "aten::t") -> list[Event]:
    """Two steps of 2 ms: a view and a product, of which anomaly mode checks so many nodes."""
    events = []
    for i in range(2):
        at = 2000 * i
        events += [
            step(i, at, 2000),
            numbered(first, at, stack, 2 * i),
            numbered("aten::mm", at + 400, 1000, 2 * i + 1),
        ]
        events += [on_host("aten::as_strided", at + stack / 2, stack / 10)]
        events += backward("MmBackward0", at + 1500, 2 * i + 1, checked > 0)
        events += backward("TBackward0", at + 1600, 2 * i, checked > 1)
    return events


def anomaly(folder: Path, *events: Event) -> tuple[int, float]:
    """Nodes that are checked, and µs, of all steps."""
    timeline = Timeline(decode.read(str(saved(folder, *events))), "h")
    found = step_summary(timeline, split_of(timeline)).anomaly
    return found.times, found.ps / US


def test_a_stack_takes_what_a_view_does_and_a_product_has_one_too(tmp_path: Path) -> None:
    """Of the view's 300 µs 30 are of what it calls; the product keeps a stack for as long: 2 × 270 + 2 × 35 a step."""
    nodes, us = anomaly(tmp_path, *trained())
    assert (nodes, round(us)) == (4, 2 * (2 * 270 + 2 * 35))


def test_without_a_view_no_operator_keeps_its_stack_longer_than_the_median(tmp_path: Path) -> None:
    """Of 270 and 1000 µs each twice the median is 635."""
    nodes, us = anomaly(tmp_path, *trained(first="aten::relu"))
    assert (nodes, round(us)) == (4, 2 * (270 + 635 + 2 * 35))


@pytest.mark.parametrize(("checked", "nodes"), [(2, 4), (1, 2), (0, 0)])
def test_half_of_the_nodes_are_checked(tmp_path: Path, checked: int, nodes: int) -> None:
    assert anomaly(tmp_path, *trained(checked))[0] == nodes


def test_a_hook_that_looks_for_nan_in_one_of_three_nodes_is_no_anomaly_mode(tmp_path: Path) -> None:
    more = [event for i in range(2) for event in backward("ReluBackward0", 2000 * i + 1750, 50, False)]
    assert anomaly(tmp_path, *trained(1), *more) == (0, 0)


def test_what_a_device_does_meanwhile_costs_nothing(tmp_path: Path) -> None:
    """`aten::item` waits for the kernel that the node launched: of the first check's 35 µs 15 are the kernel's."""
    kernels = launched("isnan_kernel", 1561, 1576, 15, 7)
    assert anomaly(tmp_path, *trained(), *kernels)[1] == pytest.approx(2 * (2 * 270 + 2 * 35) - 15, abs=0.01)


@pytest.mark.parametrize(("stack", "code"), [(300, "anomaly_mode"), (40, "computes")])
def test_it_is_the_answer_from_a_tenth_of_a_step_on(tmp_path: Path, stack: float, code: str) -> None:
    first, *others = ask(saved(tmp_path, *trained(stack=stack)), "overview").to_dict()["findings"]
    assert first["code"] == code
    if code != "anomaly_mode":
        [noted] = [f for f in others if f["code"] == "anomaly_mode"]
        assert (noted["severity"], noted["share"]) == ("note", pytest.approx((2 * 36 + 70) / 2000, abs=1e-3))
    else:
        assert first["title"] == (
            "Steps take 2 ms; 610 µs (31 %) of that is autograd's anomaly mode, which keeps the stack of every "
            "operator and looks for NaN in 2 nodes of the backward pass a step"
        )
