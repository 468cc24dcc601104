"""Parts of a step and what ran in it, in a few numbers → what the rules on steps find."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from msgspec import structs

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.steps.case import case
from tensorboard_perfplugin.advice.rules.steps.verdict import verdict
from tensorboard_perfplugin.analysis.steps.contents import Spent
from tensorboard_perfplugin.analysis.steps.means import HostSteps, StepMeans, step_means
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tensorboard_perfplugin.messages import Message, Param
from tensorboard_perfplugin.timeline.split.split import Split, Unit
from tensorboard_perfplugin.timeline.steps.model import Steps
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX

MS, US = 10**9, 10**6
#: Steps that count of each program here; one more follows, whose wall time is unknown.
N = 10


def steps(walls_ms: list[float], **more: Any) -> Steps:
    """One step after the other, the last one without a next."""
    wall = (np.array(walls_ms) * MS).astype(np.int64)
    begin = np.cumsum(wall) - wall
    n = len(wall)
    found = Steps(
        "markers",
        more.pop("confidence", "certain"),
        Message("steps_seen.recorded"),
        None,
        np.arange(n),
        tuple(f"train {i}" for i in range(n)),
        np.arange(n, dtype=np.int32),
        np.zeros(n, np.int32),
        begin,
        begin + wall,
        np.append(begin[1:], -1),
        np.zeros(n, np.uint8),
        **more,
    )
    found.check()
    return found


def means(units: list[list[dict[str, float]]], kind: Literal["cpu", "gpu"] = "cpu", **more: Any) -> StepMeans:
    """The run of one host: for each unit, for each step its parts in ms, which add up to the same for all units."""
    walls = [sum(parts.values()) for parts in units[0]]
    exposed = np.zeros((len(units), len(walls), len(CATEGORIES)), np.int64)
    for u, unit in enumerate(units):
        for s, parts in enumerate(unit):
            for key, ms in parts.items():
                exposed[u, s, INDEX[key]] = ms * MS
    named = [Unit(-1, "h", "cpu")] if kind == "cpu" else [Unit(i, f"gpu{i}", kind) for i in range(len(units))]
    split = Split(steps(walls, **more), tuple(named), exposed, exposed)
    split.check()
    return step_means([HostSteps("h", None, split)])


def judged(of: StepMeans, summary: StepSummary) -> list[Finding]:
    whole = case(of, [summary])
    assert whole is not None
    return list(verdict(whole))


def findings(
    parts: dict[str, float], summary: StepSummary, kind: Literal["cpu", "gpu"] = "cpu", **more: Any
) -> list[Finding]:
    """Of a run whose steps are all alike."""
    return judged(means([[parts] * (N + 1)], kind, **more), structs.replace(summary, steps=N))


def first(parts: dict[str, float], summary: StepSummary, kind: Literal["cpu", "gpu"] = "cpu", **more: Any) -> Finding:
    return findings(parts, summary, kind, **more)[0]


def spent(times: int, ms: float) -> Spent:
    """Of a step → of all."""
    return Spent(N * times, round(N * ms * MS))


def specific(finding: Finding) -> Mapping[str, Param]:
    """The parameters of a finding, without those that every cause has."""
    return {name: value for name, value in finding.params.items() if name not in ("opening", "ps", "share")}


MATMUL = StepSummary(work={"dot": spent(1, 2)}, types={"dot": spent(1, 2)}, all_work=spent(4, 3))
