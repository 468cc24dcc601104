"""Timelines → what a window of the trace shows, one event's details, the events that a search finds, a sum of an area.

An answer is bounded whatever the capture: a page asks for the tracks on its screen at the resolution of its screen.
Each question is declared in a module of its own; `questions` lists them.
"""

from __future__ import annotations

from ...trace.window import prepare
from ..declaration import Tool, View
from .questions import combine, per_host
from .tables import OPTIONS, SUMMARY, TABLES

TRACE_VIEWER = Tool(
    name="trace_viewer",
    title="Trace",
    question="What ran when, and what waited for what?",
    help="Every event of every thread and stream on one time axis.",
    summary=SUMMARY,
    tables=TABLES,
    views=(View("page"),),
    per_host=per_host,
    combine=combine,
    in_range="window",
    options=OPTIONS,
    aliases=("trace_viewer@", "trace_view"),
    of_memory=True,
    ahead=prepare,
    missing=lambda timeline: None if len(timeline.capture.events) else "this capture holds no event that has a time",
)
