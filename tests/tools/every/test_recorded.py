"""What TensorFlow recorded of a capture gives whole pages, and says what has no timeline."""

from __future__ import annotations

from pathlib import Path

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, find_tool
from tests.build_capture import chunk, text
from tests.decode.test_tool_files import double, overview_page, step, tensorflow_stats, write


def answer(tool_name: str, data: bytes) -> Answer:
    return answered(tool_name, Timeline(decode.read_bytes(data, "h.overview_page.pb"), "h"))


def answered(tool_name: str, timeline: Timeline) -> Answer:
    timeline.capture.check()
    steps_of(timeline).check()
    split_of(timeline).check()
    tool = find_tool(tool_name)
    options = tool.parse({})
    result = tool.combine([tool.per_host(timeline, options)], options)
    answer = Answer(tool, "run", ("h",), result, timeline.capture.quality, "compiled")
    answer.check()
    return answer


def table(answer: Answer, name: str, *columns: str) -> list[tuple[object, ...]]:
    cells = answer.to_dict()["tables"][name]["columns"]
    return list(zip(*(cells[column] for column in columns), strict=True))


def test_the_overview_divides_the_steps_as_recorded() -> None:
    """Two steps of 10 and 12 ms on a GPU, 6.5 and 9 ms of them input; the second's parts are all that is known."""
    found = answer("overview", overview_page())
    columns = ("step", "name", "start_ms", "duration_ms", "cut", "compute_other_ms", "input_wait_ms", "idle_ms")
    assert table(found, "steps", *columns) == [
        (7, "step 7", 0.0, 10.0, "", 3.0, 6.5, 0.5),
        (8, "train 8", 10.0, 12.0, "", 3.0, 9.0, 0.0),
    ]
    summary, unknown = found.result.summary, found.result.unknown
    assert (summary["step_count"], summary["step_time_ms"], summary["step_rule"]) == (2, 11.0, "recorded")
    assert found.result.findings[0].title.startswith("Steps take 11 ms; 7.75 ms (70 %) of that waits for input")
    assert summary["device_busy_ms"] is None
    assert table(found, "activity", "start_ms") == []
    assert not [name for name in unknown if "nan" in unknown[name]]


def test_parts_that_go_past_their_step_are_cut() -> None:
    data = chunk(2, text(9, "CPU_ONLY") + step(1, double(2, 5.0), double(8, 4.0), double(11, 3.0)))
    assert table(answer("overview", data), "steps", "duration_ms", "op_compute_ms", "input_wait_ms", "idle_ms") == [
        (5.0, 2.0, 3.0, 0.0)
    ]


def test_the_input_pipeline_lists_the_ops_as_recorded() -> None:
    found = answer("input_pipeline", overview_page())
    assert found.result.summary["verdict"] == "input-bound"
    assert table(found, "ops", "op", "count", "total_ms") == [("Iterator::Map", 5, 20.0)]


def test_sums_of_ops_tell_no_wall_time(tmp_path: Path) -> None:
    """What the sums add up to is known, when ops ran is not."""
    files = {"h.overview_page.pb": overview_page(), "h.tensorflow_stats.pb": tensorflow_stats()}
    timeline = Timeline(decode.read(str(write(tmp_path, files) / "h.overview_page.pb")), "h")
    found = answered("op_stats", timeline)
    assert table(found, "ops", "side", "name", "occurrences", "self_us") == [
        ("device", "model/conv", 4, 1500.0),
        ("host", "dense", 4, 1500.0),
    ]
    summary, unknown = found.result.summary, found.result.unknown
    assert (summary["host_self_ms"], summary["device_self_ms"]) == (1.5, 1.5)
    assert unknown["host_op_ms"] == "the capture records how long ops took in all, not when they ran"
    assert answered("overview", timeline).result.unknown["host_op_share"] == unknown["host_op_ms"]


def test_results_without_a_step_tell_what_their_sums_are_of(tmp_path: Path) -> None:
    page = chunk(2, text(9, "GPU")) + chunk(6, text(4, "GPU"))
    files = {"h.overview_page.pb": page, "h.tensorflow_stats.pb": tensorflow_stats()}
    timeline = Timeline(decode.read(str(write(tmp_path, files) / "h.overview_page.pb")), "h")
    first, second = answered("overview", timeline).result.findings[:2]
    assert first.title == (
        "The capture holds sums of ops only, and no step; dense (MatMul) takes 100 % of host op time (1.5 ms)"
    )
    assert second.code == "no_steps"


def test_of_ops_that_were_never_counted_no_time_a_call_is_known(tmp_path: Path) -> None:
    stats = chunk(
        5, chunk(1, text(2, "Device") + text(3, "Conv2D") + text(4, "conv") + double(6, 2.0) + double(8, 2.0))
    )
    folder = write(tmp_path, {"h.overview_page.pb": overview_page(), "h.tensorflow_stats.pb": stats})
    timeline = Timeline(decode.read(str(folder / "h.overview_page.pb")), "h")
    assert table(answered("op_stats", timeline), "ops", "name", "occurrences", "average_us") == [("conv", 0, None)]
