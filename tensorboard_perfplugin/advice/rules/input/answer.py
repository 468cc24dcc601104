"""The input of a run → findings: the verdict with its numbers, what costs most, and what to change."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...analysis.input import (
    BOUND,
    HIGH,
    MODERATE,
    MODERATELY,
    NO_PIPELINE,
    TF_DATA,
    HostInput,
    Input,
    Stage,
    hands_over,
)
from ...tables import Evidence, row_text
from ...timeline import INDEX
from ...units import duration, percent
from ..finding import Finding
from .input_advice import advice, blamed, cost
from .steps import all_of_a_long_run

_MAX_EVIDENCE = 5
_PS_PER_MS = 1e9
#: From this part of a function's time on, waiting for a thread to run it is worth a line.
_QUEUED = 0.3
_ROOTS = ("Root", "Model")
_LEGEND = f"Input is high from {percent(HIGH)} of the step time, moderate from {percent(MODERATE)}."


def input_findings(found: Input, partials: tuple[HostInput, ...]) -> tuple[Finding, ...]:
    """The first answers the page's question."""
    told = (_answer(found), *_copies(found), *_no_prefetch(found), *_queued(found), *_cores(partials))
    return (*told, *all_of_a_long_run(found.means))


def _answer(found: Input) -> Finding:
    if found.step is None:
        return _without_steps(found)
    if found.why_untold:
        return Finding(
            f"Whether steps wait for input is not known: {percent(found.untold)} of a step is Python, or not explained",
            "note",
            found.untold,
            detail=NO_PIPELINE[:1].upper() + NO_PIPELINE[1:] + f". {_LEGEND}",
            action="See in the trace what Python does between the steps' work."
            if any(h.python for h in found.hosts)
            else "Capture with the Python tracer (`python_tracer_level=1`): it shows what asks for the next batch.",
            tool="trace_viewer",
        )
    return _bound(found) if found.verdict in (BOUND, MODERATELY) else _not_bound(found)


def _bound(found: Input) -> Finding:
    assert found.step is not None
    wait, copy = found.wait_share * found.mean_ms, found.copy_share * found.mean_ms
    parts = _parts(found, wait, copy)
    high = found.verdict == BOUND
    level = f"high from {percent(HIGH)}" if high else f"moderate from {percent(MODERATE)}, high from {percent(HIGH)}"
    title = f"{found.verdict} : {_of_steps(found)} take {_ms(found.mean_ms)}, {' and '.join(parts)} ({level})".replace(
        " : ", ": "
    )
    limit = found.bottleneck if wait >= copy else None
    why, action = blamed(limit, found.executed, wait * _PS_PER_MS) if limit else ("", _ACTION[wait >= copy])
    best = f" Without waiting for input a step would take {_ms(found.mean_ms - wait)}."
    return Finding(
        title[0].upper() + title[1:] + (f"; {why}" if why else ""),
        "warning" if high else "note",
        found.share,
        detail=f"{_LEGEND}{best}{_chain(limit.stage) if limit else ''}",
        action=action,
        tool="trace_viewer",
        evidence=_longest(found) if wait >= copy else _steps_that_wait(found),
        search=_row("input_wait" if wait >= copy else "copy_in"),
        match="row",
    )


def _parts(found: Input, wait_ms: float, copy_ms: float) -> list[str]:
    """What input does to a step, the larger first; the smaller where it is worth a word."""
    waits, copies = (
        (found.wait_share, wait_ms, "waits for", ""),
        (found.copy_share, copy_ms, "copies", " to the device"),
    )
    both = (waits, copies) if wait_ms >= copy_ms else (copies, waits)
    told = [both[0], *(part for part in both[1:] if part[0] >= MODERATE)]
    return [
        f"{_ms(ms)} ({percent(share)}) {does} {'it' if i else 'input'}{where}"
        for i, (share, ms, does, where) in enumerate(told)
    ]


_ACTION = {
    True: "See in the trace what runs while the program waits, on other threads.",
    False: "Prefetch to the device, so that the next batch is copied while this one is used; pin host memory; copy "
    "smaller types and convert them on the device.",
}


def _of_steps(found: Input) -> str:
    return f"steps, but for {found.slow:,} slow {'ones' if found.slow > 1 else 'one'}," if found.slow else "steps"


def _chain(stage: Stage) -> str:
    return f" The stage is {stage.name}." if stage.iterates else ""


def _ms(ms: float) -> str:
    return duration(ms * _PS_PER_MS)


def _not_bound(found: Input) -> Finding:
    assert found.step is not None
    title, share = found.largest
    usual = " of usual length," if found.slow else ""
    slowest = f" Of its pipeline, {cost(found.bottleneck)}." if found.bottleneck else ""
    return Finding(
        f"Not input-bound: of a step{usual} of {_ms(found.mean_ms)}, {percent(found.share)} is input (moderate from "
        f"{percent(MODERATE)}); most is {title.lower()} ({percent(share)})",
        "info",
        found.share,
        detail=_LEGEND + slowest,
        action="A faster pipeline gains next to nothing: see in the overview what takes the rest of a step.",
        tool="overview",
    )


