"""Derived tracks in the trace: listed, drawn, found, summed, told of and exported beside the capture's, on request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, find_tool
from tensorboard_perfplugin.trace.export import export as trace
from tests.build_capture import Space
from tests.timeline.lines.drawn import kernel
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.kineto import launched, on_host, saved, step
from tests.trace.test_export import text_of
from tests.trace.test_viewer import ask, rows

#: Rows of the capture: five events. Tracks: two streams and a thread.
EVENTS, TRACKS = 5, 3


def space() -> Space:
    """Scopes a, a/b and c of a GPU's two streams; the first kernel's launch."""
    made = Space()
    gpu = made.plane("/device:GPU:0")
    one, other = gpu.line(7, "Stream #7(Compute)"), gpu.line(8, "Stream #8(Compute)")
    kernel(one, "a/x:X", 100, 50, correlation_id=1)
    kernel(other, "a/b/y:Y", 160, 40)
    kernel(one, "a/b/y:Y", 170, 20)
    kernel(one, "c/x:X", 190, 100)
    made.plane("/host:CPU").line(1, "python").event("cuLaunchKernel", 20, 10, {"correlation_id": 1})
    return made


def test_they_are_listed_on_request_before_the_tracks_of_their_device() -> None:
    of = timeline(space())
    columns = ("group", "track", "name", "kind", "lanes", "events")
    own = [
        ("gpu0 streams", 0, "Stream #7(Compute)", "stream", 1, 3),
        ("gpu0 streams", 1, "Stream #8(Compute)", "stream", 1, 1),
        ("host threads", 2, "python", "thread", 1, 1),
    ]
    assert rows(ask(of), "tracks", *columns) == own
    listed = ask(of, tracks_from=0, derived=True)
    assert rows(listed, "tracks", *columns) == [
        ("gpu0 derived", TRACKS, "Name scope", "derived", 2, 3),
        ("gpu0 derived", TRACKS + 1, "Ops", "derived", 1, 3),
        *own,
    ]
    assert (listed.result.summary["track_count"], listed.result.summary["derived_track_count"]) == (TRACKS, 2)
    paged = ask(of, tracks_from=1, derived=True)
    assert [track for (track,) in rows(paged, "tracks", "track")] == [TRACKS + 1, 0, 1, 2]


def slices(answer: Answer) -> list[tuple[int, int, int, int, str, int]]:
    """Track, depth, begin, length, name, row."""
    tracks = [track for (track,) in rows(answer, "window_tracks", "track")]
    names = [name for (name,) in rows(answer, "names", "name")]
    begin = int(answer.result.summary["window_start_ps"] or 0)
    columns = ("track", "depth", "start_ps", "duration_ps", "name", "row")
    return [(tracks[t], d, s + begin, n, names[i], r) for t, d, s, n, i, r in rows(answer, "slices", *columns)]


def test_the_critical_path_is_a_track_where_there_are_steps(tmp_path: Path) -> None:
    """A kernel, late by its launch; what the host does until it waits, and after that."""
    events = (
        step(0, 0, 100),
        *launched("gemm", 2, 10, 60, 1),
        on_host("aten::mm", 16, 20) | {"tid": 101},
        on_host("cudaDeviceSynchronize", 15, 60, "cuda_runtime"),
    )
    of = Timeline(decode.read(str(saved(tmp_path, *events))), "h")
    listed = rows(ask(of, tracks_from=0, derived=True), "tracks", "track", "name", "kind", "events")
    [(track, events)] = [(each, count) for each, name, kind, count in listed if name == "Critical path"]
    window = ask(of, tracks=str(track), width=8192)
    names = rows(window, "names", "name", "category")
    first = int(window.result.summary["window_start_ps"] or 0)
    shown = rows(window, "slices", "start_ps", "duration_ps", "name", "row")
    us = 10**6
    assert [((start + first) // us % 1000, length // us, *names[name]) for start, length, name, _ in shown] == [
        (0, 2, "ProfilerStep#0", "python"),
        (2, 1, "cudaLaunchKernel", "launch"),
        (3, 7, "gemm", "launch"),
        (10, 60, "gemm", "compute_other"),
        (70, 5, "cudaDeviceSynchronize", "waiting"),
        (75, 25, "ProfilerStep#0", "python"),
    ]
    assert events == len(shown)
    answer = ask(of, event=str(shown[2][3]))
    facts = dict(rows(answer, "event", "key", "value"))
    assert (facts["category"], facts["path_kind"], facts["edge"]) == (
        "launch",
        "launch latency",
        "shown by the capture",
    )
    links = rows(answer, "links", "kind", "name")
    assert {("under", "gemm"), ("launch", "cudaLaunchKernel")} <= set(links)
    on_path = ask(of, search="e", derived=True, **{"in": "path"})
    hits = ["ProfilerStep#0", "cudaLaunchKernel", "gemm", "cudaDeviceSynchronize"]
    assert [name for (name,) in rows(on_path, "hits", "name")] == hits
    assert rows(ask(of, search="aten::mm", **{"in": "path"}), "hits", "name") == []


def test_a_window_shows_those_that_are_named() -> None:
    of = timeline(space())
    assert {track for track, *_ in slices(ask(of))} == {0, 1, 2}
    shown = slices(ask(of, tracks="1,3-9", width=8192))
    assert shown == [
        (1, 0, 160, 40, "kernel_160", 3),
        (3, 0, 100, 90, "a", EVENTS),
        (3, 0, 190, 100, "c", EVENTS + 2),
        (3, 1, 160, 30, "b", EVENTS + 1),
        (4, 0, 100, 50, "X", EVENTS + 3),
        (4, 0, 160, 30, "Y", EVENTS + 4),
        (4, 0, 190, 100, "X", EVENTS + 5),
    ]
    assert slices(ask(of, tracks="4", start_ps=95, end_ps=120, width=8192)) == [(4, 0, 100, 50, "X", EVENTS + 3)]


def test_where_both_are_too_much_for_one_answer_the_captures_own_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorboard_perfplugin.trace.window.SLICES_MAX", 5)
    of = timeline(space())
    assert [track for (track,) in rows(ask(of, tracks="0-4"), "window_tracks", "track")] == [0, 1, 2]
    assert [track for (track,) in rows(ask(of, tracks="3-4"), "window_tracks", "track")] == [3, 4]


def test_a_search_finds_them_on_request() -> None:
    of = timeline(space())
    assert rows(ask(of, search="c", match="exact"), "hits", "row") == []
    columns = ("track", "depth", "start_ps", "duration_ps", "name", "row")
    found = ask(of, search="c", match="exact", derived=True)
    assert rows(found, "hits", *columns) == [(3, 0, 190, 100, "c", EVENTS + 2)]
    assert rows(found, "hit_tracks", "track", "hits") == [(3, 1)]
    assert rows(ask(of, search="b", match="exact", tracks="3"), "hits", "row") == [(EVENTS + 1,)]
    # An op's name finds its kernels, and a derived event by its own.
    assert {row for (row,) in rows(ask(of, search="a/b/y", derived=True), "hits", "row")} == {1, 3}


def test_an_area_sums_them_where_they_are_chosen() -> None:
    of = timeline(space())
    columns = ("name", "count", "total_ps", "self_ps", "max_ps", "row")
    assert ask(of, area=True, derived=True).to_dict()["tables"] == ask(of, area=True).to_dict()["tables"]
    area = ask(of, area=True, tracks="3", start_ps=150, end_ps=400)
    assert rows(area, "area_names", *columns) == [
        ("c", 1, 100, 100, 100, EVENTS + 2),
        ("b", 1, 30, 30, 30, EVENTS + 1),
        ("a", 1, 40, 10, 40, EVENTS),
    ]
    assert (
        area.result.summary["area_busy_ps"],
        area.result.summary["area_tracks"],
        area.result.summary["area_gaps_rows"],
    ) == (140, 1, 0)
    both = ask(of, area=True, tracks="0,3", compare="100-190")
    assert {name for (name,) in rows(both, "compare_names", "name")} >= {"a", "b", "c", "kernel_100"}


def facts(answer: Answer) -> dict[tuple[str, str], Any]:
    return {(group, key): value for group, key, value in rows(answer, "event", "group", "key", "value")}


def test_what_an_event_is_made_of() -> None:
    found = ask(timeline(space()), event=EVENTS)
    told = facts(found)
    assert {key: told["event", key] for key in ("name", "track", "depth", "start_ps", "duration_ps", "self_ps")} == {
        "name": "a",
        "track": "3",
        "depth": "0",
        "start_ps": "100",
        "duration_ps": "90",
        "self_ps": "60",
    }
    assert {key: value for (group, key), value in told.items() if group == "derived"} == {
        "kernels": "3",
        "streams": "Stream #7(Compute), Stream #8(Compute)",
        "kernel_time_ps": "110",
        "none_running_ps": "10",
        "ends": "where a kernel of another name began; its own ran on",
        "occurrences": "1",
        "all_occurrences_ps": "90",
    }
    links = rows(found, "links", "kind", "row", "track", "name")
    assert links == [
        ("launch", 4, 2, "cuLaunchKernel"),
        ("under", 0, 0, "kernel_100"),
        ("under", 3, 1, "kernel_160"),
        ("under", 1, 0, "kernel_170"),
    ]


def test_what_an_event_lies_in_and_the_next_of_its_name() -> None:
    of = timeline(space())
    inner = ask(of, event=EVENTS + 1)
    assert rows(inner, "links", "kind", "row")[0] == ("parent", EVENTS)
    op = ask(of, event=EVENTS + 3)
    assert (facts(op)["event", "op"], facts(op)["derived", "occurrences"]) == ("a/x", "2")
    with pytest.raises(NotFoundError, match=f"no event {EVENTS + 6} .*0 to {EVENTS + 5}"):
        ask(of, event=EVENTS + 6)


def test_a_capture_without_devices_has_none() -> None:
    made = Space()
    made.plane("/host:CPU").line(1, "python").event("f", 0, 10)
    of = timeline(made)
    listed = ask(of, tracks_from=0, derived=True)
    assert (len(rows(listed, "tracks", "track")), listed.result.summary["derived_track_count"]) == (1, 0)
    assert ask(of, tracks="0-9").result.summary["shown_count"] == 1
    with pytest.raises(NotFoundError):
        ask(of, event=1)


def exported(of: Timeline, **options: Any) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads(text_of(of, **options))["traceEvents"]
    return events


def test_they_are_exported_as_a_process_that_says_so() -> None:
    of = timeline(space())
    events = exported(of)
    process = next(e for e in events if e["ph"] == "M" and e["args"].get("name") == "h gpu0 derived")
    assert process["args"] == {
        "name": "h gpu0 derived",
        "host": "h",
        "device": "/device:GPU:0",
        "derived": True,
    }
    made = [e for e in events if e["pid"] == process["pid"] and e["ph"] == "X"]
    assert [(e["name"], e["cat"], e["ts"], e["dur"]) for e in made][:3] == [
        ("a", "derived", 0.0001, 0.00009),
        ("b", "derived", 0.00016, 0.00003),
        ("c", "derived", 0.00019, 0.0001),
    ]
    threads = {(e["pid"], e["tid"]) for e in events if e["ph"] == "X"}
    assert len({tid for _, tid in threads}) == len(threads) == 5


def test_an_export_of_some_tracks_holds_the_derived_ones_among_them() -> None:
    of = timeline(space())
    assert {e["cat"] for e in exported(of, tracks="0-2") if e["ph"] == "X"} == {"stream", "thread"}
    assert {e["name"] for e in exported(of, tracks="4") if e["ph"] == "X"} == {"X", "Y"}
    given = {option.name: option.default for option in trace.OPTIONS} | {"tracks": "7"}
    plan = trace.plan("run", [trace.look(of)], given)
    assert not trace.has_events(of, plan.parts[0])


def test_other_tools_do_not_know_them() -> None:
    of = timeline(space())
    tools = [find_tool(name) for name in ("overview", "op_stats", "kernel_stats")]
    before = [answered(tool, of).to_dict() for tool in tools]
    ask(of, tracks_from=0, derived=True)
    assert [answered(tool, of).to_dict() for tool in tools] == before
