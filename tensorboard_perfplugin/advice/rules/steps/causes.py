"""What a step's time goes to → the cause and its answer, a rule a cause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....analysis.input.bottleneck import Bottleneck
from ....analysis.steps.contents import Ranking
from ....analysis.steps.summary import COMPUTES, device_compute
from ....messages import Message, Param, Params
from ....patterns import regex
from ....threshold import Threshold
from ....timeline.names.kernels import ALLOCATES
from ....timeline.names.ops import UNATTRIBUTED
from ....timeline.steps.model import MARKED
from ...finding import Finding
from ..limit import blamed
from .case import (
    MOST,
    WORTH,
    Answer,
    Case,
    Cause,
    bare,
    function_name,
    largest,
    never,
    only_issue,
    other_parts,
    work_a_step,
)

# What autograd's anomaly mode takes of a step → an answer.

ANOMALY_FIRST = Threshold(
    "anomaly_first", 0.1, "share", "of a step, from which on a mode for debugging that is left on is the answer"
)


def anomaly_mode(case: Case) -> tuple[Answer, float] | None:
    """With what of a step it takes: no step needs any of it."""
    spent = case.a_step(case.summary.anomaly)
    share = min(spent.ps / case.step.step_ps, 1.0)
    if not spent.times or share < WORTH.value:
        return None
    return Answer("anomaly_mode", {"nodes": spent.times}, "op_stats", "aten::isnan"), share


# Tracing and compiling functions → which, and how often.

COMPILATION_FIRST = Threshold(
    "compilation_first", 0.1, "share", "compilation, of which a program that is warm needs nothing"
)


def _compiles(case: Case, ps: float) -> Answer:
    name, spent = largest(case.summary.compiled)
    if spent.times == 1:
        return Answer("compiles_once", {"function": name}, search=bare(name))
    params: dict[str, Param] = {"function": name, "times": spent.times, "steps": case.summary.steps}
    return Answer("compiles_again", params if name else {}, search=bare(name))


COMPILATION = Cause("compilation", ("compilation",), COMPILATION_FIRST, _compiles)


# Compute: what takes most of it, whether one device has more of it than others, and in how many bits it is.

OF_A_TYPE = Threshold(
    "of_a_type", 1.5, "times", "all ops of a type take so much longer than the largest op that the type is named"
)
UNEVEN = Threshold("uneven", 0.15, "share", "devices are uneven where one computes so much longer than the mean")
WIDE = Threshold("wide", 0.5, "share", "compute in 32 bits or more is worth a line from this share of a step on")
NARROW = Threshold("narrow", 0.1, "share", "a program with so much of its compute in 16 or 8 bits knows of them")


def computes(case: Case) -> Answer:
    """The findings where no cause is the answer."""
    ops = case.ops
    name, spent = largest(ops.work)
    most = case.step.ps(COMPUTES) >= case.step.step_ps / 2
    params: dict[str, Param] = {"most": most, "others": () if most else other_parts(case)}
    if not spent.ps:
        return Answer("computes.no_op", params, "op_stats")
    whole = max(ops.all_work.ps, 1)
    kind, of_kind = largest(ops.types)
    if part := case.part(COMPUTES):
        return Answer("computes", params, "op_stats", part.op)
    params |= {"op": name, "op_share": spent.ps / whole}
    if kind not in ("", UNATTRIBUTED) and of_kind.ps > OF_A_TYPE.value * spent.ps:
        params |= {"type": kind, "type_share": of_kind.ps / whole}
    return Answer("computes", params, "op_stats", bare(name))


def uneven(case: Case) -> Iterator[Finding]:
    """Devices of which one computes for longer, so that the others wait for it."""
    devices = device_compute(case.step.means)
    if len(devices) < 2:
        return
    mean, longest = sum(device.ps for device in devices) / len(devices), max(devices)
    if longest.ps > (1 + UNEVEN.value) * mean:
        yield Finding(
            code="uneven_devices",
            params={
                "device": longest.device,
                "host": longest.host,
                "ps": longest.ps,
                "more": longest.ps / mean - 1,
                "devices": len(devices),
            },
            severity="note",
            share=min((longest.ps - mean) / case.step.step_ps, 1),
            tool="pod_viewer",
        )


def precision(case: Case) -> Iterator[Finding]:
    """Compute in more bits than a model may need."""
    wide = case.step.share(("compute_32bit", "compute_tf32", "compute_64bit"))
    narrow = case.step.share(("compute_8bit", "compute_16bit"))
    types, summary = {"bfloat16": case.summary.bfloat16, "float16": case.summary.float16}, case.summary
    if case.step.device and not summary.wide_only and wide > WIDE.value and narrow < NARROW.value * (wide + narrow):
        known = {name: True for name, hosts in types.items() if hosts and sum(types.values()) == hosts}
        params = {"wide": wide, "narrow": narrow, **known}
        yield Finding(code="wide_precision", params=params, severity="note", share=min(wide, 1.0), tool="op_stats")


# Time in which nothing happens: a thread waits, or it is unknown why.

WAITING_FIRST = Threshold("waiting_first", 0.3, "share", "waits, of which every program has some")
IDLE_FIRST = Threshold("idle_first", 0.3, "share", "idle time that nothing explains")
UNSEEN = Threshold(
    "waits for what is not seen", 0.5, "share", "of what waits, it is the call that waits for a device without work"
)
SPREAD = Threshold(
    "idle_spread",
    0.5,
    "share",
    "a device that has no work for so much of a step is what to look at, also where no cause of it is large",
)


def idle_spread(case: Case, lost: float) -> Answer | None:
    """Several causes that each would be no answer. lost: of a step, in which the device has no work."""
    if not case.step.device or lost < SPREAD.value:
        return None
    return Answer("idle_spread", {"others": other_parts(case)})


def _waits(case: Case, ps: float) -> Answer:
    call, spent = largest(case.summary.unseen)
    if spent.ps >= UNSEEN.value * case.of_all(ps):
        return Answer("waiting.unseen", {"call": call}, search=call)
    return Answer("waiting", {})


def _idle(case: Case, ps: float) -> Answer:
    return Answer("idle_unexplained", {"device": case.step.device, "stacks": bool(case.summary.stacks) or None})


WAITING = Cause("waiting", ("waiting",), WAITING_FIRST, _waits, never)
IDLE = Cause("idle", ("idle",), IDLE_FIRST, _idle, never)


# Waiting for input → what is waited for, and how to make it faster.

INPUT_FIRST = Threshold("input_first", 0.2, "share", "waiting for input of a program that needs a change")
PACES = Threshold(
    "pipeline_paces",
    0.85,
    "share",
    "an input pipeline that works for so much of a step's time sets its pace: with less of anything else a step would "
    "wait for input as much longer",
)
_PYFUNC = regex(r"(?:.*[/ (])?(?:Eager|Stateless)?PyFunc\w*\)?")


def paces(case: Case) -> bool:
    """Whether what limits the pipeline needs about as long for a batch as a step takes, all hosts together; Python that
    waits for the program's own Python to pause would need less with less of that."""
    steps = sum(len(steps) for steps in case.step.steps)
    return case.limit is not None and case.limit.alone_ps >= PACES.value * case.step.step_ps * steps


