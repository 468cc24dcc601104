"""Attention that is not fused: which calls count, and both sides of each threshold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.tables import Evidence

from .calls import Calls

Q, K, P, V = [8, 32, 16], [8, 16, 32], [8, 32, 32], [8, 32, 16]


def forward(calls: Calls, length: float = 20, softmax: Any = P, values: Any = None) -> None:
    """A product, what scales it, a softmax, dropout, and a product: five kernels."""
    calls.call("aten::bmm", length, [Q, K])
    calls.call("aten::div", length)
    calls.call("aten::_softmax", length, [softmax, [], []])
    calls.call("aten::native_dropout", length)
    calls.call("aten::bmm", length, values or [P, V])


@pytest.mark.parametrize(("length", "severity"), [(9.9, None), (10, "note"), (39.9, "note"), (40, "warning")])
def test_from_which_share_on_attention_is_said(tmp_path: Path, length: float, severity: str | None) -> None:
    calls = Calls()
    forward(calls, length)
    calls.call("aten::addmm", 1000 - 5 * length)
    found = calls.said(tmp_path).get("attention_unfused")
    assert (found.severity if found else None) == severity


def test_what_is_said_of_attention(tmp_path: Path) -> None:
    """Forward and backward of two layers, between layers; what a thread runs elsewhere is none of it."""
    calls = Calls()
    for _ in range(2):
        calls.call("aten::addmm", 100)
        forward(calls)
    for _ in range(2):
        calls.call("aten::mm", 100)
        for name in ("bmm", "bmm", "native_dropout_backward", "_softmax_backward_data", "div", "bmm", "bmm"):
            calls.call(f"aten::{name}", 20)
    found = calls.said(tmp_path)["attention_unfused"]
    assert found.params == {"total_ps": 480e6, "share": 480 / 880, "calls": 2}
    # The longest on the host first: backward ones of seven calls.
    host = found.evidence[0].host
    assert found.evidence[0] == Evidence(host, 130 * 10**6, 200 * 10**6, found.evidence[0].track)
    assert len(found.evidence) == 3


@pytest.mark.parametrize(
    "names",
    [
        # A classifier's, and that of a gate between layers.
        ("addmm", "_softmax", "mm"),
        ("bmm", "addmm", "_softmax", "bmm"),
        ("bmm", "_softmax", "mm", "bmm"),
        ("_softmax", "bmm"),
        ("bmm", "_softmax"),
        ("bmm", "mul", "bmm"),
    ],
)
def test_what_is_no_attention(tmp_path: Path, names: tuple[str, ...]) -> None:
    calls = Calls()
    for name in names:
        calls.call(f"aten::{name}")
    assert "attention_unfused" not in calls.said(tmp_path)


@pytest.mark.parametrize(
    ("softmax", "values", "is_attention"),
    [
        (P, [P, V], True),
        ([1, 8, 32, 32], [P, V], True),
        ([8, 32, 31], [P, V], False),
        ([8, 31, 32], [P, V], False),
        (P, [Q, K], False),
    ],
)
def test_shapes_show_whether_the_softmax_is_of_the_product(
    tmp_path: Path, softmax: Any, values: Any, is_attention: bool
) -> None:
    calls = Calls()
    forward(calls, 20, softmax, values)
    assert ("attention_unfused" in calls.said(tmp_path)) is is_attention


def test_calls_of_other_threads_are_none_between(tmp_path: Path) -> None:
    calls = Calls()
    calls.call("aten::bmm")
    calls.call("aten::_softmax")
    calls.call("aten::bmm")
    calls.events[0]["tid"] = calls.events[1]["tid"] = 101
    assert "attention_unfused" not in calls.said(tmp_path)


def test_pytorchs_own_attention_without_a_fused_kernel(tmp_path: Path) -> None:
    calls = Calls()
    forward(calls)
    calls.around("aten::_scaled_dot_product_attention_math", 0)
    assert calls.said(tmp_path)["attention_unfused.math"].params == {"total_ps": 100e6, "share": 1.0, "calls": 1}


def test_on_the_overview(tmp_path: Path) -> None:
    calls = Calls()
    forward(calls)
    assert calls.said(tmp_path, "overview")["attention_unfused"].severity == "warning"
