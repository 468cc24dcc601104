"""pod_viewer's causes of idle GPUs: a GPU built by hand, whose every gap has another cause."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.idle import gaps_of
from tensorboard_perfplugin.tables.columns import row_key
from tensorboard_perfplugin.timeline.devices import workers_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.trace_viewer import TRACE_VIEWER
from tensorboard_perfplugin.trace.proof import Stretches, prove
from tests.tools.pod_viewer.test_collectives import ask, rows

#: Name, stream, begin, length, and when it was launched, in µs.
WORK = (
    ("gemm", 7, 1000, 100, 990),
    ("gemm", 7, 1300, 100, 1250),
    ("gemm", 7, 1420, 80, 1310),
    ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", 20, 1500, 400, 1315),
    ("gemm", 7, 1900, 100, 1320),
    ("Memcpy HtoD (Pinned -> Device)", 20, 2000, 100, 1325),
    ("gemm", 7, 2100, 100, 1330),
    ("gemm", 7, 2300, 100, 1340),
    ("gemm", 20, 2400, 100, 1345),
    ("gemm", 7, 2500, 100, 1350),
)


def captured(*work: tuple[str, int, int, int, int | None], **info: int) -> Timeline:
    events: list[dict[str, Any]] = [{"name": "aten::mm", "cat": "cpu_op", "ph": "X", "pid": 1, "tid": 1, "ts": 0}]
    events[0]["dur"] = 5000
    for i, (name, stream, begin, length, launched) in enumerate(work, 1):
        args = {"device": 0, "stream": stream, "correlation": i}
        cat = "gpu_memcpy" if name.startswith("Memcpy") else "kernel"
        on_gpu = {"name": name, "cat": cat, "ph": "X", "pid": 0, "tid": stream, "ts": begin, "dur": length}
        events.append(on_gpu | {"args": args})
        if launched is not None:
            launch = {"name": "cudaLaunchKernel", "cat": "cuda_runtime", "ph": "X", "pid": 1, "tid": 1, "ts": launched}
            events.append(launch | {"dur": 2, "args": {"correlation": i}})
    text = json.dumps({"schemaVersion": 1, "distributedInfo": info, "traceEvents": events})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), "node")


def test_each_gap_has_its_cause() -> None:
    """In µs. The GPU as a whole is idle 320 of 1,600: 200 for a late launch, 20 between kernels, 100 for no cause."""
    columns = ("host_wait", "kernel_wait", "other_wait", "collective_wait", "copy_wait", "stream_wait", "unattributed")
    answer = ask(captured(*WORK))
    names = ("stream", "gaps", "span_ms", "idle_ms", *(f"{name}_ms" for name in columns))
    assert [tuple(row.values()) for row in rows(answer, "idle", *names)] == [
        ("all streams", 3, 1.6, 0.32, 0.2, 0.02, 0.1, 0.0, 0.0, 0.0, 0.1),
        ("Stream #7", 6, 1.6, pytest.approx(0.92), 0.2, 0.02, pytest.approx(0.7), 0.4, 0.1, 0.1, 0.1),
        ("Stream #20", 2, 1.0, 0.4, 0.0, 0.0, 0.4, 0.0, 0.0, 0.4, 0.0),
    ]
    assert rows(answer, "idle", "worker", "idle_share", "rank")[0] == {
        "worker": "node/GPU:0",
        "idle_share": pytest.approx(0.2),
        "rank": None,
    }


@pytest.mark.parametrize(
    ("cell", "found_us"),
    [
        ("host_wait_ms?host=node&device=GPU%3A0&stream=all%20streams", [(1100, 1300)]),
        ("host_wait_ms?device=GPU%3A0&stream=Stream%20%237", [(1100, 1300)]),
        ("stream_wait_ms?device=GPU%3A0&stream=Stream%20%2320", [(1900, 2000), (2100, 2400)]),
        ("other_wait_ms?device=GPU%3A0&stream=all%20streams", [(2200, 2300)]),
        ("idle_ms?host=another&device=GPU%3A0&stream=all%20streams", []),
    ],
)
def test_a_cell_leads_to_its_gaps(cell: str, found_us: list[tuple[int, int]]) -> None:
    found = prove(captured(*WORK), row_key(f"pod_viewer.idle.{cell}"))
    assert isinstance(found, Stretches)
    shown = [pair for _, when in found.parts for pair in zip(when.begin.tolist(), when.end.tolist(), strict=True)]
    assert [(a // 10**6, b // 10**6) for a, b in shown] == found_us


def test_marks_say_why() -> None:
    """Of the GPU as a whole, on both of its streams; times in µs of the capture, whose first event is at 0."""
    search = "pod_viewer.idle.idle_ms?host=node&device=GPU%3A0&stream=all%20streams"
    chosen = TRACE_VIEWER.parse({"search": search, "match": "row"})
    found = TRACE_VIEWER.combine([TRACE_VIEWER.per_host(captured(*WORK), chosen)], chosen)
    marks, hits, tracks = (found.tables[name] for name in ("marks", "hits", "hit_tracks"))
    columns = zip(*(marks[name] for name in ("start_ps", "end_ps", "name")), strict=True)
    assert [(begin // 10**6, end // 10**6, name) for begin, end, name in columns] == [
        (1100, 1300, "Host launched late"),
        (1400, 1420, "Launch latency"),
        (2200, 2300, "Unattributed"),
    ]
    assert list(zip(tracks["track"], tracks["hits"], strict=True)) == [(1, 3), (2, 3)]
    assert hits["name"] == ["Host launched late", "Launch latency", "Unattributed"]
    assert found.summary["hit_text"] == "3 stretches of time: 320 µs, the sum of the gaps' lengths."


def test_a_kernel_without_its_launch_is_not_taken_for_late() -> None:
    """A short gap is a short one; of a long one nobody knows."""
    found = captured(("a", 7, 100, 10, 90), ("b", 7, 120, 10, None), ("c", 7, 200, 10, None))
    device = next(gaps_of(found, workers_of(found)[0].plane))
    assert device.cause.tolist() == [1, 5]


@pytest.mark.parametrize(("ran_us", "cause"), [(51, 4), (49, 5)])
def test_what_another_stream_ran_for_half_of_a_gap_is_its_cause(ran_us: int, cause: int) -> None:
    found = captured(("a", 7, 100, 100, 90), ("b", 20, 210, ran_us, 91), ("c", 7, 300, 10, 92))
    _, stream, *_ = gaps_of(found, workers_of(found)[0].plane)
    assert stream.cause.tolist() == [cause]


def test_kernels_that_overlap_on_a_stream_leave_no_gap() -> None:
    found = captured(("long", 7, 100, 100, 90), ("within", 7, 110, 10, 95), ("next", 7, 150, 100, 96))
    device, stream = gaps_of(found, workers_of(found)[0].plane)
    assert (len(device.cause), len(stream.cause), stream.span_ps) == (0, 0, 150_000_000)


def test_ranks_without_steps_are_named_in_both_tables() -> None:
    """Neither rank has a step: their collectives and gaps stand there all the same."""
    answer = ask(captured(*WORK, rank=0, world_size=2), captured(*WORK, rank=1, world_size=2))
    assert [(row["worker"], row["stream"]) for row in rows(answer, "idle", "worker", "stream")][:3] == [
        ("rank 0", "all streams"),
        ("rank 1", "all streams"),
        ("rank 0", "Stream #7"),
    ]
    assert rows(answer, "collectives", "kind", "workers", "count")[0] == {
        "kind": "all-reduce",
        "workers": 2,
        "count": 2,
    }


@pytest.mark.parametrize(("wait_us", "cause"), [(1500, "unattributed"), (900, "host_wait"), (1100, "host_wait")])
def test_a_gap_in_which_the_host_waits_for_the_device_is_not_a_late_launch(wait_us: int, cause: str) -> None:
    """The device is at work that the capture lacks; a wait below 1 ms, or for less than half of a gap, may be over."""
    call = {"name": "hipMemcpyWithStream", "cat": "cuda_runtime", "ph": "X", "pid": 1, "tid": 1, "ts": 200}
    events: list[dict[str, Any]] = [call | {"dur": wait_us, "args": {"correlation": 9}}]
    for i, (launched, begin) in enumerate(((90, 100), (2490, 2500)), 1):
        launch = {"name": "hipLaunchKernel", "cat": "cuda_runtime", "ph": "X", "pid": 1, "tid": 1, "ts": launched}
        on_gpu = {"name": "gemm", "cat": "kernel", "ph": "X", "pid": 0, "tid": 7, "ts": begin, "dur": 100}
        of = {"args": {"device": 0, "stream": 7, "correlation": i}}
        events += [launch | {"dur": 2} | of, on_gpu | of]
    text = json.dumps({"schemaVersion": 1, "traceEvents": events})
    [whole, _] = rows(ask(Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), "node")), "idle", f"{cause}_ms")
    assert whole[f"{cause}_ms"] == 2.3
