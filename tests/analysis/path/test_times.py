"""What pages of ops and kernels say of the path in captures with many events: of some steps, and nothing of others."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.analysis.path import path as of_timeline
from tensorboard_perfplugin.tools.shared.ops import SOME_STEPS
from tests.tools.kineto import Event, ask, launched, on_host, rows, saved, step

#: Steps, and how many of them are walked.
STEPS, FIRST = 12, 3


def steps() -> list[Event]:
    """Of 100 µs, in each a kernel of 60 that the host waits for; the last one's is another."""
    events: list[Event] = []
    for i in range(STEPS):
        at, last = 100 * i, i == STEPS - 1
        events += [step(i, at, 100), on_host("aten::mul" if last else "aten::mm", at + 1, 9)]
        events += launched("rare" if last else "gemm", at + 2, at + 10, 60, i + 1)
        events.append(on_host("cudaDeviceSynchronize", at + 15, 60, "cuda_runtime"))
    return events


@pytest.mark.parametrize(
    ("tool", "table", "name", "often", "once"),
    [("op_stats", "ops", "name", "aten::mm", "aten::mul"), ("kernel_stats", "kernels", "name", "gemm", "rare")],
)
def test_of_many_events_it_is_of_some_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str, table: str, name: str, often: str, once: str
) -> None:
    events, columns = steps(), (name, "on_path_ms", "on_path_share", "slack_ms")

    def found(folder: str) -> dict[str, list[tuple[Any, ...]]]:
        (tmp_path / folder).mkdir()
        of: dict[str, list[tuple[Any, ...]]] = {}
        for each in rows(ask(saved(tmp_path / folder, *events), tool), table, *columns):
            of.setdefault(each[0], []).append(each[1:])
        return of

    of_all = found("all")
    assert None not in [cell for row in (*of_all[often], *of_all[once]) for cell in row[:2]]
    few = dataclasses.replace(of_timeline.EVENTS, value=len(events) * FIRST // STEPS)
    monkeypatch.setattr(of_timeline, "EVENTS", few)
    of_some = found("some")
    for (all_ms, *_), (some_ms, share, _) in zip(of_all[often], of_some[often], strict=True):
        assert (some_ms, share) == pytest.approx((all_ms * FIRST / (STEPS - 1), some_ms / (0.1 * FIRST)))
    assert of_some[once] == [(None, None, None)] * len(of_all[once])


def test_columns_say_of_how_many_events() -> None:
    assert f" {of_timeline.EVENTS.value:,} events " in SOME_STEPS