def _waits_for_input(case: Case, ps: float) -> Answer:
    if case.limit is not None:
        return _stage(case, case.limit, ps)
    summary = case.summary
    stage = largest(summary.waits)[0].rpartition("::")[2]
    feed, spent = largest(summary.feeds)
    enough = case.is_most(spent, ps)
    function, self_time = largest(summary.gets)
    if not stage and not enough and case.is_most(self_time, ps):
        params: dict[str, Param] = {"function": function}
        return Answer("input_bound.function", params, "input_pipeline", function_name(function))
    params = {"stage": stage}
    if enough:
        params |= {"feed": _stage_name(feed), "feed_ps": spent.ps, "steps": summary.steps}
    return Answer(_kind(feed), params, "input_pipeline", bare(feed) if enough else stage)


def _stage(case: Case, limit: Bottleneck, ps: float) -> Answer:
    why, action = blamed(limit, sum(len(steps) for steps in case.step.steps), ps)
    search = limit.stage.type if limit.stage.iterates else limit.stage.name
    return Answer("input_bound.stage", {"why": why, "action": action}, "input_pipeline", search)


def _stage_name(feed: str) -> str:
    return feed if _PYFUNC.fullmatch(feed) else feed.rpartition("::")[2] or feed


def _kind(feed: str) -> str:
    if _PYFUNC.fullmatch(feed):
        return "input_bound.python_function"
    return "input_bound.generator" if "::Generator" in feed else "input_bound"


