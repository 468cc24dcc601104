"""The tf.data of a run → findings: what steps wait for, which stage makes them, and what to change."""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.input import BOUND, HIGH, MODERATE, NOT
from ...analysis.tf_data import NO_TF_DATA, SLOW_US, Pipeline, Run
from ...tables import row_text
from ...units import duration, percent
from ..finding import Finding
from .input_advice import advice, cost
from .tf_data_words import maker

_LEGEND = f"Waiting is high from {percent(HIGH)} of the step time, moderate from {percent(MODERATE)}."
_NAMED = 3
#: A pipeline with this part of the waiting is as good as all there is.
_ALL = 0.9
#: Of a buffer's limit, what counts as empty and as full; longer numbers are hostile.
_EMPTY, _FULL, _DIGITS = 0.2, 0.8, 9
#: What is made for a step takes less than this part of what the step takes otherwise: the pipeline is quick enough.
_QUICK, _EXPLAINED = 0.9, 0.3


def tf_data_findings(run: Run) -> tuple[Finding, ...]:
    """The first answers the page's question."""
    if run.main is None:
        return (
            Finding(
                "No tf.data pipeline is in this capture",
                "note",
                detail=f"{NO_TF_DATA[:1].upper()}{NO_TF_DATA[1:]}.",
                tool="input_pipeline",
            ),
        )
    p = run.main
    return (
        _answer(run, p),
        *_outside(run),
        *_others(run, p),
        *_bursts(run, p),
        *_slow(run, p),
        *_buffer(run),
        *_warnings(run),
    )


def _answer(run: Run, p: Pipeline) -> Finding:
    share, limit = run.host_share(p.host), p.bottleneck
    if share is None or p.wait_ps is None or p.latency is None:
        return _without_steps(run, p)
    total = run.waits(p.host)
    waits = f"{duration(total)} ({percent(share)}) of each step"
    several = f", {duration(p.wait_ps)} of that for `{p.name}`" if p.wait_ps < _ALL * total else ""
    if run.host_verdict(p.host) == NOT:
        slowest = f" Of the pipeline `{p.name}`, {cost(limit)}." if limit else ""
        return Finding(
            f"The program waits only {waits} for its input",
            "info",
            share,
            detail=_LEGEND + slowest,
            action="A faster pipeline gains next to nothing: see in the overview what takes the rest of a step.",
            tool="overview",
        )
    why, action = maker(run, p)
    return Finding(
        f"The program waits {waits} for its input{several}" + (f"; {why}" if why else ""),
        "warning" if run.host_verdict(p.host) == BOUND else "note",
        share,
        detail=_LEGEND + (f" The stage is {limit.stage.name} of `{p.name}`." if limit else ""),
        action=action,
        tool="trace_viewer",
        evidence=p.longest,
        search=_calls(p),
        match="row",
    )


def _calls(p: Pipeline) -> str:
    return row_text("tf_data.pipelines.calls", host=p.host, pipeline=p.name)


def _without_steps(run: Run, p: Pipeline) -> Finding:
    limit, told = p.bottleneck, p.latency
    said = [f"`{p.name}` was asked {told.calls:,} times, {duration(told.total / told.calls)} each"] if told else []
    said += [cost(limit)] if limit else []
    reasons = (h.steps.split.steps.reason for h in run.hosts)
    return Finding(
        f"No step is found to compare with: {'; '.join(said) or 'no call of a pipeline was recorded'}",
        "note",
        detail=f"No steps: {next((r for r in reasons if r), 'the capture holds none')}.",
        action=f"Name an event that begins a step. {advice(limit) if limit else ''}".strip(),
        tool="trace_viewer",
        evidence=p.longest,
    )


def _outside(run: Run) -> Iterator[Finding]:
    """Validation between epochs, say, of which steps tell nothing."""
    for p in run.pipelines:
        span = run.span_ps(p.host)
        if not span or p.outside_ps < HIGH * span:
            continue
        limit = p.bottleneck
        yield Finding(
            f"Outside of steps the program waits {duration(p.outside_ps)} ({percent(p.outside_ps / span)} of the "
            f"capture) for `{p.name}`" + (f"; {cost(limit)}" if limit else ""),
            "note",
            p.outside_ps / span,
            detail="Such calls are in no step: those of a validation, or before the first step.",
            action=advice(limit) if limit else "",
            tool="trace_viewer",
            evidence=p.longest,
        )


