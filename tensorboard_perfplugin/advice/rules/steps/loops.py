"""Other loops of a host than the one whose steps are judged → that they are in no figure, and what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....analysis.steps.means import HostSteps
from ....messages import Message, Param
from ....tables import Evidence
from ....timeline.steps.model import OtherLoop
from ...finding import Finding, Severity
from ..listed import PARTS

#: Of loops that have nothing in common with the one that is judged, and of the others.
_CODES: tuple[tuple[bool, str, Severity], ...] = (
    (True, "unrelated_programs.loops", "warning"),
    (False, "other_loops", "note"),
)


def other_loops(parts: Iterable[HostSteps]) -> Iterator[Finding]:
    """Of the first host that has some: the others run the same program."""
    for part in parts:
        if part.split.steps.loops:
            for unrelated, code, severity in _CODES:
                loops = [loop for loop in part.split.steps.loops if loop.unrelated == unrelated]
                if loops:
                    yield _finding(part, loops, code, severity)
            return


def _finding(part: HostSteps, loops: list[OtherLoop], code: str, severity: Severity) -> Finding:
    steps = part.split.steps
    params: dict[str, Param] = {
        "loop": steps.loop,
        "steps": len(steps),
        "others": tuple(
            Message("other_loop", {"name": each.name, "steps": each.steps, "step_ps": each.typical_ps})
            for each in loops[:PARTS]
        ),
    }
    common = [loop.common for loop in loops if loop.common is not None]
    if common and severity == "warning":
        params["common"] = max(common)
    return Finding(
        code=code,
        params=params,
        severity=severity,
        tool="trace_viewer",
        search=loops[0].name,
        evidence=tuple(Evidence(part.host, loop.begin_ps, loop.end_ps) for loop in loops[:PARTS]),
    )