INPUT = Cause("input", ("input_wait",), INPUT_FIRST, _waits_for_input)


# A device without work: kernels that are launched late or begin late, and ops that only a host runs.

LAUNCH_FIRST = Threshold("launch_first", 0.2, "share", "launching, of which larger kernels need less")
HOST_OPS_FIRST = Threshold("host_ops_first", 0.2, "share", "a device that waits for ops on the host")
LAUNCH_PS = Threshold(
    "launch_ps",
    50_000_000,
    "ps",
    "from a launch's call to its kernel's begin it takes no longer where nothing else holds the kernel up",
    "5 to 20 µs in captures of GPUs that had nothing else to do",
)
LOADED = Threshold(
    "loaded",
    0.5,
    "share",
    "of the time of launching; where calls of 1 ms and more take so much, they load kernels or modules, or start the "
    "driver, which happens once",
)


def _launches(case: Case, ps: float) -> Answer:
    loading = case.summary.loading
    if case.step.device and loading.times and loading.ps >= LOADED.value * case.of_all(ps):
        return Answer("kernels_loaded", {"calls": loading.times, "each_ps": loading.ps / loading.times})
    rare = sum(spent.ps for spent in case.summary.first_calls.values())
    if case.step.device and rare >= LOADED.value * case.of_all(ps):
        name, spent = largest(case.summary.first_calls)
        return Answer("launch_bound.first_calls", {"op": name, "times": spent.times, "each_ps": spent.ps / spent.times})
    work = case.summary.all_work
    each_ps = case.of_all(ps) / work.times if work.times else 0.0
    long = each_ps > LAUNCH_PS.value
    params: dict[str, Param] = {"each_ps": each_ps if long else None, "graphs": bool(case.summary.graphs) or None}
    if not case.step.device:
        return Answer("launch_bound.device_unseen", params)
    params["kernels"] = work_a_step(case, "kernels_a_step")
    begin_late = case.summary.stalled_ps > case.summary.late_ps
    return Answer("kernels_start_late" if long and begin_late else "launch_bound", params)


def _host_ops(case: Case, ps: float) -> Answer:
    name = largest(case.ops.host_work)[0]
    return Answer("host_ops_bound", {"op": name}, "op_stats", bare(name))


LAUNCH = Cause("launch", ("launch",), LAUNCH_FIRST, _launches)
HOST_OPS = Cause("host ops", ("host_compute",), HOST_OPS_FIRST, _host_ops)


# Time in which a step only moves data: output, copies and collectives that nothing overlaps.

OUTPUT_FIRST = Threshold("output_first", 0.1, "share", "writing, which another thread can do")
COPIES_FIRST = Threshold("copies_first", 0.2, "share", "copies that could overlap compute")
COLLECTIVES_FIRST = Threshold("collectives_first", 0.2, "share", "collectives that could overlap compute")
#: By category the code of the copies that are most of it.
_COPIES = {
    "copy_in": "copies_exposed.to_device",
    "copy_out": "copies_exposed.to_host",
    "copy_device": "copies_exposed.on_device",
}
_COPY = regex(r"mem(cpy|set)|copy", re.IGNORECASE)
#: What sends tokens to their experts and back.
_EXPERTS = regex(r"dispatch|combine|all_?to_?all|a2a", re.IGNORECASE)
_COLLECTIVE = regex(rf"{_EXPERTS.pattern}|all|reduce|collective|ccl|send|recv", re.IGNORECASE)


