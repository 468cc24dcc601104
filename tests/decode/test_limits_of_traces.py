"""Trace-event JSON: how much is shown, how far is looked, what counts as a time. Literal numbers, on both sides."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.decode.json import Events, Ints, Reader
from tensorboard_perfplugin.decode.trace_events import sampled
from tensorboard_perfplugin.decode.trace_events.frames import Frames
from tensorboard_perfplugin.decode.trace_events.kineto_kernels import Properties
from tensorboard_perfplugin.decode.trace_events.slices import Slices, shown
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tests.decode.test_trace_events import event
from tests.decode.test_trace_events_samples import NODES, chunk, opened, sample

DAY_US = 86_400 * 10**6


def of(*events: dict[str, Any]) -> Capture:
    return opened(list(events))


@pytest.mark.parametrize(("days", "dropped"), [(49, {}), (51, {"time_not_representable": 1})])
def test_times_far_from_the_middle(days: int, dropped: dict[str, int]) -> None:
    assert of(event("X", 0, "a", dur=1), event("X", days * DAY_US, "b", dur=1)).quality.dropped == dropped


@pytest.mark.parametrize(("ts", "start_ns"), [(99 * 10**13, None), (101 * 10**13, 101 * 10**16)])
def test_times_since_the_epoch(ts: int, start_ns: int | None) -> None:
    assert of(event("X", ts, "a", dur=1)).start_ns == start_ns


@pytest.mark.parametrize(("column", "limit"), [("pid", 10_000), ("tid", 100_000)])
def test_processes_and_threads_that_are_shown(column: str, limit: int) -> None:
    row = np.arange(limit + 2)
    columns: dict[str, Ints] = {
        name: np.zeros(len(row), np.int32) for name in ("phase", "pid", "tid", "id", "category", "name")
    }
    columns[column] = np.minimum(row, limit).astype(np.int32)
    none = np.empty(0, np.int64)
    events = Events(columns, none.astype(np.int32), none.astype(np.uint8), none, ("",), tuple(range(limit + 2)))
    found = shown(Slices(row, row, row, row, 0, none, none, Counter(), []), events)
    assert found.dropped == {"beyond_tracks": 1}
    # That of two slices stays.
    assert found.row[-2:].tolist() == [limit, limit + 1]


@pytest.mark.parametrize(("names", "tracks"), [(1000, 1000), (1001, 1)])
def test_names_of_async_slices_that_have_a_track_each(names: int, tracks: int) -> None:
    assert len(of(*[event("n", 0, f"get {i}", id=i, cat="io") for i in range(names)]).tracks) == tracks


@pytest.mark.parametrize(("inside", "led"), [(64, 1), (65, 0)])
def test_slices_passed_over_to_find_the_one_around_an_arrow(inside: int, led: int) -> None:
    capture = of(
        event("X", 0, "around", dur=1000),
        *[event("X", i, "inside", dur=0.5) for i in range(1, inside + 1)],
        event("s", 500, id=1, cat="flow"),
        event("X", 600, "to", dur=9, tid=2),
        event("f", 601, id=1, cat="flow", tid=2, bp="e"),
    )
    assert [capture.event_name(i) for i in range(len(capture.events)) if "_p" in dict(capture.event_values(i))] == [
        "around"
    ] * led


@pytest.mark.parametrize(("between", "order"), [(62, True), (63, False)])
def test_events_of_one_time_that_are_looked_at(between: int, order: bool) -> None:
    """An end before its begin, and other begins before that: of 64 it is found."""
    begins = [event("B", 5, f"other {i}") for i in range(between)]
    capture = of(event("E", 5, "a"), *begins, event("B", 5, "a"), event("E", 9))
    assert ("end_without_begin" not in capture.quality.dropped) == order


@pytest.mark.parametrize(("letters", "kept"), [(9_999, 9_999), (10_001, 10_000)])
def test_the_text_of_a_stack(letters: int, kept: int) -> None:
    ((_, text),) = of(event("X", 0, "a", dur=1, stack=["x" * letters])).event_values(0)
    assert len(str(text)) == kept


@pytest.mark.parametrize("frames", [600, 1100])
def test_the_text_of_a_stack_of_frames(frames: int) -> None:
    """Of ten letters and a semicolon each."""
    listed = {str(i): {"name": f"{i:010}", "parent": i - 1} for i in range(frames)}
    capture = opened([event("X", 0, "a", dur=1, sf=frames - 1)], stackFrames=listed)
    ((_, text),) = capture.event_values(0)
    assert len(str(text)) == min(11 * frames - 1, 10_000)


# -- sampled stacks --


def test_the_longest_name_of_a_frame() -> None:
    frames = Frames()
    for letters in (999, 1001):
        frames.add("n" * letters, -1, "c" * letters, "s" * letters)
    assert [[len(each) for each in texts] for texts in (frames.names, frames.categories, frames.sources)] == [
        [999, 1000]
    ] * 3


def test_the_frames_of_a_file() -> None:
    frames = Frames()
    frames.names = ["a"] * 2_097_151
    assert (frames.add("b", -1), frames.is_full) == (2_097_151, False)
    assert (frames.add("c", -1), frames.is_full) == (-1, True)


@pytest.mark.parametrize(("samples", "too_deep"), [(2048, False), (2049, True)])
def test_the_frames_of_all_samples(samples: int, too_deep: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """2048 samples of 4096 frames, each of another stack than the one before. Slices of so many are not made here."""

    class BegunError(Exception):
        pass

    def begin(*_: object) -> None:
        raise BegunError

    monkeypatch.setattr(sampled, "_SampleSlices", begin)
    frames = {str(i): {"name": "f", "parent": min(i, 4095) - 1} for i in range(4097)}
    taken = [sample(i, sf=4095 + i % 2) for i in range(samples)]
    if too_deep:
        assert opened([], samples=taken, stackFrames=frames).quality.warnings[0] == message("samples_too_deep", n=2049)
    else:
        with pytest.raises(BegunError):
            opened([], samples=taken, stackFrames=frames)


@pytest.mark.parametrize(("profiles", "lost"), [(16, 0), (17, 2)])
def test_profiles_of_a_thread_at_one_time(profiles: int, lost: int) -> None:
    begins = [chunk(0, "Profile", tid=7, id=f"{i}", startTime=0) for i in range(profiles)]
    ran = {"nodes": NODES, "samples": [3, 3]}
    pieces = [chunk(9, id=f"{i}", cpuProfile=ran, timeDeltas=[1, 8]) for i in range(profiles)]
    capture = opened([*begins, *pieces])
    assert len(capture.tracks) == 16
    said = message("samples_too_many_profiles", n=lost, limit=16)
    assert (said in capture.quality.warnings) == bool(lost)


# -- PyTorch --


def kernels(*given: dict[str, Any], name: str = "k", **members: Any) -> Capture:
    events = [
        {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": i, "dur": 1, "args": {"device": 0, **args}}
        for i, args in enumerate(given)
    ]
    text = json.dumps({"schemaVersion": 1, **members, "traceEvents": events})
    return read_bytes(text.encode(), "t.pt.trace.json")


@pytest.mark.parametrize(("letters", "vendor"), [(100, "AMD"), (103, "Nvidia")])
def test_how_much_is_looked_at_of_a_kernel_s_name(letters: int, vendor: str) -> None:
    capture = kernels({}, name="k" * (letters - 3) + ".kd")
    assert dict(capture.plane_values(0))["device_vendor"] == vendor


@pytest.mark.parametrize(("place", "count"), [(999, 20), (1000, 10)])
def test_kernels_that_are_looked_at_for_the_number_of_multiprocessors(place: int, count: int) -> None:
    given = [{"grid": [10, 1, 1], "blocks per SM": 1.0} for _ in range(1001)]
    given[place] = {"grid": [1000, 1, 1], "blocks per SM": 50.0}
    assert dict(kernels(*given).plane_values(0))["core_count"] == count


@pytest.mark.parametrize(("warps", "achieved"), [(0.3, 0.0), (0.4, None)])
def test_an_occupancy_that_was_rounded_to_0(warps: float, achieved: float | None) -> None:
    """0.3 warps of 32 threads fill 0.47 % of 2048, which is written as 0; 0.4 would fill 0.63 %."""
    capture = kernels({"est. achieved occupancy %": 0, "warps per SM": warps, "grid": [1, 1, 1]})
    (share,) = capture.kernel_launches.launches.achieved_percent.tolist()
    assert (None if share != share else share) == achieved


@pytest.mark.parametrize(("device", "is_known"), [(999, True), (1000, False)])
def test_devices_whose_properties_are_read(device: int, is_known: bool) -> None:
    listed = Properties({"deviceProperties": [{"id": i, "name": f"GPU {i}"} for i in range(1001)]})
    assert bool(listed.of(device)) == is_known


@pytest.mark.parametrize(("more", "kept"), [(0, True), (1, False)])
def test_32_mib_of_other_members_are_kept(more: int, kept: bool) -> None:
    """Two, of so much together."""
    first, second = (b'"%s"' % (b"x" * (size - 2)) for size in (1000, (32 << 20) - 1000 + more))
    found = Reader([b'{"first": ', first, b', "second": ', second, b', "traceEvents": []}']).read()
    assert list(found.members) == ["first", "second"][: 1 + kept]
