"""The typical step and what ran in it → the answer, what its time goes to, then every other cause worth a line."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.steps.means import SPLIT_OF
from ....analysis.steps.summary import COMPUTES
from ....messages import Message, Param
from ....tables import row_text
from ....threshold import Threshold
from ...finding import Finding, Severity
from ..listed import STEPS
from .anomaly import FIRST as ANOMALY_FIRST
from .anomaly import anomaly_mode
from .case import MOST, WORTH, Answer, Case, Cause, step_time
from .compilation import COMPILATION
from .computes import computes, precision, uneven
from .idle import IDLE, WAITING, idle_spread
from .input import INPUT, paces
from .launch import HOST_OPS, LAUNCH
from .moves import COLLECTIVES, COPIES, OUTPUT
from .notes import notes
from .program import (
    between_steps,
    calls_back,
    computes_between,
    one_by_one,
    records_graph,
    runs_ahead,
    short_ops,
    writes_summaries,
)
from .python import PYTHON
from .runtime import RUNTIME
from .slow import is_little, leads, slow
from .synchronizes import FIRST as SYNCHRONIZES_FIRST
from .synchronizes import MOSTLY, synchronizes

#: In this order; of equal ones the first is the answer.
CAUSES = (
    INPUT,
    COMPILATION,
    OUTPUT,
    COPIES,
    COLLECTIVES,
    LAUNCH,
    HOST_OPS,
    PYTHON,
    RUNTIME,
    WAITING,
    IDLE,
)
#: What a program that runs op by op loses between its ops.
_BETWEEN_OPS = ("launch", "host_compute", "runtime", "waiting", "python", "idle")
#: The causes of that, which findings on how a program runs its ops are about.
_STREWN = tuple(cause for cause in CAUSES if set(cause.keys) <= set(_BETWEEN_OPS))
PART_OF_ANY = Threshold(
    "part_of_any", 0.25, "share", "causes that count from here on are part of any step, listed only where they count"
)
TWICE = Threshold(
    "twice", 2, "times", "of two causes the actionable one ranks first, unless the other takes so much longer"
)
CALLBACK_FIRST = Threshold("callback_first", 0.2, "share", "ops of which most is a call back into Python")
BETWEEN_FIRST = Threshold(
    "between_first", 0.3, "share", "what lies between marked steps, and runs ops there, is the answer from here on"
)
LOST_FIRST = Threshold("lost_first", 0.2, "share", "what is lost between ops that run one by one")


def verdict(case: Case) -> Iterator[Finding]:
    """The first is the answer, after slow steps that cost more; then the others by their share; then notes."""
    first, causes = _answer(case)
    about_slow = list(slow(case))
    if not case.step.of_all and leads(case, about_slow[0], first):
        leading = about_slow.pop()
        yield leading.changed(severity="warning")
        severity: Severity = "note" if is_little(case, leading, first) else first.severity
        first = first.changed(
            params={**first.params, "opening": _opening(case, after_slow=True)},
            severity=severity,
        )
    yield first
    # Beside a step that computes, as it should, what else it holds is no fault.
    most: Severity = "warning" if first.severity == "warning" else "note"
    rest = [_finding(case, cause, most) for cause in CAUSES if cause not in causes and _is_listed(case, cause)]
    rest += [*about_slow, *uneven(case), *precision(case), *_calls_back(case, first), *_synchronizes(case, first)]
    rest += _debugs(case, first)
    yield from sorted(rest, key=lambda finding: -(finding.share or 0))
    yield from notes(case)


def _calls_back(case: Case, first: Finding) -> Iterator[Finding]:
    """Functions of Python that ops call, where they are not the answer."""
    back = calls_back(case)
    if back and back[0].code != first.code:
        yield _other(case, back[0], back[1], COMPUTES, "note")


def _debugs(case: Case, first: Finding) -> Iterator[Finding]:
    """A mode for debugging that is left on, where it is not the answer."""
    mode = anomaly_mode(case)
    if mode and mode[0].code != first.code:
        yield _other(case, *mode, (), "warning" if first.severity == "warning" else "note")


def _synchronizes(case: Case, first: Finding) -> Iterator[Finding]:
    """Calls that wait for the device, where they are not the answer."""
    waits = synchronizes(case)
    if waits and waits[0].code != first.code:
        yield _other(case, *waits, (), "warning" if waits[1] >= SYNCHRONIZES_FIRST.value else "note")


def _is_listed(case: Case, cause: Cause) -> bool:
    """Whether a cause is worth a line after the answer; idle time that nothing explains always is."""
    share = case.step.share(cause.keys)
    early = share >= cause.bound.value or cause.bound.value < PART_OF_ANY.value or cause is IDLE
    return share >= WORTH.value and early


def _answer(case: Case) -> tuple[Finding, tuple[Cause, ...]]:
    """The answer, and the causes that it is about."""
    bound = [cause for cause in CAUSES if cause.is_bound(case)]
    if INPUT in bound and paces(case):
        return _finding(case, INPUT, first=True), (INPUT,)
    worst = max(bound, key=lambda cause: _weight(case, cause), default=None)
    share = worst.share(case) if worst else 0.0
    strewn = worst is None or worst.keys[0] in _BETWEEN_OPS
    how = _of_the_program(case, strewn, share)
    if how is not None:
        return how
    computing = case.step.share(COMPUTES)
    back, of_step = calls_back(case) or (None, 0.0)
    if back and of_step >= max(CALLBACK_FIRST.value, MOST.value * computing) and computing > share:
        return _first(case, back, of_step, COMPUTES), ()
    if worst is not None and (share >= computing or worst.is_actionable(case, case.step.ps(worst.keys))):
        return _finding(case, worst, first=True), (worst,)
    starved = idle_spread(case, lost := case.step.share(_BETWEEN_OPS))
    if starved and lost > computing:
        return _first(case, starved, lost, _BETWEEN_OPS), ()
    return _first(case, computes(case), computing, COMPUTES, "info"), ()


def _weight(case: Case, cause: Cause) -> float:
    share = cause.share(case)
    return share if cause.is_actionable(case, case.step.ps(cause.keys)) else share / TWICE.value


def _of_the_program(case: Case, strewn: bool, share: float) -> tuple[Finding, tuple[Cause, ...]] | None:
    """The answer where it is how the program runs its ops. strewn, share: of the cause that takes most, whether it lies
    between ops, and its part of a step."""
    debugs = anomaly_mode(case)
    if debugs and debugs[1] >= ANOMALY_FIRST.value and (strewn or debugs[1] > share):
        return _first(case, *debugs, (*COMPUTES, *_BETWEEN_OPS)), _STREWN
    records = records_graph(case)
    if records and strewn:
        return _first(case, *records, _BETWEEN_OPS), _STREWN
    ahead = runs_ahead(case)
    if ahead and strewn:
        return _first(case, ahead, 1.0, ()), _STREWN
    between = min(case.summary.between_ps / max(case.summary.steps, 1) / case.step.step_ps, 1.0)
    lies = between_steps(case)
    if lies and between >= BETWEEN_FIRST.value and (strewn or between > share):
        return _first(case, lies, between, _BETWEEN_OPS), _STREWN
    computed = computes_between(case)
    if computed and between >= BETWEEN_FIRST.value and (strewn or between > share):
        return _first(case, computed, between, COMPUTES), ()
    lost = case.step.share(_BETWEEN_OPS)
    written, of_step = writes_summaries(case, lost) or (None, 0.0)
    if written and of_step >= LOST_FIRST.value and (strewn or of_step > share):
        return _first(case, written, of_step, (*_BETWEEN_OPS, "output")), (*_STREWN, OUTPUT)
    short, of_step = short_ops(case) or (None, 0.0)
    if short and (strewn or of_step > share):
        return _first(case, short, of_step, COMPUTES), _STREWN
    waits, after = synchronizes(case) or (None, 0.0)
    if waits and after >= max(SYNCHRONIZES_FIRST.value, MOSTLY.value * lost) and (strewn or after > share):
        return _first(case, waits, after, ()), _STREWN
    dispatched, of_step = one_by_one(case, lost) or (None, 0.0)
    if dispatched and of_step >= LOST_FIRST.value and (strewn or of_step > share):
        return _first(case, dispatched, of_step, _BETWEEN_OPS), _STREWN
    return None


def _finding(case: Case, cause: Cause, most: Severity = "warning", first: bool = False) -> Finding:
    share = case.step.share(cause.keys)
    severity: Severity = most if cause.is_bound(case) else "note"
    answer = cause.explain(case, share * case.step.step_ps)
    return (_first if first else _other)(case, answer, share, cause.keys, severity)


def _first(case: Case, answer: Answer, share: float, keys: tuple[str, ...], severity: Severity = "warning") -> Finding:
    """As the answer: its sentence begins with how long steps take."""
    return _other(case, answer, share, keys, severity, _opening(case))


def _opening(case: Case, after_slow: bool = False) -> Message:
    step = case.step
    return step_time(step.means, step.step_ps, int(step.means.typical.sum()), after_slow)


def _other(
    case: Case,
    answer: Answer,
    share: float,
    keys: tuple[str, ...],
    severity: Severity = "warning",
    opening: Message | None = None,
) -> Finding:
    of_steps = bool(keys) and answer.tool == "trace_viewer"
    params: dict[str, Param] = {"opening": opening, "ps": share * case.step.step_ps, "share": share, **answer.params}
    return Finding(
        code=answer.code,
        params={name: value for name, value in params.items() if value is not None},
        severity=severity,
        share=min(share, 1.0),
        tool=answer.tool,
        search=_row(case, keys) if of_steps else answer.search,
        match="row" if of_steps else "text",
        evidence=case.step.evidence(keys, STEPS),
    )


def _row(case: Case, keys: tuple[str, ...]) -> str:
    """The rows of the split, of the steps that are judged, which some categories have: the trace shows when."""
    choice = None if case.step.of_all else "typical"
    return row_text("overview.split.step_ms", category=",".join(keys), **{SPLIT_OF.name: choice})
