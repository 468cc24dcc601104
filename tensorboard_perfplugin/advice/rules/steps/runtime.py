"""Time in which the framework's runtime works and runs no op → around which ops, or in which of its functions."""

from __future__ import annotations

from ....messages import Param
from ....threshold import Threshold
from ....timeline import ALLOCATES
from .case import MOST, Answer, Case, Cause, largest, work_a_step

FIRST = Threshold("runtime_first", 0.3, "share", "the runtime, of which every program needs some")
TINY_PS = Threshold(
    "tiny_ps",
    20_000_000,
    "ps",
    "an op shorter than this on a host costs about as much to run as it computes",
    "a runtime needs some µs for each op, in captures of TensorFlow and JAX on CPUs",
)
MANY = Threshold("many_ops", 200, "ops", "so many ops a step are many: a model without a loop has tens for each layer")
FEW = Threshold(
    "few_ops", 50, "ops", "up to so many ops a step, their number is no reason for what is spent around them"
)


def _runtime(case: Case, ps: float) -> Answer:
    if case.step.device:
        return _on_the_host(case, ps)
    work, ops = case.summary.all_work, work_a_step(case, "ops_a_step")
    if ops is None:
        event = _event(case, ps)
        return Answer("runtime_bound.no_op", {"event": event}, search=event)
    unrecorded = work.ps < MOST.value * case.of_all(ps)
    if unrecorded and case.a_step(work).times < FEW.value:
        return Answer("runtime_bound.few_ops", {"ops": ops})
    params: dict[str, Param] = {"tiny": _are_tiny(case) or unrecorded, "unrecorded": unrecorded, "ops": ops}
    return Answer("runtime_bound", params)


def _on_the_host(case: Case, ps: float) -> Answer:
    event = _event(case, ps)
    if not event or not ALLOCATES.fullmatch(event):
        return Answer("runtime_bound.device", {"event": event}, search=event)
    times = case.a_step(case.summary.events[event]).times
    params: dict[str, Param] = {"event": event, "times": times if times > 1 else None, "once": times == 1}
    return Answer("runtime_bound.allocator", params, search=event)


def _event(case: Case, ps: float) -> str:
    """What most of the runtime's time is in, or nothing."""
    name, spent = largest(case.summary.events)
    return name if case.is_most(spent, ps) else ""


def _are_tiny(case: Case) -> bool:
    return case.summary.all_work.ps < TINY_PS.value * case.summary.all_work.times


def _has_tiny_ops(case: Case, ps: float) -> bool:
    """Whether a step runs so many and so short ops that what the runtime does around them is their cost."""
    return case.a_step(case.summary.all_work).times >= MANY.value and _are_tiny(case)


RUNTIME = Cause("runtime", ("runtime",), FIRST, _runtime, _has_tiny_ops)
