"""The same copy at the same place of every step, on both sides of every number that decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.advice.rules.overview.test_placement import STEP, US, host, launched
from tests.tools.answered import answered

_TO_HOST, _TO_DEVICE = "Memcpy DtoH (Device -> Pageable)", "Memcpy HtoD (Pageable -> Device)"


def steps_with(
    name: str, *, size: int = 4 << 20, at_us: float = 310, length_us: float = 40, steps: int = 10, copies: int = 10
) -> Timeline:
    """Steps of 1 ms: `gemm` up to 300 µs, a copy in some of the steps, and `other` from 645 µs on."""
    events: list[dict[str, Any]] = []
    for step in range(steps):
        at = step * STEP
        events.append(host(f"ProfilerStep#{step}", at, STEP, "user_annotation"))
        events += launched("gemm", at + 5, at + 10, 290, step * 10 + 1)
        if step < copies:
            begin = at + at_us
            events += launched(name, begin - 5, begin, length_us, step * 10 + 2, {"bytes": size}, stream=9)
        events += launched("other", at + 640, at + 645, 300, step * 10 + 3)
    text = json.dumps({"schemaVersion": 1, "traceEvents": events})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), "h")


def findings(of: Timeline) -> list[dict[str, Any]]:
    return [f for f in answered(OVERVIEW, of).to_dict()["findings"] if f["code"].startswith("repeated_copy")]


@pytest.mark.parametrize(("name", "code"), [(_TO_HOST, "to_host"), (_TO_DEVICE, "to_device")])
def test_the_same_copy_in_each_step(name: str, code: str) -> None:
    [finding] = findings(steps_with(name))
    assert finding["code"] == f"repeated_copy.{code}"
    assert finding["params"] == {
        "copies": 1,
        "bytes": 4 << 20,
        "steps": 10,
        "ps": 40 * US,
        "share": 0.04,
        "op": "gemm",
    }
    assert finding["evidence"][0]["end_ps"] - finding["evidence"][0]["start_ps"] == 40 * US


def test_a_batch_that_is_copied_before_the_step_computes_is_none() -> None:
    assert findings(steps_with(_TO_DEVICE, at_us=5, length_us=30)) == []


@pytest.mark.parametrize(
    ("changes", "times"),
    [
        ({"size": 4096}, 1),
        ({"size": 4095}, 0),
        ({"copies": 9}, 1),
        ({"copies": 8}, 0),
        ({"steps": 5}, 1),
        ({"steps": 4}, 0),
        ({"length_us": 20}, 1),
        ({"length_us": 19}, 0),
        ({"at_us": 100}, 0),
    ],
    ids=str,
)
def test_how_much_and_how_often(changes: dict[str, Any], times: int) -> None:
    assert len(findings(steps_with(_TO_HOST, **changes))) == times
