"""Rules on ops: what each says of small captures, and on both sides of its thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.ops import op_findings
from tensorboard_perfplugin.analysis.ops.rows import Listed, OpRow, UnattributedTime
from tensorboard_perfplugin.analysis.ops.use import OpUse
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import TOOLS, Answer
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.op_answers import NS, ask, gpu, host_line

ROW = OpRow(1, 1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def ran(self_ps: float, **more: Any) -> OpRow:
    """An op that ran once, for so long."""
    return ROW._replace(**{"self_ps": self_ps, "total_ps": self_ps, "wait_known_ps": self_ps, **more})


def findings(side: str, *rows: tuple[str, OpRow], cause: str = "graphs") -> list[Finding]:
    """Ops are `name:type`, largest first."""
    ops = [(Op(*text.split(":", 1)), row) for text, row in rows]
    return list(op_findings([Listed(side, "", ops)], [UnattributedTime(**{cause: 1.0})]))


def about(code: str, every: list[Finding]) -> dict[str, Any] | None:
    return next((dict(finding.params) for finding in every if finding.code == code), None)


def codes(answer: Answer) -> list[str]:
    return [f.code for f in answer.result.findings]


def remedy(name: str) -> Message:
    return Message(f"op_remedy.{name}")


def test_the_first_finding_names_the_op_its_share_and_what_to_do() -> None:
    space = Space()
    host_line(space, 1, ("p/EagerPyFunc:EagerPyFunc", 0, 60_000), ("b:Add", 60_000, 100_000))
    [finding] = ask(timeline(space)).result.findings
    assert (finding.code, finding.params) == (
        "op_takes_most",
        {
            "op": "p/EagerPyFunc",
            "type": None,
            "side": "host",
            "share": 0.6,
            "self_ps": 60e6,
            "executions": 1,
            "remedy": remedy("python"),
        },
    )
    assert finding.title == "p/EagerPyFunc takes 60 % of host op time: 60 µs"
    assert finding.detail == "1 execution."
    assert finding.action.startswith("It runs Python, one thread at a time")
    assert (finding.share, finding.tool, finding.search) == (
        0.6,
        "trace_viewer",
        "op_stats.ops.self_us?side=host&name=p%2FEagerPyFunc&type=EagerPyFunc&module=",
    )


@pytest.mark.parametrize(
    ("side", "op", "code"),
    [
        ("host", "train/loss_scale/IsFinite:IsFinite", "loss_scale"),
        ("host", "train/lossless/IsFinite:IsFinite", "look"),
        ("device", "emb/lookup:ResourceGather", "gather"),
        ("host", "emb/lookup:ResourceGather", "look"),
    ],
)
def test_what_to_do_of_ops_that_scale_the_loss_or_gather(side: str, op: str, code: str) -> None:
    params = about("op_takes_most", findings(side, (op, ran(600))))
    assert params
    assert params["remedy"] == remedy(code)


def test_where_no_op_stands_out_its_type_does() -> None:
    space = Space()
    host_line(space, 1, *((f"op{i}:{'Mul' if i % 3 else 'Add'}", i * 20_000, i * 20_000 + 15_000) for i in range(30)))
    [finding] = ask(timeline(space)).result.findings
    assert finding.title == "Ops of type Mul take 67 % of host op time: 300 µs, in 20 ops"
    assert finding.detail == "No op stands out; the largest of these, op1, takes 3 %."


@pytest.mark.parametrize(("ps", "code"), [(100, "op_takes_most"), (99, "op_type_takes_most")])
def test_one_op_stands_out_from_a_tenth_on(ps: int, code: str) -> None:
    others = [(f"op{i}:Add", ran((1000 - ps) / 20)) for i in range(20)]
    assert about(code, findings("host", ("a:MatMul", ran(ps)), *others))


@pytest.mark.parametrize(("count", "first"), [(6, 5), (5, None)])
def test_how_much_the_first_ops_take(count: int, first: int | None) -> None:
    params = about("op_takes_most", findings("host", *((f"op{i}:T", ran(600 / count)) for i in range(count))))
    assert params
    assert (params.get("first"), params.get("ops"), params.get("first_share")) == (
        (first, 6, pytest.approx(5 / 6)) if first else (None, None, None)
    )


@pytest.mark.parametrize(
    ("times", "again", "code", "proved"),
    [
        ((1, 2, 2), 300, "op_takes_most.once", "b"),
        ((1, 2, 2), 99, "op_takes_most.once", "a"),
        ((1, 2, 1), 300, "op_takes_most", "a"),
        ((2, 2, 2), 300, "op_takes_most", "a"),
    ],
)
def test_an_op_that_runs_once_is_none_of_what_repeats(
    times: tuple[int, int, int], again: float, code: str, proved: str
) -> None:
    """The median op runs twice. What runs again is looked at where it takes a tenth."""
    rest = 1000 - again - 1
    rows = (("a:A", rest), ("b:B", again), ("c:C", 1))
    ops = [(name, ran(ps, occurrences=n)) for (name, ps), n in zip(rows, times, strict=True)]
    [finding] = findings("host", *ops)
    assert (finding.code, f"name={proved}&" in finding.search) == (code, True)
    if code == "op_takes_most.once":
        working = finding.params["working"], finding.params["working_type"], finding.params["working_share"]
        assert working == ("b", "B", again / 1000)
        assert finding.params["remedy"] == remedy("look" if proved == "b" else "once")


@pytest.mark.parametrize(
    ("op", "ps", "code"),
    [
        ("aten::empty", 10**9, "op_takes_most.once"),
        ("aten::empty", 10**9 - 1, "op_takes_most"),
        ("aten::empty_strided", 10**9, "op_takes_most.once"),
        ("aten::mm", 10**9, "op_takes_most"),
    ],
)
def test_taking_memory_for_a_millisecond_happens_once(op: str, ps: float, code: str) -> None:
    row = ran(ps)
    [listed] = [Listed("host", "", [(Op(op, op), row), (Op("b", "B"), ran(1e8))])]
    assert next(f.code for f in op_findings([listed])) == code


def test_an_op_that_waits_is_not_what_works() -> None:
    space = Space()
    events = ("Iterator::Root::Prefetch", 0, 50_000), ("a:MatMul", 50_000, 90_000), ("b:Add", 90_000, 100_000)
    host_line(space, 1, *events)
    [finding] = ask(timeline(space)).result.findings
    assert finding.title == (
        "Iterator::Root::Prefetch takes 50 % of host op time: 50 µs, only waiting; of the ops that work, a (MatMul) "
        "takes most: 40 %"
    )
    assert (finding.search, finding.match) == ("op_stats.ops.self_us?side=host&name=a&type=MatMul&module=", "row")


@pytest.mark.parametrize(("ps", "proved"), [(100, "b"), (99, "a")])
def test_what_works_is_looked_at_where_it_takes_a_tenth(ps: int, proved: str) -> None:
    [finding, *_] = findings("host", ("a:A", ran(1000 - ps, wait_ps=1000.0 - ps)), ("b:B", ran(ps)))
    assert (finding.code, f"name={proved}&" in finding.search) == ("op_takes_most.waiting", True)


def test_what_a_device_waits_for_is_not_judged_by_its_roofline() -> None:
    """Seen: `copy-done takes 25 %, only waiting`, and `it moves bytes as fast as it can`, of an op of 3 %."""
    space = Space()
    tpu = space.plane(
        "/device:TPU:0", stats={"peak_teraflops_per_second": 1.0, "peak_hbm_bw_gigabytes_per_second": 1.0}
    )
    waits: dict[str, StatValue] = {"hlo_category": "copy-done", "bytes_accessed": 1, "flops": 0}
    works: dict[str, StatValue] = {"hlo_category": "fusion", "bytes_accessed": 95_000, "flops": 1}
    tpu.kind("%copy-done.4", stats=waits, key=1)
    tpu.kind("%add.1", stats=works, key=2)
    line = tpu.line(3, "XLA Ops").event(1, 0, 99 * 100_000_000)
    line.event(2, 99 * 100_000_000, 100_000_000)
    [finding] = ask(timeline(space)).result.findings
    assert (finding.code, finding.params["remedy"]) == ("op_takes_most.waiting", remedy("overlap"))
    assert (finding.params["op"], finding.params["working"], finding.params["working_type"]) == (
        "%copy-done.4",
        "%add.1",
        "fusion",
    )
    assert finding.search == "op_stats.ops.self_us?side=device&name=%25copy-done.4&type=copy-done&module="


@pytest.mark.parametrize(
    ("side", "op", "row", "code"),
    [
        ("host", "enumerate(DataLoader)#_SingleProcess:x", {}, "loader"),
        ("host", "cudaDeviceSynchronize:cuda_runtime", {"wait_ps": 100.0}, "device_wait"),
        ("host", "hipFree:cuda_runtime", {}, "allocation"),
        ("host", "cudaLaunchKernel:cuda_runtime", {}, "fuse"),
        ("host", "cudaEventQuery:cuda_runtime", {}, "runtime"),
        ("host", "Iterator:Dataset::Prefetch", {"wait_ps": 100.0}, "hand_over"),
        ("device", "copy-done:copy-done", {"wait_ps": 100.0}, "overlap"),
        ("device", "MemcpyHToD:MemcpyHToD", {}, "copy"),
        ("host", "Iterator:Dataset::Generator", {}, "python"),
        ("host", "Iterator:Dataset::Map", {}, "dataset"),
        ("host", "all_reduce:CollectiveReduceV2", {}, "exchange"),
        ("device", "a:MatMul", {"kernels": 1, "total_ps": 9_999_999.0}, "fuse"),
        ("device", "a:MatMul", {"kernels": 1, "total_ps": 10_000_000.0}, "look"),
        ("host", "a:MatMul", {"total_ps": 1.0}, "look"),
    ],
)
def test_what_makes_an_op_cheaper(side: str, op: str, row: dict[str, Any], code: str) -> None:
    params = findings(side, (op, ran(100.0, **row)))[0].params
    assert params["remedy"] == remedy(code)


@pytest.mark.parametrize(
    ("name", "ps", "code"),
    [
        ("cudaLaunchKernel", 19_999_999, "fuse"),
        ("cudaLaunchKernel", 20_000_000, "long_launches"),
        ("hipGraphLaunch", 500_000_000, "look"),
    ],
)
def test_launches_that_take_long_are_not_to_be_fewer(name: str, ps: int, code: str) -> None:
    """They load kernels, or the device's queue is full; a graph's launch starts all of its nodes."""
    assert findings("host", (f"{name}:cuda_runtime", ran(ps)))[0].params["remedy"] == remedy(code)


def of_roof(compute: float, memory: float) -> OpUse:
    """What it uses of its device's peaks."""
    return OpUse(flops=compute, could_flops=1.0, hbm_bytes=memory, could_bytes=1.0)


