"""Samples of call stacks, as Chrome, Hermes and V8 put them into traces: the slices that are made of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.decode.trace_events import stacks
from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.tables import Capture, TrackKind

#: a calls b and c.
FRAMES = {"1": {"name": "a"}, "2": {"name": "b", "parent": 1}, "3": {"name": "c", "parent": "1", "category": "JS"}}


def opened(events: list[dict[str, Any]], **members: Any) -> Capture:
    capture = read_bytes(json.dumps({"traceEvents": events, **members}).encode(), "t.trace.json")
    capture.check()
    return capture


def shown(capture: Capture) -> list[str]:
    """`track: name begin-end` of each slice, the samples in it in brackets."""
    e, tracks = capture.events, capture.strings.texts(capture.tracks.name)
    values = [dict(capture.event_values(i)) for i in range(len(e))]
    return [
        f"{tracks[e.track[i]]}: {capture.event_name(i)} {e.start_ps[i] / 1e6:g}-"
        f"{(e.start_ps[i] + e.duration_ps[i]) / 1e6:g}" + (f" [{said['samples']!s}]" if "samples" in said else "")
        for i, said in enumerate(values)
    ]


def sample(ts: int, **more: Any) -> dict[str, Any]:
    return {"ts": str(ts), "pid": 1, "tid": "7", "name": "", "weight": "1", **more}


NAME = {"ph": "M", "name": "thread_name", "pid": 1, "tid": "7", "args": {"name": "js"}}


def test_samples_of_one_stack_are_a_slice_up_to_the_next_sample() -> None:
    """The last of a thread lasts as long as samples are apart: here (30 - 0) / 3."""
    taken = [sample(0, sf=2), sample(10, sf=2), sample(20, sf=3), sample(30, sf=1)]
    capture = opened([NAME], samples=taken, stackFrames=FRAMES)
    assert shown(capture) == [
        "js (samples): a 0-40 [4]",
        "js (samples): b 0-20 [2]",
        "js (samples): c 20-30 [1]",
    ]
    assert dict(capture.event_values(2)) == {"samples": 1, "category": "JS"}
    assert capture.quality.warnings == (message("samples_shown", n=4, slices=3),)


def test_samples_are_put_in_order_and_each_thread_has_its_own() -> None:
    taken = [sample(20, sf=3), sample(5, sf=1, tid="8"), sample(0, sf=2), sample(9, sf=1, tid="8")]
    assert shown(opened([NAME], samples=taken, stackFrames=FRAMES)) == [
        "js (samples): a 0-40 [2]",
        "js (samples): b 0-20 [1]",
        "js (samples): c 20-40 [1]",
        "thread 8 (samples): a 5-13 [2]",
    ]


def test_a_sample_event_has_its_stack_by_id_or_as_a_list_innermost_first() -> None:
    events = [
        {"ph": "P", "ts": 0, "pid": 1, "tid": "7", "name": "sample", "sf": 2},
        {"ph": "P", "ts": 10, "pid": 1, "tid": "7", "name": "sample", "stack": ["x", "y"]},
        {"ph": "P", "ts": 20, "pid": 1, "tid": "7", "name": "no stack"},
    ]
    assert shown(opened(events, stackFrames=FRAMES)) == [
        "thread 7: no stack 20-20",
        "thread 7 (samples): a 0-10 [1]",
        "thread 7 (samples): b 0-10 [1]",
        "thread 7 (samples): y 10-20 [1]",
        "thread 7 (samples): x 10-20 [1]",
    ]


def test_beside_slices_that_were_measured_samples_count_for_nothing() -> None:
    measured = {"ph": "X", "ts": 0, "dur": 9, "pid": 1, "tid": "7", "name": "task"}
    for events, kind in (([NAME], TrackKind.THREAD), ([NAME, measured], TrackKind.DERIVED)):
        capture = opened(events, samples=[sample(0, sf=1), sample(4, sf=1)], stackFrames=FRAMES)
        assert capture.tracks.kind.tolist()[-1] == kind


@pytest.mark.parametrize(
    ("frames", "sf", "slices", "says"),
    [
        (FRAMES, 9, ["(frame 9) 0-10 [1]"], message("samples_unknown_stack", n=2)),
        ({"1": {"name": "a", "parent": 2}, "2": {"name": "b", "parent": 1}}, 1, ["a 0-10 [1]"], message("stacks_cut")),
        ("none", "x", ["(frame x) 0-10 [1]"], message("samples_unknown_stack", n=2)),
        ({"1": {"name": 3}, "2": 4}, 1, ["(anonymous) 0-10 [1]"], message("samples_shown", n=2, slices=2)),
    ],
)
def test_frames_that_are_missing_or_have_no_end(frames: Any, sf: Any, slices: list[str], says: Message) -> None:
    capture = opened([], samples=[sample(0, sf=sf), sample(10, sf=sf, pid=2)], stackFrames=frames)
    one = opened([], samples=[sample(0, sf=sf), sample(10)], stackFrames=frames)
    assert [each.split(": ")[1] for each in shown(one)] == slices
    assert says in capture.quality.warnings


def test_the_stack_of_a_slice_is_an_arg() -> None:
    events = [
        {"ph": "X", "ts": 0, "dur": 5, "pid": 1, "tid": 1, "name": "s", "sf": 3},
        {"ph": "X", "ts": 6, "dur": 5, "pid": 1, "tid": 1, "name": "t", "stack": ["x", "y"]},
        {"ph": "X", "ts": 12, "dur": 5, "pid": 1, "tid": 1, "name": "u", "sf": 9},
    ]
    capture = opened(events, stackFrames=FRAMES)
    assert [capture.event_values(i) for i in range(3)] == [[("Call stack", "c;a")], [("Call stack", "x;y")], []]


def node(id: int, name: str, parent: int | None = None, **more: Any) -> dict[str, Any]:
    return {"id": id, "callFrame": {"functionName": name, **more}} | ({} if parent is None else {"parent": parent})


NODES = [
    node(1, "(root)"),
    node(2, "(idle)", 1),
    node(3, "f", 1, url="x.js", lineNumber=6),
    node(4, "", 3),
    node(5, "(garbage collector)", 1),
]


def chunk(ts: int, name: str = "ProfileChunk", tid: int = 99, id: str = "0x1", **data: Any) -> dict[str, Any]:
    return {"ph": "P", "ts": ts, "pid": 1, "tid": tid, "id": id, "name": name, "cat": "v8", "args": {"data": data}}


def test_a_profile_in_chunks_is_the_thread_of_its_begin() -> None:
    """Times add up from the profile's begin; idle is no slice; garbage is collected inside what ran before."""
    capture = opened(
        [
            chunk(100, "Profile", tid=7, startTime=100),
            chunk(150, cpuProfile={"samples": [5, 2]}, timeDeltas=[10, 10], endTime=170),
            chunk(140, cpuProfile={"nodes": NODES, "samples": [3, 4]}, timeDeltas=[10, 20]),
        ]
    )
    assert shown(capture) == [
        "thread 7 (samples): f 0-40 [3]",
        "thread 7 (samples): (anonymous) 20-40 [2]",
        "thread 7 (samples): (garbage collector) 30-40 [1]",
    ]
    assert dict(capture.event_values(0)) == {"samples": 3, "source": "x.js:7", "category": "v8"}
    assert not capture.quality.dropped


