"""A tf.data pipeline whose last stage works only while the program waits for it → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.input.bottleneck import Stage
from ....analysis.input.frames import TF_DATA, hands_over
from ....analysis.input.run import Input
from ....tables import row_text
from ...finding import Finding
from .level import BOUND, MODERATELY, verdict

_ROOTS = ("Root", "Model")


def nothing_prefetched(run: Input) -> Iterator[Finding]:
    """That nothing is made ahead."""
    if run.feeds != TF_DATA or verdict(run) not in (BOUND, MODERATELY):
        return
    roots = [s for s in run.stages if s.iterates and s.count and s.name.split("::")[1:-1] in ([], [_root(s)])]
    last = [s for s in roots if s.type not in _ROOTS]
    if last and not any(hands_over(s.name) for s in last):
        yield Finding(
            code="nothing_prefetched",
            params={"stage": last[0].type},
            severity="note",
            share=run.wait_share,
            tool="trace_viewer",
            search=calls_of(last[0]),
            match="row",
        )


def _root(stage: Stage) -> str:
    parts = stage.name.split("::")
    return parts[1] if len(parts) > 1 and parts[1] in _ROOTS else ""


def calls_of(stage: Stage) -> str:
    """What leads to the calls of a stage."""
    return row_text("input_pipeline.ops.total_ms", op=stage.name, transformation=stage.type, kind=stage.kind)