def _without_steps(found: Input) -> Finding:
    why = f"No steps: {found.why_no_steps}. {_LEGEND}"
    if not found.feeds:
        return Finding(
            "Neither a step nor an input pipeline is in this capture",
            "warning",
            detail=f"{why} {NO_PIPELINE[:1].upper()}{NO_PIPELINE[1:]}.",
            action="Name an event that begins a step; capture while steps run.",
            tool="trace_viewer",
        )
    waited = sum(h.waited_ps for h in found.hosts)
    said = [f"the program waited for its input for {duration(waited)}"] if waited else []
    said += [cost(found.bottleneck)] if found.bottleneck else []
    return Finding(
        f"No step is found to compare with: {'; '.join(said) or 'the input pipeline did nothing'}",
        "note",
        detail=why,
        action=f"Name an event that begins a step. {advice(found.bottleneck) if found.bottleneck else ''}".strip(),
        tool="trace_viewer",
        evidence=_longest(found),
    )


def _longest(found: Input) -> tuple[Evidence, ...]:
    """The longest calls that wait for the pipeline; without any the steps with most input."""
    calls = [Evidence(h.host, *call) for h in found.hosts for call in h.longest]
    if calls:
        return tuple(sorted(calls, key=lambda e: e.start_ps - e.end_ps)[:_MAX_EVIDENCE])
    return _steps_that_wait(found)


def _steps_that_wait(found: Input) -> tuple[Evidence, ...]:
    """The steps of one host with most input; of several hosts a step is no place in one trace."""
    means, run = found.means, found.means.run
    if len(run.hosts) != 1:
        return ()
    waits = means.exposed_ps[:, INDEX["input_wait"]] + means.exposed_ps[:, INDEX["copy_in"]]
    top = np.argsort(-waits, kind="stable")[:_MAX_EVIDENCE]
    begin = run.start_ps[top] - run.offset_ps[0]
    end = begin + means.wall_ps[top].astype(np.int64)
    return tuple(Evidence(run.hosts[0], b, e) for b, e in zip(begin.tolist(), end.tolist(), strict=True))


def _copies(found: Input) -> Iterator[Finding]:
    if found.copy is None or found.copy_share < MODERATE or found.wait_share < found.copy_share:
        return
    yield Finding(
        f"Copies to the device take {_ms(found.copy.mean)} ({percent(found.copy_share)}) of a step, without compute",
        "note",
        found.copy_share,
        action=_ACTION[False],
        tool="trace_viewer",
        search=_row("copy_in"),
        match="row",
    )


def _row(category: str) -> str:
    return row_text("overview.split.step_ms", category=category)


def _calls(stage: Stage) -> str:
    return row_text("input_pipeline.ops.total_ms", op=stage.name, transformation=stage.type, kind=stage.kind)


def _no_prefetch(found: Input) -> Iterator[Finding]:
    """A tf.data pipeline whose last stage works only while the program waits for it."""
    if found.feeds != TF_DATA or found.verdict not in (BOUND, MODERATELY):
        return
    roots = [s for s in found.stages if s.iterates and s.count and s.name.split("::")[1:-1] in ([], [_root(s)])]
    last = [s for s in roots if s.type not in _ROOTS]
    if not last or any(hands_over(s.name) for s in last):
        return
    yield Finding(
        f"Nothing is prefetched: `{last[0].type}` makes a batch only when the program asks for it",
        "note",
        found.wait_share,
        action="End the pipeline with `prefetch(tf.data.AUTOTUNE)`: the next batch is made while a step runs.",
        tool="trace_viewer",
        search=_calls(last[0]),
        match="row",
    )


def _root(stage: Stage) -> str:
    parts = stage.name.split("::")
    return parts[1] if len(parts) > 1 and parts[1] in _ROOTS else ""


def _queued(found: Input) -> Iterator[Finding]:
    """Functions that take longer to be scheduled than to run."""
    stage = max(
        (s for s in found.stages if s.blocked_ps and s.calls), key=lambda s: s.blocked_ps - s.function_ps, default=None
    )
    if stage is None or found.step is None or not found.executed:
        return
    lost = stage.blocked_ps - stage.function_ps
    share = lost / found.executed / (found.step.mean * _PS_PER_MS)
    if lost < _QUEUED * stage.blocked_ps or share < MODERATE or hands_over(stage.name):
        return
    yield Finding(
        f"`{stage.type}` waits for threads to run its function: {duration(lost / found.executed)} a step, "
        f"{duration(lost / stage.calls)} each of {stage.calls:,} calls",
        "note",
        min(share, 1.0),
        detail="Each call is handed to a thread of a pool and waited for; that costs more where the pool is busy.",
        action="Do more in each call: put `batch` before it. Where the pool is too small, raise "
        "`options.threading.private_threadpool_size`.",
        tool="trace_viewer",
        search=_calls(stage),
        match="row",
    )


def _cores(partials: tuple[HostInput, ...]) -> Iterator[Finding]:
    """Of several devices, the one that waits longest."""
    several = len(partials) > 1
    means = [
        (f"{unit.name} of {p.steps.host}" if several and unit.plane >= 0 else unit.name, float(waits.mean()))
        for p in partials
        for unit, waits in zip(p.steps.split.units, p.steps.split.exposed_ps[:, :, INDEX["input_wait"]], strict=True)
        if len(waits)
    ]
    if len(means) < 2:
        return
    (worst, most), (best, least) = (pick(means, key=lambda pair: pair[1]) for pick in (max, min))
    if most - least < MODERATE * max(
        float(p.steps.split.steps.wall_ps.mean()) for p in partials if len(p.steps.split.steps)
    ):
        return
    yield Finding(
        f"{worst} waits longest for its input, {duration(most)} a step; {best} {duration(least)}",
        "note",
        action="Where one device gets its input later than others all wait for it: see what feeds it.",
        tool="pod_viewer",
    )