def test_a_profile_in_one_piece_names_children() -> None:
    nodes = [{**node(1, "(root)"), "children": [2]}, {**node(2, "f"), "children": [3]}, node(3, "g")]
    profile = {"nodes": nodes, "samples": [3, 2], "timeDeltas": [5, 4], "startTime": 1000, "endTime": 1020}
    event = {"ph": "I", "ts": 1020, "pid": 1, "tid": 7, "name": "CpuProfile", "args": {"data": {"cpuProfile": profile}}}
    assert shown(opened([event])) == ["thread 7 (samples): f 0-15 [2]", "thread 7 (samples): g 0-4 [1]"]


def test_profiles_of_a_thread_at_one_time_have_tracks_each() -> None:
    """Up to 16."""

    def profiles(count: int) -> Capture:
        begins = [chunk(0, "Profile", tid=7, id=f"{i}", startTime=0) for i in range(count)]
        ran = {"nodes": NODES, "samples": [3, 3]}
        return opened([*begins, *[chunk(9, id=f"{i}", cpuProfile=ran, timeDeltas=[1, 8]) for i in range(count)]])

    assert shown(profiles(2)) == [
        "thread 7 (samples): f 0-16 [2]",
        "thread 7 (samples 2): f 0-16 [2]",
    ]
    told = message("samples_too_many_profiles", n=2, limit=16)
    assert [(len(each.tracks), told in each.quality.warnings) for each in (profiles(16), profiles(17))] == [
        (16, False),
        (16, True),
    ]


def test_chunks_without_the_profiles_begin_are_not_shown_and_counted() -> None:
    capture = opened([chunk(9, cpuProfile={"nodes": NODES, "samples": [3, 3, 77]}, timeDeltas=[1, 8, 1])])
    assert shown(capture) == []
    assert (
        capture.quality.warnings
        == (
            message("cpu_profile_unknown_stack", n=1),
            message("cpu_profile_without_begin", n=3),
            message("no_events"),
        )[: len(capture.quality.warnings)]
    )


def test_more_frames_than_can_be_held_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stacks, "MAX_FRAMES", 2)
    capture = opened([], samples=[sample(0, sf=2), sample(10, sf=3)], stackFrames=FRAMES)
    assert shown(capture) == []
    assert capture.quality.warnings == (message("samples_too_deep", n=2),)


def test_samples_without_a_frame_are_said() -> None:
    capture = opened([], samples=[sample(0), sample(10)])
    assert (shown(capture), capture.quality.warnings) == (
        [],
        (message("samples_without_frame", n=2),),
    )


def test_frames_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stacks, "MOST_FRAMES", 2)
    capture = opened([], samples=[sample(0, sf=2), sample(10, sf=3)], stackFrames=FRAMES)
    assert shown(capture) == ["thread 7 (samples): a 0-10 [1]", "thread 7 (samples): b 0-10 [1]"]
    assert "frames_limit" in [warning.code for warning in capture.quality.warnings]


def test_a_stack_of_ten_thousand_frames_is_cut() -> None:
    frames = {str(i): {"name": "f", "parent": i - 1} for i in range(1, 10_000)}
    capture = opened([], samples=[sample(0, sf=9_999), sample(10, sf=1)], stackFrames=frames)
    assert len(capture.events) == 4096
    assert capture.quality.warnings[1] == message("stacks_cut")
