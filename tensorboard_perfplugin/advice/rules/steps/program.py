"""How a program runs its ops, where that and no single category is the answer: ahead, between steps, one by one."""

from __future__ import annotations

import re

from ....analysis.steps.contents import Ranking
from ....analysis.steps.summary import COMPUTES
from ....messages import Param, Params
from ....threshold import CHOSEN, Threshold
from ..ahead import only_issue
from .case import MOST, WORTH, Answer, Case, bare, largest
from .python import PYTHON, interrupted

ONE_BY_ONE = Threshold(
    "one_by_one",
    12,
    "ops or calls a step",
    "so many, run one by one from Python, are a program in eager mode; a compiled one makes a few such calls, for its "
    "counters and metrics",
)
DISPATCH_PS = Threshold(
    "dispatch_ps",
    10**9,
    "ps",
    "a program spends no longer on each of the ops or functions that it runs one by one; where more is lost, something "
    "else takes it",
)
EXPLAINS = Threshold(
    "calls explain what is lost",
    0.5,
    "share",
    "of what is lost between ops; where calls and the Python between them take less, something else takes it",
)
BETWEEN_COMPUTES = Threshold(
    "between_computes",
    0.5,
    "share",
    "of the time between marked steps; where functions that are called there alone, or their ops, take so much, these "
    "are what it goes to",
    CHOSEN,
)
RECORDS = Threshold(
    "records_graph", 0.3, "share", "a step that records a graph for so long runs little of what it launches"
)
SHORT_OPS = Threshold(
    "short_ops",
    100,
    "operators a step",
    "a step of a small model makes fewer calls so short that no other operator makes; more of them are a loop over "
    "elements or parameters, or many layers",
)
SHORT_FIRST = Threshold(
    "short_ops_first", 0.2, "share", "of a step without what others had of the processor, that goes into short ops"
)
SUMMARIES = Threshold(
    "summaries written one by one",
    0.5,
    "share",
    "of the ops of a step; where summaries run fewer, other ops are what is between the calls",
    CHOSEN,
)
#: What a summary runs in eager mode: `LogicalAnd`, whether it is to be recorded, `Identity`, and what writes it.
_OPS_OF_A_SUMMARY = 3
_SUMMARY = re.compile(r"(?:.*/)?Write(?:\w+)?Summary(?: \(.*\))?")
#: Operators that fetch one number.
_FETCHES = ("aten::item", "aten::_local_scalar_dense", "aten::is_nonzero")
#: The event of an op that runs eagerly.
EAGER = "EagerExecute"
#: Ops that call a function of Python, by name or type.
_CALLS_BACK = re.compile(
    r"(?:.*[./ (])?(?:(?:Eager|Stateless)?PyFunc\w*|\w*(?:debug|python|pure|io|host|cpu|gpu)_callback\w*|"
    r"xla_(?:ffi_)?python_\w*|outside_call\w*)(?:[. )].*)?",
    re.IGNORECASE | re.DOTALL,
)
#: Ops that print, or prepare what is printed.
_PRINTS = re.compile(r"(?:.*[./ (])?(?:debug_print|PrintV2|Print|StringFormat)(?:[._ )].*)?", re.DOTALL)


def runs_ahead(case: Case) -> Answer | None:
    """Steps that only issue work, on a CPU that does it later: their time says nothing about it."""
    inside, outside = case.summary.all_work.ps, case.summary.outside_ps
    if case.step.device or not only_issue(inside, outside, case.of_all(case.step.step_ps)):
        return None
    late = outside / (inside + outside)
    return Answer("runs_ahead", {"late": late, "outside_ps": outside, "inside_ps": inside})


def records_graph(case: Case) -> tuple[Answer, float] | None:
    """Steps in which launches are recorded into a graph, and do not run; with the part of a step that takes."""
    recording = case.summary.recording
    share = min(recording.ps / case.of_all(case.step.step_ps), 1.0)
    return (Answer("records_graph", {}), share) if share >= RECORDS.value else None


def between_steps(case: Case) -> Answer | None:
    """Steps between which the program runs many ops: callbacks that save, log or compute."""
    ops = case.a_step(case.summary.eager_between).times
    if ops < ONE_BY_ONE.value:
        return None
    name = largest(case.summary.between)[0]
    return Answer("between_steps", {"ops": ops, "op": name}, search=bare(name))


def computes_between(case: Case) -> Answer | None:
    """Steps between which the program calls other compiled functions, which compute: an evaluation. What a step began
    and ends after its mark is the step's own."""
    called = case.summary.calls_between
    if case.step.device or not called:
        return None
    own = {op: spent for op, spent in case.summary.only_between.items() if _is_of(op, called)}
    calls_ps, ops_ps = (sum(spent.ps for spent in ranked.values()) for ranked in (called, own))
    enough = BETWEEN_COMPUTES.value * max(case.summary.between_ps, 1)
    if min(max(calls_ps, ops_ps), case.of_all(case.step.ps(COMPUTES))) < enough:
        return None
    name, spent = largest(called)
    times = case.a_step(spent).times
    params: Params = {
        "function": name,
        "op": largest(own)[0] if ops_ps >= enough else None,
        "times": times if times > 1 else None,
    }
    return Answer("between_steps.computes", {key: value for key, value in params.items() if value is not None})


