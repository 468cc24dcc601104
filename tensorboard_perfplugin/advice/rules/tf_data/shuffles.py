"""What a pipeline shuffles → that it is whole batches, what was made already, or several epochs."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.graph import Shuffled, shuffled
from ....analysis.tf_data.partial import Pipeline, Run
from ....messages import Message, Param
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from ..input.level import MODERATE
from ..input.prefetch import calls_of
from .order import costly

MADE = Threshold(
    "made_for_shuffle",
    0.5,
    "share",
    "of the work on what a buffer is filled with; where a function is less, filling takes long without it, too",
    CHOSEN,
)
HOLDS = Threshold(
    "shuffle_holds", 1 << 30, "bytes", "a host has so much memory to spare; a larger buffer is worth a word", CHOSEN
)
GROWN = Threshold(
    "grown_elements", 2, "times", "elements that grow less are as well shuffled after as before that", CHOSEN
)


def shuffles(run: Run) -> Iterator[Finding]:
    """Of each pipeline what is said of one shuffle: batches before what was made, and that before epochs."""
    for p, cost in costly(run, typical=False):
        said = [finding for one in shuffled(p.stages) for finding in _said(run, p, one, cost)]
        yield from said[:1]


def _said(run: Run, p: Pipeline, one: Shuffled, cost: Message) -> Iterator[Finding]:
    span = run.span_ps(p.host)
    params: dict[str, Param] = {"pipeline": p.name, "cost": cost}
    fills = one.stage.fill_ps >= MODERATE.value * span if span else False
    fill: dict[str, Param] = {"fills": one.stage.fills, "fill": one.stage.fill_ps, "fill_share": _part(one, span)}
    if one.batch is not None:
        size = one.batch.settings.get("batch_size", "")
        params |= {"elements": one.stage.buffer_size, "batch": int(size) if size.isdecimal() else None}
        yield _finding(run, p, one, "tf_data_shuffles_batches", params | (fill if fills else {}), costs=fills)
    elif one.made is not None and fills and one.made.work_ps >= MADE.value * one.below_ps:
        params |= {"stage": one.made.type, "elements": one.stage.buffer_size, **fill}
        yield _finding(run, p, one, "tf_data_shuffles_made", params)
    elif one.made is not None and one.held_bytes >= HOLDS.value and _grows(one):
        params |= {"stage": one.made.type, "elements": one.held, "bytes": one.held_bytes}
        params |= {"each": one.element_bytes, "before": one.before_bytes}
        yield _finding(run, p, one, "tf_data_shuffles_made.large", params)
    if one.repeats:
        yield _finding(run, p, one, "tf_data_shuffles_epochs", {"pipeline": p.name, "cost": cost}, costs=False)


def _part(one: Shuffled, span: float) -> float:
    return min(one.stage.fill_ps / span, 1.0) if span else 0.0


def _grows(one: Shuffled) -> bool:
    return 0 < GROWN.value * one.before_bytes <= one.element_bytes


def _finding(run: Run, p: Pipeline, one: Shuffled, code: str, params: dict[str, Param], costs: bool = True) -> Finding:
    return Finding(
        code=code,
        params=params,
        severity="note" if costs else "info",
        share=run.share(p) if costs else None,
        tool="trace_viewer",
        evidence=p.longest,
        search=calls_of(one.stage),
        match="row",
    )
