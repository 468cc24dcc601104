"""What ran in an area, its stacks, and its idle gaps with their causes: whole answers of small captures."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tensorboard_perfplugin.tables import I64
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.trace_viewer import area as area_question
from tensorboard_perfplugin.tools.trace_viewer import area as trees
from tensorboard_perfplugin.trace import area as trace_area
from tensorboard_perfplugin.trace import area as trace_flame
from tensorboard_perfplugin.trace.area import Events, Tree, bottom_up, top_down
from tests.build_capture import Space
from tests.trace.test_viewer import ask, opened, rows

US = 1_000_000


def area(timeline: Timeline, **options: object) -> Answer:
    return ask(timeline, area="true", **options)


def nested() -> Timeline:
    space = Space()
    host = space.plane("/host:CPU").line(1, "main")
    host.event("f", 0, 100).event("g", 10, 30).event("f", 15, 5).event("g", 60, 20).event("h", 120, 0)
    space.plane("/device:GPU:0").line(7, "Stream #7").event("MemcpyH2D", 50, 100)
    return opened(space)


def test_the_whole_answer_clipped_to_the_area() -> None:
    answer = area(nested(), start_ps=20, end_ps=110)
    summary = {key: value for key, value in answer.result.summary.items() if key.startswith("area")}
    assert summary == {
        "area_events": 4,
        "area_tracks": 2,
        "area_busy_ps": 80 + 60,
        "area_names_rows": 3,
        "area_gaps_rows": 2,
        "area_flame_rows": 3,
        "area_bottom_up_rows": 4,
    }
    tables = answer.to_dict()["tables"]
    assert tables["area_names"]["columns"] == {
        "name": ["MemcpyH2D", "f", "g"],
        "category": ["copy_in", "", ""],
        "count": [1, 1, 2],
        "total_ps": [60, 80, 40],
        "self_ps": [60, 40, 40],
        "share": [60 / 140, 40 / 140, 40 / 140],
        "max_ps": [60, 80, 20],
        "host": ["h", "h", "h"],
        "row": [5, 0, 1],
    }
    assert tables["area_categories"]["columns"] == {
        "category": ["", "copy_in"],
        "count": [3, 1],
        "total_ps": [120, 60],
        "self_ps": [80, 60],
        "share": [80 / 140, 60 / 140],
    }
    assert tables["area_flame"]["columns"] == {
        "parent": [-1, 0, -1],
        "depth": [0, 1, 0],
        "name": ["f", "g", "MemcpyH2D"],
        "category": ["", "", "copy_in"],
        "total_ps": [80, 40, 60],
        "self_ps": [40, 40, 60],
        "count": [1, 2, 1],
    }
    assert tables["area_bottom_up"]["columns"] == {
        "parent": [-1, -1, -1, 2],
        "depth": [0, 0, 0, 1],
        "name": ["f", "MemcpyH2D", "g", "f"],
        "category": ["", "copy_in", "", ""],
        "total_ps": [80, 60, 40, 40],
        "self_ps": [40, 60, 40, 40],
        "count": [1, 1, 2, 2],
    }
    assert rows(answer, "area_gaps", "track", "start_ps", "duration_ps", "cause") == [
        (1, 20, 30, "no work"),
        (0, 100, 10, "no work"),
    ]


def test_a_function_that_calls_itself_is_counted_once_in_its_total() -> None:
    answer = area(nested(), tracks=0)
    assert rows(answer, "area_flame", "depth", "name", "total_ps", "self_ps", "count") == [
        (0, "f", 100, 50, 1),
        (1, "g", 50, 45, 2),
        (2, "f", 5, 5, 1),
        (0, "h", 0, 0, 1),
    ]
    assert rows(answer, "area_bottom_up", "depth", "name", "total_ps", "self_ps", "count") == [
        (0, "f", 100, 55, 2),
        (1, "g", 0, 5, 1),
        (2, "f", 0, 5, 1),
        (0, "g", 50, 45, 2),
        (1, "f", 50, 45, 2),
        (0, "h", 0, 0, 1),
    ]


def test_nothing_in_the_area() -> None:
    answer = area(nested(), start_ps=300, end_ps=400)
    assert answer.result.summary["area_events"] == 0
    assert [len(rows(answer, table)) for table in ("area_names", "area_categories", "area_flame", "area_gaps")] == [
        0
    ] * 4


def test_derived_lines_count_only_where_they_are_chosen() -> None:
    space = Space()
    plane = space.plane("/device:GPU:0")
    plane.line(1, "Steps").event("step 1", 0, 100)
    plane.line(7, "Stream #7").event("k", 0, 50)
    timeline = opened(space)
    assert rows(area(timeline), "area_names", "name") == [("k",)]
    assert rows(area(timeline, tracks="0-1"), "area_names", "name", "self_ps") == [("step 1", 100), ("k", 50)]


def test_hosts_are_summed_and_the_longest_is_told_with_its_host() -> None:
    spaces = [Space(), Space()]
    for length, space in zip((30, 70), spaces, strict=True):
        space.plane("/host:CPU").line(1, "t").event("f", 0, length).event("g", 0, 10)
    answer = ask(opened(spaces[0], "a"), opened(spaces[1], "b"), area="true")
    columns = ("name", "count", "total_ps", "self_ps", "max_ps", "host", "row")
    assert rows(answer, "area_names", *columns) == [
        ("f", 2, 100, 80, 70, "b", 0),
        ("g", 2, 20, 20, 10, "a", 1),
    ]
    assert rows(answer, "area_flame", "depth", "name", "total_ps") == [(0, "f", 100), (1, "g", 20)]
    assert answer.result.summary["area_flame_rows"] == 2


def causes(timeline: Timeline, track: int, **options: object) -> list[tuple[int, int, str, str]]:
    columns = ("track", "start_ps", "duration_ps", "cause", "text", "scope")
    found = rows(area(timeline, **options), "area_gaps", *columns)
    return sorted((gap[0], gap[1], gap[2], gap[3]) for at, *gap, scope in found if at == track and scope != "device")


def test_gaps_of_a_stream_and_their_causes() -> None:
    space = Space()
    cpu = space.plane("/host:CPU").line(5, "python")
    for id, start in ((1, 0), (2, 90), (3, 105), (4, 210)):
        if id == 2:
            cpu.event("get_next_batch", 20 * US, 65 * US)
        cpu.event("cuLaunchKernel", start * US, 2 * US, stats={"correlation_id": id})
    plane = space.plane("/device:GPU:0")
    stream = plane.line(7, "Stream #7")
    for id, start, length in ((1, 5, 5), (2, 95, 5), (3, 150, 10), (4, 220, 5)):
        stream.event(f"k{id}", start * US, length * US, stats={"correlation_id": id})
    plane.line(8, "Stream #8").event("MemcpyH2D", 101 * US, 48 * US)
    assert causes(opened(space), 1, start_ps=5 * US, end_ps=240 * US) == [
        (
            10 * US,
            85 * US,
            "input",
            "python launched `k2` 80 µs after the gap began (94 %): it ran `get_next_batch` for 65 µs.",
        ),
        (100 * US, 50 * US, "copy", "Stream #8 ran `MemcpyH2D` for 48 µs of it; then `k3` ran on this one."),
        (
            160 * US,
            60 * US,
            "launched late",
            "python launched `k4` 50 µs after the gap began (83 %); the capture does not show what it did before.",
        ),
        (225 * US, 15 * US, "end", "Nothing more ran on it, to the end of the capture."),
    ]


def test_launch_latency_and_other_streams() -> None:
    space = Space()
    cpu = space.plane("/host:CPU").line(5, "python")
    cpu.event("cuLaunchKernel", 0, US, stats={"correlation_id": 1})
    cpu.event("cuLaunchKernel", 12 * US, US, stats={"correlation_id": 2})
    cpu.event("cuLaunchKernel", 14 * US, US, stats={"correlation_id": 3})
    plane = space.plane("/device:GPU:0")
    stream = plane.line(7, "Stream #7")
    for id, start in ((1, 5), (2, 20), (3, 60)):
        stream.event(f"k{id}", start * US, 5 * US, stats={"correlation_id": id})
    plane.line(8, "Stream #8").event("gemm", 26 * US, 33 * US)
    assert causes(opened(space), 1, start_ps=5 * US, end_ps=65 * US) == [
        (
            10 * US,
            10 * US,
            "launch latency",
            "Launch latency: 8 µs of the gap passed between the launch of `k2` and its start.",
        ),
        (25 * US, 35 * US, "other stream", "Stream #8 ran `gemm` for 33 µs of it; then `k3` ran on this one."),
    ]


def test_a_thread_that_waits_for_what_causes_its_next_event() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    plane.line(1, "main").event("hand over", 40 * US, 5 * US, stats={"_pt": 1, "_p": 7})
    plane.line(2, "pool").event("a", 0, 10 * US).event("b", 50 * US, 10 * US, stats={"_ct": 1, "_c": 7})
    assert causes(opened(space), 1, start_ps=0, end_ps=60 * US) == [
        (10 * US, 40 * US, "producer", "`b` is caused by `hand over` on main, which started 10 µs before."),
    ]


def test_events_that_overlap_leave_a_gap_only_after_the_last_of_them() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    plane.line(1, "a").event("a", 0, 50).event("b", 20, 40).event("c", 45, 10).event("d", 80, 10)
    plane.line(2, "b").event("e", 10, 5).event("f", 90, 10)
    found = rows(area(opened(space), start_ps=0, end_ps=100), "area_gaps", "track", "start_ps", "duration_ps")
    assert found == [(1, 15, 75), (0, 60, 20), (1, 0, 10), (0, 90, 10)]


def texts(timeline: Timeline, track: int, **options: object) -> list[tuple[int, str, str]]:
    found = rows(area(timeline, **options), "area_gaps", "start_ps", "track", "cause", "text", "scope")
    return [(start, cause, text) for start, of, cause, text, scope in found if of == track and scope != "device"]


def test_a_gap_that_the_areas_end_cuts() -> None:
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("a", 10, 10).event("b", 1050, 10)
    assert texts(opened(space), 0, start_ps=15, end_ps=50) == [
        (20, "no work", "Nothing ran on it until the area ended; `b` started 1 ns later.")
    ]


def test_gaps_of_a_tpu_which_nobody_launches() -> None:
    space = Space()
    space.plane("/device:TPU:0").line(2, "XLA Ops").event("fusion.1", 0, 5 * US).event("fusion.2", 40 * US, 5 * US)
    assert texts(opened(space), 0, end_ps=45 * US) == [(5 * US, "no work", "Then it ran `fusion.2`.")]


def test_a_gap_before_a_kernel_whose_launch_came_after_it() -> None:
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 90 * US, US, stats={"correlation_id": 2})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7").event("a", 5 * US, 3 * US)
    stream.event("c", 80 * US, 3 * US, stats={"correlation_id": 2})
    assert texts(opened(space), 1, end_ps=83 * US)[0] == (
        *(8 * US, "no work"),
        "`c` started 10 µs before its launch: the clocks of host and device differ.",
    )


def test_another_stream_that_many_short_kernels_keep_busy() -> None:
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 0, US, stats={"correlation_id": 2})
    plane = space.plane("/device:GPU:0")
    stream = plane.line(7, "Stream #7").event("a", 0, US)
    stream.event("c", 501 * US, US, stats={"correlation_id": 2})
    other = plane.line(8, "Stream #8")
    for i in range(300):
        other.event("s", (5 + i) * US, US)
    assert texts(opened(space), 1, end_ps=502 * US) == [
        (US, "other stream", "Stream #8 was busy for 300 µs of it, longest with `s`; then `c` ran on this one.")
    ]


def test_gaps_of_devices_come_first() -> None:
    spaces = [Space(), Space()]
    for length, space in zip((30, 70), spaces, strict=True):
        space.plane("/host:CPU").line(1, "t").event("f", 0, 10).event("g", 1000, 10)
        space.plane("/device:GPU:0").line(7, "Stream #7").event("k", 0, 500).event("l", 500 + length, 10)
    answer = ask(opened(spaces[0], "a"), opened(spaces[1], "b"), area="true", start_ps=0, end_ps=510)
    assert rows(answer, "area_gaps", "host", "track", "duration_ps", "cause") == [
        ("a", 1, 10, "no work"),
        ("b", 1, 10, "no work"),
        ("a", 0, 500, "no work"),
        ("b", 0, 500, "no work"),
    ]


def test_when_a_device_computes_nothing_comes_before_an_idle_stream_of_copies() -> None:
    space = Space()
    launches = space.plane("/host:CPU").line(5, "python")
    launches.event("cuLaunchKernel", 38 * US, US, stats={"correlation_id": 1}).event("end", 100 * US, US)
    plane = space.plane("/device:GPU:0")
    plane.line(7, "Stream #7").event("gemm", 0, 20 * US).event("relu", 40 * US, 60 * US, stats={"correlation_id": 1})
    plane.line(8, "Stream #8").event("softmax", 10 * US, 20 * US).event("softmax", 90 * US, 10 * US)
    plane.line(9, "Stream #9").event("MemcpyH2D", 0, 5 * US)
    answer = area(opened(space), start_ps=0, end_ps=100 * US, tracks="1-3")
    assert rows(answer, "area_gaps", "scope", "track", "start_ps", "duration_ps") == [
        ("device", 1, 30 * US, 10 * US),
        ("compute", 2, 30 * US, 60 * US),
        ("compute", 1, 20 * US, 20 * US),
        ("compute", 2, 0, 10 * US),
        ("stream", 3, 5 * US, 95 * US),
    ]
    text = (
        "All 2 compute streams of /device:GPU:0 were idle. python launched `relu` 8 µs after the gap began (80 %); "
        "the capture does not show what it did before."
    )
    assert rows(answer, "area_gaps", "cause", "text")[0] == ("launched late", text)
    [only, *_] = rows(area(opened(space), start_ps=0, end_ps=100 * US, tracks="1,3"), "area_gaps", "scope", "track")
    assert only == ("compute", 1)


def gaps_of(**counts: list[int]) -> dict[str, list[int]]:
    """Of tracks of kernels, of copies and of threads with so many gaps each: how many are shown, by scope and track."""
    space = Space()
    gpu, cpu = space.plane("/device:GPU:0"), space.plane("/host:CPU")
    of = {"compute": (gpu, "Stream #7", "gemm"), "stream": (gpu, "Stream #8", "MemcpyH2D"), "thread": (cpu, "t", "f")}
    for scope, each in counts.items():
        plane, name, event = of[scope]
        for i, count in enumerate(each):
            line = plane.line(10 * list(of).index(scope) + i + 1, f"{name}{i or ''}")
            for n in range(count + 1):
                line.event(event, 100 * n, 50)
    end = 100 * max(count for each in counts.values() for count in each) + 50
    found = Counter(rows(area(opened(space), start_ps=0, end_ps=end), "area_gaps", "scope", "track"))
    return {scope: [n for (at, _), n in sorted(found.items()) if at == scope] for scope in counts}


def test_gaps_are_shared_among_tracks() -> None:
    assert gaps_of(thread=[400]) == {"thread": [150]}
    assert gaps_of(compute=[400]) == {"compute": [100]}
    # A fair share of each of three is 50.
    assert gaps_of(compute=[400], stream=[400], thread=[400]) == {"compute": [50], "stream": [50], "thread": [50]}
    # A track of thirty may have ten, though others leave more.
    assert gaps_of(thread=[40, *[1] * 29])["thread"][0] == 10


def chain(depth: int) -> Tree:
    at = np.arange(depth)
    return top_down(Events(at - 1, at, at, at + 1, np.ones(depth, np.int64)))


def test_64_callers_are_told_apart() -> None:
    """Below each of the names what called it: of the n-th n − 1, at most 64."""
    tree = bottom_up(chain(200))
    assert len(tree.label) == sum(1 + min(n, 64) for n in range(200))


def test_200_000_rows_of_callers_are_made() -> None:
    """25,000 stacks of four names each: the rows of a level are made whole."""
    at: I64 = np.arange(100_000)
    parent = np.where(at % 4 == 0, -1, at - 1)
    tree = bottom_up(Tree(parent, at, at + 1, at + 1, np.ones_like(at)))
    assert len(tree.label) == 100_000 + 75_000 + 50_000


def test_deep_stacks_are_told_apart_to_a_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i in range(10):
        line.event(f"f{i}", i, 100 - 2 * i)
    monkeypatch.setattr(trace_flame, "LEVELS_MAX", 3)
    assert rows(area(opened(space)), "area_flame", "depth", "name", "total_ps", "self_ps", "count") == [
        (0, "f0", 100, 2, 1),
        (1, "f1", 98, 2, 1),
        (2, "f2", 96, 96, 8),
    ]


def test_bounded_trees_keep_the_largest_and_say_how_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i in range(20):
        line.event(f"f{i:02}", i * 1000, 100 + i).event("g", i * 1000, 50)
    timeline = opened(space)
    for module in (trace_flame, trees):
        monkeypatch.setattr(module, "TREE_ROWS_MAX", 5)
    for module in (trace_area, area_question):
        monkeypatch.setattr(module, "AREA_NAMES_MAX", 2)
    answer = area(timeline)
    assert rows(answer, "area_flame", "name", "total_ps") == [(f"f{i}", 100 + i) for i in (19, 18, 17, 16, 15)]
    assert rows(answer, "area_names", "name") == [("g",), ("f19",)]
    assert [answer.result.summary[f"area_{t}_rows"] for t in ("flame", "names")] == [40, 21]


def test_of_equal_rows_of_several_hosts_as_many_are_given_as_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """None was: all weigh as much as the first that does not fit."""
    hosts = []
    for host in "ab":
        space = Space()
        line = space.plane("/host:CPU").line(1, "t")
        for i in range(3):
            line.event(f"{host}{i}", i * 10, 5)
        hosts.append(opened(space, host))
    for module in (trace_flame, trees):
        monkeypatch.setattr(module, "TREE_ROWS_MAX", 4)
    answer = ask(*hosts, area=True)
    for table in ("area_flame", "area_bottom_up"):
        assert len(rows(answer, table, "name")) == 4
        assert answer.result.summary[f"{table}_rows"] == 6


def test_the_longest_times_neither_wrap_nor_fail() -> None:
    far = (1 << 61) - 1
    space = Space()
    plane = space.plane("/host:CPU")
    for i in range(6):
        plane.line(i + 1, f"t{i}").event("f", 0, far)
    answer = area(opened(space))
    assert answer.result.summary["area_busy_ps"] == 1 << 62
    assert rows(answer, "area_names", "total_ps", "self_ps") == [(1 << 62, 1 << 62)]


def test_stacks_of_many_events_that_overlap_in_part_are_merged_by_what_they_lie_in() -> None:
    """Of 700 at once, none in another, each was at a level of its own; the 513th had none, and the area failed."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i in range(700):
        line.event(f"e{i % 2}", 10 * i, 10_000)
        line.event("in", 10 * i + 1, 3)
    flame = area(opened(space)).to_dict()["tables"]["area_flame"]["columns"]
    rows = sorted(zip(flame["name"], flame["parent"], flame["count"], flame["self_ps"], strict=True))
    assert [(name, count, own) for name, _, count, own in rows] == [
        ("e0", 350, 350 * 7),
        ("e1", 350, 349 * 7 + 10_000 - 3),
        ("in", 350, 350 * 3),
        ("in", 350, 350 * 3),
    ]