def _is_of(op: str, functions: Ranking) -> bool:
    """Whether an op may be of one of some functions: JAX says of which it is."""
    return not op.startswith("jit(") or any(op.startswith(f"jit({name})") for name in functions)


def writes_summaries(case: Case, lost: float) -> tuple[Answer, float] | None:
    """A step that writes many summaries one by one, outside of the compiled step; and what of a step that takes. lost:
    of a step, between ops. Each runs ops beside the one that writes, and most of its time lies between them."""
    written = sum(case.a_step(spent).times for name, spent in case.summary.work.items() if _SUMMARY.fullmatch(name))
    ops = case.a_step(case.summary.all_work).times
    if case.step.device or written < ONE_BY_ONE.value:
        return None
    part = min(_OPS_OF_A_SUMMARY * written / max(ops, 1), 1.0)
    if part < SUMMARIES.value:
        return None
    share = part * min(lost + case.step.share(("output",)), 1.0)
    return Answer("output_bound.summaries", {"times": written, "ops": ops}, search="WriteSummary"), share


def one_by_one(case: Case, lost: float) -> tuple[Answer, float] | None:
    """A step that runs op by op, or that calls many small compiled functions; and what of a step that takes. lost: of
    a step, between ops."""
    summary = case.summary
    eager, calls = case.a_step(summary.eager), case.a_step(summary.all_calls)
    times = max(eager.times, calls.times)
    computes_ps = case.step.ps(COMPUTES)
    if times < ONE_BY_ONE.value or case.step.step_ps - computes_ps > times * DISPATCH_PS.value:
        return None
    computes: Params = {
        "computes_ps": computes_ps,
        "computes_share": case.step.share(COMPUTES),
        "little": computes_ps < case.step.step_ps / 2,
    }
    if eager.times >= calls.times:
        each_ps = summary.eager.ps / summary.eager.times
        params: Params = {**computes, "ops": times, "each_ps": each_ps, "graphs": bool(summary.graphs) or None}
        return Answer("eager_steps", params, "op_stats", EAGER), lost
    in_calls = calls.ps / case.step.step_ps + case.step.share(("python",))
    if in_calls < EXPLAINS.value * lost:
        return None
    name, each_ps = largest(summary.calls)[0], summary.all_calls.ps / summary.all_calls.times
    return Answer("small_calls", {**computes, "calls": times, "each_ps": each_ps, "function": name}, search=name), min(
        lost, in_calls
    )


def short_ops(case: Case) -> tuple[Answer, float] | None:
    """Steps of PyTorch on a CPU that call operators on next to nothing one by one; and what these take of a step."""
    summary, calls = case.summary, case.a_step(case.summary.all_short_calls)
    if case.step.device or calls.times < SHORT_OPS.value:
        return None
    ps = calls.ps + summary.short_gaps_ps / max(summary.steps, 1)
    share = _undisturbed(case, ps)
    if share < SHORT_FIRST.value:
        return None
    other = case.step.share(("python",)) - summary.short_gaps_ps / case.of_all(case.step.step_ps)
    if share <= min(other, PYTHON.share(case)):
        return None
    most = {name: case.a_step(spent) for name, spent in summary.short_calls.items()}
    fetch = next((name for name in _FETCHES if name in most), "")
    fetches = bool(fetch) and most[fetch].times >= MOST.value * calls.times
    name = fetch if fetches else max(most, key=lambda name: most[name].times)
    params: dict[str, Param] = {
        "ops": calls.times,
        "each_ps": share * case.step.step_ps / calls.times,
        "op": name,
        "op_times": most[name].times,
        "fetches": fetches,
    }
    updates = case.a_step(summary.short_updates).times
    if updates >= MOST.value * calls.times:
        params["updates"] = updates
    if fetch and not fetches and most[fetch].times >= ONE_BY_ONE.value:
        params |= {"also": fetch, "also_times": most[fetch].times}
    return Answer("short_ops", params, "op_stats", name), share


def _undisturbed(case: Case, short_ps: float) -> float:
    """The part of a step that short ops would take if others had not had the processor meanwhile."""
    over_ps = min(case.summary.short_over_ps / max(case.summary.steps, 1), short_ps)
    others_ps = max(over_ps, interrupted(case) * case.step.step_ps)
    return min((short_ps - over_ps) / max(case.step.step_ps - others_ps, 1.0), 1.0)


def calls_back(case: Case) -> tuple[Answer, float] | None:
    """A step of which the largest op is a function of Python, or prints; and what of a step such ops take."""
    for code, pattern in (("calls_back", _CALLS_BACK), ("calls_back.prints", _PRINTS)):
        names = (largest({name: s for name, s in ops.items() if pattern.fullmatch(name)}) for ops in _ops(case))
        sums = [sum(s.ps for name, s in ops.items() if pattern.fullmatch(name)) for ops in _ops(case)]
        name, spent = max(names, key=lambda pair: pair[1].ps)
        share = min(max(sums) / case.of_all(case.step.step_ps), case.step.share(COMPUTES))
        if share >= WORTH.value:
            times = case.a_step(spent).times
            params: Params = {"op": name, "times": times if times > 1 else None}
            return Answer(code, params, search=bare(name)), share
    return None


def _ops(case: Case) -> tuple[Ranking, Ranking]:
    return case.summary.work, case.summary.types
