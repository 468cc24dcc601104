"""Rules on the tf.data of a run: what steps wait for, which stage causes it, and what to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.tf_data.partial import Run
from ....messages import Message
from ...finding import Finding
from ..input import with_slow_steps
from .answer import answer
from .buffer import last_buffer
from .bursts import in_bursts
from .calls import slow_calls
from .contention import contends, threads_contend
from .leftout import left_out
from .order import maps_each, shards_late
from .outside import outside_steps
from .pipeline import pipeline_waits, wait_reason
from .several import several_pipelines
from .shuffles import shuffles

#: Of a run with a pipeline, in this order; the first answers the page's question for typical steps.
RULES: tuple[Callable[[Run], Iterator[Finding]], ...] = (
    answer,
    outside_steps,
    several_pipelines,
    in_bursts,
    threads_contend,
    maps_each,
    shards_late,
    shuffles,
    slow_calls,
    last_buffer,
    left_out,
)


def tf_data_findings(run: Run) -> tuple[Finding, ...]:
    """What all rules say of a run's tf.data."""
    if run.main is None:
        absent = {"absent": Message("no_tf_data_iterator")}
        return (Finding(code="no_tf_data", params=absent, severity="note", tool="input_pipeline"),)
    rest = (finding for rule in RULES[1:] for finding in rule(run))
    return with_slow_steps(run, tuple(RULES[0](run)), rest, wait_reason(run, run.main))


__all__ = [
    "contends",
    "pipeline_waits",
    "tf_data_findings",
]
