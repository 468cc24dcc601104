"""XLA's ops on CPU that go on on other threads, until an instant `end: name` there."""

from __future__ import annotations

from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.ops.executions import async_ops_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.op_answers import NS, ask, rows

HLO: dict[str, StatValue] = {"hlo_op": "dot.1", "hlo_module": "jit_step"}


def pairs(begins: list[tuple[int, int]], ends: list[int]) -> list[tuple[int, int]]:
    """Begin and duration of each event of `dot.1`, and its ends on another thread → begin and end of those found."""
    space = Space()
    cpu = space.plane("/host:CPU")
    first, second = cpu.line(1, "tf_XLAPjRtCpuClient/1"), cpu.line(2, "tf_XLAEigen/2")
    for begin, length in begins:
        first.event("dot.1", begin, length, stats=HLO)
    for end in ends:
        second.event("end: dot.1", end, 1)
    t = timeline(space)
    rows, end_ps = async_ops_of(t)
    return list(zip(t.capture.events.start_ps[rows].tolist(), end_ps.tolist(), strict=True))


def test_an_op_lasts_until_its_end() -> None:
    """An end within the event adds nothing; ops of one name at once end in turn; a capture that begins or ends in
    between gives an end to the last begun.
    """
    assert pairs([(0, 10), (100, 10)], [50, 180]) == [(0, 50), (100, 180)]
    assert pairs([(0, 60), (100, 10)], [50, 180]) == [(100, 180)]
    assert pairs([(0, 10), (20, 10)], [50, 60]) == [(0, 50), (20, 60)]
    assert pairs([(100, 10)], [50, 180]) == pairs([(0, 10), (100, 10)], [180]) == [(100, 180)]
    assert pairs([(0, 10)], []) == pairs([], [5]) == []


def test_an_end_is_that_of_the_context_it_consumes_and_no_later_than_what_the_thread_waited() -> None:
    """One end is lost, one is told late: by their turns, every later op would end at the one before."""
    space = Space()
    cpu = space.plane("/host:CPU")
    first, second = cpu.line(1, "tf_XLAPjRtCpuClient/1"), cpu.line(2, "tf_XLAEigen/2")
    for step in range(3):
        first.event("dot.1", step * 100, 10, stats={**HLO, "_pt": 0, "_p": 7 + step})
        first.event("ThunkExecutor::Execute (wait for completion)", step * 100 + 11, 60)
    for step, end in ((0, 50), (2, 290)):
        second.event("end: dot.1", end, 1, stats={"_ct": 0, "_c": 7 + step})
    t = timeline(space)
    rows, end_ps = async_ops_of(t)
    assert list(zip(t.capture.events.start_ps[rows].tolist(), end_ps.tolist(), strict=True)) == [
        (0, 50),
        (100, 171),
        (200, 271),
    ]


def test_an_older_annotation_names_the_op_where_it_is_an_ops_name() -> None:
    space = Space()
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    stream.event("gemm", 0, 10, stats={"annotation": "a/MatMul:MatMul#shape=(int32[3])#", "level 0": "a/MatMul:MatMul"})
    stream.event("swap", 10, 10, stats={"level 0": "a/Conv2D-0-TransposeNHWCToNCHW-LayoutOptimizer:Transpose"})
    stream.event("MemcpyH2D", 20, 10, stats={"level 0": "IteratorGetNext/_5:_Send"})
    stream.event("MemcpyH2D", 30, 10, stats={"level 0": "MakeTensorFromProto"})
    stream.event("MemcpyD2H", 40, 10, stats={"annotation": "#edge_name=copy#", "level 0": ""})
    stream.event("relu", 50, 10, stats={"level 0": "outer:Outer", "tf_op": "a/Relu:Relu"})
    t = timeline(space)
    assert [ops_of(t).ops[i] for i in ops_of(t).device.op.tolist()] == [
        Op("a/MatMul", "MatMul"),
        Op("a/Conv2D-0-TransposeNHWCToNCHW-LayoutOptimizer", "Transpose"),
        Op("IteratorGetNext/_5", "_Send"),
        Op("MemcpyH2D", "MemcpyHToD"),
        Op("MemcpyD2H", "MemcpyDToH"),
        Op("a/Relu", "Relu"),
    ]


def test_an_event_that_tells_its_eager_mode_is_believed() -> None:
    """Before 2.5 `EagerExecute` carried the function's name and no `is_func`."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    line.event("EagerExecute: LogicalAnd", 0, 100 * NS).event(
        "LogicalAnd:LogicalAnd", 0, 90 * NS, stats={"is_eager": 1}
    )
    line.event("EagerExecute", 200 * NS, 100 * NS, stats={"is_func": 0})
    line.event("a:A", 210 * NS, 10 * NS, stats={"is_eager": 0}).event("b:B", 230 * NS, 10 * NS)
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    stream.event("and", 0, 30 * NS, stats=[("level 0", "LogicalAnd:LogicalAnd"), ("is_eager", 1)])
    stream.event("and", 40 * NS, 10 * NS, stats=[("level 0", "LogicalAnd:LogicalAnd"), ("is_eager", 0)])
    assert rows(ask(timeline(space)), "side", "name", "eager_share") == [
        ("device", "LogicalAnd", 0.75),
        ("host", "LogicalAnd", 1.0),
        ("host", "a", 0.0),
        ("host", "b", 1.0),
    ]
