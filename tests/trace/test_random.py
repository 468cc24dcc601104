"""Whatever a trace is asked of whatever capture: an answer that holds together, or an error that is declared."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_perfplugin.answers.encode import to_columns, to_csv
from tensorboard_perfplugin.errors import ArgumentError, NotFoundError
from tensorboard_perfplugin.tables import Column
from tensorboard_perfplugin.tools import Answer
from tests.columns import read_columns
from tests.trace.random_traces import FAR, Planes, planes, timeline_of
from tests.trace.test_viewer import ask

NUMBERS = st.integers(-5, 130).map(str) | st.sampled_from([str(-(1 << 62)), str(1 << 62), str(1 << 63), "", "x", "1.5"])
TRACKS = st.sampled_from(["", "0", "0-2", "0-9", "3", "99", "h:0-1", "other:0", "%68:1", "2-1", "0,0", "-1", "a", ","])
#: The options of the trace, and what may be given for each; every one may be left out.
GIVEN = st.fixed_dictionaries(
    {},
    optional={
        "start_ps": NUMBERS,
        "end_ps": NUMBERS,
        "origin_ns": st.sampled_from(["0", "1700000000000000000", "1700000000000000001", "x"]),
        "width": st.sampled_from(["1", "7", "1000", "8192", "0"]),
        "tracks": TRACKS,
        "tracks_from": NUMBERS,
        "event": st.integers(0, 60).map(str) | st.sampled_from(["h:0", "other:0", "%68:3", "-1", "1" * 30, ":", "x"]),
        "search": st.sampled_from(["a", "kernel", "MatMul", "(", "a|b", "^$", "[", "\\d", "\ud83d", "2", "4096", ".*"]),
        "match": st.sampled_from(["text", "regex", "exact", "glob"]),
        "in": st.sampled_from(["names", "args", "all", "none"]),
        "offset": NUMBERS,
        "area": st.sampled_from(["true", "false", "maybe"]),
        "steps": st.sampled_from(["true", "false"]),
        "align": st.sampled_from(["starts", "collectives", "x"]),
        "shifts": st.sampled_from(["", "h:5", "h:-5,g:7", "g:1000000000000000", "h", "h:x", f"h:{1 << 70}"]),
    },
)
#: One thing is asked for at a time; at random most questions would be refused, or be windows.
ASKED = st.one_of(
    GIVEN,
    st.builds(
        lambda options, more: {**options, **more},
        st.fixed_dictionaries({}, optional={"start_ps": st.integers(-5, 60).map(str), "tracks": st.just("0-3")}),
        st.one_of(
            st.just({"area": "true"}),
            st.fixed_dictionaries({"event": st.integers(0, 30).map(str)}),
            st.fixed_dictionaries({"search": st.sampled_from(["e", "k", "2", "model"]), "in": st.just("all")}),
            st.just({"list_steps": "true", "align": "collectives"}),
            st.just({"width": "8192"}),
        ),
    ),
)


def spec_columns(answer: Answer, table: str) -> tuple[Column, ...]:
    return next(spec.columns for spec in answer.tool.tables if spec.name == table)


def check_forms(answer: Answer) -> None:
    """JSON, columns and CSV tell the same."""
    body = answer.to_dict()
    packed = read_columns(to_columns(answer))
    for name, table in packed["tables"].items():
        said = body["tables"][name]["columns"]
        # A column with a whole number beyond 2^53 comes as text.
        for column in (c.name for c in spec_columns(answer, name) if c.dtype == "int64"):
            if any(isinstance(cell, str) for cell in table["columns"][column]):
                assert max(abs(cell) for cell in said[column] if cell is not None) >= 1 << 53
                table["columns"][column] = [cell if cell is None else int(cell) for cell in table["columns"][column]]
    assert packed == json.loads(json.dumps(body))
    for name in answer.result.tables:
        lengths = {len(cells) for cells in body["tables"][name]["columns"].values()}
        assert to_csv(answer, name).count("\r\n") >= 1 + max(lengths)


def check_asked(captures: list[Planes], options: Mapping[str, str]) -> None:
    timelines = [timeline_of(each, host) for each, host in zip(captures, "hg", strict=False)]
    try:
        answer = ask(*timelines, **options)
    except (ArgumentError, NotFoundError):
        return
    check_forms(answer)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(planes(), min_size=1, max_size=2), ASKED)
def test_any_question_about_any_capture(captures: list[Planes], options: Mapping[str, str]) -> None:
    check_asked(captures, options)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(planes(FAR), ASKED)
def test_any_question_about_times_of_any_magnitude(given_planes: Planes, options: Mapping[str, str]) -> None:
    check_asked([given_planes], options)