def _writes(case: Case, ps: float) -> Answer:
    name, spent = largest(case.summary.writes)
    params: dict[str, Param] = {"device": case.step.device}
    if not case.is_most(spent, ps):
        return Answer("output_bound", params)
    return Answer("output_bound", {**params, "function": name}, search=function_name(name))


def _copies(case: Case, ps: float) -> Answer:
    most = max(_COPIES, key=lambda key: case.step.by_category[key])
    tpu = most != "copy_device" and any(
        unit.kind == "tpu" for part in case.step.means.parts for unit in part.split.units
    )
    return Answer(_COPIES[most], {"copy": _moved(case, _COPY), "tpu": tpu or None}, "op_stats", "Memcpy")


def _collectives(case: Case, ps: float) -> Answer:
    name = _moved(case, _COLLECTIVE)
    params: dict[str, Param] = {"collective": name}
    if name and _EXPERTS.search(name):
        return Answer("collectives_exposed.experts", params, "pod_viewer")
    n = max(case.summary.steps, 1)
    sums, updates = round(case.summary.gradient_sums / n), round(case.summary.updates / n)
    if not updates or sums <= updates:
        return Answer("collectives_exposed", params, "pod_viewer")
    params |= {"sums": sums, "updates": updates, "again": (sums - updates) / sums}
    return Answer("collectives_exposed.again", params, "pod_viewer")


def _moved(case: Case, pattern: re.Pattern[str]) -> str | None:
    return next((name for name in case.ops.moves if pattern.search(name)), None)


OUTPUT = Cause("output", ("output",), OUTPUT_FIRST, _writes)
COPIES = Cause("copies", tuple(_COPIES), COPIES_FIRST, _copies)
COLLECTIVES = Cause("collectives", ("collective",), COLLECTIVES_FIRST, _collectives)


# Time in which only Python runs → where in the step, and which function.

PYTHON_FIRST = Threshold("python_first", 0.25, "share", "Python, of which every program needs some between its calls")
ONE_STRETCH = Threshold(
    "one_stretch",
    0.6,
    "share",
    "most of a step's Python lies in one place, in one function or in long stretches, not strewn between its calls",
)
PLACE = Threshold("place of Python", 0.5, "share", "of a step's Python; it is placed where at least half of it lies")
NAMED = Threshold("named_function", 0.03, "share", "a function of less of a step's Python is not worth its name")
SEEN = Threshold(
    "ops of a step that is recorded",
    10,
    "ops a step",
    "a step of PyTorch with fewer is of a file from which events were taken out: what lies between them is not known",
    "training steps of public captures have 60 and more, cut ones 2 to 4",
)
INTERRUPTED = Threshold(
    "pauses of the processor",
    0.1,
    "share",
    "of a step's Python; pauses in which others had it are reported from here on",
)
#: How many functions are named.
FUNCTIONS = 3
#: Annotations of what PyTorch runs on a thread of its own.
_BACKWARD = regex(r"\bbackward\b", re.IGNORECASE)
#: What servers call the processing of a batch of requests.
_BATCH = regex(r"(?:\w+::)?ProcessBatch\b|BatchingSessionRun\b")


def _python(case: Case, ps: float) -> Answer:
    place = _place(case, ps)
    if (place["between"] or place["before"]) and _is_server(case):
        return Answer("between_batches", {})
    params = {**place, **_where(case, ps)}
    if summary_ps := case.summary.interrupted_ps / max(case.summary.steps, 1):
        params["interrupted"] = summary_ps if summary_ps >= INTERRUPTED.value * ps else None
    unseen = _unseen(case, ps)
    if unseen is not None:
        return Answer("python_bound.unseen", unseen, search=str(unseen.get("region", "")))
    name, spent = largest(case.summary.python)
    if name and case.is_most(spent, ps):
        params |= {"function": name, "steps": max(case.summary.steps, 1), "self_ps": spent.ps}
        return Answer("python_bound.function", params, search=function_name(name))
    traced = bool(case.summary.python or case.summary.stacks)
    if not traced:
        params |= _stretch(case, ps)
    return Answer("python_bound", {**params, "traced": traced}, search=str(params.get("region", "")))


