"""TensorFlow 2.1's `local.trace`, built in a few lines; damaged, it and run metadata give what can be read."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.decode.step_stats import Reader as StepStats
from tensorboard_perfplugin.decode.trace_proto import Reader
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.tables import Capture
from tests.build_capture import chunk, number, text
from tests.decode.step_stats import node, run_metadata
from tests.decode.test_step_stats import Row, rows, stats


def device(id: int, name: str, threads: dict[int, str]) -> bytes:
    resources = (chunk(3, number(1, i) + chunk(2, text(1, each) + number(2, i))) for i, each in threads.items())
    return chunk(1, number(1, id) + chunk(2, text(1, name) + number(2, id) + b"".join(resources)))


def event(device: int, thread: int, name: str, at_us: float, us: float, **args: str) -> bytes:
    said = (chunk(11, text(1, key.replace("_", " ")) + text(2, value)) for key, value in args.items())
    times = number(9, int(at_us * 10**6)) + number(10, int(us * 10**6))
    return chunk(4, number(1, device) + number(2, thread) + text(3, name) + times + b"".join(said))


TRACE = b"".join(
    (
        device(0, "/host:CPU", {7: "python", 1 << 32: ""}),
        device(1, "/device:GPU:0", {13: "stream 13"}),
        event(0, 7, "MatMul", 5, 10, long_name="dense/MatMul:MatMul", label="x", size="12"),
        event(0, 7, "train", 2, 50),
        event(1, 13, "sgemm", 9, 4, tf_op="dense/MatMul:MatMul"),
        event(0, 1 << 32, "Process", 4, 1, long_name="ExecutorState::Process"),
    )
)


def opened(data: bytes, name: str = "local.trace") -> Capture:
    capture = read_bytes(data, name)
    capture.check()
    return capture


def test_a_trace() -> None:
    """Names are the long ones, args that are numbers are numbers, the first event is at 0."""
    capture = opened(TRACE)
    expected: list[Row] = [
        ("/host:CPU", "python", "THREAD", "train", 0, 50),
        ("/host:CPU", "python", "THREAD", "dense/MatMul:MatMul", 3, 10),
        ("/host:CPU", f"thread {1 << 32}", "THREAD", "ExecutorState::Process", 2, 1),
        ("/device:GPU:0", "stream 13", "STREAM", "sgemm", 7, 4),
    ]
    assert rows(capture) == expected
    assert stats(capture, "dense/MatMul:MatMul") == {"label": "x", "size": 12}


def test_what_has_no_time_that_can_be_is_counted() -> None:
    bad = chunk(4, text(3, "bad") + number(9, 1 << 62))
    capture = opened(TRACE + bad)
    assert len(capture.events) == 4
    assert capture.quality.dropped == {"impossible_time": 1}


def test_two_million_nodes_or_events_are_read() -> None:
    """As if all but two nodes, or four events, had been read before."""
    for reader, field, last, most in (
        (
            StepStats(memoryview(run_metadata({"/device:CPU:0": [node("a", 0, 1), node("b", 1, 1)]}))),
            "nodes",
            2,
            "nodes",
        ),
        (Reader(memoryview(TRACE)), "events", 4, "events"),
    ):
        setattr(reader, field, 2_000_000 - last)
        reader.read()
        setattr(reader, field, 2_000_001 - last)
        with pytest.raises(UnreadableError, match=f"more than 2,000,000 {most}"):
            reader.read()


def test_without_a_device_it_is_refused() -> None:
    with pytest.raises(UnreadableError, match="is not a capture"):
        opened(event(0, 7, "alone", 5, 10))
