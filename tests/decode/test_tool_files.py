"""Tool files: what TensorFlow's own tools computed, as binary messages and as charts' JSON, gives a capture."""

from __future__ import annotations

import json
import mmap
import struct
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.hosts.environment import environment
from tensorboard_perfplugin.decode import tool_files
from tensorboard_perfplugin.decode.common.source import Source
from tensorboard_perfplugin.decode.tool_files import OpSum, Report, Step, input_pipeline, pod
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture, PlaneKind
from tensorboard_perfplugin.timeline.timeline import Timeline

from ..build_capture import chunk, number, text, varint

MS = 10**9
DETAILS = "type.googleapis.com/tensorflow.profiler.PerGenericStepDetails"


def double(field: int, value: float) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<d", value)


def step(step_number: int, *fields: bytes) -> bytes:
    return chunk(4, text(1, DETAILS) + chunk(2, number(1, step_number) + b"".join(fields)))


def input_analysis() -> bytes:
    """Two steps of 10 and 12 ms, and an input op; hardware GPU."""
    one = step(7, double(2, 10.0), double(6, 3.0), double(11, 6.5), double(3, 0.5))
    two = step(8, double(2, 12.0), double(6, 3.0), double(11, 9.0), text(14, "train 8"))
    op = text(1, "Iterator::Map") + number(2, 5) + double(3, 20.0) + double(5, 8.0) + text(7, "Preprocessing")
    return text(9, "GPU") + one + two + chunk(6, op)


def overview_page() -> bytes:
    return chunk(2, input_analysis()) + chunk(6, text(4, "Tesla V100") + number(5, 2)) + chunk(3, double(1, 48.5))


def tensorflow_stats() -> bytes:
    def record(side: str, kind: str, name: str) -> bytes:
        return chunk(
            1, text(2, side) + text(3, kind) + text(4, name) + number(5, 4) + double(6, 2000.0) + double(8, 1500.0)
        )

    rows = record("Device", "Conv2D", "model/conv") + record("Host", "MatMul", "dense") + record("Host", "IDLE", "IDLE")
    return chunk(5, rows)


