"""The typical step and what ran in it → the answer, what its time goes to, then every other cause worth a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from ....analysis.path.costs import MOST_OF_PARENT, Part, part_of
from ....analysis.steps.means import (
    MAX_ROWS,
    SLOW,
    SPLIT_OF,
    HostSteps,
    OutOfSteps,
    StepMeans,
    all_out_of_steps,
    outside_steps,
)
from ....analysis.steps.summary import COMPUTES, SlowSteps, inferred_share, is_output, slow_steps
from ....messages import Message, Param
from ....patterns import regex
from ....tables import Evidence, row_text
from ....threshold import Threshold
from ....timeline.assignment import MUCH_OUTSIDE
from ....timeline.steps.find import RULES
from ....timeline.steps.model import OtherLoop
from ....timeline.timeline import CATEGORIES
from ...finding import PARTS, PLACES, STEPS, Finding, Severity, selection_of
from ...text.catalogue import MODIFIERS, ON_PATH
from .case import MOST, WORTH, Answer, Case, Cause, largest, step_time
from .causes import (
    ANOMALY_FIRST,
    COLLECTIVES,
    COMPILATION,
    COPIES,
    HOST_OPS,
    IDLE,
    INPUT,
    LAUNCH,
    MOSTLY,
    OUTPUT,
    PYTHON,
    RUNTIME,
    SYNCHRONIZES_FIRST,
    WAITING,
    anomaly_mode,
    between_steps,
    calls_back,
    computes,
    computes_between,
    idle_spread,
    one_by_one,
    paces,
    precision,
    records_graph,
    runs_ahead,
    short_ops,
    synchronizes,
    uneven,
    writes_summaries,
)
from .modifiers import grows, odd_work

# Time from the first op to the last that is in no step → how much that is, and what it goes to.

OUTSIDE_WORTH = Threshold("part of time in no step", 0.01, "share", "a part that is less is not worth its name")
#: Findings on time beside steps.
IN_NO_STEP = "time_in_no_step"
#: Findings on the work of devices beside steps.
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
        if share >= OUTSIDE_WORTH.value
    )


def _longest(parts: Sequence[HostSteps]) -> tuple[Evidence, ...]:
    places = [Evidence(part.host, *when) for part in parts for when in part.out_of_steps.longest]
    return tuple(sorted(places, key=lambda place: place.start_ps - place.end_ps)[:PLACES])


# Other loops of a host than the one whose steps are judged → that they are in no figure, and what they are.

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
                    yield _loops_finding(part, loops, code, severity)
            return


def _loops_finding(part: HostSteps, loops: list[OtherLoop], code: str, severity: Severity) -> Finding:
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


# What the tracer of Python itself takes of a step → a finding.

TRACED_CALL_PS = Threshold(
    "traced call",
    250_000,
    "ps",
    "a call of a function takes at least so much longer while it is traced",
    "an empty function, called 200,000 times on a CPU: 0.50 µs longer by PyTorch 2.13's tracer, 0.28 µs by JAX 0.10's",
)


def traced(case: Case) -> Iterator[Finding]:
    """That steps are longer than without the capture."""
    calls = case.summary.traced_calls / max(case.summary.steps, 1)
    ps = min(calls * TRACED_CALL_PS.value, case.step.step_ps)
    share = ps / case.step.step_ps
    if share >= WORTH.value:
        params = {"calls": round(calls), "ps": ps, "share": share}
        yield Finding(code="python_tracer_costs", params=params, severity="note", share=share)


# What one has to know to read the numbers of steps.


def notes(case: Case) -> Iterator[Finding]:
    steps = case.step.steps
    if any(each.on_device for each in steps):
        yield Finding(code="steps_on_device")
    yield from other_loops(case.step.means.parts)
    yield from time_outside(case.step.means.parts)
    yield from _outside(case.step.means)
    yield from traced(case)
    others: dict[Message, int] = {}
    for each in steps:
        others |= {what: others.get(what, 0) + n for what, n in each.others.items()}
    listed = [(what, n) for what, n in others.items() if n > 1][:PARTS]
    if listed:
        events = tuple(Message("repeats_not_steps.event", {"name": name, "times": n}) for name, n in listed)
        yield Finding(code="repeats_not_steps", params={"events": events})
    yield from all_of_a_long_run(case.step.means)
    left_out = sum(part.split.left_out for part in case.step.means.parts)
    if left_out:
        yield Finding(code="steps_not_split", params={"steps": left_out}, severity="note")


def _outside(means: StepMeans) -> Iterator[Finding]:
    """That much of what devices did is in no step."""
    work = outside_steps(means.parts)
    if work.outside_ps > MUCH_OUTSIDE.value * work.busy_ps:
        share = work.outside_ps / work.busy_ps
        params = {"outside_ps": work.outside_ps, "share": share}
        yield Finding(code=OUTSIDE_STEPS, params=params, severity="note", share=share)


def all_of_a_long_run(means: StepMeans) -> Iterator[Finding]:
    """That a table holds not all steps."""
    if len(means) > MAX_ROWS:
        yield Finding(code="steps_table_cut", params={"shown": MAX_ROWS, "steps": len(means)})


# Steps that take far longer than the others → how much, and what they have more of, and what only they run.

LEADS = Threshold(
    "slow_steps_first",
    0.1,
    "share",
    "of the time of all steps, from which on slow steps are the answer beside typical ones that nothing is wrong with",
)
SAME = Threshold(
    "no more ops in slow steps",
    1.25,
    "times",
    "the ops of a typical step; a slow one that runs no more has the same work, and takes longer for what is not the "
    "program's: others that want the processor, or clocks",
)
ONLY = Threshold(
    "only_slow_steps", 0.3, "share", "of what slow steps take more; what only they run is named from here on"
)
LITTLE = Threshold(
    "cause of the other steps",
    0.05,
    "share",
    "of the time of all steps; what the others could do without is less beside slow steps that come back, and no "
    "warning is due",
    "as for the causes of a step's time",
)
#: The category of tracing and compiling: what compiles says more than what else only runs then.
SLOW_COMPILATION = "compilation"
SLOW_OUTPUT, SLOW_PYTHON = "output", "python"
#: What slow steps are called.
SLOW_STEPS = ("slow_step.first", "slow_step", "slow_steps", "slow_step.of_two")


def slow(case: Case) -> Iterator[Finding]:
    steps = slow_steps(case.step.means, STEPS)
    if steps is None:
        return
    params: dict[str, Param] = {
        "step": steps.number,
        "wall_ps": steps.wall_ps,
        "times": steps.wall_ps / steps.median_ps,
        "median_ps": steps.median_ps,
        "more_ps": steps.more_ps,
        "category": Message(f"time_in.{steps.category}"),
    }
    name, spent = largest(case.summary.only_slow)
    each_ps = spent.ps / max(case.summary.slow, 1)
    function, compiled = largest(case.summary.slow_compiled)
    if steps.category == SLOW_COMPILATION and steps.steps > 1 and compiled.times > 1:
        params |= {"compiled": function, "compiles": compiled.times}
    elif each_ps >= ONLY.value * steps.all_more_ps / steps.steps:
        params |= {"only": name, "only_ps": each_ps}
    elif _is_same_work(case, steps):
        params["same"] = True
    elif pause := _pause(case, steps):
        params["pause"] = pause
    writes = steps.category == SLOW_OUTPUT or is_output(str(params.get("only", "")))
    if writes or case.summary.slow_saves.ps >= ONLY.value * steps.all_more_ps:
        params["writes"] = True
    code = SLOW_STEPS[0] if steps.first else SLOW_STEPS[1]
    if steps.two:
        code = SLOW_STEPS[3]
    elif steps.steps > 1:
        code, params = SLOW_STEPS[2], {**params, "slow": steps.steps, "steps": steps.of, "factor": SLOW.value}
    yield Finding(
        code=code,
        params=params,
        severity="note",
        share=steps.share,
        tool="trace_viewer",
        evidence=steps.places,
    )


def _pause(case: Case, steps: SlowSteps) -> Message | None:
    """In which stretch without any event most of what slow steps have more of Python lies."""
    enough = ONLY.value * steps.all_more_ps
    after, spent = largest(case.summary.slow_pauses)
    if steps.category != SLOW_PYTHON or spent.ps < enough:
        return None
    n = max(case.summary.slow, 1)
    if case.summary.slow_saves.ps >= enough:
        return Message("slow_pause.saves", {"pause_ps": case.summary.slow_saves.ps / n})
    return Message("slow_pause", {"pause_ps": spent.ps / n, "after": after})


def _is_same_work(case: Case, steps: SlowSteps) -> bool:
    """Whether slow steps compute for longer, and run no more ops than the others."""
    each = case.summary.ops / max(case.summary.steps, 1)
    ran = case.summary.slow_ops / max(case.summary.slow, 1)
    return steps.category in COMPUTES and 0 < ran <= SAME.value * each


def leads(case: Case, slow: Finding, answer: Finding) -> bool:
    """Whether slow steps cost more of the run than what typical steps could do without; where these only compute, and
    slow ones the same for longer, than compute does: one is as little the program's fault as the other."""
    share = slow.share or 0.0
    if answer.severity == "info":
        computing = case.step.share(COMPUTES) * case.step.part_of_run
        return share >= (computing if slow.params.get("same") else LEADS.value)
    return share >= (answer.share or 0.0) * case.step.part_of_run