def _unseen(case: Case, ps: float) -> dict[str, Param] | None:
    """How much the capture holds of PyTorch's steps, where that is so little that Python is but a guess: next to no
    op, or none of a backward pass, which runs on threads of its own."""
    summary = case.summary
    if not summary.torch or summary.stacks or summary.python:
        return None
    ops = summary.operators / max(summary.steps, 1)
    if ops < SEEN.value:
        return {"ops": ops}
    region, inside = largest(summary.regions)
    if summary.backward or not _BACKWARD.search(region) or inside.ps < PLACE.value * case.of_all(ps):
        return None
    return {"region": region, "region_share": min(inside.ps / case.of_all(ps), 1.0)}


def _where(case: Case, ps: float) -> dict[str, Param]:
    """In which annotation of the program most of it lies, what kind of work it is, and the functions that have most."""
    found: dict[str, Param] = {}
    region, inside = largest(case.summary.regions)
    if region and case.is_most(inside, ps):
        found |= {"region": region, "region_share": min(inside.ps / case.of_all(ps), 1.0)}
    kind, of_kind = largest(case.summary.kinds)
    if kind and case.is_most(of_kind, ps):
        share = min(of_kind.ps / case.of_all(ps), 1.0)
        found |= {"kind": Message(f"python_kind.{kind}", {"share": share}), "remedy": Message(f"python_remedy.{kind}")}
    functions = [(name, spent.ps / case.of_all(ps)) for name, spent in case.summary.python.items()]
    listed = [(name, share) for name, share in functions if share >= NAMED.value][:FUNCTIONS]
    if listed:
        found["functions"] = tuple(
            Message("python_bound.part", {"function": name, "share": min(share, 1.0)}) for name, share in listed
        )
    return found


def _stretch(case: Case, ps: float) -> dict[str, Param]:
    """After what most of it lies in a stretch that comes in most steps, of which the capture holds nothing."""
    after, spent = largest(case.summary.after)
    a_step = case.a_step(spent)
    if spent.ps < PLACE.value * case.of_all(ps) or not a_step.times:
        return {}
    return {"stretch": Message("python_bound.stretch", {"pause_ps": a_step.ps, "after": after})}


def _place(case: Case, ps: float) -> dict[str, Param]:
    """Where in the step most of its Python lies. marked: whether what lies between steps is between the marks of a
    program, not the calls that are taken for steps."""
    summary, enough = case.summary, PLACE.value * case.of_all(ps)
    between = summary.between_ps >= enough and summary.between_ps >= summary.before_ps
    before = summary.before_ps >= enough and not between
    marked = all(steps.rule in MARKED for steps in case.step.steps)
    return {"between": between, "before": before, "marked": marked}


def _is_server(case: Case) -> bool:
    """Whether steps are batches of requests."""
    return all(_BATCH.match(steps.name[0]) for steps in case.step.steps)


def _is_one_stretch(case: Case, ps: float) -> bool:
    summary = case.summary
    named = (largest(found)[1].ps for found in (summary.python, summary.regions, summary.kinds))
    stretches_ps = summary.stretches_ps - summary.interrupted_ps
    stretch = max(summary.between_ps, summary.before_ps, stretches_ps, *named)
    return stretch >= ONE_STRETCH.value * (case.of_all(ps) - summary.interrupted_ps)


def interrupted(case: Case) -> float:
    """What of a step are pauses in Python in which others had the processor."""
    return case.summary.interrupted_ps / case.of_all(case.step.step_ps)


PYTHON = Cause("python", ("python",), PYTHON_FIRST, _python, _is_one_stretch, interrupted, of_calls=True)


# How a program runs its ops, where that and no single category is the answer: ahead, between steps, one by one.