@pytest.mark.parametrize(
    ("use", "code", "action"),
    [
        (of_roof(0.1, 0.6), "op_bound_by_memory", "near_memory"),
        (of_roof(0.1, 0.59), None, "look"),
        (of_roof(0.6, 0.1), None, "near_compute"),
        (of_roof(0.59, 0.1), None, "look"),
        (of_roof(0.31, 0.1), None, "look"),
        (of_roof(0.3, 0.1), "op_far_from_roof", "far_from_roof"),
    ],
)
def test_how_far_from_its_roofline_an_op_is(use: OpUse, code: str | None, action: str) -> None:
    *others, last = findings("device", ("a:fusion", ran(20e6, use=use)))
    assert last.params["remedy"] == remedy(action)
    assert [finding.code for finding in others] == ([code] if code else [])


@pytest.mark.parametrize(("ps", "large"), [(100, True), (99, False)])
def test_a_roofline_is_drawn_of_ops_that_take_a_tenth(ps: int, large: bool) -> None:
    rows = ("a:A", ran(1000 - ps)), ("b:fusion", ran(ps, use=of_roof(0.1, 0.9)))
    expected = {"op": "b", "type": "fusion", "side": "device", "share": ps / 1000, "roof_share": 0.9}
    assert about("op_bound_by_memory", findings("device", *rows)) == (expected if large else None)


