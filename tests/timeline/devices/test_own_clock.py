"""Steps of TPUs by the TPU's own clock: what the pages show of them, in captures whose clock was fitted or drifts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.devices import own_clock
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, Timeline
from tensorboard_perfplugin.tools import find_tool
from tensorboard_perfplugin.tools.declaration import Result
from tests.build_capture import Plane, Space, StatValue
from tests.timeline.timelines import timeline

MS = 10**9
KEYS = [category.key for category in CATEGORIES]


def by(own_ms: float, for_ms: float) -> dict[str, StatValue]:
    return {"device_offset_ps": round(own_ms * MS), "device_duration_ps": round(for_ms * MS)}


def core(space: Space, number: int = 0) -> Plane:
    return space.plane(f"/device:TPU:{number}", id=1 + number)


def runs(
    space: Space, shown_ms: Sequence[float], own_ms: Sequence[float], number: int = 0, op_ms: float = 5, rate: float = 1
) -> None:
    """Runs of a module on a core, each a copy and an op, all `op_ms` long by its own clock, `rate` faster than shown;
    the modules are by the host's clock alone."""
    plane = core(space, number)
    modules, ops = plane.line(2, "XLA Modules"), plane.line(3, "XLA Ops")
    for shown, own in zip(shown_ms, own_ms, strict=True):
        start, lasts = round(shown * MS), round(op_ms / rate * MS)
        modules.event("jit_train(17)", start, lasts)
        ops.event(plane.kind("%fusion.1", stats={"hlo_category": "loop fusion"}), start, lasts, by(own, op_ms))


def tool(name: str, of: Timeline) -> Result:
    found = find_tool(name)
    options = found.parse({})
    return found.combine([found.per_host(of, options)], options)


def split_ms(of: Timeline, unit: int = 0) -> list[dict[str, float]]:
    found = split_of(of)
    found.check()
    return [{KEYS[i]: row[i] / MS for i in np.flatnonzero(row)} for row in found.exposed_ps[unit].tolist()]


JUMPS, EVEN = [0, 14, 20, 33, 40], [0, 10, 20, 30, 40]


def test_steps_are_as_long_as_by_the_core_s_clock_and_where_the_trace_shows_them() -> None:
    space = Space()
    runs(space, JUMPS, EVEN)
    of = timeline(space)
    steps = steps_of(of)
    assert (steps.begin_ps / MS).tolist() == JUMPS
    assert (steps.until_ps / MS).tolist() == [14, 20, 33, 40, 45]
    assert (steps.wall_ps / MS).tolist() == [10, 10, 10, 10, 5]
    assert (steps.span_ps / MS).tolist() == [5] * 5
    assert split_ms(of) == [{"compute_other": 5.0, "idle": 5.0}] * 4 + [{"compute_other": 5.0}]


def test_pages_show_the_same_steps() -> None:
    space = Space()
    runs(space, JUMPS, EVEN)
    of = timeline(space)
    overview, input_pipeline, pod = (tool(name, of) for name in ("overview", "input_pipeline", "pod_viewer"))
    shown = [overview.summary[f"step_time_{what}ms"] for what in ("", "p95_", "sd_", "min_", "max_", "typical_")]
    assert shown == [10.0, 10.0, 0.0, 10.0, 10.0, 10.0]
    assert overview.tables["steps"]["duration_ms"] == pytest.approx([10, 10, 10, 10, 5])
    assert overview.summary["step_idle_share"] == 0.5
    assert input_pipeline.summary["step_time_ms"] == pod.summary["step_time_ms"] == 10.0
    assert "clocks_refitted" in [finding.code for finding in overview.findings]
    steps = tool("trace_viewer", of).tables
    assert "steps" not in steps or list(steps["steps"]["duration_ps"])[:2] == [14 * MS, 6 * MS]


def test_an_op_that_the_trace_shows_without_length_counts() -> None:
    """Of each step of 10 ms the second op takes 3 ms by the core's clock, and nothing in the trace."""
    space = Space()
    plane = core(space)
    modules, ops = plane.line(2, "XLA Modules"), plane.line(3, "XLA Ops")
    kind = plane.kind("%all-reduce.2", stats={"hlo_category": "all-reduce"})
    for i in range(4):
        modules.event("jit_train(17)", i * 10 * MS, 9 * MS)
        ops.event("%fusion.1", i * 10 * MS, 4 * MS, by(i * 10, 4))
        ops.event(kind, (i * 10 + 4) * MS, 0, by(i * 10 + 4, 3))
        ops.event("%fusion.3", (i * 10 + 4) * MS, 5 * MS, by(i * 10 + 7, 2))
    assert split_ms(timeline(space))[:3] == [{"compute_other": 6.0, "collective": 3.0, "idle": 1.0}] * 3


