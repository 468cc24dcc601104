"""Rules on two runs: whether a step changed beyond noise, what accounts for it, and what makes sides unlike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.compare.causes import NAMED, WORKS, Cause, Stage, causes
from ...analysis.compare.changes import ONE_RUN, UNEVEN, Change, Compared, Condition
from ...analysis.compare.likeness import MANY_TIMES, SlowSteps, Unlike, slow_steps, warm_up
from ...analysis.compare.side import CaptureSide
from ...analysis.steps.means import COMES_AGAIN
from ...messages import Message, Param
from ...timeline.timeline import CATEGORIES
from ..finding import Finding
from ..rule import Fact, Rule

# A comparison → whether a step changed beyond noise, what accounts for the change, and what differs besides.

_MOST = 3


def compare_findings(found: Compared, conditions: Sequence[Condition]) -> tuple[Finding, ...]:
    """The verdict first, then what makes the sides unlike."""
    verdict = next(VERDICT.findings(found))
    # What makes sides unlike is no more severe than the finding that it accompanies.
    unlike = [
        finding.changed(severity="info") if verdict.severity == "info" else finding
        for finding in UNLIKE.findings(conditions)
    ]
    return (verdict, *unlike, *WARM_UP.findings(found), *ONE_CAPTURE.findings(found))


def verdict(found: Compared) -> Fact:
    steps = found.steps
    if not (steps.a_ps and steps.b_ps):
        return Fact(None, {}, code="compare.no_steps", severity="note")
    params: dict[str, Param] = {"base_ps": steps.a_ps, "new_ps": steps.b_ps}
    if found.unlike:
        params["reasons"] = tuple(_reasons(found.unlike))
        return Fact(None, params, code="compare.unlike_steps", severity="warning")
    if found.is_uneven:
        params["uneven"] = uneven(found)
    if steps.low_ps is None or steps.high_ps is None:
        return Fact(None, params, code="compare.one_step")
    if steps.verdict == "noise":
        within = steps.low_ps <= 0 <= steps.high_ps
        params |= {"low_ps": steps.low_ps, "high_ps": steps.high_ps, "least": None if within else ONE_RUN.value}
        return Fact(None, params, code="compare.noise")
    params |= {"change_ps": abs(steps.ps), "share": abs(steps.ps) / steps.a_ps}
    if steps.low_ps * steps.high_ps > 0:
        low, high = sorted((abs(steps.low_ps), abs(steps.high_ps)))
        params |= {"low_ps": low, "high_ps": high}
    else:
        params["uneven"] = uneven(found)
    params["parts"] = tuple(map(_named, causes(found)))
    if steps.verdict == "slower":
        return Fact(None, params, code="compare.slower", severity="warning")
    return Fact(None, params, code="compare.faster", severity="note")


def uneven(found: Compared) -> Message:
    """How typical steps changed, and the slow steps of both sides, which make the mean another one."""
    typical = found.typical
    params: dict[str, Param] = {"base_ps": typical.a_ps, "new_ps": typical.b_ps}
    slow = [_slow(name, slow) for name, side in (("A", found.a), ("B", found.b)) if (slow := slow_steps(side))]
    params["slow"] = tuple(slow) or None
    if typical.verdict not in ("slower", "faster"):
        return Message("compare.typical.same", params)
    params["share"] = abs(typical.ps) / typical.a_ps
    return Message(f"compare.typical.{typical.verdict}", params)


def _slow(side: str, slow: SlowSteps) -> Message:
    params: dict[str, Param] = {"side": side, "ps": slow.wall_ps, "more_ps": slow.more_ps}
    params["category"] = Message(f"time_in.{slow.category}")
    if slow.every:
        return Message("compare.slow.every", {**params, "every": slow.every})
    return Message("compare.slow.some", {**params, "steps": slow.steps, "of": slow.of})


def _reasons(differs: Unlike) -> Iterator[Message]:
    if differs.backward:
        yield Message("compare.unlike_steps.backward", {"side": "A" if differs.backward[0] else "B"})
    for key, pair in (("ops", differs.ops), ("kernels", differs.kernels)):
        if pair:
            yield Message(f"compare.unlike_steps.{key}", {"base": pair[0], "new": pair[1]})
    if differs.common is not None:
        yield Message("compare.unlike_steps.common", {"share": differs.common})
    for key, names in (("rule", differs.rule), ("loop", differs.loop)):
        if names:
            yield Message(f"compare.unlike_steps.{key}", {"base": names[0], "new": names[1]})


def _of_stage(wait: Change, stage: Stage) -> Message:
    work_ps = stage.of_b.ps - stage.of_a.ps
    params: dict[str, Param] = {"ps": abs(wait.ps), "more": wait.ps > 0, "category": Message("time_in.input_wait")}
    return Message("compare.part.stage", {**params, "name": stage.key.name, "work_ps": abs(work_ps)})


def _named(cause: Cause) -> Message:
    row = cause.change
    if cause.stage is not None:
        return _of_stage(row, cause.stage)
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


def left_out(found: Compared) -> Fact | None:
    """First steps that no later one is like."""
    sides: tuple[tuple[str, Sequence[CaptureSide]], ...] = (("A", found.a), ("B", found.b))
    first = [(name, cold) for name, side in sides if (cold := warm_up(side))]
    steps = tuple(
        Message("compare.warm_up.side", {"side": name, "steps": cold.steps, "ps": cold.wall_ps}) for name, cold in first
    )
    return Fact(None, {"sides": steps}) if steps else None


def one_capture(found: Compared) -> Fact | None:
    """One capture a side does not show how runs differ."""
    changed = found.steps.verdict in ("slower", "faster")
    return Fact(None, {"least": ONE_RUN.value}) if changed and not found.steps.repeated else None


VERDICT: Rule[[Compared]] = Rule(
    (
        "compare.slower",
        "compare.faster",
        "compare.noise",
        "compare.one_step",
        "compare.no_steps",
        "compare.unlike_steps",
    ),
    verdict,
    severity="info",
    limits=(NAMED, WORKS, ONE_RUN, UNEVEN, MANY_TIMES),
)
UNLIKE: Rule[[Sequence[Condition]]] = Rule("compare.unlike", unlike)
WARM_UP: Rule[[Compared]] = Rule("compare.warm_up", left_out, severity="info", limits=(COMES_AGAIN,))
ONE_CAPTURE: Rule[[Compared]] = Rule("compare.one_capture", one_capture, severity="info", limits=(ONE_RUN,))