def is_little(case: Case, slow: Finding, answer: Finding) -> bool:
    """Whether what the other steps could do without is next to nothing of the run, in which slow ones come back."""
    once = slow.code in (SLOW_STEPS[0], SLOW_STEPS[3])
    of_run = (answer.share or 0.0) * case.step.part_of_run
    return answer.severity == "warning" and not once and of_run < LITTLE.value


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
    if case.step.of_all or not leads(case, about_slow[0], first):
        first = _growing(case, first)
    else:
        leading = about_slow.pop()
        yield _growing(case, leading.changed(severity="warning"))
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


def _growing(case: Case, finding: Finding) -> Finding:
    """With how steps grow."""
    found = grows(case)
    if found is None:
        return finding
    message, warns = found
    modifiers = finding.params.get(MODIFIERS, ())
    rest = modifiers if isinstance(modifiers, tuple) else ()
    severity: Severity = "warning" if warns else "note" if finding.severity == "info" else finding.severity
    return finding.changed(params={**finding.params, MODIFIERS: (message, *rest)}, severity=severity)


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
        return _back(case, back, of_step), ()
    if worst is not None and (share >= computing or worst.is_actionable(case, case.step.ps(worst.keys))):
        return _finding(case, worst, first=True), (worst,)
    starved = idle_spread(case, lost := case.step.share(_BETWEEN_OPS))
    if starved and lost > computing:
        return _first(case, starved, lost, _BETWEEN_OPS), ()
    first = _other(case, computes(case), computing, COMPUTES, "info", _opening(case))
    return _largest_part(case, first, COMPUTES), ()


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
    finding = _other(case, answer, share, cause.keys, severity, _opening(case) if first else None)
    shown = [key for key in cause.keys if case.shown(key) >= MOST_OF_PARENT.value * case.step.share((key,)) > 0]
    finding = structs.replace(finding, whatif="; ".join(f"category:{key}" for key in shown))
    return _largest_part(case, finding, cause.keys) if first else finding


