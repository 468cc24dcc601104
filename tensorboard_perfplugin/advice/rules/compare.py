"""Rules on two runs: whether a step changed beyond noise, what accounts for it, and what makes sides unlike."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.compare.changes import ONE_RUN, Change, Compared, Condition
from ...messages import Message, Param
from ...threshold import Threshold
from ...timeline.timeline import CATEGORIES
from ..finding import Finding
from ..rule import Fact, Rule

# A comparison → whether a step changed beyond noise, what accounts for the change, and what differs besides.

NAMED = Threshold(
    "named change", 0.1, "share", "of the change of a step; what changed as much, in its direction, is named"
)
_MOST = 3


def compare_findings(found: Compared, conditions: Sequence[Condition]) -> tuple[Finding, ...]:
    """The verdict first, then what makes the sides unlike."""
    verdict = next(VERDICT.findings(found))
    # What makes sides unlike is no more severe than the finding that it accompanies.
    unlike = [
        finding.changed(severity="info") if verdict.severity == "info" else finding
        for finding in UNLIKE.findings(conditions)
    ]
    return (verdict, *unlike, *ONE_CAPTURE.findings(found))


def verdict(found: Compared) -> Fact:
    steps = found.steps
    if not (steps.a_ps and steps.b_ps):
        return Fact(None, {}, code="compare.no_steps", severity="note")
    params: dict[str, Param] = {"base_ps": steps.a_ps, "new_ps": steps.b_ps}
    if steps.low_ps is None or steps.high_ps is None:
        return Fact(None, params, code="compare.one_step")
    if steps.verdict == "noise":
        within = steps.low_ps <= 0 <= steps.high_ps
        params |= {"low_ps": steps.low_ps, "high_ps": steps.high_ps, "least": None if within else ONE_RUN.value}
        return Fact(None, params, code="compare.noise")
    low, high = sorted((abs(steps.low_ps), abs(steps.high_ps)))
    params |= {"change_ps": abs(steps.ps), "share": abs(steps.ps) / steps.a_ps, "low_ps": low, "high_ps": high}
    params["parts"] = tuple(_named(row) for row in _largest(found))
    if steps.verdict == "slower":
        return Fact(None, params, code="compare.slower", severity="warning")
    return Fact(None, params, code="compare.faster", severity="note")


def _largest(found: Compared) -> list[Change]:
    """The rows that changed most in the direction of the step."""
    change = found.changed_ps
    same = [row for row in found.ops if change and row.ps / change >= NAMED.value]
    return sorted(same, key=lambda row: -row.ps / change)[:_MOST]


def _named(row: Change) -> Message:
    category = Message(f"time_in.{CATEGORIES[row.category].key}")
    params: dict[str, Param] = {"ps": abs(row.ps), "more": row.ps > 0, "category": category}
    if row.match == "rest":
        return Message("compare.part.category", params)
    what = {"name": row.name, "type": row.type if row.type and row.type not in row.name else None}
    how: dict[str, Param] = {"new": row.match == "new", "gone": row.match == "gone"}
    a, b = round(row.a.times), round(row.b.times)
    if row.match in ("same", "renamed", "fingerprint", "shape") and a != b:
        how |= {"base_times": a, "new_times": b}
    return Message("compare.part.op", {**params, **what, **how})


def unlike(conditions: Sequence[Condition]) -> Fact | None:
    differ = [condition for condition in conditions if condition.differs]
    some = tuple(Message("compare.condition", {"fact": c.name, "base": c.a, "new": c.b}) for c in differ[:_MOST])
    return Fact(None, {"facts": some, "more": len(differ) - len(some) or None}) if differ else None


def one_capture(found: Compared) -> Fact | None:
    """One capture a side does not show how runs differ."""
    changed = found.steps.verdict in ("slower", "faster")
    return Fact(None, {"least": ONE_RUN.value}) if changed and not found.steps.repeated else None


VERDICT: Rule[[Compared]] = Rule(
    ("compare.slower", "compare.faster", "compare.noise", "compare.one_step", "compare.no_steps"),
    verdict,
    severity="info",
    limits=(NAMED, ONE_RUN),
)
UNLIKE: Rule[[Sequence[Condition]]] = Rule("compare.unlike", unlike)
ONE_CAPTURE: Rule[[Compared]] = Rule("compare.one_capture", one_capture, severity="info", limits=(ONE_RUN,))
