"""A cause and what ran in the steps → the words of its finding: what the time goes to, and what to change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from ...analysis.steps import MARKED, Ranking, Spent, StepSummary
from ...timeline import ALLOCATES, CATEGORIES, UNATTRIBUTED
from ...units import duration, percent
from .input_advice import blamed

if TYPE_CHECKING:
    from .verdict import Case

#: The categories in which a step makes headway.
COMPUTES = (*(c.key for c in CATEGORIES if c.key.startswith("compute_")), "op_compute")
Severity: TypeAlias = Literal["info", "note", "warning"]
#: A name is told where it has this part of what its cause takes.
_MOST = 0.3
#: An op shorter than this on a host costs about as much to run as it computes: a runtime needs some µs for each.
_TINY_PS = 20e6
_ISSUES = (
    "Measure steps that end when their work does: wait for a result in each (block_until_ready, .numpy()), or look at "
    "many steps at once."
)
#: Ops run so much longer outside of steps than all steps take.
_AHEAD = 3
#: So many ops a step are many: a model's step without a loop has tens for each layer.
_MANY = 200
#: Up to so many ops a step, their number is no reason for what is spent around them.
_FEW = 50
#: The event of an op that runs eagerly.
EAGER = "EagerExecute"
#: From a launch's call to its kernel's begin; it takes 5 to 20 µs where nothing else holds the kernel up.
_LAUNCH_PS = 50 * 10**6
#: What a program spends on each of the ops or functions that it runs one by one takes no longer than this; where more
#: is lost, something else takes it.
_DISPATCH_PS = 10**9
#: Ops that call a function of Python.
_CALLS_BACK = re.compile(
    r"(?:.*[./ (])?(?:(?:Eager|Stateless)?PyFunc\w*|\w*(?:debug|python|pure|io|host|cpu|gpu)_callback\w*|"
    r"xla_(?:ffi_)?python_\w*|outside_call\w*)(?:[. )].*)?",
    re.IGNORECASE | re.DOTALL,
)
#: What servers call the processing of a batch of requests.
_BATCH = re.compile(r"(?:\w+::)?ProcessBatch\b|BatchingSessionRun\b")
_PYFUNC = re.compile(r"(?:.*[/ (])?(?:Eager|Stateless)?PyFunc\w*\)?")


class Told(NamedTuple):
    """what: goes on from `37 ms (90 %) of that `. instead: goes on from `Steps take 37 ms` in its place."""

    what: str
    action: str
    tool: str = "trace_viewer"
    detail: str = ""
    search: str = ""
    instead: str = ""


def _top(ranking: Ranking) -> tuple[str, Spent]:
    return next(iter(ranking.items()), ("", Spent(0, 0)))


def quoted(name: str, length: int = 80) -> str:
    """A name as it is told: of a long one its end, from a scope on where one begins there; Python's have quotes."""
    if len(name) > length:
        end = name[-length:]
        name = "…" + (end[end.index("/") :] if "/" in end[: length // 2] else end)
    return name if "`" in name else f"`{name}`"


def lower(title: str) -> str:
    """A category's title within a sentence."""
    return title if title == "Python" else title[:1].lower() + title[1:]


def waits_for_input(case: Case, ps: float) -> Told:
    if case.limit is not None:
        why, action = blamed(case.limit, sum(len(part.split.steps) for part in case.facts.parts), ps)
        search = case.limit.stage.type if case.limit.stage.iterates else case.limit.stage.name
        return Told(f"waits for input; {why}", action, "input_pipeline", search=search)
    waits, feeds = _top(case.summary.waits)[0], _top(case.summary.feeds)
    stage = waits.rpartition("::")[2]
    where = f", in {quoted(stage)}" if stage else ""
    whole = ps * max(case.summary.steps, 1)
    enough = feeds[1].ps >= _MOST * whole
    function, own = _top(case.summary.python)
    if not stage and not enough and own.ps >= _MOST * whole:
        return Told(
            f"waits for input, most of it in {quoted(function, 160)}",
            "Prepare input in other threads or processes, ahead of the step.",
            "input_pipeline",
            search=_of_python(function),
        )
    who = f"; {_preparing(feeds[0])} takes longest to prepare it" if enough else ""
    detail = f"It prepares input for {duration(feeds[1].ps)} in {case.summary.steps:,} steps, all threads together."
    return Told(
        f"waits for input{where}{who}",
        _faster_input(case.summary),
        "input_pipeline",
        detail if who else "",
        _bare(feeds[0]) if who else stage,
    )


def _preparing(name: str) -> str:
    if _PYFUNC.fullmatch(name):
        return f"{quoted(name)}, a Python function,"
    stage = name.rpartition("::")[2]
    if stage.startswith("Generator"):
        return f"a Python generator ({quoted(stage)})"
    return quoted(stage or name)


def _bare(name: str) -> str:
    """A name without the type that is told behind it."""
    return name.partition(" (")[0]


def _faster_input(summary: StepSummary) -> str:
    name = _top(summary.feeds)[0]
    if _PYFUNC.fullmatch(name):
        return (
            "Python functions run one at a time: write this one in TensorFlow ops, or do its work beforehand; then "
            "map with num_parallel_calls and end the pipeline with prefetch."
        )
    if "::Generator" in name:
        return (
            "A Python generator yields one element at a time: make it faster, let several run interleaved or in other "
            "processes, or store what it yields; and prefetch."
        )
    return (
        "Make what prepares input faster: read and map in parallel (num_parallel_calls), cache what does not change, "
        "prefetch; or prepare it beforehand."
    )


def compiles(case: Case, ps: float) -> Told:
    name, spent = _top(case.summary.compiled)
    n = case.summary.steps
    times = f", {spent.times:,} times in {n:,} steps" if spent.times > 1 else ", once" if spent.times else ""
    who = f" {quoted(name)}{times}" if name else " functions"
    again = spent.times > 1 or not name
    return Told(
        f"traces and compiles{who}",
        "Call it with the same shapes, types and Python values each time: pad batches to one shape (drop_remainder), "
        "give numbers as tensors, and make the function once, outside of the loop."
        if again
        else "Leave the steps that compile out of the capture: let a few steps run before it.",
        detail="A function is compiled anew for every new signature." if again else "",
        search=_bare(name),
    )


def writes(case: Case, ps: float) -> Told:
    name, spent = _top(case.summary.python)
    most = spent.ps >= _MOST * ps * max(case.summary.steps, 1)
    what = "outfeed, checkpoints or summaries" if case.device else "checkpoints, summaries or other files"
    return Told(
        f"writes output: {what}" + (f", most of it in {quoted(name, 160)}" if most else ""),
        "Write less often, or from another thread (asynchronous checkpoints).",
        search=_of_python(name) if most else "",
    )


def _of_moves(case: Case, pattern: str) -> str:
    names = [name for name in case.summary.moves if re.search(pattern, name, re.IGNORECASE)]
    return f" ({quoted(names[0])})" if names else ""


def copies(case: Case, ps: float) -> Told:
    parts = {
        "from the host to the device": "copy_in",
        "from the device to the host": "copy_out",
        "on the device or between devices": "copy_device",
    }
    most = max(parts, key=lambda where: case.by_category[parts[where]])
    return Told(
        f"copies memory and computes nothing, most of it {most}{_of_moves(case, 'mem(cpy|set)|copy')}",
        "Keep data on the device, prefetch input to it, and copy from pinned memory, so that copies overlap compute.",
        "op_stats",
        search="Memcpy",
    )


def collectives(case: Case, ps: float) -> Told:
    return Told(
        "is collectives that no compute hides" + _of_moves(case, "all|reduce|collective|ccl|send|recv"),
        "Overlap them with the backward pass (larger or fewer buckets), send fewer bytes (16-bit gradients); see "
        "in the pod viewer whether all wait for one slow worker.",
        "pod_viewer",
    )


def _how_many(case: Case, what: str) -> str:
    """`3 kernels a step, 143 µs each`, of work that there is."""
    ran = case.summary.all_work
    times = case.a_step(ran).times
    often = f"{times:,} {what}{'s'[: times > 1]} a step" if times else f"less than one {what} a step"
    return f"{often}, {duration(ran.ps / ran.times)} each"


def launches(case: Case, ps: float) -> Told:
    work, steps = case.summary.all_work, max(case.summary.steps, 1)
    kernels = f" ({_how_many(case, 'kernel')})" if work.times else ""
    each = ps * steps / work.times if work.times else 0.0
    late = case.summary.late_ps > case.summary.stalled_ps
    if case.device and each > _LAUNCH_PS and not late:
        return Told(
            f"finds the device waiting for kernels that were launched and did not begin{kernels}",
            "See in the trace what the longest gaps end with, and what ended just before: an event of another stream, "
            "a copy, a synchronization, memory that the driver gives or takes back.",
            detail=f"That is {duration(each)} for each kernel. A launch takes some 10 µs: the rest of it they wait for "
            "other work, or for the driver.",
        )
    return Told(
        f"finds the device waiting for kernels to be launched{kernels}"
        if case.device
        else "launches kernels on a device that the capture does not show",
        "Give the device more work per kernel: larger batches, fused ops (XLA, jit), CUDA graphs; run the whole step "
        "in one compiled function.",
        detail="Kernels that take less time than their launch leave the device idle."
        if each <= _LAUNCH_PS
        else f"That is {duration(each)} for each kernel. A launch takes some 10 µs: the rest of it goes into the ops "
        "that launch, or into calls that load a kernel first.",
    )


def host_ops(case: Case, ps: float) -> Told:
    name = _top(case.summary.host_work)[0]
    return Told(
        f"finds the device waiting for ops on the host{f', most of it {quoted(name)}' if name else ''}",
        "Place these ops on the device, or take them out of the step.",
        "op_stats",
        search=_bare(name),
    )


def python(case: Case, ps: float) -> Told:
    name, spent = _top(case.summary.python)
    steps = max(case.summary.steps, 1)
    place, hint = _place(case, ps * steps)
    if place and _serves(case):
        return Told(
            "lies between batches, when the server processes none",
            "Nothing is slow here: the server waits for requests. See what takes the time within a batch.",
        )
    if name and spent.ps >= _MOST * ps * steps:
        return Told(
            f"is Python{place}, most of it in {quoted(name, 160)}",
            f"Take it out of the loop, do it less often, or in another thread.{hint}",
            detail=f"Its own time, in {steps:,} steps: {duration(spent.ps)}.",
            search=_of_python(name),
        )
    traced = "" if case.summary.python else " Capture with python_tracer_level=1 to see which function it is."
    return Told(
        f"is Python{place or ' in which no op runs'}",
        f"Do less between the calls of the compiled step.{hint}{traced}",
    )


def _serves(case: Case) -> bool:
    """Whether steps are batches of requests."""
    return all(_BATCH.match(part.split.steps.name[0]) for part in case.facts.parts if len(part.split.steps))


def is_one_stretch(case: Case, ps: float) -> bool:
    """Whether most of a step's Python is in one place or one function, not strewn between its calls."""
    whole = ps * max(case.summary.steps, 1)
    largest = max(case.summary.between_ps, case.summary.before_ps, _top(case.summary.python)[1].ps)
    return largest >= 2 * _MOST * whole


def _of_python(name: str) -> str:
    """The bare name of a function as it is told."""
    return re.sub(r"`.*", "", name.removeprefix("`"), flags=re.DOTALL).rpartition(".")[2]


def _place(case: Case, ps: float) -> tuple[str, str]:
    """Where in the step most of its Python lies, and what to think of."""
    if case.summary.between_ps >= _MOST * ps and case.summary.between_ps >= case.summary.before_ps:
        marked = all(part.split.steps.rule in MARKED for part in case.facts.parts if len(part.split.steps))
        last = " between steps (callbacks, logging, the loop)"
        return (
            last if marked else " between steps (callbacks, logging, getting input)",
            " Look at callbacks, logging and saving, and at what yields the next input.",
        )
    if case.summary.before_ps >= _MOST * ps:
        return (
            " before the step's first op, where a loop gets its next input",
            " If it is the input: prepare it in other threads or processes, ahead of the step.",
        )
    return "", ""


def has_tiny_ops(case: Case, ps: float) -> bool:
    """Whether a step runs so many and so short ops that what the runtime does around them is their cost."""
    ops = case.summary.all_work
    return case.a_step(ops).times >= _MANY and ops.ps < _TINY_PS * ops.times


def overhead(case: Case, ps: float) -> Told:
    ops = case.summary.all_work
    if case.device:
        return _on_the_host(case, ps)
    if not ops.times:
        name, spent = _top(case.summary.events)
        enough = spent.ps >= _MOST * ps * max(case.summary.steps, 1)
        most = f", most of it in {quoted(name)}" if enough else ""
        return Told(f"is the runtime at work, and no op is recorded{most}", _ISSUES, search=name if most else "")
    recorded = _how_many(case, "op")
    hidden = ops.ps < _MOST * ps * max(case.summary.steps, 1)
    if hidden and case.a_step(ops).times < _FEW:
        return Told(
            f"is the runtime's overhead of starting few and short ops ({recorded})",
            "Do more in each call: a larger batch, or several steps in one (Keras: steps_per_execution; a loop in the "
            "tf.function; lax.scan).",
            detail="TensorFlow records ops that it deems cheap only with host_tracer_level=3.",
        )
    around = "around many tiny ops" if ops.ps < _TINY_PS * ops.times or hidden else "between ops"
    return Told(
        f"is the runtime's overhead {around} ({recorded})",
        "Fuse them: use one op for all elements instead of a loop, let XLA compile the function (jit_compile=True), or "
        "give each op more to do (a larger batch).",
        detail="TensorFlow records ops that it deems cheap only with host_tracer_level=3." if hidden else "",
    )


def _on_the_host(case: Case, ps: float) -> Told:
    name, spent = _top(case.summary.events)
    most = f", most of it in {quoted(name)}" if spent.ps >= _MOST * ps * max(case.summary.steps, 1) else ""
    if most and ALLOCATES.fullmatch(name):
        return Told(
            f"finds the device waiting for the driver to give memory or to take it back{most} "
            f"({_times(case.a_step(spent).times)} a step)",
            "Keep memory from step to step: do not empty the allocator's cache, leave some memory of the device free, "
            "and let some steps run before the capture, in which libraries try out what is fastest.",
            detail="The driver frees memory when all that runs on the device has ended.",
            search=name,
        )
    return Told(
        f"finds the device waiting for the framework's runtime on the host{most}",
        "See in the trace what it does: loading or choosing kernels happens once, so let some steps run before the "
        "capture; if it comes back in every step, give the device more work per call.",
        search=name if most else "",
    )


def _times(n: int) -> str:
    return f"{n:,} times" if n > 1 else "once" if n else "less than once"


def waits(case: Case, ps: float) -> Told:
    return Told(
        "waits, not for input, and computes nothing meanwhile",
        "See in the trace which thread is waited for: another thread of the host, a lock, a device or another worker.",
    )


def unknown(case: Case, ps: float) -> Told:
    return Told(
        f"{'finds the device' if case.device else 'is'} idle, and the capture does not tell why",
        "Look at the longest stretches in the trace; a capture with python_tracer_level=1 and host_tracer_level=2 "
        "tells more.",
    )


def one_by_one(case: Case, at_least: int) -> Told | None:
    """A step that runs op by op, or that calls many small compiled functions."""
    eager, calls = case.a_step(case.summary.eager), case.a_step(case.summary.all_calls)
    times = max(eager.times, calls.times)
    computes = case.ps(COMPUTES)
    if times < at_least or case.step_ps - computes > times * _DISPATCH_PS:
        return None
    only = "only " if computes < case.step_ps / 2 else ""
    but = f"{only}{duration(computes)} ({percent(computes / case.step_ps)}) of that computes"
    if eager.times >= calls.times:
        mean = case.summary.eager.ps / case.summary.eager.times
        return Told(
            "",
            "Put the step into one tf.function (Keras: compile with run_eagerly=False); a compiled step is dispatched "
            "once.",
            "op_stats",
            f"Each op takes {duration(mean)} with its dispatch; between them runs Python.",
            EAGER,
            f" and run eagerly, {eager.times:,} ops one by one from Python; {but}",
        )
    name = _top(case.summary.calls)[0]
    mean = case.summary.all_calls.ps / case.summary.all_calls.times
    return Told(
        "",
        "Put the whole step into one jax.jit, and loops over small ops into lax.scan or one op over an array.",
        detail=f"Most of the calls' time is in {quoted(name)}. Every call is dispatched from Python.",
        search=name,
        instead=f" and dispatch {calls.times:,} small functions one by one from Python, {duration(mean)} each; {but}",
    )


def between_steps(case: Case, at_least: int) -> Told | None:
    """Steps between which the program runs many ops: callbacks that save, log or compute."""
    ops = case.a_step(case.summary.eager_between).times
    if ops < at_least:
        return None
    name = _top(case.summary.between)[0]
    return Told(
        f"lies between steps (callbacks, logging, saving): Python that runs {ops:,} ops one by one"
        + (f", most of it in {quoted(name)}" if name else ""),
        "Save and log less often, not after every step; compute what callbacks need in one tf.function.",
        "trace_viewer",
        search=_bare(name),
    )


def runs_ahead(case: Case) -> Told | None:
    """Steps that only issue work, on a CPU that does it later: their time says nothing about it."""
    inside, outside = case.summary.all_work.ps, case.summary.outside_ps
    if case.device or outside < _AHEAD * max(inside, case.step_ps * case.summary.steps):
        return None
    return Told(
        "",
        _ISSUES,
        detail=f"Ops take {duration(outside)} outside of the steps, {duration(inside)} in them.",
        instead=f", but only issue work: {percent(outside / (inside + outside))} of op time is after or between them",
    )


def calls_back(case: Case) -> Told | None:
    """A step whose largest op is a function of Python."""
    name, spent = _top(case.summary.work)
    if not _CALLS_BACK.fullmatch(name) or spent.ps < _MOST * case.ps(COMPUTES) * max(case.summary.steps, 1):
        return None
    return Told(
        f"is ops, most of it {quoted(name)}, which calls back into Python",
        "Take the Python function out of the compiled step, or call it less often.",
        search=_bare(name),
    )


def _spread(case: Case) -> str:
    """The largest three of the other parts."""
    others = [(ps, c.title) for c in CATEGORIES if c.key not in COMPUTES and (ps := case.by_category[c.key])]
    return ", ".join(f"{lower(title)} {percent(ps / case.step_ps)}" for ps, title in sorted(others, reverse=True)[:3])


def computes(case: Case) -> Told:
    name, spent = _top(case.summary.work)
    kind, of_kind = _top(case.summary.types)
    whole = max(case.summary.all_work.ps, 1)
    most = case.ps(COMPUTES) >= case.step_ps / 2
    rest = "" if most else f"; the rest is spread: {_spread(case)}"
    detail = "Compute takes most of a step, which is as it should be." if most else ""
    if not spent.ps:
        return Told(f"computes{rest}", "See which ops take the time.", "op_stats", detail)
    largest = f"{quoted(name)} takes {percent(spent.ps / whole)} of their ops' time"
    if kind not in ("", UNATTRIBUTED) and of_kind.ps > 1.5 * spent.ps:
        part = f"; the largest of all ops is {quoted(name)} ({percent(spent.ps / whole)})"
        largest = f"ops of type {quoted(kind)} take {percent(of_kind.ps / whole)} of their ops' time{part}"
    return Told(
        f"computes; {largest}{rest}",
        "Make the largest ops cheaper: smaller, in lower precision, fused, or fewer.",
        "op_stats",
        detail,
        search=_bare(name),
    )
