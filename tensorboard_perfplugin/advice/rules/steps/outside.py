"""Time from the first op to the last that is in no step → how much that is, and what it goes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.steps.means import HostSteps, OutOfSteps, all_out_of_steps
from ....messages import Message, Param
from ....tables import Evidence
from ....threshold import CHOSEN, Threshold
from ....timeline.timeline import CATEGORIES
from ...finding import Finding
from ..listed import PLACES

WORTH = Threshold("part of time in no step", 0.01, "share", "a part that is less is not worth its name", CHOSEN)
#: What is said of time beside steps.
IN_NO_STEP = "time_in_no_step"
#: What is said of the work of devices beside steps.
OUTSIDE_STEPS = "work_outside_steps"
#: How many parts are named.
_PARTS = 5


def time_outside(parts: Sequence[HostSteps]) -> Iterator[Finding]:
    """A warning where steps are judged of which none is whole: they are the least of what the capture holds."""
    some = [part for part in parts if len(part.split.steps)]
    found = all_out_of_steps([part.out_of_steps for part in some])
    if found.outside_ps:
        share = found.outside_ps / found.span_ps
        params = _params(found) | {"outside_ps": found.outside_ps / found.hosts, "share": share}
        whole = any(part.split.steps.whole.any() for part in some)
        yield Finding(
            code=IN_NO_STEP,
            params=params,
            severity="note" if whole else "warning",
            share=share,
            tool="trace_viewer",
            evidence=_longest(some),
        )


def divided(parts: Sequence[HostSteps], finding: Finding) -> Finding:
    """That there are no steps, with what the time from the first op to the last goes to, and where that is."""
    found = all_out_of_steps([part.out_of_steps for part in parts])
    if not found.outside_ps:
        return finding
    params = {**finding.params, **_params(found)}
    return finding.changed(params=params, tool="trace_viewer", evidence=_longest(parts))


def _params(found: OutOfSteps) -> dict[str, Param]:
    return {"span_ps": found.span_ps / found.hosts, "parts": _parts(found)}


def _parts(found: OutOfSteps) -> tuple[Message, ...]:
    """The largest, as parts of the time that is in no step."""
    shares = ((float(ps) / found.outside_ps, c.key) for ps, c in zip(found.by_category, CATEGORIES, strict=True))
    return tuple(
        Message("time_in.share", {"category": Message(f"time_in.{key}"), "share": share})
        for share, key in sorted(shares, reverse=True)[:_PARTS]
        if share >= WORTH.value
    )


def _longest(parts: Sequence[HostSteps]) -> tuple[Evidence, ...]:
    places = [Evidence(part.host, *when) for part in parts for when in part.out_of_steps.longest]
    return tuple(sorted(places, key=lambda place: place.start_ps - place.end_ps)[:PLACES])
