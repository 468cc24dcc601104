"""Which questions options ask, which one leads, and that each number and table belongs to a question."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.tools.trace_viewer import TRACE_VIEWER
from tensorboard_perfplugin.tools.trace_viewer.questions import QUESTIONS, asked
from tensorboard_perfplugin.tools.trace_viewer.tables import SUMMARY, TABLES

#: What every answer holds.
OF_HOSTS = {"host_count", "track_count", "event_count", "origin_ns", "span_start_ps", "span_end_ps", "shifts"}


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, ["window", "counters", "tracks", "hosts"]),
        ({"tracks": "0-3", "start_ps": "5"}, ["window", "counters"]),
        ({"event": "7"}, ["event"]),
        ({"event": "7", "search": "x", "area": "true", "tracks_from": "0"}, ["event"]),
        ({"search": "x"}, ["search"]),
        ({"search": "x", "match": "regex", "area": "true"}, ["search"]),
        ({"search": "overview.steps.x", "match": "row"}, ["proof"]),
        ({"match": "row"}, ["window", "counters", "tracks", "hosts"]),
        ({"area": "true"}, ["area"]),
        ({"area": "true", "compare": "1-2"}, ["area", "compare"]),
        ({"compare": "1-2", "tracks": "0"}, ["window", "counters"]),
        ({"tracks_from": "0"}, ["tracks", "hosts"]),
        ({"list_steps": "true"}, ["steps", "hosts"]),
        ({"list_steps": "true", "tracks_from": "0"}, ["tracks", "steps", "hosts"]),
        ({"list_steps": "true", "event": "7"}, ["event", "steps", "hosts"]),
        ({"align": "collectives", "tracks": "0"}, ["window", "counters", "hosts"]),
    ],
)
def test_what_options_ask(options: dict[str, str], names: list[str]) -> None:
    assert [question.name for question in asked(TRACE_VIEWER.parse(options))] == names


def test_every_number_and_table_belongs_to_a_question() -> None:
    scalars = [name for question in QUESTIONS for name in question.scalars]
    assert {*scalars, *OF_HOSTS} == {column.name for column in SUMMARY}
    assert {name for question in QUESTIONS for name in question.tables} == {table.name for table in TABLES}
    assert all(question.not_asked for question in QUESTIONS if question.scalars)
    assert len({question.name for question in QUESTIONS}) == len(QUESTIONS)
