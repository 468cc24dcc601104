"""What a window of the trace shows, one event's details, and search: whole answers of small captures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError, NotFoundError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, find_tool
from tensorboard_perfplugin.tools.trace_viewer import TRACE_VIEWER, window
from tensorboard_perfplugin.tools.trace_viewer import window as window_question
from tensorboard_perfplugin.trace import lanes as trace_lanes
from tensorboard_perfplugin.trace.lanes import shortened
from tests.build_capture import Ref, Space, StatValue, Uint
from tests.tools.answered import answered, rows_of

#: A start of captures: in 2023.
NS = 1_700_000_000 * 10**9
NOT_COMPILED = pytest.mark.skipif(trace_lanes._compiled is None, reason="the loops are not compiled here")
BOTH = pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=NOT_COMPILED)])


KERNEL = "compute_other"
#: Numbers that only areas have.
OF_AREAS = (
    *("area_events", "area_tracks", "area_busy_ps"),
    *("area_names_rows", "area_gaps_rows", "area_flame_rows", "area_bottom_up_rows"),
)
COMPARED = "compare_names_rows"

OF_STEPS = ("step_rule", "step_rule_title", "step_confidence", "step_evidence")
HEAD = {"tool": "trace_viewer", "schema": 1, "run": "run", "hosts": ["h"]}
#: Why the rest is unknown.
NOT_ASKED = {
    "origin_ns": "the capture does not record when it began",
    "hit_count": "no search was asked for",
    "hit_names_rows": "no search was asked for",
    "hit_ps": "no row of a table was asked for",
    "hit_text": "no row of a table was asked for",
    **dict.fromkeys(("steps_rows", *OF_STEPS), "no list of steps was asked for"),
    "derived_track_count": "no list of derived tracks was asked for",
    **dict.fromkeys(OF_AREAS, "no area was asked for"),
    COMPARED: "no comparison was asked for",
}
#: The table `hosts` of a capture that does not tell when it began.
ONE_HOST = {
    "host": ["h"],
    "offset_ps": [0],
    "start_ns": [None],
    "shift_ps": [0],
    "clock_ps": [None],
    "clock_error_ps": [None],
    "clock": ["ask with `list_steps`"],
}


def opened(space: Space, host: str = "h") -> Timeline:
    capture = decode.read_bytes(space.bytes(), name=host)
    capture.check()
    return Timeline(capture, host)


def ask(*timelines: Timeline, **options: object) -> Answer:
    answer = answered(TRACE_VIEWER, *timelines, **{name: str(value) for name, value in options.items()})
    json.dumps(answer.to_dict(), allow_nan=False)
    return answer


def rows(answer: Answer, table: str, *columns: str) -> list[tuple[Any, ...]]:
    return rows_of(answer, table, *columns)


def shown(answer: Answer) -> list[tuple[int, int, int, int, str, int]]:
    """(track of the capture, depth, start, duration, name, count) of each slice."""
    tracks = [track for (track,) in rows(answer, "window_tracks", "track")]
    names = [name for (name,) in rows(answer, "names", "name")]
    columns = ("track", "depth", "start_ps", "duration_ps", "name", "count")
    return [(tracks[t], d, s, long, names[n], c) for t, d, s, long, n, c in rows(answer, "slices", *columns)]


def two_planes() -> Space:
    space = Space()
    cpu = space.plane("/host:CPU")
    cpu.line(5, "main").event("step", 0, 1000).event("f", 100, 300).event("g", 500, 200)
    gpu = space.plane("/device:GPU:0")
    gpu.line(7, "Stream #7(Compute)").event("kernel", 600, 300)
    gpu.line(8, "Stream #8").event("copy", 1000, 0)
    return space


#: The quality of a capture of which all five events are shown.
ALL_KEPT = {
    "events_in_file": 5,
    "events_kept": 5,
    "dropped": {},
    "warnings": [],
    "dropped_codes": {},
    "warning_codes": [],
    "decoder": "any",
    "files": [],
}


def test_the_whole_answer() -> None:
    assert ask(opened(two_planes()), width=10).to_dict() == {
        **HEAD,
        "summary": {
            "host_count": 1,
            "track_count": 3,
            "event_count": 5,
            "origin_ns": None,
            "span_start_ps": 0,
            "span_end_ps": 1001,
            "window_start_ps": 0,
            "window_end_ps": 1001,
            "resolution_ps": 64,
            "shown_count": 5,
            **dict.fromkeys(("merged_count", "undrawn_count"), 0),
            **dict.fromkeys(("hit_count", "hit_names_rows", "hit_ps", "hit_text", "steps_rows", *OF_STEPS)),
            "shifts": "",
            **dict.fromkeys(OF_AREAS),
            **dict.fromkeys((COMPARED, "derived_track_count")),
        },
        "unknown": NOT_ASKED,
        "tables": {
            "tracks": {
                "columns": {
                    "host": ["h", "h", "h"],
                    "plane": [1, 1, 0],
                    "process": ["/device:GPU:0", "/device:GPU:0", "/host:CPU"],
                    "process_kind": ["gpu", "gpu", "cpu"],
                    "track": [1, 2, 0],
                    "name": ["Stream #7(Compute)", "Stream #8", "main"],
                    "kind": ["stream", "stream", "thread"],
                    "lanes": [1, 1, 2],
                    "events": [1, 1, 3],
                    "group": ["gpu0 streams", "gpu0 streams", "host threads"],
                }
            },
            "hosts": {"columns": ONE_HOST},
            "slices": {
                "columns": {
                    "track": [0, 1, 2, 2, 2],
                    "depth": [0, 0, 0, 1, 1],
                    "start_ps": [600, 1000, 0, 100, 500],
                    "duration_ps": [300, 0, 1000, 300, 200],
                    "idle_ps": [0, 0, 0, 0, 0],
                    "name": [3, 4, 0, 1, 2],
                    "count": [1, 1, 1, 1, 1],
                    "row": [3, 4, 0, 1, 2],
                }
            },
            "names": {
                "columns": {"name": ["step", "f", "g", "kernel", "copy"], "category": ["", "", "", KERNEL, KERNEL]}
            },
            "window_tracks": {
                "columns": {"host": ["h", "h", "h"], "track": [1, 2, 0], "shown": [1, 1, 3], "merged": [0, 0, 0]}
            },
        },
        "titles": {},
        "findings": [],
        "quality": ALL_KEPT,
    }


@BOTH
def test_short_events_are_merged_by_bucket_with_count_idle_and_the_busiest_name(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled:
        monkeypatch.setattr(trace_lanes, "_compiled", None)
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    # Buckets of 16 ps: 0–15 holds three, 16–31 begins with one that goes on into the next, 32–47 holds a long one.
    for name, start, length in [("a", 0, 2), ("b", 4, 3), ("a", 10, 2), ("c", 30, 10), ("long", 40, 16), ("d", 60, 0)]:
        line.event(name, start, length)
    answer = ask(opened(space), start_ps=0, end_ps=64, width=4)
    assert answer.result.summary["resolution_ps"] == 16
    names = [n for (n,) in rows(answer, "names", "name")]
    columns = ("start_ps", "duration_ps", "idle_ps", "name", "count", "row")
    assert [(s, d, i, names[n], c, r) for s, d, i, n, c, r in rows(answer, "slices", *columns)] == [
        (0, 12, 5, "a", 3, 0),
        (30, 10, 0, "c", 1, 3),
        (40, 16, 0, "long", 1, 4),
        (60, 0, 0, "d", 1, 5),
    ]
    assert (answer.result.summary["shown_count"], answer.result.summary["merged_count"]) == (3, 3)


@pytest.mark.parametrize(
    ("start", "end", "names"),
    [
        (0, 1, ["first"]),
        (1, 10, []),  # an instant is over at once
        (10, 20, ["whole", "inner"]),
        (12, 13, ["whole", "inner"]),
        (20, 30, ["whole", "at 20"]),  # `inner` ended at 20
        (29, 30, ["whole"]),
        (30, 40, []),
        (-1000, 0, []),
        (-1000, 1, ["first"]),
        (10**15, 10**18, []),
    ],
)
def test_windows_hold_what_overlaps_them(start: int, end: int, names: list[str]) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for name, at, long in [("first", 0, 0), ("whole", 10, 20), ("inner", 10, 10), ("at 20", 20, 0)]:
        line.event(name, at, long)
    assert [name for *_, name, _ in shown(ask(opened(space), start_ps=start, end_ps=end, width=8192))] == names


def test_overlapping_slices_get_lanes_of_their_own() -> None:
    space = Space()
    space.plane("/device:GPU:0").line(1, "Stream #1").event("a", 0, 100).event("b", 50, 100).event("c", 120, 10)
    answer = ask(opened(space), width=8192)
    assert shown(answer) == [(0, 0, 0, 100, "a", 1), (0, 1, 50, 100, "b", 1), (0, 2, 120, 10, "c", 1)]


def test_an_answer_is_bounded_by_longer_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i in range(400):
        line.event("e", i * 10, 5)
    timeline = opened(space)
    assert len(shown(ask(timeline, width=8192))) == 400
    for compiled in {None, trace_lanes._compiled}:
        monkeypatch.setattr(trace_lanes, "_compiled", compiled)
        monkeypatch.setattr(trace_lanes, "SLICES_MAX", 20)
        answer = ask(timeline, width=8192)
        assert len(shown(answer)) <= 20
        assert sum(count for *_, count in shown(answer)) == 400
        assert answer.result.summary["resolution_ps"] == 256


def test_tracks_that_do_not_fit_are_left_for_the_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    for i in range(5):
        plane.line(i + 1, f"t{i}").event("out", 0, 10).event("in", 0, 5)
    timeline = opened(space)
    monkeypatch.setattr("tensorboard_perfplugin.trace.window.LANES_MAX", 5)
    assert rows(ask(timeline, tracks="1-4"), "window_tracks", "track", "shown") == [(1, 2), (2, 2)]
    monkeypatch.setattr("tensorboard_perfplugin.trace.window.LANES_MAX", 1)
    answer = ask(timeline, tracks="3")
    assert shown(answer) == [(3, 0, 0, 10, "out", 1)]
    assert answer.result.summary["undrawn_count"] == 1
    assert [(f.code, f.params) for f in answer.result.findings] == [("events_undrawn", {"events": 1, "host": "h"})]


def test_many_tracks_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    for i in range(5):
        plane.line(i + 1, f"t{i}").event("e", 0, 10)
    timelines = opened(space, "a"), opened(space, "b")
    monkeypatch.setattr(window, "TRACKS_MAX", 4)
    pages = [rows(ask(*timelines, tracks_from=i), "tracks", "host", "track") for i in (0, 4, 8, 12)]
    assert pages[0] == [("a", 0), ("a", 1), ("a", 2), ("a", 3)]
    assert pages[1] == [("a", 4), ("b", 0), ("b", 1), ("b", 2)]
    assert pages[2:] == [[("b", 3), ("b", 4)], []]


def test_names_are_text_cut_in_the_middle_and_whole_in_the_details() -> None:
    long = "A" * 50_000 + "🦊" + "Z" * 50_000
    space = Space()
    line = space.plane("/host:CPU").line(1, "<b>t</b>")
    line.event(long, 0, 10).event("שלום <script>", 20, 10).event("👩\u200d🚀\u202e", 40, 10)
    timeline = opened(space)
    names = [n for (n,) in rows(ask(timeline), "names", "name")]
    assert names == ["A" * 100 + "…" + "Z" * 99, "שלום <script>", "👩\u200d🚀\u202e"]
    assert dict(rows(ask(timeline, event=0), "event", "key", "value"))["name"] == long


@pytest.mark.parametrize(("count", "letters"), [(1, 200), (1250, 200), (2500, 100), (100_000, 16)])
def test_names_of_an_answer_have_200_letters_and_250_000_in_all(count: int, letters: int) -> None:
    assert {len(name) for name in shortened(["x" * 300] * count)} == {letters}


def launches() -> Space:
    space = Space()
    cpu = space.plane("/host:CPU").line(1, "main")
    more: dict[str, StatValue] = {
        "correlation_id": 3,
        "big": Uint(2**64 - 1),
        "ratio": 0.1,
        "raw": b"\x00\xff",
        "ref": Ref("x"),
        "text": "<i>",
    }
    cpu.event("op", 0, 100).event("cuLaunchKernel", 10, 20, stats=more)
    gpu = space.plane("/device:GPU:0")
    gpu.kind("kernel", display_name="short", stats={"registers": 32})
    gpu.line(7, "Stream #7").event("kernel", 50, 40, stats={"correlation_id": 3})
    return space


def test_details_of_an_event() -> None:
    timeline = opened(launches())
    assert rows(ask(timeline, event=1), "event") == [
        ("event", "name", "cuLaunchKernel"),
        ("event", "host", "h"),
        ("event", "process", "/host:CPU"),
        ("event", "track", "0"),
        ("event", "track_name", "main"),
        ("event", "depth", "1"),
        ("event", "row", "1"),
        ("event", "start_ps", "10"),
        ("event", "duration_ps", "20"),
        ("event", "self_ps", "20"),
        ("event", "category", "launch"),
        ("event", "parent", "0 op"),
        ("event", "kernel", "2 kernel"),
        ("stat", "correlation_id", "3"),
        ("stat", "big", "18446744073709551615"),
        ("stat", "ratio", "0.1"),
        ("stat", "raw", "2 bytes: 00 ff"),
        ("stat", "ref", "x"),
        ("stat", "text", "<i>"),
    ]
    kernel = rows(ask(timeline, event="h:2"), "event")
    assert kernel[:2] == [("event", "name", "short"), ("event", "full_name", "kernel")]
    assert kernel[-3:] == [
        ("event", "launch", "1 cuLaunchKernel"),
        ("stat", "correlation_id", "3"),
        ("kind", "registers", "32"),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start_ps": 10, "end_ps": 10}, "the end must come after the start"),
        ({"start_ps": 10, "end_ps": 5}, "start_ps=10, end_ps=5"),
        ({"start_ps": 10**6}, "the end must come after the start"),
        ({"start_ps": 1 << 63}, "start_ps"),
        ({"width": 0}, "width"),
        ({"width": 9000}, "width"),
        ({"tracks": "1-x"}, "tracks"),
        ({"tracks": "0,,1"}, "tracks"),
        ({"tracks": "0-2,0-2"}, "named twice"),
        ({"tracks": "9" * 30}, "tracks"),
        ({"event": "x"}, "event"),
        ({"event": "-1"}, "event"),
        ({"colour": "red"}, "no option"),
    ],
)
def test_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        ask(opened(two_planes()), **options)


def test_not_there() -> None:
    with pytest.raises(NotFoundError, match="its events are 0 to 4"):
        ask(opened(two_planes()), event=5)
    with pytest.raises(NotFoundError, match="the hosts are h"):
        ask(opened(two_planes()), event="other:1")
    assert rows(ask(opened(two_planes()), tracks="7-9"), "window_tracks") == []


def test_no_events() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "t")
    timeline = opened(space)
    answer = ask(timeline)
    assert TRACE_VIEWER.missing(timeline) == "this capture holds no event that has a time"
    assert answer.result.summary["span_start_ps"] is None
    assert answer.to_dict()["tables"]["slices"]["columns"]["row"] == []
    assert ask(timeline, search="x").result.summary["hit_count"] == 0


def at(start_ns: int) -> Space:
    space = Space()
    space.plane("/host:CPU").line(1, "t", timestamp_ns=start_ns).event("e", 0, 100)
    space.plane("Task Environment", stats={"profile_start_time": Uint(start_ns)})
    return space


def test_hosts_are_aligned_by_their_starts() -> None:
    a, b = opened(at(NS), "a:80"), opened(at(NS + 2), "b")
    assert (a.capture.start_ns, b.capture.start_ns) == (NS, NS + 2)
    answer = ask(a, b, width=8192)
    assert [s for s, *_ in rows(answer, "slices", "start_ps")] == [0, 2000]
    assert answer.result.summary["origin_ns"] == str(NS)
    assert rows(answer, "hosts", "host", "offset_ps", "start_ns") == [("a:80", 0, str(NS)), ("b", 2000, str(NS + 2))]
    assert answer.result.findings == ()
    again = ask(a, b, origin_ns=NS, start_ps=1000, end_ps=2050, width=8192)
    assert rows(again, "window_tracks", "host", "shown") == [("a:80", 0), ("b", 1)]
    assert rows(again, "slices", "start_ps", "duration_ps") == [(1000, 100)]
    assert dict(rows(ask(a, b, origin_ns=NS, event="b:0"), "event", "key", "value"))["start_ps"] == "2000"
    assert rows(ask(a, b, origin_ns=NS, search="E"), "hits", "host", "start_ps") == [("a:80", 0), ("b", 2000)]
    assert rows(ask(a, b, tracks="a%3A80:0"), "window_tracks", "host") == [("a:80",)]
    with pytest.raises(ArgumentError, match="several hosts"):
        ask(a, b, event="0")


def test_hosts_that_cannot_be_aligned_say_so() -> None:
    day = 86_400 * 10**9
    answer = ask(opened(at(NS), "a"), opened(at(NS + day + 1), "b"))
    assert [s for (s,) in rows(answer, "slices", "start_ps")] == [0, 0]
    assert answer.result.summary["origin_ns"] is None
    (finding,) = answer.result.findings
    assert finding.title == (
        "The 2 hosts are drawn each from its own start: the start of some captures is not known, "
        "or they began more than a day apart"
    )


def test_it_is_a_tool_under_its_old_names() -> None:
    assert {find_tool(name) for name in ("trace_viewer", "trace_viewer@", "trace_view")} == {TRACE_VIEWER}


def test_hosts_that_do_not_fit_are_left_for_the_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = opened(two_planes(), "a"), opened(two_planes(), "b")
    monkeypatch.setattr(window_question, "SLICES_MAX", 9)
    assert {host for (host,) in rows(ask(a, b), "window_tracks", "host")} == {"a"}
    assert {host for (host,) in rows(ask(a, b, tracks="b:0-2"), "window_tracks", "host")} == {"b"}


def test_real_captures_lose_nothing(xplane_files: list[Path]) -> None:
    for path in xplane_files:
        timeline = Timeline(decode.read(str(path)), "h")
        tracks = timeline.capture.tracks
        sizes = (tracks.events_end - tracks.events_begin).tolist()
        answer = ask(timeline, tracks=f"0-{len(tracks) - 1}", width=500)
        sent = rows(answer, "window_tracks", "track", "shown", "merged")
        assert [(track, shown + merged) for track, shown, merged in sent] == list(enumerate(sizes)), path
        assert len(rows(answer, "slices", "row")) <= trace_lanes.SLICES_MAX, path
