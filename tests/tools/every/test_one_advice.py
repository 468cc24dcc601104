"""One op has one advice: the page of kernels and that of ops say the same of it, on samples and real captures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.analysis.kernels.rows import short_name
from tests.tools.every.pages import SAMPLES, Page, all_pages


def largest(page: Page, code: str) -> Finding | None:
    """What a page says of what takes most of the devices' time."""
    return next((f for f in page.result.findings if f.code == code and f.params.get("side") != "host"), None)


def advised(pages: Mapping[str, Page]) -> tuple[object, object] | None:
    """The two advices, where both pages name one op."""
    if "kernel_stats" not in pages or "op_stats" not in pages:
        return None
    of_kernel, of_op = largest(pages["kernel_stats"], "kernel_takes_most"), largest(pages["op_stats"], "op_takes_most")
    if of_kernel is None or of_op is None:
        return None
    op = str(of_op.params["op"])
    # A kernel of no op is one itself, by its whole name.
    is_one = of_kernel.params["op"] == op if "op" in of_kernel.params else of_kernel.params["kernel"] == short_name(op)
    return (of_kernel.params["remedy"], of_op.params["remedy"]) if is_one else None


def check(*roots: Path) -> tuple[list[str], int]:
    """Where the two advise what differs, and how many name one op."""
    wrong, seen = [], 0
    for pages in all_pages(*roots):
        if both := advised(pages):
            seen += 1
            if both[0] != both[1]:
                wrong.append(f"{pages['kernel_stats'].file}: {both}")
    return wrong, seen


def test_of_samples() -> None:
    wrong, seen = check(SAMPLES)
    assert wrong == []
    assert seen > 0


@pytest.mark.slow
def test_of_shared_captures(shared_captures: Path) -> None:
    wrong, seen = check(shared_captures)
    assert wrong == []
    assert seen > 12