def test_no_roofline_is_drawn_of_what_waits_or_exchanges() -> None:
    near = of_roof(0.1, 0.9)
    for text, wait_ps in (("a:copy", 1.0), ("a:all-reduce", 0.0)):
        assert about("op_bound_by_memory", findings("device", (text, ran(100, use=near, wait_ps=wait_ps)))) is None


@pytest.mark.parametrize(("missed_ps", "given"), [(5, True), (4.9, False)])
def test_products_without_tensor_cores(missed_ps: float, given: bool) -> None:
    use = OpUse(tensor_known_ps=10.0, tensor_missed_ps=missed_ps)
    every = findings("device", ("a:Add", ran(90)), ("b:MatMul", ran(10, use=use)))
    expected = {"op": "b", "type": "MatMul", "side": "device", "share": pytest.approx(0.05)}
    assert about("op_without_tensor_cores", every) == (expected if given else None)


def test_waiting_behind_the_largest_op_is_said() -> None:
    space = Space()
    host_line(space, 1, ("a:MatMul", 0, 60_000), ("Iterator::Root::Prefetch", 60_000, 100_000))
    [finding, _] = ask(timeline(space)).result.findings
    assert finding.title == "40 % of host op time is only waiting, most of it in Iterator::Root::Prefetch (40 µs)"
    assert (finding.tool, finding.params["remedy"]) == ("input_pipeline", remedy("preparation"))