def _first(case: Case, answer: Answer, share: float, keys: tuple[str, ...], severity: Severity = "warning") -> Finding:
    """As the answer: its sentence begins with how long steps take."""
    finding = _other(case, answer, share, keys, severity, _opening(case))
    part = case.part(keys)
    return _with_part(case, finding, part) if part and part.most and part.kind == "function" else finding


def _back(case: Case, answer: Answer, share: float) -> Finding:
    """That ops call back into Python; where one of them, and no other, is the part of the path to name, with what that
    costs."""
    first, part = _first(case, answer, share, COMPUTES), case.part(COMPUTES)
    if part is None or answer.search not in part.name or case.on_path(part.ps) < share - APART.value:
        return first
    return _with_part(case, first, part).changed(share=sum(case.without(part)) / 2)


def _largest_part(case: Case, finding: Finding, keys: tuple[str, ...]) -> Finding:
    """With what of the critical path it is, and what is odd about that; of what computes, which is no cost as a whole,
    its share is what a step would take less without the part, or what the odd work costs."""
    part = case.part(keys)
    share = finding.share or 0.0
    if part is not None:
        finding = _with_part(case, finding, part)
        gain = sum(case.without(part)) / 2
        if keys == COMPUTES:
            share = gain
        elif part.most:
            share = max(share, case.on_path(part.own_ps), gain)
    if odd := odd_work(case, part, keys):
        finding = finding.changed(params={**finding.params, MODIFIERS: tuple(each.message for each in odd)})
        if keys == COMPUTES:
            share, finding = odd[0].cost, finding.changed(severity="note")
    return finding.changed(share=min(share, 1.0))


