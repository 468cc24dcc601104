"""The step of each event, by cause, by time or not; steps timed by devices where the host runs ahead."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.timeline.assignment import (
    Assignment,
    How,
    Outside,
    Share,
    Shares,
    assign,
    assigned,
    assigned_shares_of,
    assignment_of,
    less_sure,
    outside_steps_of,
    shares,
    steps_of,
)
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.steps.model import Cut, Steps
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Line, Space
from tests.timeline.timelines import timeline

MS = 1_000_000_000
SEEN = message("steps_seen.marks", one=True)
TIMED_ON_DEVICE = message("steps_seen.timed_on_device", seen=SEEN, host_ps=2 * MS, device_ps=20 * MS)


def marked(of: Timeline, name: str = "step") -> Steps:
    """The events of one name as steps."""
    events = of.capture.events
    rows = np.flatnonzero(events.name == of.capture.strings.find(name)).astype(np.int32)
    rows = rows[np.argsort(events.start_ps[rows], kind="stable")]
    begin, lanes = events.start_ps[rows], events.track[rows]
    after = np.full(len(rows), -1)
    for lane in np.unique(lanes):
        mine = np.flatnonzero(lanes == lane)
        after[mine[:-1]] = begin[mine[1:]]
    number = np.arange(len(rows))
    names = tuple(f"{name} {i}" for i in number)
    end, cut = begin + events.duration_ps[rows], np.zeros(len(rows), np.uint8)
    steps = Steps("test", "certain", SEEN, None, number, names, rows, lanes, begin, end, after, cut)
    steps.check()
    return steps


def told(of: Timeline, assignment: Assignment) -> dict[str, tuple[int, str]]:
    """By name of an event its step, and how that is known. Names that several events bear get their number."""
    assignment.check()
    seen: Counter[str] = Counter()
    found = {}
    for name, step, how in zip(
        of.capture.strings.texts(of.capture.events.name), assignment.step, assignment.how, strict=True
    ):
        found[f"{name} #{seen[name]}"] = (int(step), How(how).name.lower())
        seen[name] += 1
    return found


def test_by_cause_by_time_and_not_at_all() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    main, pool, other = plane.line(1, "main"), plane.line(2, "pool"), plane.line(3, "other")
    main.event("before", 0, 10)
    main.event("step", 100, 50).event("a:Op", 110, 20, {"_pt": 2, "_p": 1})
    main.event("step", 200, 50).event("cuLaunchKernel", 210, 10, {"correlation_id": 5})
    main.event("between", 160, 10)
    main.event("after", 260, 10)
    pool.event("b:Op", 230, 10, {"_ct": 2, "_c": 1})
    other.event("c:Op", 120, 30)
    other.event("long:Op", 155, 300)
    other.event("d:Op", 300, 40)
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    stream.event("kernel", 400, 30, {"correlation_id": 5}).event("unlaunched", 205, 5).event("late", 500, 1)
    of = timeline(space)
    assignment = assign(of, marked(of))
    assert told(of, assignment) == {
        "before #0": (-1, "not"),
        "step #0": (0, "cause"),
        "a:Op #0": (0, "cause"),
        "between #0": (0, "time"),
        "step #1": (1, "cause"),
        "cuLaunchKernel #0": (1, "cause"),
        "after #0": (-1, "not"),
        "b:Op #0": (0, "cause"),
        "c:Op #0": (0, "time"),
        "long:Op #0": (-1, "not"),
        "d:Op #0": (-1, "not"),
        "unlaunched #0": (1, "time"),
        "kernel #0": (1, "cause"),
        "late #0": (-1, "not"),
    }
    assert shares(of, assignment) == Shares(Share(30, 5, 1), Share(30, 30, 300))


def test_an_event_that_covers_whole_steps_belongs_to_none_of_them() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    main, other = plane.line(1, "main"), plane.line(2, "other")
    for i in range(4):
        main.event("step", 100 * i, 90)
    other.event("into the next", 50, 150)
    other.event("to the last end", 210, 180)
    other.event("over one and more", 0, 201)
    of = timeline(space)
    found = told(of, assign(of, marked(of)))
    assert [found[f"{name} #0"] for name in ("into the next", "to the last end", "over one and more")] == [
        (0, "time"),
        (2, "time"),
        (-1, "not"),
    ]


def test_of_steps_that_overlap_the_last_begun_counts() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    a, b, other = plane.line(1, "a"), plane.line(2, "b"), plane.line(3, "other")
    a.event("step", 0, 90).event("step", 100, 90)
    b.event("step", 40, 20)
    for at in (10, 50, 70, 120, 195):
        other.event(f"at {at}", at, 1)
    of = timeline(space)
    found = told(of, assign(of, marked(of)))
    assert {at: found[f"at {at} #0"][0] for at in (10, 50, 70, 120, 195)} == {10: 0, 50: 1, 70: 0, 120: 2, 195: -1}


def test_groups_that_a_collector_made_are_causes() -> None:
    space = Space()
    main = space.plane("/host:CPU").line(1, "main")
    main.event("step", 0, 10, {"group_id": 4}).event("step", 50, 10, {"group_id": 5})
    main.event("step", 100, 10, {"group_id": 6}).event("step", 150, 10, {"group_id": 6})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    for group in (4, 5, 6, 9):
        stream.event(f"kernel of {group}", 60 + group, 1, {"group_id": group})
    of = timeline(space)
    found = told(of, assign(of, marked(of)))
    assert {group: found[f"kernel of {group} #0"] for group in (4, 5, 6, 9)} == {
        4: (0, "cause"),
        5: (1, "cause"),
        6: (1, "time"),  # two steps are of this group
        9: (1, "time"),
    }


def test_a_device_s_marker_holds_what_the_device_does_in_it() -> None:
    space = Space()
    device = space.plane("/device:TPU:0")
    device.line(1, "Steps").event("step", 100, 50).event("step", 200, 50)
    device.line(2, "XLA Ops").event("dot", 110, 5).event("between", 160, 5).event("copy", 240, 50).event("late", 295, 5)
    of = timeline(space)
    found = told(of, assign(of, marked(of)))
    assert {name: found[f"{name} #0"] for name in ("dot", "between", "copy", "late")} == {
        "dot": (0, "cause"),
        "between": (0, "time"),
        "copy": (1, "cause"),
        "late": (-1, "not"),
    }


def test_a_kernel_whose_launch_is_on_a_thread_of_its_own_goes_by_the_launch_s_time() -> None:
    """ROCm's calls stand on tracks of their own, apart from the threads that made them."""
    space = Space()
    plane = space.plane("/host:CPU")
    plane.line(1, "main").event("step", 100, 50).event("step", 200, 50)
    plane.line(2, "calls").event("hipModuleLaunchKernel", 120, 5, {"correlation_id": 1})
    space.plane("/device:GPU:0").line(7, "Stream #7").event("kernel", 230, 5, {"correlation_id": 1})
    of = timeline(space)
    assert told(of, assign(of, marked(of)))["kernel #0"] == (0, "time")