def _others(run: Run, main: Pipeline) -> Iterator[Finding]:
    """Of several pipelines, which matters."""
    rest = [p for p in run.pipelines if p is not main and not (p.device and p.fed_by) and p.wait_ps is not None]
    if not rest or main.wait_ps is None:
        return
    named = ", ".join(f"{duration(p.wait_ps or 0)} for `{p.name}`{_of_host(run, p)}" for p in rest[:_NAMED])
    more = f" and no longer for {len(rest) - _NAMED} more" if len(rest) > _NAMED else ""
    yield Finding(
        f"Of {len(rest) + 1} pipelines `{main.name}`{_of_host(run, main)} matters most: a step waits "
        f"{duration(main.wait_ps)} for it, {named}{more}"
    )


def _of_host(run: Run, p: Pipeline) -> str:
    return f" of {p.host}" if len(run.hosts) > 1 else ""


def _slow(run: Run, p: Pipeline) -> Iterator[Finding]:
    told = p.latency
    if told is None or not told.slow:
        return
    yield Finding(
        f"{told.slow:,} of {told.calls:,} calls of `{p.name}` took more than {SLOW_US} µs; half of all no more than "
        f"{duration(told.p50)}, the longest {duration(told.max)}",
        detail="A call that finds its element ready takes a few microseconds. Whether longer ones matter is told by "
        "the part of a step that waits for them.",
        tool="trace_viewer",
        evidence=p.longest[: told.slow],
    )


def _buffer(run: Run) -> Iterator[Finding]:
    """What the last buffer before the program held when it was asked."""
    if run.chosen is None:
        return
    node = next((n for n in run.chosen[1].graph if n.hands_over and n.settings.buffered is not None), None)
    if node is None or node.name != "Prefetch" or node.settings.buffered is None:
        return
    limit = node.settings.given.get("buffer_limit", "")
    if not limit.isdecimal() or len(limit) > _DIGITS or not int(limit):
        return
    held = node.settings.buffered
    pipeline = run.chosen[0].pipelines[run.chosen[1].pipeline]
    state = f"The buffer of `{pipeline.name}` held {held:.1f} of {int(limit):,} elements when the program asked"
    if held < _EMPTY * int(limit):
        if run.verdict(pipeline) == NOT:
            return
        yield Finding(
            f"{state}: the pipeline is slower than the steps", tool="trace_viewer", search=_calls(pipeline), match="row"
        )
    elif held > _FULL * int(limit):
        yield Finding(f"{state}: elements are ready, and the steps are slower than the pipeline")


def _bursts(run: Run, p: Pipeline) -> Iterator[Finding]:
    """A pipeline that is quick enough on average, and yet is waited for."""
    limit, step, steps = p.bottleneck, run.step_ps.get(p.host), run.steps.get(p.host, 0)
    if limit is None or not step or not steps or p.wait_ps is None or run.verdict(p) == NOT:
        return
    made = limit.together_ps / steps
    if (
        limit.stage.unseen
        or limit.stage.type == "Prefetch"
        or not _EXPLAINED * p.wait_ps < made < _QUICK * (step - p.wait_ps)
    ):
        return
    yield Finding(
        f"On average the pipeline is quick enough, {duration(made)} for a step that otherwise takes "
        f"{duration(step - p.wait_ps)}: it makes elements in bursts, and too few are kept ready",
        "note",
        run.share(p),
        action="Keep more elements ready: end the pipeline with `prefetch(tf.data.AUTOTUNE)`, or a larger number than "
        "one slow stretch lasts steps.",
    )


def _warnings(run: Run) -> Iterator[Finding]:
    for host in run.hosts:
        for text in host.warnings:
            yield Finding(text[:1].upper() + text[1:], "note")
