"""Timelines → the tf.data pipelines of a program, what steps wait for in each, and which stage makes them wait."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.rules.tf_data import tf_data_findings
from ...advice.text.catalogue import Sentence
from ...analysis.input.frames import has_iterators
from ...analysis.steps.means import STEPS_FROM
from ...analysis.tf_data.partial import HostTfData, host_tf_data, run_of_hosts
from ...tables import LIMIT, Options
from ...timeline.timeline import Timeline
from ..declaration import Result, Tool, View
from .tables import (
    BOTTLENECKS,
    EXECUTION,
    EXECUTIONS,
    FUNCTIONS,
    GRAPH,
    PIPELINE,
    PIPELINES,
    SUMMARY,
    summary,
    tables,
)


def per_host(timeline: Timeline, options: Options) -> HostTfData:
    return host_tf_data(timeline, options)


def combine(partials: Sequence[HostTfData], options: Options) -> Result:
    run = run_of_hosts(partials, options)
    facts, unknown = summary(run)
    return Result(facts, tables(run, options), unknown, tf_data_findings(run))


def missing(timeline: Timeline) -> str | None:
    """A page is there if a call of an iterator is."""
    return None if has_iterators(timeline) else Sentence("no_tf_data_iterator")


TF_DATA = Tool(
    name="tf_data",
    title="tf.data",
    question="Which stage of a tf.data pipeline makes the program wait?",
    help="Every tf.data pipeline: how long steps wait for it, its slow calls, and which stage makes them slow.",
    summary=SUMMARY,
    tables=(PIPELINES, EXECUTIONS, GRAPH, BOTTLENECKS, FUNCTIONS),
    views=(
        View("facts"),
        View("table", table="bottlenecks"),
        View("tree", table="graph", label="name"),
        View("table", table="pipelines"),
        View("table", table="executions"),
        View("table", table="functions"),
    ),
    per_host=per_host,
    combine=combine,
    options=(PIPELINE, EXECUTION, STEPS_FROM, LIMIT),
    aliases=("tf_data_bottleneck_analysis", "tf_data_bottleneck"),
    missing=missing,
)
