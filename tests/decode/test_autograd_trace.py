"""Traces of PyTorch's autograd profiler, as its `export_chrome_trace` wrote them event by event."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.tables import Capture, TrackKind
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline

CPU, CUDA = '"pid": "CPU functions"', '"pid": "CUDA functions"'


def called(name: str, start: float, length: float) -> str:
    return f'{{"name": "{name}", "ph": "X", "ts": {start}, "dur": {length}, "tid": 7, {CPU}, "args": {{}}}}, '


def ran(name: str, called: float, start: float, length: float, number: int, device: int = 0) -> str:
    """What an operator called at a time ran, with its arrow."""
    head, link = f'{{"name": "{name}", ', f'"id": {number}, "cat": "cpu_to_cuda", "args": {{}}}}, '
    return (
        f'{head}"ph": "s", "ts": {called}, "tid": 7, {CPU}, {link}'
        f'{head}"ph": "f", "ts": {start}, "tid": {device}, {CUDA}, {link}'
        f'{head}"ph": "X", "ts": {start}, "dur": {length}, "tid": {device}, {CUDA}, "args": {{}}}}, '
    )


def opened(text: str) -> Capture:
    capture = read_bytes(text.encode(), "a.json")
    capture.check()
    return capture


def tracks(capture: Capture) -> list[tuple[str, str, list[str]]]:
    names = [capture.event_name(row) for row in range(len(capture.events))]
    return [
        (
            capture.strings[capture.planes.name[plane]],
            TrackKind(kind).name,
            [name for name, on in zip(names, capture.events.track.tolist(), strict=True) if on == track],
        )
        for track, (plane, kind) in enumerate(zip(capture.tracks.plane, capture.tracks.kind, strict=True))
    ]


EVENTS = (
    called("aten::linear", 0, 100)
    + ran("aten::linear", 0, 20, 90, 0)
    + called("aten::addmm", 10, 80)
    + ran("aten::addmm", 10, 25, 60, 1)
    + called("train", 0, 300)
    + called("aten::relu", 200, 50)
    + ran("aten::relu", 200, 210, 40, 2, device=1)
)


@pytest.mark.parametrize("end", ["]", "", ", ]"])
def test_what_ran_on_devices_is_of_the_operators_that_arrows_come_from(end: str) -> None:
    """Whether the list of events is closed or not: the file was written as the events came."""
    capture = opened("[" + EVENTS.removesuffix(", ") + end)
    assert tracks(capture) == [
        ("/host:CPU", "THREAD", ["train", "aten::linear", "aten::addmm", "aten::relu"]),
        ("/device:GPU:0", "STREAM", ["aten::addmm"]),
        # It spans what `aten::addmm`, which it calls, ran: it is not counted beside it.
        ("/device:GPU:0", "DERIVED", ["aten::linear"]),
        ("/device:GPU:1", "STREAM", ["aten::relu"]),
    ]
    ops = ops_of(Timeline(capture, "vm"))
    assert [ops.ops[i].type for i in ops.device.op] == ["aten::addmm", "aten::relu"]
    assert [ops.ops[i].type for i in ops.host.op] == ["aten::linear", "aten::addmm", "aten::relu"]
    assert capture.quality.warnings == ()


def test_work_within_that_of_another_operator_is_not_derived() -> None:
    """Of two streams the file makes one row: what is longer need not have called what is shorter."""
    events = called("aten::conv2d", 0, 30) + ran("aten::conv2d", 0, 20, 600, 0)
    events += called("aten::relu", 50, 30) + ran("aten::relu", 50, 70, 40, 1)
    assert tracks(opened(f"[{events}]"))[1:] == [("/device:GPU:0", "STREAM", ["aten::conv2d", "aten::relu"])]


def test_before_operators_had_a_namespace_bare_names_are_operators() -> None:
    capture = opened(
        "[" + called("conv2d", 0, 30) + called("AddmmBackward", 40, 5) + called("Adam.step#1", 50, 5) + "]"
    )
    ops = ops_of(Timeline(capture, "vm"))
    assert [ops.ops[i].type for i in ops.host.op] == ["conv2d", "AddmmBackward"]


def test_arrows_to_kernels_that_the_file_does_not_hold_are_no_loss() -> None:
    """PyTorch from 1.9 on writes the arrows alone."""
    arrow = f'{{"name": "aten::mm", "ph": "s", "ts": 5, "tid": 7, {CPU}, "id": 0, "cat": "cpu_to_cuda", "args": {{}}}}'
    assert opened("[" + called("aten::mm", 5, 30) + arrow + "]").quality.warnings == ()
