"""Devices of one host that compute one after another, or begin each step one by one → what that loses."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.hosts.workers import Turns, device_names
from ....analysis.steps.means import HostSteps
from ....messages import Param
from ....tables import Evidence
from ....threshold import CHOSEN, Threshold
from ...finding import Finding

TOGETHER = Threshold(
    "devices that compute at once",
    0.2,
    "share",
    "of what could be computed at once: devices that do less of it take turns",
    CHOSEN,
)
LOST = Threshold("lost by taking turns", 0.1, "share", "of a step; less is lost between any two devices", CHOSEN)
LATE = Threshold("lost by late begins", 0.05, "share", "of a step; less is lost between any two devices", CHOSEN)
ORDERED = Threshold(
    "steps in which the same device begins last",
    0.75,
    "share",
    "of two devices each begins last in half of the steps by chance",
    CHOSEN,
)
FEWEST = Threshold("steps that show an order", 3, "steps", "in fewer the same order is chance", CHOSEN)


def taking_turns(host: HostSteps, found: Turns | None) -> Iterator[Finding]:
    if found is None or found.steps < FEWEST.value or not found.step_ps:
        return
    together = found.together_ps <= TOGETHER.value * (found.busy_ps - found.most_ps)
    if together and found.turns_ps >= LOST.value * found.step_ps:
        yield _of(host, found, "devices_take_turns", found.turns_ps, {})
    elif (
        found.one_thread
        and found.ordered >= ORDERED.value * found.steps
        and found.late_ps >= LATE.value * found.step_ps
    ):
        names = device_names(host.split.units)
        yield _of(
            host, found, "devices_begin_late", found.late_ps, {"first": names[found.first], "last": names[found.last]}
        )


def _of(host: HostSteps, found: Turns, code: str, lost_ps: float, more: dict[str, Param]) -> Finding:
    share = min(lost_ps / found.step_ps, 1.0)
    params: dict[str, Param] = {"devices": found.devices, "ps": lost_ps / found.steps, "share": share, **more}
    evidence = tuple(Evidence(host.host, begin, end) for begin, end in found.places)
    return Finding(code=code, params=params, severity="warning", share=share, tool="trace_viewer", evidence=evidence)
