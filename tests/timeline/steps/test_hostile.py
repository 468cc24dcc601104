"""Captures made of what rules look for, put together at random: any answer, but one that holds together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_perfplugin.timeline.steps.find import RULES, find
from tests.build_capture import Ref, Space, StatValue, Uint
from tests.timeline.timelines import timeline

NAMES = (
    "train",
    "train 7",
    "ProfilerStep#99999999999999999999999",
    "step 3",
    "ProcessBatch",
    "TraceContext",
    "FunctionRun",
    "ExecutorState::Process",
    "PjitFunction(f)",
    "PjitFunction(add)",
    "PjitFunction(",
    "$a.py:3 f",
    "EagerLocalExecute: __inference_f_1",
    "EagerLocalExecute: MatMul",
    "EagerLocalExecute: IteratorGetNext",
    "IteratorGetNextOp::DoCompute",
    "InstantiatedCapturedFunction::Run",
    "jit_f:XLA GPU module",
    "jit_f(12)",
    "12",
    "",
    "\n",
)
PLANES = ("/host:CPU", "/device:GPU:0", "/device:TPU:0", "/host:python-tracer")
LINES = ("python", "Steps", "XLA Modules", "XLA Ops", "Stream #1", "tf_data_iterator_resource/1", "")
KEYS = ("_r", "step_num", "iter_num", "group_id", "id", "graph_type", "step_name", "tf_function_call", "tracing_count")

values: st.SearchStrategy[StatValue] = st.one_of(
    st.integers(-2, 3),
    st.sampled_from([1 << 62, -(1 << 63), Uint((1 << 64) - 1), Uint(2), 1.5, "text", Ref("interned"), b"bytes"]),
)
events = st.tuples(
    st.sampled_from(NAMES),
    st.integers(0, 40) | st.just(1 << 61),
    st.integers(0, 20) | st.just(1 << 61),
    st.dictionaries(st.sampled_from(KEYS), values, max_size=3),
)
lines = st.tuples(st.sampled_from(LINES), st.lists(events, max_size=14))
planes = st.tuples(st.sampled_from(PLANES), st.lists(lines, max_size=3))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(planes, max_size=3))
def test_every_rule_gives_steps_that_hold_together(
    given_planes: list[tuple[str, list[tuple[str, list[object]]]]],
) -> None:
    space = Space()
    for plane_name, given_lines in given_planes:
        plane = space.plane(plane_name)
        for i, (line_name, given_events) in enumerate(given_lines):
            line = plane.line(i, line_name)
            for event in given_events:
                line.event(*event)  # type: ignore[misc]
    of = timeline(space)
    for choice in ("auto", *(rule.name for rule in RULES), "train", "/./"):
        found = find(of, choice)
        found.check()
        assert all(len(name) < 250 for name in found.name)
        assert bool(found.evidence) == bool(len(found))
        assert all(count > 0 for count in found.others.values())