@pytest.mark.parametrize(("ps", "given"), [(200, True), (199, False)])
def test_waiting_is_said_from_a_fifth_on(ps: float, given: bool) -> None:
    rows = ("a:A", ran(1000 - ps)), ("b:copy-done", ran(ps, wait_ps=ps))
    expected = {"op": "b", "type": "copy-done", "side": "device", "share": 0.2, "wait_ps": 200}
    params = about("ops_wait", findings("device", *rows))
    assert params == ({**expected, "remedy": remedy("overlap")} if given else None)
    assert about("ops_wait", findings("device", *reversed(rows))) is None


@pytest.mark.parametrize(
    ("count", "work", "each", "small"),
    [(100, 30, 9.9e6, True), (99, 30, 9.9e6, False), (100, 29, 9.9e6, False), (100, 30, 10e6, False)],
)
def test_small_kernels(count: int, work: float, each: float, small: bool) -> None:
    """From 100 on, from 30 % of the op time on, and below 10 µs."""
    rows = ("a:A", ran(100 - work, total_ps=1e9)), ("b:B", ran(work, kernels=count, total_ps=each * count))
    params = about("ops_small.device", findings("device", *rows))
    expected = {"op": "b", "type": "B", "side": "device", "share": 0.3, "executions": 100, "limit_ps": 10_000_000}
    assert params == ({**expected, "ops": 1} if small else None)


def test_host_ops_beside_a_device_are_small_and_that_is_well() -> None:
    space = Space()
    host_line(space, 1, *((f"op{i % 3}:Mul", i * 6000, i * 6000 + 5000) for i in range(200)))
    [finding, _] = ask(timeline(space)).result.findings
    assert finding.title == "100 % of host op time goes to 200 executions of less than 10 µs each"
    assert finding.detail == "3 ops, most of it op0 (Mul); starting them costs as much as their work."
    gpu(space, 0, [("7", "a:A", 1, 0, 1_000_000)])
    assert [code for code in codes(ask(timeline(space))) if "small" in code] == []


EAGER = {"op": "a", "type": "MatMul", "side": "host", "share": 0.5}


def test_eager_ops_are_said_but_not_the_iterator_s() -> None:
    for type, given in (("MatMul", True), ("IteratorGetNext", False)):
        space = Space()
        line = host_line(space, 1, ("big:Mul", 200_000, 300_000))
        line.event("EagerExecute", 0, 200_000 * NS, stats={"is_func": 0})
        line.event(f"a:{type}", 10_000 * NS, 100_000 * NS)
        params = about("ops_eager", list(ask(timeline(space)).result.findings))
        assert params == ({**EAGER, "in_steps": False} if given else None)