def test_without_steps_nothing_is_assigned() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("a:Op", 0, 10)
    of = timeline(space)
    found = assignment_of(of)
    assert told(of, found) == {"a:Op #0": (-1, "not")}
    assert assigned_shares_of(of) == Shares(Share(0, 0, 0), Share(0, 0, 10))


class Loop:
    """A host that issues steps and a device that runs them: times in ms, correlation ids as they come."""

    def __init__(self) -> None:
        self.space = Space()
        host = self.space.plane("/host:CPU")
        self.main, self.other = host.line(1, "main"), host.line(2, "other")
        gpu = self.space.plane("/device:GPU:0")
        self.stream, self.copies = gpu.line(7, "Stream #7"), gpu.line(8, "Stream #8")
        self.ids = 0

    def step(self, at: int, lasts: int) -> None:
        self.main.event("step", at * MS, lasts * MS)

    def work(self, issued: int, at: int, lasts: int, name: str = "kernel", stream: Line | None = None) -> None:
        self.ids += 1
        id = {"correlation_id": self.ids}
        self.main.event("cuLaunchKernel", issued * MS, 0, id)
        (stream or self.stream).event(name, at * MS, lasts * MS, id)

    def times(self) -> tuple[bool, list[tuple[int, int, int]]]:
        """Whether the steps are timed by devices; begin, end and next begin of each in ms."""
        of = timeline(self.space)
        steps = assigned(of, marked(of)).steps
        steps.check()
        columns = (steps.begin_ps, steps.end_ps, steps.next_ps)
        return steps.on_device, [
            (b // MS, e // MS, n // MS) for b, e, n in zip(*(column.tolist() for column in columns), strict=True)
        ]


def test_steps_of_a_host_that_only_issues_work_are_timed_by_the_devices() -> None:
    loop = Loop()
    for i in range(4):
        loop.step(2 * i, 1)
        loop.work(2 * i, 10 + 20 * i, 15)
        loop.work(2 * i, 26 + 20 * i, 2)
        # The copy of the next step's input runs ahead and moves no begin.
        loop.work(2 * i, 11 + 4 * i, 1, "MemcpyH2D", loop.copies)
    loop.other.event("on the host:Op", 3 * MS, MS)
    of = timeline(loop.space)
    found = assigned(of, marked(of))
    found.check()
    assert found.steps.evidence == TIMED_ON_DEVICE
    assert told(of, found)["on the host:Op #0"] == (1, "time")  # by when the host was at step 1
    assert loop.times() == (True, [(10, 28, 30), (30, 48, 50), (50, 68, 70), (70, 88, -1)])


def test_a_first_step_that_compiles_does_not_hide_that_the_host_runs_ahead() -> None:
    loop = Loop()
    loop.step(0, 990)
    loop.work(980, 1000, 15)
    for i in range(1, 6):
        loop.step(1000 + 2 * i, 1)
        loop.work(1000 + 2 * i, 1000 + 20 * i, 15)
    of = timeline(loop.space)
    assert assigned(of, marked(of)).steps.evidence == TIMED_ON_DEVICE
    assert loop.times()[1][:2] == [(1000, 1015, 1020), (1020, 1035, 1040)]


def test_steps_without_work_have_no_time_of_their_own_and_are_cut_at_the_ends() -> None:
    loop = Loop()
    for i in range(7):
        loop.step(2 * i, 1)
    for i, at in ((1, 100), (2, 130), (4, 190), (5, 220)):
        loop.work(2 * i, at, 20)
    of = timeline(loop.space)
    steps = assigned(of, marked(of)).steps
    assert loop.times() == (
        True,
        [
            (100, 100, 100),
            (100, 120, 130),
            (130, 150, 150),
            (150, 150, 190),
            (190, 210, 220),
            (220, 240, -1),
            (240, 240, -1),
        ],
    )
    assert steps.cut.tolist() == [Cut.BEGIN, 0, 0, 0, 0, 0, Cut.END]
    assert steps.whole.tolist() == [False, True, True, True, True, False, False]


def test_work_that_overlaps_the_next_step_s_or_comes_before_its_own_keeps_begins_in_order() -> None:
    loop = Loop()
    for i, (at, lasts) in enumerate(((100, 50), (130, 10), (120, 40), (200, 10))):
        loop.step(2 * i, 1)
        loop.work(2 * i, at, lasts)
    assert loop.times() == (True, [(100, 150, 130), (130, 140, 130), (130, 160, 200), (200, 210, -1)])


def test_real_markers_of_a_host_that_runs_ahead() -> None:
    """Through `Timeline`: rules, assignment and split agree on the steps."""
    loop = Loop()
    for i in range(4):
        loop.main.event("train", 2 * i * MS, MS, {"_r": 1, "step_num": i})
        loop.work(2 * i, 10 + 20 * i, 15)
    of = timeline(loop.space)
    steps = steps_of(of)
    split_of(of).check()
    assert split_of(of).steps is steps is assignment_of(of).steps
    assert (steps.on_device, (steps.wall_ps // MS).tolist()) == (True, [20, 20, 20, 15])
    assert assigned_shares_of(of) == Shares(Share(60 * MS, 0, 0), Share(0, 0, 0))


@pytest.mark.parametrize(("capture", "key"), [("jax_cpu", "run_id"), ("jax_python", "run_id"), ("custom_loop", "id")])
def test_every_run_of_a_real_program_belongs_to_one_step_of_its_own(
    shared_captures: Path, capture: str, key: str
) -> None:
    """JAX numbers each run of its program, TensorFlow each of its function; what ran is on other threads."""
    (file,) = (shared_captures / "xplane" / capture).rglob("*.xplane.pb")
    of = Timeline(decode.read(str(file)), "h")
    found = assignment_of(of)
    found.check()
    run, kind = of.stat(key)
    names = of.capture.strings.texts(of.capture.events.name)
    executed = np.array([key == "run_id" or name == "ExecutorState::Process" for name in names])
    rows = np.flatnonzero((kind > 0) & executed)
    assert (found.how[rows] == How.CAUSE).all()
    pairs = set(zip(run[rows].tolist(), found.step[rows].tolist(), strict=True))
    assert len(pairs) == len(set(run[rows].tolist())) == len(found.steps)


def mark(loop: Loop, at: int, lasts: int, number: int) -> None:
    loop.main.event("train", at * MS, lasts * MS, {"_r": 1, "step_num": number})


def test_the_only_step_ends_when_devices_have_done_what_it_launched() -> None:
    """A step of a server with one small kernel in its mark and a graph behind it was as short as the mark."""
    loop = Loop()
    loop.step(0, 2)
    loop.work(0, 1, 1, "small")
    loop.work(1, 2, 7, "graph")
    assert loop.times() == (False, [(0, 9, -1)])


def test_what_is_launched_after_the_mark_is_not_the_step_s() -> None:
    loop = Loop()
    mark(loop, 0, 2, 0)
    loop.work(1, 1, 8, "of the step")
    loop.work(3, 4, 2, "meanwhile", loop.copies)
    loop.work(3, 9, 11, "after it")
    of = timeline(loop.space)
    found = told(of, assignment_of(of))
    assert {name: found[f"{name} #0"] for name in ("of the step", "meanwhile", "after it")} == {
        "of the step": (0, "cause"),
        "meanwhile": (-1, "not"),
        "after it": (-1, "not"),
    }
    assert steps_of(of).end_ps.tolist() == [9 * MS]
    # Busy from 1 to 20 ms, of which 1 to 9 lie in the step.
    assert outside_steps_of(of) == Outside(19 * MS, 11 * MS)


def test_of_several_steps_the_last_of_each_thread_ends_with_its_work() -> None:
    loop = Loop()
    for i in range(2):
        loop.step(10 * i, 5)
        loop.work(10 * i + 1, 10 * i + 2, 6)
    loop.other.event("step", 3 * MS, 4 * MS)
    assert loop.times() == (False, [(0, 5, 10), (3, 7, -1), (10, 18, -1)])


def test_a_kernel_on_another_stream_does_not_hide_that_devices_begin_late() -> None:
    loop = Loop()
    loop.step(0, 2)
    loop.work(0, 1, 1, "small", loop.copies)
    loop.work(1, 20, 30, "graph")
    assert loop.times() == (True, [(20, 50, -1)])


def test_of_two_steps_devices_that_fall_behind_tell_the_times() -> None:
    """The device works on the first while the host issues the second; it needs 8 ms for what the host issues in 5."""
    loop = Loop()
    for i in range(2):
        loop.step(5 * i, 5)
        loop.work(5 * i, 8 * i + 1, 8)
    assert loop.times() == (True, [(1, 9, 9), (9, 17, -1)])


def test_hosts_that_keep_their_own_times() -> None:
    """Devices hold it back; it is slower than they are; it is ahead by less than a step; steps on two threads."""
    held_back, slower, near, threads = Loop(), Loop(), Loop(), Loop()
    for i in range(5):
        held_back.step(20 * i, 19)
        held_back.work(20 * i, 20 * i + 50, 18)
    for i in range(3):
        slower.step(20 * i, 10)
        slower.work(20 * i + 1, 20 * i + 2, 3)
        near.step(10 * i, 9)
        near.work(10 * i, 1 + 13 * i, 8)
    for i in range(4):
        threads.step(2 * i, 1)
        threads.other.event("step", 2 * i * MS, MS)
        threads.work(2 * i, 10 + 20 * i, 15)
    assert held_back.times() == (False, [(0, 19, 20), (20, 39, 40), (40, 59, 60), (60, 79, 80), (80, 148, -1)])
    assert slower.times() == (False, [(0, 10, 20), (20, 30, 40), (40, 50, -1)])
    assert (near.times()[0], threads.times()[0]) == (False, False)


def cadence(every: int, first: int, steps: int = 5) -> Loop:
    """A host that issues a step each 100 ms to devices that begin one `every` so often, the first that late."""
    loop = Loop()
    for i in range(steps):
        loop.step(100 * i, 99)
        loop.work(100 * i, first + every * i, 50)
    return loop


def test_how_much_slower_devices_time_steps() -> None:
    """By a quarter where most work begins before the host is done, by a twentieth where three of five come late."""
    slower = [(124, 20), (126, 20), (104, 300), (106, 300), (110, 75), (110, 85)]
    assert [cadence(every, first).times()[0] for every, first in slower] == [False, True] * 3
    few = [cadence(150, 60, steps) for steps in (2, 3)]
    for steps, loop in enumerate(few, 2):
        loop.step(100 * steps, 99)
    assert [loop.times()[0] for loop in few] == [False, True]


def test_half_of_the_work_must_be_known_and_a_tenth_is_on_a_main_stream() -> None:
    """Work of nobody, 60 ms of which are known. Before the kernel of each step of 18 ms another stream runs one."""
    on_device, begins = [], []
    for others in (4, 5):
        loop = Loop()
        for i in range(4):
            loop.step(2 * i, 1)
            loop.work(2 * i, 10 + 20 * i, 15)
        for at in range(others):
            loop.copies.event("of nobody", (20 + at) * MS, MS)
        on_device.append(loop.times()[0])
    for lasts in (1, 3):
        loop = Loop()
        for i in range(4):
            loop.step(2 * i, 1)
            loop.work(2 * i, 5 + 30 * i, lasts, "early", loop.copies)
            loop.work(2 * i, 12 + 30 * i, 18)
        begins.append(loop.times()[1][0][0])
    assert (on_device, begins) == ([True, False], [12, 5])


def test_a_fifth_of_the_work_outside_of_steps_makes_them_less_sure() -> None:
    loops = {outside: Loop() for outside in (2, 3)}
    for outside, loop in loops.items():
        mark(loop, 0, 10, 0)
        loop.work(0, 1, 8)
        loop.work(20, 30, outside)
    found = {outside: steps_of(timeline(loop.space)) for outside, loop in loops.items()}
    assert [steps.confidence for steps in found.values()] == ["certain", "likely"]
    assert [less_sure(found[3], Outside(100, outside)).confidence for outside in (20, 21)] == ["likely", "guess"]
