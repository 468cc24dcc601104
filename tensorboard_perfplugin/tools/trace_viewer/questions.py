"""The questions that the trace answers, in the order in which they lead, and how one is put to all hosts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from ...advice.finding import Finding, worst_first
from ...analysis.hosts.environment import loss
from ...tables import Cells, Options, Scalar
from ...timeline.timeline import Timeline
from ...trace.counters import track_count
from ...trace.groups import axis, clock_steps, offset_ps, shifts_text
from ...trace.lanes import Window
from ..declaration import Result
from .area import AREA, COMPARE
from .event import EVENT, PROOF, SEARCH
from .question import Answered, Asking, Given, HostPart, Question, Run
from .tables import SUMMARY
from .window import COUNTERS, HOSTS, STEPS, TRACKS, WINDOW, wants_clocks

#: A window is what is asked for where nothing else is.
QUESTIONS: tuple[Question[Any], ...] = (*(EVENT, PROOF, SEARCH, AREA, COMPARE, COUNTERS, TRACKS, STEPS, WINDOW, HOSTS),)


def asked(options: Options) -> list[Question[Any]]:
    """The question that leads, then those beside it."""
    leading = next(one for one in QUESTIONS if one.may_lead(options))
    return [leading, *(one for one in QUESTIONS if one is not leading and one.beside(leading.name, options))]


def per_host(timeline: Timeline, options: Options) -> HostPart:
    c, tracks = timeline.capture, track_count(timeline)
    offset, (first, end) = offset_ps(timeline.host, c.start_ns, options), c.span_ps
    span = Window(first, end + 1) if len(c.events) else None
    clock = clock_steps(timeline) if wants_clocks(options) else None
    asking = Asking(timeline, options, offset, span, tracks)
    parts = {one.name: one.per_host(asking) for one in asked(options) if one.per_host}
    return HostPart(timeline.host, c.start_ns, offset, span, tracks, len(c.events), loss(timeline), clock, parts)


def combine(hosts: Sequence[HostPart], options: Options) -> Result:
    steps = [one.clock for one in hosts if one.clock]
    names, starts = [one.host for one in hosts], [one.start_ns for one in hosts]
    on = axis(names, starts, steps, options)
    hosts = [dataclasses.replace(one, offset_ps=ps) for one, ps in zip(hosts, on.offsets, strict=True)]
    summary: dict[str, Scalar] = dict.fromkeys(c.name for c in SUMMARY)
    summary.update(_of_hosts(hosts), origin_ns=None if on.origin_ns is None else str(on.origin_ns))
    summary["shifts"] = shifts_text(names, on)
    tables: dict[str, dict[str, Cells]] = {}
    unknown: dict[str, str] = {}
    findings: list[Sequence[Finding]] = []
    run = Run(options, hosts, on, steps, summary)
    for question in asked(options):
        answered = _answered(question, run)
        summary.update(answered.numbers)
        tables.update(answered.tables)
        unknown.update(answered.unknown)
        findings.append(answered.findings)
    # Of equal severity, findings about the capture come before those of the leading question.
    ordered = [*(each for some in findings[1:] for each in some), *findings[0], *on.findings]
    return Result(summary, tables, _reasons(summary, unknown, len(hosts)), worst_first(ordered))


def _answered(question: Question[Any], run: Run) -> Answered:
    given = [Given(one.host, one.offset_ps, one.parts.get(question.name)) for one in run.hosts]
    return question.answer(given, run)


def _of_hosts(hosts: Sequence[HostPart]) -> dict[str, Scalar]:
    numbers: dict[str, Scalar] = {
        "host_count": len(hosts),
        "track_count": sum(one.track_count for one in hosts),
        "event_count": sum(one.event_count for one in hosts),
    }
    spans = [(p.span.start_ps + p.offset_ps, p.span.end_ps + p.offset_ps) for p in hosts if p.span]
    if spans:
        numbers.update(span_start_ps=min(s for s, _ in spans), span_end_ps=max(e for _, e in spans))
    return numbers


def _reasons(summary: Mapping[str, Scalar], unknown: Mapping[str, str], hosts: int) -> dict[str, str]:
    reasons = {name: one.not_asked for one in QUESTIONS for name in one.scalars}
    reasons |= dict.fromkeys(("span_start_ps", "span_end_ps"), "the capture holds no event that has a time")
    reasons["origin_ns"] = (
        "the capture does not record when it began"
        if hosts == 1
        else "not all captures record when they began, or they began more than a day apart"
    )
    reasons |= unknown
    return {name: reasons[name] for name, value in summary.items() if value is None}
