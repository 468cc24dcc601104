"""What TensorFlow before 2.5 wrote of its kernels: annotations as `level 0`, and eager mode event by event."""

from __future__ import annotations

from tensorboard_perfplugin.timeline import Op, ops_of
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.op_answers import NS, ask, rows


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
