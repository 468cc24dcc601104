"""The answer of the roofline's page, on both sides of every number that decides."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.advice.rules.roofline import NEARNESS
from tensorboard_perfplugin.analysis.roofline.points import Reached

KNOWN: dict[str, Any] = {
    "side": "device",
    "is_step": True,
    "has_peaks": True,
    "has_costs": True,
    "bound_by": "HBM",
    "roof_share": 0.3,
    "compute_share": 0.1,
    "memory_share": 0.3,
    "ideal_share": 0.4,
    "bound_shares": {"HBM": 0.5, "Compute": 0.3},
    "wait_share": 0.1,
    "unknown_share": 0.1,
    "idle_share": 0.2,
}


def said(**more: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(finding.code, dict(finding.params)) for finding in NEARNESS.findings(Reached(**{**KNOWN, **more}))]


def test_what_bounds_most_of_the_time() -> None:
    [(code, params)] = said()
    assert code == "roofline.memory"
    assert (params["roof_share"], params["bound"], params["memory"], params["compute"]) == (0.3, "HBM", 0.5, 0.3)
    [(code, _)] = said(bound_shares={"HBM": 0.3, "Compute": 0.5})
    assert code == "roofline.compute"
    [(code, params)] = said(bound_shares={"VMEM read": 0.4, "HBM": 0.2, "Compute": 0.3})
    assert (code, params["memory"]) == ("roofline.memory", pytest.approx(0.6))


@pytest.mark.parametrize(
    ("name", "below", "at", "code"),
    [
        ("idle_share", 0.49, 0.5, "roofline.idle"),
        ("unknown_share", 0.49, 0.5, "roofline.unknown"),
        ("wait_share", 0.49, 0.5, "roofline.waits"),
    ],
)
def test_what_keeps_the_time_from_ops_comes_first(name: str, below: float, at: float, code: str) -> None:
    assert [said(**{name: below})[0][0], said(**{name: at})[0][0]] == ["roofline.memory", code]


@pytest.mark.parametrize(
    ("more", "codes"),
    [
        ({"has_costs": False}, ["roofline.no_costs"]),
        ({"has_peaks": False}, ["roofline.no_peaks.device"]),
        ({"has_peaks": False, "side": "host"}, ["roofline.no_peaks.host"]),
        ({"roof_share": None}, []),
    ],
)
def test_what_is_not_known_is_said(more: dict[str, Any], codes: list[str]) -> None:
    assert [code for code, _ in said(**more)] == codes
