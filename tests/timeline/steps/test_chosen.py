"""Steps that a person chooses or ranges name, and what is no step: a guess without devices, what was not recorded."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.timeline.assignment import steps_of as assigned_steps
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space
from tests.decode.databases import Nsys
from tests.timeline.ops.test_calls import event, pytorch
from tests.timeline.steps.steps_of import US, none_by, put, rows, steps_of, thread


@pytest.fixture
def space() -> Space:
    space = Space()
    python, other = thread(space), thread(space, "other", 2)
    for i in range(3):
        put(python, "train", 100 * i, 90, step_num=i, _r=1)
        put(python, "load", 100 * i + 5, 20)
        put(python, "load", 100 * i + 10, 5)
        put(other, "load", 100 * i, 10)
        put(python, f"part-{i}", 100 * i + 30, 10)
    return space


def test_an_events_name(space: Space) -> None:
    """Outermost events, on the thread where they take most time."""
    found = steps_of(space, "load")
    assert rows(found) == [("load 0", 5, 25, 105), ("load 1", 105, 125, 205), ("load 2", 205, 225, -1)]
    assert (found.rule, found.confidence) == ("chosen", "certain")
    load = message("events_chosen.by_name", name="load")
    assert found.evidence == message("steps_seen.chosen", asked=load, events=3, one=False, thread="python")
    assert found.others == {message("not_steps.elsewhere", asked=load, thread="other"): 3}


def test_a_regular_expression(space: Space) -> None:
    found = steps_of(space, r"/^part-\d$/")
    assert found.name == ("part-0 0", "part-1 1", "part-2 2")
    asked = message("events_chosen.by_pattern", pattern=r"^part-\d$")
    assert found.evidence == message("steps_seen.chosen", asked=asked, events=3, one=False, thread="python")


def server(begins: tuple[int, int], launched: int | None) -> Space:
    """Two calls of 6 µs, and kernels from 100 on, launched at some time, or nobody knows when."""
    space = Space()
    for begin in begins:
        put(thread(space), "PjitFunction(tokenize)", begin, 6)
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i in range(3):
        stats = {} if launched is None else {"correlation_id": 1 + i}
        stream.event(f"kernel {i}", (100 + 10 * i) * US, 9 * US, stats)
        if launched is not None:
            put(thread(space, "runtime", 2), "cuLaunchKernel", launched + i, 1, correlation_id=1 + i)
    return space


def test_what_comes_once_does_not_repeat() -> None:
    space = Space()
    put(thread(space), "PjitFunction(train_step)", 0, 40)
    assert steps_of(space, "calls").reason == none_by("calls")


def found(made: Nsys) -> tuple[str, list[str]]:
    capture = decode.read_bytes(made.bytes(), "report1.sqlite")
    steps = assigned_steps(Timeline(capture, "h"))
    return steps.rule, [capture.event_name(row) for row in steps.row.tolist()]


def program(*ranges: str, epoch: str = "", domain: int = 0, times: int = 4) -> Nsys:
    """Turns of ranges, in each of which a kernel is launched."""
    made = Nsys(2025)
    if epoch:
        made.range(epoch, 0, times * 1_000_000)
    for turn in range(times):
        for i, name in enumerate(ranges):
            at, id = turn * 1_000_000 + i * 100_000 + 10, turn * 10 + i + 1
            made.range(name, at, at + (i + 1) * 10_000, domainId=domain)
            made.call("cudaLaunchKernel_v7000", at + 10, at + 20, id)
            made.kernel("k", at + 30, at + 5_000, id)
    return made


@pytest.mark.parametrize(("stopped", "walls", "cut"), [(200, [100, 100], 0), (199, [100, 99], 2)])
def test_what_was_not_recorded_is_no_part_of_a_step(stopped: int, walls: list[int], cut: int) -> None:
    """A sample of HolisticTraceAnalysis has a step of 13.3 s of which 1.8 ms were recorded."""
    marks = [event("user_annotation", f"ProfilerStep#{i}", 100 * i, 100) for i in range(2)]
    stop = event("", "Record Window End", stopped, 0) | {"ph": "i", "s": "g"}
    found = assigned_steps(pytorch([*marks, event("cpu_op", "aten::mm", 10, 180), stop]))
    assert ((found.wall_ps // 1_000_000).tolist(), int(found.cut[-1])) == (walls, cut)
    assert found.whole.tolist() == [True, cut == 0]


def test_rules_and_numbers(space: Space) -> None:
    assert steps_of(space, "numbers").rule == "numbers"
    assert steps_of(space, "input").reason == none_by("input")
    assert steps_of(space, "train").name == ("train 0", "train 1", "train 2")
    stream = space.plane("/device:GPU:0").line(1, "Stream #1")
    for i in range(2):
        put(stream, "gemm", 10 * i, 5)
    assert steps_of(space, "gemm").on_device


def test_what_is_not_there(space: Space) -> None:
    """A name that no event has tells what comes near; a long choice is shortened; what is no expression is refused."""
    near = {"loud": ("load",), "TRAI": ("train",), "?": ()}
    for name, names in near.items():
        assert steps_of(space, name).reason == message("no_steps.no_such_name", name=name, near=names)
    assert steps_of(space, "/zzz/").reason == message("no_steps.no_match", pattern="zzz")
    long = steps_of(space, "x" * 100_000).reason
    assert long == message("no_steps.no_such_name", name="x" * 79 + "…", near=())
    for text in ("/(/", "/(a+)+$/", "/[/", "/*/", "/(?a)(?u)x/", "/" + "x" * 300 + "/"):
        with pytest.raises(ArgumentError, match="steps_from"):
            steps_of(space, text)
    for text in ("/", "//", "///", "", " "):
        steps_of(space, text)


def test_a_guess_is_steps_where_devices_work_for_it() -> None:
    """Launched in it, or ran in it. Whoever asks for the rule gets its steps."""
    for begins, launched, found in (
        ((0, 10), 50, []),
        ((0, 10), None, []),
        ((0, 10), 12, [0, 10]),
        ((0, 200), None, [0, 200]),
    ):
        assert [row[1] for row in rows(steps_of(server(begins, launched)))] == found
    assert len(steps_of(server((0, 10), launched=50), "calls")) == 2


def test_ranges_of_nvtx_that_have_no_number() -> None:
    """A word for a turn, else the outermost that repeats and takes most; not those of libraries or around operators."""
    for word in ("train_step", "iteration", "Inference", "batch"):
        assert found(program("backward", word, "zzz", epoch="epoch")) == ("calls", [word] * 4)
    assert found(program("forward", "backward", epoch="all")) == ("calls", ["backward"] * 4)
    assert found(program("iteration", domain=3))[0] != "calls"
    made = program("attention")
    made.range("aten::mm, seq = 4, op_id = 1", 5_000_000, 5_000_100)
    assert found(made)[0] != "calls"
