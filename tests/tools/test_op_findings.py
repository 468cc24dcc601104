"""op_stats: what findings say of small captures, and that each leads to its proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.ops import called
from tensorboard_perfplugin.timeline import Op, Timeline
from tensorboard_perfplugin.tools import TOOLS, Answer
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.op_answers import NS, US, ask, gpu, host_line


def said(answer: Answer) -> list[str]:
    return [f.title for f in answer.result.findings]


def test_the_first_sentence_names_the_op_its_share_and_what_to_do() -> None:
    space = Space()
    host_line(space, 1, ("p/EagerPyFunc:EagerPyFunc", 0, 60_000), ("b:Add", 60_000, 100_000))
    [finding] = ask(timeline(space)).result.findings
    assert finding.title == "p/EagerPyFunc takes 60 % of host op time: 60 µs"
    assert finding.detail == "1 execution"
    assert finding.action.startswith("It runs Python, one thread at a time")
    assert (finding.share, finding.tool, finding.search) == (
        0.6,
        "trace_viewer",
        "op_stats.ops.self_us?side=host&name=p%2FEagerPyFunc&type=EagerPyFunc&module=",
    )


def test_where_no_op_stands_out_its_type_does() -> None:
    space = Space()
    host_line(space, 1, *((f"op{i}:{'Mul' if i % 3 else 'Add'}", i * 20_000, i * 20_000 + 15_000) for i in range(30)))
    [finding] = ask(timeline(space)).result.findings
    assert finding.title == "20 ops of type Mul take 67 % of host op time: 300 µs"
    assert finding.detail == "No op stands out; the largest of these, op1, takes 3 %"


def test_an_op_that_waits_is_not_what_works() -> None:
    space = Space()
    events = ("Iterator::Root::Prefetch", 0, 50_000), ("a:MatMul", 50_000, 90_000), ("b:Add", 90_000, 100_000)
    host_line(space, 1, *events)
    [finding] = ask(timeline(space)).result.findings
    assert finding.title == (
        "Iterator::Root::Prefetch takes 50 % of host op time: 50 µs, only waiting; of what works, a (MatMul) takes "
        "most: 40 %"
    )
    assert (finding.search, finding.match) == ("op_stats.ops.self_us?side=host&name=a&type=MatMul&module=", "row")


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
    assert finding.title == (
        "%copy-done.4 takes 99 % of device op time: 9.9 ms, only waiting; of what works, "
        "%add.1 (fusion) takes most: 1 %"
    )
    assert finding.action == "Let copies and collectives run beside other work, so that less waits for their end."
    assert (finding.detail, finding.search) == (
        "1 execution",
        "op_stats.ops.self_us?side=device&name=%25copy-done.4&type=copy-done&module=",
    )


def test_waiting_behind_the_largest_op_is_told() -> None:
    space = Space()
    host_line(space, 1, ("a:MatMul", 0, 60_000), ("Iterator::Root::Prefetch", 60_000, 100_000))
    assert said(ask(timeline(space)))[1:] == [
        "40 % of host op time only waits, most of it in Iterator::Root::Prefetch (40 µs)"
    ]


def test_small_kernels_are_told_from_many_on() -> None:
    for count, told in ((100, True), (99, False)):
        space = Space()
        gpu(space, 0, [("7", f"op{i % 3}:Mul", i + 1, i * 6000, i * 6000 + 5000) for i in range(count)])
        small = "100 % of device op time goes to 100 kernels of less than 10 µs each"
        assert (small in said(ask(timeline(space)))) is told


def test_host_ops_beside_a_device_are_small_and_that_is_well() -> None:
    space = Space()
    host_line(space, 1, *((f"op{i % 3}:Mul", i * 6000, i * 6000 + 5000) for i in range(200)))
    assert "100 % of host op time goes to 200 executions of less than 10 µs each" in said(ask(timeline(space)))
    gpu(space, 0, [("7", "a:A", 1, 0, 1_000_000)])
    assert [title for title in said(ask(timeline(space))) if "less than" in title] == []


@pytest.mark.parametrize(
    ("flops", "moved", "expected"),
    [
        (1_000_000, 900_000, "%a (fusion) is bound by memory, at 90 % of its bandwidth, in 100 % of device op time"),
        (10_000_000, 10_000, "%a (fusion) reaches 10 % of the roofline in 100 % of device op time"),
        (90_000_000, 10_000, None),
        (50_000_000, 10_000, None),
    ],
)
def test_how_far_from_its_roofline_an_op_is(flops: int, moved: int, expected: str | None) -> None:
    """Peaks of 100 TFLOP/s and 1000 GB/s, for 1 µs."""
    space = Space()
    peaks = {"peak_teraflops_per_second": 100.0, "peak_hbm_bw_gigabytes_per_second": 1000.0}
    plane = space.plane("/device:TPU:0", stats=peaks)
    facts: dict[str, StatValue] = {"hlo_category": "fusion", "flops": flops, "bytes_accessed": moved}
    plane.kind("%a", stats=facts)
    plane.line(3, "XLA Ops").event("%a", 0, US)
    assert said(ask(timeline(space)))[1:] == ([expected] if expected else [])


def test_eager_ops_are_told_but_not_the_iterator_s() -> None:
    for type, told in (("MatMul", True), ("IteratorGetNext", False)):
        space = Space()
        line = host_line(space, 1, ("big:Mul", 200_000, 300_000))
        line.event("EagerExecute", 0, 200_000 * NS, stats={"is_func": 0})
        line.event(f"a:{type}", 10_000 * NS, 100_000 * NS)
        titles = said(ask(timeline(space)))
        assert ("50 % of TensorFlow's host op time runs op by op, outside compiled functions" in titles) is told


def test_kernels_without_an_op_are_told() -> None:
    space = Space()
    space.plane("/device:GPU:0").line(7, "Stream #7(Compute)").event("mystery", 0, 100 * US)
    assert "Of 100 % of device op time the capture does not tell the op, only kernels" in said(ask(timeline(space)))


def test_every_finding_leads_to_a_tool_that_there_is(shared_captures: Path) -> None:
    names = {tool.name for tool in TOOLS}
    for file in sorted((shared_captures / "xplane").rglob("*.xplane.pb")):
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
    assert called(Op(name, name.split()[0])) == shown