def write(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def steps(capture: Capture) -> list[tuple[str, str, float, float, dict[str, object]]]:
    events, tracks = capture.events, capture.tracks
    return [
        (
            capture.strings[int(capture.planes.name[tracks.plane[events.track[row]]])],
            capture.event_name(row),
            events.start_ps[row] / MS,
            events.duration_ps[row] / MS,
            dict(capture.event_values(row)),
        )
        for row in range(len(events))
    ]


def sums(capture: Capture) -> list[tuple[str, int, float, dict[str, object]]]:
    table = capture.aggregates
    return [
        (
            capture.strings[int(table.name[row])],
            int(table.occurrences[row]),
            table.duration_ps[row] / MS,
            dict(capture.values(int(table.stats_begin[row]), int(table.stats_end[row]))),
        )
        for row in range(len(table))
    ]


def test_an_overview_page_gives_its_steps_end_to_end_and_its_ops_as_sums(tmp_path: Path) -> None:
    files = {"h.overview_page.pb": overview_page(), "h.tensorflow_stats.pb": tensorflow_stats()}
    capture = decode.read(str(write(tmp_path, files) / "h.overview_page.pb"))
    capture.check()
    assert [*zip(capture.strings.texts(capture.planes.name), capture.planes.kind.tolist(), strict=True)] == [
        ("/host:CPU", PlaneKind.CPU),
        ("/device:GPU:0", PlaneKind.GPU),
        ("/device:GPU:1", PlaneKind.GPU),
    ]
    assert capture.plane_values(0) == {"matrix_unit_utilization_percent": 48.5}
    assert capture.plane_values(1) == {"device_type_string": "Tesla V100"}
    parts = {"device_compute_ps": 3 * MS, "host_wait_input_ps": 6_500_000_000, "unknown_time_ps": 500_000_000}
    assert steps(capture) == [
        ("/device:GPU:0", "step 7", 0.0, 10.0, {"step_num": 7, **parts}),
        (
            "/device:GPU:0",
            "train 8",
            10.0,
            12.0,
            {"step_num": 8, "device_compute_ps": 3 * MS, "host_wait_input_ps": 9 * MS},
        ),
    ]
    assert sums(capture) == [
        ("Iterator::Map", 5, 20.0, {"op_type": "Preprocessing", "self_ps": 8 * MS, "side": "input"}),
        ("dense", 4, 2.0, {"op_type": "MatMul", "self_ps": 1_500_000_000, "side": "host"}),
        ("model/conv", 4, 2.0, {"op_type": "Conv2D", "self_ps": 1_500_000_000, "side": "device"}),
    ]
    assert capture.quality.warnings[0] == message("recorded_results", has_steps=True)


def test_what_an_overview_page_says_of_precision_divides_compute(tmp_path: Path) -> None:
    """And its ten largest ops, of which it gives no time."""
    op = text(1, "a/conv") + text(2, "Conv2D") + double(3, 0.25)
    analysis = double(9, 25.0) + double(10, 75.0) + double(3, 87.7) + chunk(4, op) * 11
    data = chunk(2, input_analysis()) + chunk(3, analysis)
    capture = decode.read(str(write(tmp_path, {"h.overview_page.pb": data}) / "h.overview_page.pb"))
    for _, _, _, _, parts in steps(capture):
        assert (parts["device_compute_16bit_ps"], parts["device_compute_32bit_ps"]) == (0.75 * MS, 2.25 * MS)
        assert "device_compute_ps" not in parts
    said = environment(Timeline(capture, "h"))
    assert said["host_idle_time_percent"] == "87.7 %"
    assert said["top_device_ops"] == ", ".join(["a/conv (Conv2D) 25.0%"] * 10)


def test_an_input_pipeline_alone_has_the_same_steps(tmp_path: Path) -> None:
    capture = decode.read(str(write(tmp_path, {"h.input_pipeline.pb": input_analysis()}) / "h.input_pipeline.pb"))
    capture.check()
    assert [row[1:4] for row in steps(capture)] == [("step 7", 0.0, 10.0), ("train 8", 10.0, 12.0)]


def chart(ids: str, *rows: list[object], **facts: str) -> dict[str, object]:
    return {
        "cols": [{"id": id} for id in ids.split()],
        "rows": [{"c": [{"v": value} for value in row]} for row in rows],
        "p": facts,
    }


def test_charts_and_the_cores_of_a_pod_viewer(tmp_path: Path) -> None:
    """JSON of 2019, of a TPU: with the pod viewer beside it each core has its own steps."""
    page = [
        chart("stepnum computeTimeMs inputTimeMs idleTimeMs", ["0", 9.0, 0.5, 0.5], hardware_type="TPU"),
        chart("host_id", device_type="TPU v2", device_core_count="2 (Replica count = 2)"),
        chart("opName count timeInMs selfTimeInMs category", ["Iterator::Batch", 3, 6.0, 2.0, "Preprocessing"]),
        chart("selfTimePercent", mxu_utilization_percent="48.8%"),
    ]
    record = {"totalDurationUs": 10_000, "hostInfeedDurationUs": 500, "allReduceComputeDurationUs": 1500}
    late = {**record, "totalDurationUs": 10_100, "allReduceSyncDurationUs": 100}
    cores = {"podStatsSequence": {"podStatsMap": [{"stepNum": 0, "podStatsPerCore": {"1": record, "3": late}}]}}
    files = {"h.overview_page.json": json.dumps(page).encode(), "h.pod_viewer.json": json.dumps(cores).encode()}
    capture = decode.read(str(write(tmp_path, files) / "h.overview_page.json"))
    capture.check()

    def parts(collectives: int) -> dict[str, int]:
        return {
            "step_num": 0,
            "host_wait_input_ps": 500_000_000,
            "output_ps": 0,
            "device_collectives_ps": collectives,
            "device_compute_ps": 8 * MS,
        }

    assert steps(capture) == [
        ("/device:TPU:0", "step 0", 0.0, 10.0, parts(1_500_000_000)),
        ("/device:TPU:1", "step 0", 0.0, 10.1, parts(1_600_000_000)),
    ]
    assert capture.plane_values(0) == {"matrix_unit_utilization_percent": 48.8}
    assert [row[:3] for row in sums(capture)] == [("Iterator::Batch", 3, 6.0)]


def test_infeed_of_a_tpus_steps_is_their_mean(tmp_path: Path) -> None:
    ids = ("stepnum", "computeTimeMs", "infeedPercentAverage", "infeedPercentMin", "infeedPercentMax")
    rows = [{"c": [{"v": value} for value in row]} for row in (("0", 9, 10.0, 5.0, 20.0), ("1", 9, 20.0, 5.0, 50.0))]
    table = {"cols": [{"id": id} for id in ids], "rows": rows, "p": {"hardware_type": "TPU"}}
    capture = decode.read(
        str(write(tmp_path, {"h.overview_page.json": json.dumps([table]).encode()}) / "h.overview_page.json")
    )
    assert capture.plane_values(0) == {
        "infeed_percent_average": 15.0,
        "infeed_percent_minimum": 5.0,
        "infeed_percent_maximum": 35.0,
    }


def test_20_000_cores_of_a_pod_viewer_are_read() -> None:
    """Those of the first steps, in all of their steps."""
    every = {str(core): {"totalDurationUs": 1} for core in range(20_001)}
    found = Report()
    pod({"podStatsSequence": {"podStatsMap": [{"stepNum": i, "podStatsPerCore": every} for i in range(2)]}}, found)
    assert [len(found.cores), {len(each) for each in found.cores.values()}] == [20_000, {2}]


@pytest.mark.parametrize(
    ("name", "data"),
    {
        "empty": ("h.overview_page.pb", b""),
        "nothing known": ("h.overview_page.pb", b"\x0a\x03abc"),
        "damaged": ("h.input_pipeline.pb", b"\xff\xff\xff"),
        "not JSON": ("h.overview_page.json", b"<html>"),
        "a deep nest": ("h.overview_page.json", b"[" * 100_000),
        "no columns": ("h.overview_page.json", b'[{"a": 1}]'),
        "another JSON": ("h.input_pipeline.json", b'{"a": 1}'),
    }.values(),
)
def test_what_holds_nothing_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(UnreadableError, match="is not a capture"):
        decode.read_bytes(data, name)


@pytest.mark.parametrize(
    "cells", [[10**400] * 4, ["x", "y", None, []], [1e300, -1e300, 1e300, 1e300], [{}, float("nan"), 1, 1]]
)
def test_wild_cells_become_bounded_numbers(cells: list[object]) -> None:
    page = [chart("stepnum computeTimeMs inputTimeMs idleTimeMs", cells, *[cells] * 9, hardware_type="TPU")]
    capture = decode.read_bytes(json.dumps(page).encode(), "h.overview_page.json")
    capture.check()
    assert 1 <= len(capture.events) <= 10


@pytest.mark.parametrize(("field", "before"), [("steps", 99_999), ("ops", 199_999)])
def test_steps_and_input_ops_are_read_up_to_a_number(field: str, before: int) -> None:
    """Of two more one is."""
    a_step, an_op = Step(1, "", 1.0, {}), OpSum("host", "a", "MatMul", 1, 1.0, 1.0)
    found = Report(steps=[a_step] * 99_999, ops=[an_op] * 199_999)
    data = (step(7) + step(8) if field == "steps" else b"") + (chunk(6, b"") * 2 if field == "ops" else b"")
    input_pipeline(memoryview(data), found)
    assert len(getattr(found, field)) == before + 1


def test_places_of_damage_are_told_up_to_a_number() -> None:
    """Every answer repeats them: a file of 64 MB has room for 16 million."""
    capture = decode.read_bytes(text(9, "GPU") + chunk(6, b"\xff") * 30, "h.input_pipeline.pb")
    assert [each.code for each in capture.quality.warnings].count("wire_damaged_part") == 20


def test_a_large_tool_file_is_refused() -> None:
    """It takes no memory as long as nobody looks at it."""
    for size, says in ((67_108_864, "is not a capture"), (67_108_865, r"unpacks to 67\.1 MB; the limit is 67\.1 MB")):
        with pytest.raises(UnreadableError, match=says):
            tool_files.read(Source("h.none", memoryview(mmap.mmap(-1, size)), b"", size))


def test_a_host_with_both_is_read_from_the_xplane(tmp_path: Path) -> None:
    names = ("h.input_pipeline.pb", "h.overview_page.pb", "h.xplane.pb", "g.input_pipeline.pb", "g.overview_page.pb")
    (run,) = runs_at(str(write(tmp_path / "plugins/profile/r", dict.fromkeys(names, b"x"))))
    assert [(file.host, file.format, Path(file.path).name) for file in run.files] == [
        ("g", "tool_files", "g.overview_page.pb"),
        ("h", "xplane", "h.xplane.pb"),
    ]
