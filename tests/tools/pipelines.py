"""A few lines → the events that TensorFlow writes of a tf.data pipeline, on the lines of a built capture."""

from __future__ import annotations

from tests.build_capture import Line, Space, StatsGiven, Uint

MS = 10**9


def host(space: Space) -> list[Line]:
    """Threads: of the program, of what makes elements, and two of a pool that runs functions."""
    plane = space.plane("/host:CPU")
    names = ("python", "tf_data_iterator_resource/1", "tf_data_private_threadpool/1", "tf_data_private_threadpool/2")
    return [plane.line(i + 1, name) for i, name in enumerate(names)]


def call(line: Line, chain: str, begin_ms: float, end_ms: float, **stats: int | str) -> Line:
    """A call of the iterator `Iterator::<chain>`."""
    return span(line, f"Iterator::{chain}", begin_ms, end_ms, stats)


def asked(line: Line, chain: str, begin_ms: float, end_ms: float, **stats: int | str) -> None:
    """The program asks its pipeline for the next batch; `chain` is the last stage, below `Root`."""
    span(line, "IteratorGetNextOp::DoCompute", begin_ms, end_ms)
    call(line, "Root", begin_ms, end_ms)
    call(line, f"Root::{chain}", begin_ms, end_ms, **stats)


def function(on: Line, runs: Line, id: int, at_ms: float, begin_ms: float, end_ms: float, op: str) -> None:
    """A stage starts its function at `at_ms`, which runs one op on a thread of the pool meanwhile or later."""
    span(on, "InstantiatedCapturedFunction::RunAsync", at_ms, at_ms, {"id": id})
    executor(runs, id, begin_ms, end_ms, op)


def executor(runs: Line, id: int, begin_ms: float, end_ms: float, op: str) -> None:
    span(runs, "ExecutorState::Process", begin_ms, end_ms, {"id": Uint(id), "iter_num": 0})
    span(runs, op, begin_ms, end_ms)


def span(line: Line, name: str, begin_ms: float, end_ms: float, stats: StatsGiven = ()) -> Line:
    return line.event(name, round(begin_ms * MS), round((end_ms - begin_ms) * MS), stats=stats)


def steps(line: Line, begins_ms: list[float], end_ms: float) -> None:
    """Marks of steps, each up to the next one's begin."""
    for number, (begin, end) in enumerate(zip(begins_ms, [*begins_ms[1:], end_ms], strict=True)):
        span(line, "train", begin, end, {"step_num": number, "_r": 1})
