"""How the groups of workers that behave alike are said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.tools.answered import combined
from tests.tools.host_steps import host, steps


def answered(*input_ms: float) -> Answer:
    """Hosts with three steps of 90 ms and their input wait."""
    hosts = []
    for i, ms in enumerate(input_ms):
        wall = 90 + ms
        parts: dict[str, dict[str, Sequence[float]]] = {"GPU:0": {"compute_16bit": [50] * 3, "input_wait": [ms] * 3}}
        hosts.append(host(f"w{i}", steps([0, wall, 2 * wall], 3 * wall), parts_ms=parts))
    return combined(POD_VIEWER, hosts, [each.host for each in hosts], {})


def test_most_are_alike_and_four_are_not() -> None:
    answer = answered(*[10] * 9, 20, 22, 24, 2)
    [found] = [f for f in answer.result.findings if f.code == "worker_groups"]
    assert (found.title, found.severity) == (
        "9 of 13 workers behave alike; 3 with 12 ms more input wait per step; 1 with 8 ms less input wait per step",
        "note",
    )
    assert answer.to_dict()["tables"]["clusters"]["columns"] == {
        "cluster": [1, 2, 3],
        "workers": [9, 3, 1],
        "differs": [None, "Input wait", "Input wait"],
        "change_ms": [None, 12.0, -8.0],
        # Of 0.5 % of the mean step, 1,328 ms ÷ 13.
        "distance": [None, pytest.approx(12 / (0.005 * 1328 / 13)), pytest.approx(-8 / (0.005 * 1328 / 13))],
        "mean_ms": [100.0, 112.0, 92.0],
        "work_ms": [100.0, 112.0, 92.0],
        "lag_ms": [8.0, 20.0, 0.0],
        "named": ["w0/GPU:0, w1/GPU:0, w2/GPU:0 and 6 more", "w9/GPU:0, w10/GPU:0, w11/GPU:0", "w12/GPU:0"],
    }
    of_worker = answer.to_dict()["tables"]["workers"]["columns"]["cluster"]
    assert of_worker == [1] * 9 + [2] * 3 + [3]


def test_where_all_are_alike_nothing_is_said() -> None:
    answer = answered(*[10] * 9)
    assert not [f for f in answer.result.findings if f.code == "worker_groups"]
    assert answer.to_dict()["tables"]["clusters"]["columns"]["workers"] == [9]


def test_fewer_than_eight_workers_are_in_no_group() -> None:
    columns = answered(*[10] * 6, 60).to_dict()["tables"]
    assert (columns["clusters"]["columns"]["cluster"], columns["workers"]["columns"]["cluster"]) == ([], [None] * 7)
