"""Decoded records: how many are read, and which numbers are believed. Literal numbers, on both sides."""

from __future__ import annotations

import json
import mmap
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.decode.common import Launch, Source, launch_in, track_kind
from tensorboard_perfplugin.decode.pprof import profile
from tensorboard_perfplugin.decode.pprof import reader as pprof_reader
from tensorboard_perfplugin.decode.step_stats.reader import Reader as StepStats
from tensorboard_perfplugin.decode.tool_files import kernel_stats, memory_json, report
from tensorboard_perfplugin.decode.tool_files import reader as tool_files
from tensorboard_perfplugin.decode.trace_proto import reader as trace_proto
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture, PlaneKind, TrackKind
from tests.build_capture import chunk, number, text
from tests.decode.pprofs import Pprof
from tests.decode.step_stats import memory, node, run_metadata
from tests.decode.test_step_stats import CPU
from tests.decode.test_tf1_timeline import memory as tensors_of
from tests.decode.test_tf1_timeline import size, tensor
from tests.decode.test_tool_files import chart, double, step, steps, sums
from tests.decode.test_tool_sums import kernel
from tests.decode.test_trace_proto import TRACE, event, opened


def untouched(size_bytes: int, name: str) -> Source:
    """A file of that size that takes no memory as long as nobody looks at it."""
    return Source(name, memoryview(mmap.mmap(-1, size_bytes)), b"", size_bytes)


# -- what stands for what --


@pytest.mark.parametrize(("registers", "known"), [(1024, 1024), (1025, None)])
def test_registers_of_a_thread(registers: int, known: int | None) -> None:
    assert launch_in(f"regs:{registers} static_shared:1").registers == known


@pytest.mark.parametrize(("before", "expected"), [(900, Launch(32)), (1100, Launch())])
def test_how_much_is_looked_at_of_a_text_of_launches(before: int, expected: Launch) -> None:
    assert launch_in("x" * (before - 1) + " regs:32") == expected


@pytest.mark.parametrize(("id", "kind"), [(-559038348, TrackKind.DERIVED), (-559038347, TrackKind.THREAD)])
def test_the_last_id_of_derived_lines(id: int, kind: TrackKind) -> None:
    assert track_kind(PlaneKind.CPU, id, "main") == kind


# -- pprof --


def test_a_large_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    class Empty(profile.Reader):
        def __init__(self, data: memoryview) -> None:
            super().__init__(memoryview(b""))

    monkeypatch.setattr(pprof_reader, "Reader", Empty)
    with pytest.raises(UnreadableError, match="is not a capture"):
        pprof_reader.read(untouched(268_435_456, "p.pprof"))
    with pytest.raises(UnreadableError, match="memory profiles are smaller"):
        pprof_reader.read(untouched(268_435_457, "p.pprof"))


@pytest.mark.parametrize("fields", [10, 11])
def test_the_fields_of_a_profile(fields: int) -> None:
    """Of 8 million all but ten were read before."""
    reader = profile.Reader(memoryview(number(9, 1) * fields))
    reader.budget.left -= 7_999_990
    if fields == 10:
        assert reader.read().time_ns == 1
    else:
        with pytest.raises(UnreadableError, match="more than 8,000,000 fields"):
            reader.read()