@pytest.mark.parametrize("on_ops", [True, False])
def test_a_line_of_steps_and_a_clock_that_drifts(on_ops: bool) -> None:
    """Two cores whose clocks begin 1 s apart and run 1 and 2 % faster than the host's; steps of 10.1 ms by the first.

    Half a step is idle on the first core; on the second, a step by the first's clock, 10.1 ms, has 5.1 ms of the op.
    Without clocks of the ops their time is in proportion to that of the steps.
    """
    space = Space()
    for number, rate in ((0, 1.01), (1, 1.02)):
        plane = core(space, number)
        steps, ops = plane.line(2, "Steps"), plane.line(3, "XLA Ops")
        for i in range(5):
            began = 1000 * number + i * 10 * rate
            steps.event(str(i), i * 10 * MS, 10 * MS, by(began, 10 * rate))
            ops.event("%fusion.1", i * 10 * MS, 5 * MS, by(began, 5 * rate) if on_ops else ())
    of = timeline(space)
    assert (steps_of(of).wall_ps / MS).tolist() == [pytest.approx(10.1)] * 5
    for unit, busy in ((0, 5.05), (1, 5.1)):
        for step in split_ms(of, unit):
            assert sum(step.values()) == pytest.approx(10.1, abs=1e-6)
            assert step["compute_other"] == pytest.approx(busy, abs=1e-6)


def test_threads_of_the_host_are_where_their_own_clock_puts_them() -> None:
    """The trace shows the idle half of the third step, by the core's clock from 25 to 30 ms, from 25 to 33 ms."""
    space = Space()
    runs(space, JUMPS, EVEN)
    space.plane("/host:CPU", id=9).line(1, "python").event("PjitFunction(train)", 26 * MS, 3 * MS)
    third = split_ms(timeline(space))[2]
    assert sum(third.values()) == 10.0
    assert third["idle"] == pytest.approx(2.0)


def test_steps_of_the_host_are_by_the_host_s_clock() -> None:
    space = Space()
    plane, line = core(space), space.plane("/host:CPU", id=9).line(1, "python")
    ops = plane.line(3, "XLA Ops")
    for i, shown in enumerate(JUMPS):
        line.event("train", i * 10 * MS, 9 * MS, {"step_num": i, "_r": 1})
        ops.event("%fusion.1", shown * MS, 5 * MS, by(EVEN[i], 5))
    steps = steps_of(timeline(space))
    assert (steps.on_device, steps.own) == (False, None)
    assert (steps.wall_ps / MS).tolist()[:4] == [10] * 4


@pytest.mark.parametrize(("rate", "used"), [(0.5, False), (0.501, True), (1.999, True), (2.0, False), (-1.0, False)])
def test_a_clock_of_twice_the_rate_is_none(rate: float, used: bool) -> None:
    space = Space()
    runs(space, EVEN, [100 + at * rate for at in EVEN], op_ms=5 * abs(rate), rate=abs(rate))
    of = timeline(space)
    plane = int(np.flatnonzero(of.capture.planes.name == of.capture.strings.find("/device:TPU:0"))[0])
    assert (own_clock(of, plane) is not None) is used
    wall = (steps_of(of).wall_ps / MS).tolist()[:4]
    assert wall == [pytest.approx(10 * rate if used else 10)] * 4


def test_a_core_without_a_clock_of_its_own() -> None:
    """A begin alone is none."""
    space = Space()
    plane = core(space)
    modules, ops = plane.line(2, "XLA Modules"), plane.line(3, "XLA Ops")
    for shown, own in zip(JUMPS, EVEN, strict=True):
        modules.event("jit_train(17)", shown * MS, 5 * MS)
        ops.event("%fusion.1", shown * MS, 5 * MS, {"device_offset_ps": own * MS})
    steps = steps_of(timeline(space))
    assert steps.own is None
    assert (steps.wall_ps / MS).tolist() == [14, 6, 13, 7, 5]


_TIMES = st.integers(0, 60)


@given(st.lists(st.tuples(_TIMES, _TIMES, _TIMES, _TIMES, st.integers(0, 1)), min_size=2, max_size=12), st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_clock_adds_up(events: list[tuple[int, int, int, int, int]], has_huge: bool) -> None:
    space = Space()
    lines = [(plane.line(2, "XLA Modules"), plane.line(3, "XLA Ops")) for plane in (core(space), core(space, 1))]
    for start, lasts, own, own_lasts, number in sorted(events):
        modules, ops = lines[number]
        modules.event("jit_train(17)", start * MS, lasts * MS)
        far = (1 << 60) if has_huge and own == 60 else 0
        clock = {"device_offset_ps": own * MS + far, "device_duration_ps": own_lasts * MS}
        ops.event("%fusion.1", start * MS, lasts * MS, clock)
    of = timeline(space)
    steps_of(of).check()
    split_of(of).check()


def test_marks_of_a_step_say_by_which_clock_it_is() -> None:
    """The first step is marked for 14 ms of the trace, and took 10."""
    space = Space()
    runs(space, JUMPS, EVEN)
    viewer, of = find_tool("trace_viewer"), timeline(space)
    options = viewer.parse({"search": "overview.steps.duration_ms?step=0&start_ms=0.0", "match": "row"})
    found = viewer.combine([viewer.per_host(of, options)], options)
    assert found.summary["hit_ps"] == 10 * MS
    assert found.summary["hit_text"] == "1 stretch of time: 10 ms, by the TPU's own clock."
    options = viewer.parse({"search": "overview.steps.idle_ms?step=0&start_ms=0.0", "match": "row"})
    assert viewer.combine([viewer.per_host(of, options)], options).summary["hit_ps"] == 5 * MS