#: Kinds of work that the name of a part shows and does not say in plain words.
_KINDS = {
    "part_kind.random": regex(
        r"(?:^|[/`_(: ])(?:random\w*|rng\w*|threefry\w*|normal|uniform|bernoulli|multinomial|rand\w*|truncated_normal)"
        r"\b(?!_)|Random(?:Standard|Uniform|Normal)",
        re.IGNORECASE,
    )
}
APART = Threshold("apart", 0.02, "share", "of a step; two estimates that are nearer to each other are one")


#: From here on a finding says it.
INFERRED = Threshold(
    "inferred part of the path",
    0.25,
    "share",
    "where more of the path rests on the order in time, it is doubtful",
)


def with_run_path(finding: Finding, case: Case) -> Finding:
    """With what the path of the run holds, where ranks wait for each other."""
    part = part_of(case.run.costs) if case.run and ON_PATH not in finding.params else None
    return _with_part(case, finding, part) if part else finding


def _with_part(case: Case, finding: Finding, part: Part) -> Finding:
    if selection := selection_of(part.kind, part.name.replace("`", "")):
        finding = structs.replace(finding, whatif=selection)
    if part.name in finding.title and case.run is None:
        return finding
    least, most = case.without(part)
    on_path: dict[str, Param] = {
        "name": part.name,
        "rank": case.rank(part),
        "inside": part.inside,
        "kind": next((Message(code) for code, like in _KINDS.items() if like.search(part.name + part.inside)), None),
        "share": case.on_path(part.ps),
        "ps": case.on_path(part.ps) * case.step.step_ps,
        "most": part.most,
        "most_ps": (1 - least) * case.step.step_ps,
    }
    if (serving := case.serving(part)) >= APART.value:
        on_path["serving"] = serving
    if most - least >= APART.value:
        on_path["least_ps"] = (1 - most) * case.step.step_ps
    inferred = inferred_share([case.summary])
    # On hosts alone no flow shows what a thread waits for, and the order in time does.
    if case.step.device and inferred is not None and inferred > INFERRED.value:
        on_path["inferred"] = inferred
    return finding.changed(params={**finding.params, ON_PATH: Message("on_path", on_path)})


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


# Steps that are a guess → a finding.


def guessed(parts: Iterable[HostSteps]) -> Iterator[Finding]:
    """That steps are a guess, by what rule, and what was seen."""
    hosts = [p.split.steps for p in parts if len(p.split.steps)]
    evidence = {s.rule: s.evidence for s in reversed(hosts) if s.confidence == "guess"}
    for rule in RULES:
        if rule.name in evidence:
            params = {"rule": rule.title, "evidence": evidence[rule.name]}
            yield Finding(code="steps_guessed", params=params, severity="note")