ONE_BY_ONE = Threshold(
    "one_by_one",
    12,
    "ops or calls a step",
    "so many, run one by one from Python, are a program in eager mode; a compiled one makes a few such calls, for its "
    "counters and metrics",
)
PROGRAM_DISPATCH_PS = Threshold(
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
)
#: What a summary runs in eager mode: `LogicalAnd`, whether it is to be recorded, `Identity`, and what writes it.
_OPS_OF_A_SUMMARY = 3
_SUMMARY = regex(r"(?:.*/)?Write(?:\w+)?Summary(?: \(.*\))?")
#: Operators that fetch one number.
_FETCHES = ("aten::item", "aten::_local_scalar_dense", "aten::is_nonzero")
#: The event of an op that runs eagerly.
EAGER = "EagerExecute"
#: Ops that call a function of Python, by name or type.
_CALLS_BACK = regex(
    r"(?:.*[./ (])?(?:(?:Eager|Stateless)?PyFunc\w*|\w*(?:debug|python|pure|io|host|cpu|gpu)_callback\w*|"
    r"xla_(?:ffi_)?python_\w*|outside_call\w*)(?:[. )].*)?",
    re.IGNORECASE | re.DOTALL,
)
#: Ops that print, or prepare what is printed.
_PRINTS = regex(r"(?:.*[./ (])?(?:debug_print|PrintV2|Print|StringFormat)(?:[._ )].*)?", re.DOTALL)


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
    if times < ONE_BY_ONE.value or case.step.step_ps - computes_ps > times * PROGRAM_DISPATCH_PS.value:
        return None
    # What Python does in one place is none of the calls'.
    if (summary.stretches_ps - summary.interrupted_ps) / case.of_all(case.step.step_ps) > EXPLAINS.value * lost:
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
    return case.ops.work, case.ops.types


# Time in which the framework's runtime works and runs no op → around which ops, or in which of its functions.

RUNTIME_FIRST = Threshold("runtime_first", 0.3, "share", "the runtime, of which every program needs some")
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
RUNTIME_DISPATCH_PS = Threshold(
    "dispatch of an op",
    100_000_000,
    "ps",
    "a runtime needs no longer to start an op; where that does not add up, something else takes its time",
    "10 to 60 µs a step of few ops in captures of TensorFlow and JAX on CPUs",
)
ADDS_UP = Threshold("adds_up", 0.5, "share", "the ops' number explains the runtime's time from this part of it on")
#: Events in which arrays are converted, or copied to where they are computed with.
_MOVES = regex(
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
    enough = case.a_step(work).times * RUNTIME_DISPATCH_PS.value >= ADDS_UP.value * ps
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


RUNTIME = Cause("runtime", ("runtime",), RUNTIME_FIRST, _runtime, _is_avoidable)


# Calls in which a program waits for its GPU, which then stands still → which, how often, and where they are made.

SYNCHRONIZES_FIRST = Threshold(
    "synchronizes_first", 0.2, "share", "a device that stands still since the host waited for it instead of launching"
)
MOSTLY = Threshold(
    "mostly_synchronizes", 0.5, "share", "of what is lost between ops; where other causes take more they are the answer"
)


def synchronizes(case: Case) -> tuple[Answer, float] | None:
    """And what of a step the device stands still after them; None where that is not worth a line."""
    found = case.summary.synchronizations
    share = min(found.lost_ps / case.of_all(case.step.step_ps), 1.0)
    if not found.waits.times or share < WORTH.value:
        return None
    waits, (op, lost) = case.a_step(found.waits), largest(found.ops)
    params: dict[str, Param] = {
        "times": waits.times if waits.times > 1 else None,
        "once": waits.times == 1,
        "op": op if lost.ps >= MOST.value * found.lost_ps else None,
        "wait_ps": found.waits.ps / case.of_all(1),
    }
    function, spent = largest(found.functions)
    if spent.ps >= MOST.value * found.lost_ps:
        params["function"] = function
    place, in_place = largest(found.places)
    if in_place.ps >= MOST.value * found.lost_ps:
        params["place"] = place
    helper, asked = largest(found.helpers)
    if asked.ps >= MOST.value * found.lost_ps:
        params["remedy"] = Message(f"sync_remedy.{helper}")
    return Answer("synchronizes", params, search=op), share