@pytest.mark.parametrize("more", [0, 1])
def test_the_calls_of_all_stacks_together(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows takes gigabytes, and is not begun here."""

    class BegunError(Exception):
        pass

    def begin(*_: object) -> None:
        raise BegunError

    monkeypatch.setattr(np, "flatnonzero", begin)
    with pytest.raises(UnreadableError if more else BegunError):
        profile.varints([bytes(1 << 20)] * 64 + [bytes(more)])


@pytest.mark.parametrize(("others", "read"), [(639, [7]), (640, [])])
def test_the_values_of_a_sample(others: int, read: list[int]) -> None:
    made = Pprof(types=(*[("other", "count")] * others, ("space", "bytes"))).values([1] * others + [7], ["f a.py:1"])
    capture = read_bytes(made.bytes(), "p.pprof")
    assert [dict(capture.values(0, 1))["heap_bytes"] for _ in range(len(capture.aggregates))] == read
    assert capture.quality.dropped == ({} if read else {"sample_without_size": 1})


@pytest.mark.parametrize(("others", "plane"), [(63, "cuda:1"), (64, "(no device named)")])
def test_the_labels_of_a_sample(others: int, plane: str) -> None:
    labels: dict[str, Any] = {"kind": "buffer", **{f"l{i}": "x" for i in range(others - 1)}, "device": "cuda:1"}
    capture = read_bytes(Pprof().sample(1, ["f a.py:1"], **labels).bytes(), "p.pprof")
    assert capture.strings.of(capture.planes.name) == [plane]


# -- step stats and TensorFlow 1's Timeline --


def of_nodes(*nodes: bytes) -> Capture:
    capture = read_bytes(run_metadata({CPU: nodes}), "run_metadata.pb")
    capture.check()
    return capture


@pytest.mark.parametrize("before", [1_999_998, 1_999_999])
def test_the_nodes_of_a_step(before: int) -> None:
    reader = StepStats(memoryview(run_metadata({CPU: [node("a", 0, 1), node("b", 1, 1)]})))
    reader.nodes = before
    if before == 1_999_998:
        assert [len(device.nodes) for device in reader.read()] == [2]
    else:
        with pytest.raises(UnreadableError, match="more than 2,000,000 nodes"):
            reader.read()


@pytest.mark.parametrize(("at_once", "in_the_last"), [(256, 1), (258, 3)])
def test_lanes_of_nodes_that_run_at_once(at_once: int, in_the_last: int) -> None:
    tracks = of_nodes(*[node(f"n{i}", i, 1000) for i in range(at_once)]).tracks
    # One is the step's.
    assert len(tracks) == 1 + 256
    assert int((tracks.events_end - tracks.events_begin).max()) == in_the_last


@pytest.mark.parametrize(("days", "ns"), [(25, 25 * 86_400 * 10**9), (27, 2_251_799_813_685_248)])
def test_the_longest_node(days: int, ns: int) -> None:
    assert of_nodes(node("a", 0, days * 86_400 * 10**6)).events.duration_ps.tolist() == [ns * 1000] * 2


@pytest.mark.parametrize(("bytes_", "kept"), [((1 << 60) - 1, 1), (1 << 60, 0)])
def test_the_largest_tensor(bytes_: int, kept: int) -> None:
    capture = of_nodes(node("a", 0, 9, memory=memory("cpu", (1, bytes_))))
    names = [capture.event_name(i) for i in range(len(capture.events))]
    assert names.count("MemoryAllocation") == kept


@pytest.mark.parametrize(("before", "sizes"), [(99_900, [100, 100]), (100_100, [])])
def test_how_much_is_looked_at_of_a_tensor_s_description(before: int, sizes: list[int]) -> None:
    said = "x" * (before - 70) + size(100)
    found = tensors_of(tensor("N", 10, "a", 0), tensor("O", 12, "a", 0, said), tensor("D", 20, "a", 0))
    assert [each[3] for each in found] == sizes


# -- a trace proto --


@pytest.mark.parametrize("before", [1_999_996, 1_999_997])
def test_the_events_of_a_trace_proto(before: int) -> None:
    reader = trace_proto.Reader(memoryview(TRACE))
    reader.events = before
    if before == 1_999_996:
        assert len(reader.read()[1]) == 4
    else:
        with pytest.raises(UnreadableError, match="more than 2,000,000 events"):
            reader.read()


@pytest.mark.parametrize(("letters", "kept"), [(99_999, 99_999), (100_001, 100_000)])
def test_the_longest_name_of_a_trace_proto(letters: int, kept: int) -> None:
    capture = opened(TRACE + event(0, 7, "x" * letters, 70, 1))
    assert max(len(capture.event_name(i)) for i in range(len(capture.events))) == kept


# -- tool files --


def test_a_large_tool_file() -> None:
    with pytest.raises(UnreadableError, match="is not a capture"):
        tool_files.read(untouched(67_108_864, "h.none"))
    with pytest.raises(UnreadableError, match=r"unpacks to 67\.1 MB; the limit is 67\.1 MB"):
        tool_files.read(untouched(67_108_865, "h.none"))


def test_numbers_of_a_kernel_that_cannot_be() -> None:
    day, year = 86_400 * 10**9, 365 * 86_400 * 10**9
    data = kernel("a", 10**12, 20 * day, day, 2 * day) + kernel("b", 10**13, year, year, year)
    capture = read_bytes(data, "h.kernel_stats.pb")
    most = 2_251_799_813_685_248_000
    assert capture.aggregates.occurrences.tolist() == [10**12, 1_099_511_627_776]
    assert capture.aggregates.duration_ps.tolist() == [20 * day * 1000, most]
    assert [facts["max_duration_ps"] for *_, facts in sums(capture)] == [2 * day * 1000, most]


@pytest.mark.parametrize(("ms", "shown"), [(9e8, 9e8), (2e9, 1e9)])
def test_the_longest_step(ms: float, shown: float) -> None:
    capture = read_bytes(text(9, "GPU") + step(1, double(2, ms)), "h.input_pipeline.pb")
    assert [each[3] for each in steps(capture)] == [shown]


A_STEP = report.Step(1, "", 1.0, {})
AN_OP = report.OpSum("host", "a", "MatMul", 1, 1.0, 1.0)


@pytest.mark.parametrize(("field", "before"), [("steps", 99_999), ("ops", 199_999)])
def test_steps_and_input_ops_are_read_up_to_a_number(field: str, before: int) -> None:
    """Of two more one is."""
    found = report.Report(steps=[A_STEP] * 99_999, ops=[AN_OP] * 199_999)
    data = (step(7) + step(8) if field == "steps" else b"") + (chunk(6, b"") * 2 if field == "ops" else b"")
    report.input_pipeline(memoryview(data), found)
    assert len(getattr(found, field)) == before + 1


def test_ops_are_read_up_to_a_number() -> None:
    found = report.Report(ops=[AN_OP] * 199_999)
    report.op_stats(memoryview(chunk(5, chunk(1, text(4, "a")) + chunk(1, text(4, "b")))), found)
    assert [op.name for op in found.ops[199_999:]] == ["a"]
    report.op_stats(memoryview(chunk(5, chunk(1, text(4, "c")))), found)
    assert len(found.ops) == 200_000


def test_kernels_are_read_up_to_a_number() -> None:
    one = report.Report()
    kernel_stats.kernel_stats(memoryview(kernel("a", 1, 1, 1, 1)), one)
    found = report.Report(kernels=one.kernels * 199_999)
    data = kernel("b", 1, 1, 1, 1)
    kernel_stats.kernel_stats(memoryview(data), found)
    assert (len(found.kernels), found.warnings) == (200_000, [])
    kernel_stats.kernel_stats(memoryview(data), found)
    assert (len(found.kernels), found.warnings) == (200_000, [message("kernels_limit", limit=200_000)])


def test_rows_of_a_chart_are_read_up_to_a_number() -> None:
    page = chart("stepnum computeTimeMs", ["1", 1.0], ["2", 1.0])
    page["rows"] = [{"c": []}] * 99_999 + page["rows"]  # type: ignore[operator]
    found = report.Report()
    report.charts([page], found)
    assert [each.number for each in found.steps] == [1]


def test_steps_of_a_pod_are_read_up_to_a_number() -> None:
    real: list[dict[str, Any]] = [{"stepNum": i, "podStatsPerCore": {"0": {"totalDurationUs": 5}}} for i in range(1, 3)]
    found = report.Report()
    report.pod({"podStatsSequence": {"podStatsMap": [{"podStatsPerCore": {}}] * 99_999 + real}}, found)
    assert [each.number for each in found.cores["0"]] == [1]


def test_moments_and_allocations_at_the_peak_are_read_up_to_a_number() -> None:
    """They were cut only after all had been read, which took two hundred times what the file did."""
    none, live = {"activityMetadata": {"memoryActivity": "?"}}, {"snapshotIndex": 0}
    moments = [none] * 99_999 + [{"timeOffsetPs": 1}, {"timeOffsetPs": 2}]
    found = report.Report()
    page = {"gpu": {"memoryProfileSnapshots": moments}}
    memory_json.memory_profile({"memoryProfilePerAllocator": page}, found)
    assert [mark.at_ps for mark in found.memory] == [1]
    found = report.Report()
    page = {"gpu": {"memoryProfileSnapshots": [none], "activeAllocations": [{"snapshotIndex": 9}] * 99_999}}
    page["gpu"]["activeAllocations"] += [live, live]
    memory_json.memory_profile({"memoryProfilePerAllocator": page}, found)
    assert len(found.memory) == 1


def test_places_of_damage_are_told_up_to_a_number() -> None:
    """Every answer repeats them: a file of 64 MB has room for 16 million."""
    data = text(9, "GPU") + chunk(6, b"\xff") * 30
    capture = read_bytes(data, "h.input_pipeline.pb")
    assert [each.code for each in capture.quality.warnings].count("wire_damaged_part") == 20


# -- traces of PyTorch and of SageMaker --


@pytest.mark.parametrize(("ranks", "told"), [(64, True), (65, False)])
def test_the_ranks_of_a_process_group(ranks: int, told: bool) -> None:
    group = {"pg_name": "0", "pg_size": ranks, "ranks": [1] * ranks}
    info = {"rank": 0, "world_size": ranks, "pg_count": 1, "pg_config": [group]}
    ran = {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}
    whole = {"schemaVersion": 1, "distributedInfo": info, "traceEvents": [ran]}
    capture = read_bytes(json.dumps(whole).encode(), "t.pt.trace.json")
    assert ("process_group_ranks" in capture.plane_values(0)) == told


@pytest.mark.parametrize(("epoch_us", "is_known"), [(7 * 10**15, True), (9 * 10**15, False)])
def test_when_a_trace_of_sagemaker_began(epoch_us: int, is_known: bool) -> None:
    named = {"ph": "M", "name": "process_name", "pid": 1, "args": {"start_time_since_epoch_in_micros": epoch_us}}
    ran = {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 5, "dur": 1}
    capture = read_bytes(json.dumps([named, ran]).encode(), "t.json")
    assert capture.start_ns == ((epoch_us + 5) * 1000 if is_known else None)
