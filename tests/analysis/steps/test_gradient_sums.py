"""Gradients that DistributedDataParallel sums up for each of several batches, of which an optimizer takes the sum."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.kineto import Event, ask, on_host, saved, step


def training(summed: tuple[int, ...], batches: int = 4, updates: int = 1) -> list[Event]:
    """Three steps of 10 ms: of each batch a forward pass, 1 ms; of some the sums over ranks, 1 ms; then updates."""
    events: list[Event] = []
    for number in range(3):
        begin = 10_000.0 * number
        events.append(step(number, begin, 10_000))
        for i in range(batches):
            at = begin + 2000 * i
            events.append(on_host("DistributedDataParallel.forward", at, 1000, "user_annotation"))
            events.append(on_host("aten::addmm", at, 900))
            if i in summed:
                events.append(on_host("torch::distributed::reducer::mul_out", at + 1000, 10))
                events.append(on_host("gloo:all_reduce", at + 1010, 900, "user_annotation"))
        for i in range(updates):
            events.append(on_host("Optimizer.step#SGD.step", begin + 9000 + 300 * i, 200, "user_annotation"))
    return events


@pytest.mark.parametrize(
    ("summed", "updates", "again"),
    [
        pytest.param((0, 1, 2, 3), 1, 0.75, id="after each batch"),
        pytest.param((2, 3), 1, 0.5, id="after two"),
        pytest.param((0, 1, 2, 3), 4, None, id="as many updates"),
        pytest.param((3,), 1, None, id="after the last"),
        pytest.param((0, 1, 2, 3), 0, None, id="no update recorded"),
    ],
)
def test_sums_of_gradients_that_no_update_uses(
    tmp_path: Path, summed: tuple[int, ...], updates: int, again: float | None
) -> None:
    findings = ask(saved(tmp_path, *training(summed, updates=updates)), "overview").to_dict()["findings"]
    found = [f for f in findings if f["code"].startswith("collectives_exposed")]
    assert found
    assert found[0]["params"].get("again") == again
    assert ("no_sync()" in found[0]["action"]) is (again is not None)
