"""Time in which the framework's runtime works and runs no op → around which ops, or in which of its functions."""

from __future__ import annotations

import re

from ....messages import Message, Param
from ....threshold import Threshold
from ....timeline.names.kernels import ALLOCATES
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
DISPATCH_PS = Threshold(
    "dispatch of an op",
    100_000_000,
    "ps",
    "a runtime needs no longer to start an op; where that does not add up, something else takes its time",
    "10 to 60 µs a step of few ops in captures of TensorFlow and JAX on CPUs",
)
ADDS_UP = Threshold("adds_up", 0.5, "share", "the ops' number explains the runtime's time from this part of it on")
#: Events in which arrays are converted, or copied to where they are computed with.
_MOVES = re.compile(
    r"(?:H2D|D2H) Dispatch|.*(?:DevicePut|device_put|shard_args|BufferFromHost|TransferTo|Linearize|CopyTo|asarray)|"
    r"convert_to_tensor|tf\.constant|EagerConst|.*ToTensor|.*_FromArray"
)


def _runtime(case: Case, ps: float) -> Answer:
    if case.step.device:
        return _on_the_host(case, ps)
    work, ops = case.summary.all_work, work_a_step(case, "ops_a_step")
    if ops is None:
        event = _event(case, ps)
        return Answer("runtime_bound.no_op", {"event": event}, search=event)
    event = _event(case, ps)
    enough = case.a_step(work).times * DISPATCH_PS.value >= ADDS_UP.value * ps
    unrecorded = work.ps < MOST.value * case.of_all(ps)
    few = unrecorded and case.a_step(work).times < FEW.value
    if not enough and (event or few):
        return _largest_event(case, event, ops)
    if few:
        return Answer("runtime_bound.few_ops", {"ops": ops})
    params: dict[str, Param] = {"tiny": _are_tiny(case) or unrecorded, "unrecorded": unrecorded, "ops": ops}
    return Answer("runtime_bound", params)


def _largest_event(case: Case, event: str, ops: Message) -> Answer:
    params: dict[str, Param] = {"ops": ops}
    if event:
        spent = case.a_step(case.summary.events[event])
        times = spent.times if spent.times > 1 else None
        params |= {"event": event, "times": times, "event_ps": spent.ps, "moves": bool(_MOVES.match(event))}
    return Answer("runtime_bound.event", params, search=event)


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


def _is_avoidable(case: Case, ps: float) -> bool:
    """Whether a step runs so many and so short ops that what the runtime does around them is their cost, or most of it
    is to convert or to move arrays."""
    many = case.a_step(case.summary.all_work).times >= MANY.value and _are_tiny(case)
    return many or bool(_MOVES.match(_event(case, ps)))


RUNTIME = Cause("runtime", ("runtime",), FIRST, _runtime, _is_avoidable)
