"""Tensors that go from a GPU to the host and back within a step → which op on the host they are for, and the wait."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.overview import Host
from ....messages import Param
from ....tables import Evidence
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from .facts import Facts

WORTH = Threshold(
    "waits for round trips", 0.05, "share", "of the steps; less is lost in the differences between steps", CHOSEN
)
OFTEN = Threshold(
    "steps with round trips",
    0.5,
    "share",
    "of the steps; what happens in few of them is an evaluation or a log",
    CHOSEN,
)
FIRST = Threshold("waits for round trips to warn of", 0.2, "share", "as of copies, which are the answer from here on")


def placement(facts: Facts) -> Iterator[Finding]:
    """Of the host where it costs most."""
    found = [(finding.share or 0.0, finding) for host in facts.hosts for finding in _of_host(host)]
    yield from (finding for _, finding in sorted(found, key=lambda each: -each[0])[:1])


def _of_host(host: Host) -> Iterator[Finding]:
    trips, split = host.round_trips, host.steps.split
    counted = split.steps.counted
    if trips is None or trips.steps < OFTEN.value * counted.sum():
        return
    units = sum(unit.plane >= 0 for unit in split.units)
    time_ps = int((split.steps.until_ps - split.steps.begin_ps)[counted].sum())
    share = min(trips.waited_ps / (time_ps * units), 1.0)
    if share < WORTH.value:
        return
    steps = int(counted.sum()) * units
    params: dict[str, Param] = {
        "trips": max(round(trips.trips / steps), 1),
        "bytes": trips.bytes / trips.trips,
        "ps": trips.waited_ps / steps,
        "share": share,
        "op": trips.op or None,
        "op_ps": trips.op_ps if trips.op else None,
        "tensor": trips.tensor or None,
    }
    yield Finding(
        code="round_trips",
        params={name: value for name, value in params.items() if value is not None},
        severity="warning" if share >= FIRST.value else "note",
        share=share,
        tool="trace_viewer",
        evidence=tuple(Evidence(host.name, begin, end) for begin, end in trips.places),
    )