@pytest.mark.parametrize(
    ("at_us", "type", "share"),
    [
        (100, "MatMul", 0.5),
        (900, "MatMul", None),
        (100, "FlushSummaryWriter", None),
        (100, "WriteScalarSummary", None),
        (100, "_EagerConst", None),
        (100, "OptionalGetValue", None),
        (100, "SaveV2", None),
    ],
)
def test_eager_ops_are_of_marked_steps_and_of_what_these_compute(at_us: int, type: str, share: float | None) -> None:
    """A callback between two steps, a summary or a checkpoint does not become a part of a compiled step."""
    space = Space()
    line = host_line(space, 1)
    for step in range(4):
        begin = step * 2_000_000
        line.event(f"train {step}", begin * NS, 800_000 * NS, stats={"_r": 1, "step_num": step})
        line.event("big:Mul", (begin + 500_000) * NS, 100_000 * NS)
        line.event("EagerExecute", (begin + at_us * 1000) * NS, 150_000 * NS, stats={"is_func": 0})
        line.event(f"a:{type}", (begin + at_us * 1000 + 10_000) * NS, 100_000 * NS)
    params = about("ops_eager", list(ask(timeline(space)).result.findings))
    assert params == (None if share is None else {**EAGER, "share": share, "in_steps": True})


@pytest.mark.parametrize(("ps", "given"), [(25, True), (24, False)])
def test_eager_ops_are_said_from_a_quarter_of_what_is_known_on(ps: float, given: bool) -> None:
    rows = ("a:A", ran(500)), ("b:B", ran(100, known_ps=100.0, eager_ps=ps))
    assert ("ops_eager" in [finding.code for finding in findings("host", *rows)]) is given


@pytest.mark.parametrize("cause", UnattributedTime._fields)
@pytest.mark.parametrize(("ps", "given"), [(200, True), (199, False)])
def test_kernels_without_an_op(cause: str, ps: float, given: bool) -> None:
    rows = ("a:A", ran(1000 - ps)), ("k:Unattributed kernel", ran(ps))
    params = about(f"ops_unattributed.{cause}", findings("device", *rows, cause=cause))
    assert params == ({"share": 0.2, "side": "device", "kernels": 1, "kernel": "k"} if given else None)


def test_annotations_count_where_little_else_ran() -> None:
    """What is an annotation's alone is time without ops."""
    mark = "step 3:user_annotation"
    largest = [findings("host", (mark, ran(1000 - ps)), ("a:A", ran(ps)))[0].params["op"] for ps in (100, 99)]
    assert largest == ["a", "step 3"]


def test_a_capture_without_ops() -> None:
    [finding] = op_findings([])
    assert (finding.code, finding.title) == ("no_ops", "This capture holds no op")
    assert finding.in_words_of("pytorch").detail.endswith(
        "`torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])` records both."
    )


@pytest.mark.slow
def test_every_finding_leads_to_a_tool_that_there_is(xplane_files: list[Path]) -> None:
    names = {tool.name for tool in TOOLS}
    for file in xplane_files:
        for finding in ask(Timeline(decode.read(str(file)), "h")).result.findings:
            assert finding.tool in names, file
            assert finding.search, file
            assert finding.action, file
            assert finding.share is not None, file


def test_hostile_names_are_cut_in_sentences() -> None:
    space = Space()
    host_line(space, 1, (f"{'x' * 100_000}:{'T' * 100_000}", 0, 100))
    [finding] = ask(timeline(space)).result.findings
    assert len(finding.title) < 1000
    assert len(finding.search) < 300


def test_a_share_is_no_more_than_the_whole_in_whatever_order_it_is_summed() -> None:
    """Three streams at once: thirds of picoseconds."""
    space = Space()
    plane = space.plane("/device:GPU:0")
    for stream in range(3):
        line = plane.line(stream, f"Stream #{stream}(Compute)")
        for i in range(8):
            line.event(f"kernel {stream} {i}", i * 100, 40 + (i * 37 + stream * 13) % 50)
    assert ask(timeline(space)).result.findings[-1].share == 1.0


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("aten::mm [[2, 3]]", "aten::mm [[2, 3]]"),
        ("aten::mm" + " ← some/file.py(10): f" * 20, "aten::mm" + " ← some/file.py(10): f" * 8 + " ← …"),
        ("aten::cat [" + "[16, 16], " * 40 + "]", "aten::cat [" + "[16, 16], " * 18 + "[16, …"),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_a_long_name_ends_with_a_whole_frame_or_word(name: str, shown: str) -> None:
    """A stack ended in the middle of a word, as if that were all of it."""
    [finding] = op_findings([Listed("host", "", [(Op(name, name.split()[0]), ran(1.0))])])
    assert finding.title == f"{shown} takes 100 % of host op time: 1 ps"
    assert finding.params["op"] == name
