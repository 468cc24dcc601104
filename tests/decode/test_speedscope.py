"""Files of speedscope: samples and events as slices; what is hostile or damaged."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import speedscope
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture

from .test_call_stacks import slices

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
FRAMES = [
    {"name": "main", "file": "/app/train.py", "line": 9},
    {"name": "load", "file": "/app/data.py"},
    {"name": "step"},
    {"file": "x.py", "line": 1},
]
MS = 10**9


def sampled(samples: Any, weights: Any, **more: Any) -> dict[str, Any]:
    """As py-spy writes a thread."""
    return {"type": "sampled", "name": "MainThread", "unit": "seconds", "samples": samples, "weights": weights, **more}


def evented(*events: tuple[str, int, float], **more: Any) -> dict[str, Any]:
    """As pyinstrument writes a session."""
    listed = [{"type": kind, "frame": frame, "at": at} for kind, frame, at in events]
    return {"type": "evented", "name": "session", "unit": "seconds", "startValue": 0, "events": listed, **more}


def written(*profiles: Any, **more: Any) -> bytes:
    content = {"$schema": SCHEMA, "profiles": profiles, "shared": {"frames": FRAMES}, "exporter": "py-spy@0.4.0"}
    return json.dumps(content | more).encode()


def opened(*profiles: Any, **more: Any) -> Capture:
    capture = decode.read_bytes(written(*profiles, **more), "vm.speedscope.json")
    capture.check()
    return capture


def test_a_frame_lasts_as_long_as_it_is_in_its_place() -> None:
    capture = opened(sampled([[0, 1], [0, 1], [0, 2], [], [0]], [0.01] * 5))
    assert slices(capture) == [
        ("MainThread", "main (train.py:9)", 0, 30 * MS),
        ("MainThread", "load (data.py)", 0, 20 * MS),
        ("MainThread", "step", 20 * MS, 10 * MS),
        ("MainThread", "main (train.py:9)", 40 * MS, 10 * MS),
    ]
    assert (capture.format, capture.quality.dropped) == ("speedscope", {})
    assert capture.quality.warnings == (message("samples_shown", n=5, slices=4),)
    assert capture.event_values(0) == [("file", "/app/train.py"), ("line", 9)]


def test_the_time_of_a_name_is_the_sum_of_its_weights() -> None:
    random_ = random.Random(1)
    samples = [[0, *random_.sample(range(1, 4), random_.randint(0, 3))] for _ in range(200)]
    weights = [random_.randint(1, 9) for _ in samples]
    capture = opened(sampled(samples, weights, unit="milliseconds"))
    expected = {frame: sum(w for s, w in zip(samples, weights, strict=True) if frame in s) * MS for frame in range(4)}
    names = ["main (train.py:9)", "load (data.py)", "step", "(unnamed) (x.py:1)"]
    found = {frame: sum(row[3] for row in slices(capture) if row[1] == names[frame]) for frame in range(4)}
    assert found == expected


def test_events_open_and_close() -> None:
    capture = opened(
        evented(("O", 0, 1.0), ("O", 1, 1.5), ("C", 1, 2.0), ("C", 0, 3.0), startValue=1.0), sampled([[2]], [1.0])
    )
    assert slices(capture) == [
        ("session", "main (train.py:9)", 0, 2000 * MS),
        ("session", "load (data.py)", 500 * MS, 500 * MS),
        ("MainThread", "step", 0, 1000 * MS),
    ]


def test_ends_that_are_missing_or_too_many() -> None:
    opens, ends = [("O", 0, 0.0), ("O", 1, 1.0), ("X", 0, 1.2)], [("C", 2, 1.5), ("C", 0, 2.0)]
    capture = opened(evented(*opens, *ends, ("O", 2, 2.0), ("O", 0, 1.0)))
    assert [row[1:] for row in slices(capture)] == [
        ("main (train.py:9)", 0, 2000 * MS),
        ("load (data.py)", 1000 * MS, 1000 * MS),
        ("step", 2000 * MS, 0),
    ]
    assert capture.quality.dropped == {"end_without_begin": 2, "impossible_time": 1}


def test_what_is_deeper_than_a_thousand_is_counted() -> None:
    stacks = [[0] * 1000, [0] * 1001, [0] * 3000]
    capture = opened(sampled(stacks, [1, 1, 1]))
    assert (len(capture.events), capture.quality.dropped) == (1000, {"deeper_frame": 2})


def test_ends_of_what_opened_too_deep_end_nothing_else() -> None:
    """A function that calls itself 1002 times, then a second that the outer 1000 take."""
    opens = [{"type": "O", "frame": 0, "at": 0}] * 1002
    ends = [{"type": "C", "frame": 0, "at": at} for at in [1] * 2 + [2] * 1000]
    capture = opened({"type": "evented", "unit": "seconds", "startValue": 0, "endValue": 2, "events": [*opens, *ends]})
    assert {length for *_, length in slices(capture)} == {2000 * MS}
    assert capture.quality.dropped == {"deeper_frame": 2}


def test_what_cannot_be_is_left_out_and_counted() -> None:
    samples = [[0], [7], [-1], ["0"], None, [0], [1], [0], [2]]
    capture = opened(sampled(samples, [1, 1, 1, 1, 1, -1, float("nan"), 1]), {"type": "sampled", "unit": "bytes"}, 3)
    assert [row[1:] for row in slices(capture)] == [
        ("main (train.py:9)", 0, 1000 * MS),
        ("main (train.py:9)", 5000 * MS, 1000 * MS),
    ]
    assert capture.quality.dropped == {
        "unknown_stack": 4,
        "impossible_time": 2,
        "sample_without_time": 1,
        "profile_without_time": 2,
    }


@pytest.mark.parametrize(
    "data",
    [
        written(),
        written({"type": "sampled", "unit": "none", "samples": [[0]], "weights": [1]}),
        written(sampled([[0]], [1]))[:-40],
        json.dumps({"$schema": SCHEMA, "profiles": {}}).encode(),
        b'{"$schema": "speedscope", "profiles": ' + b"[" * 100_000,
    ],
    ids=["no profile", "no time", "cut", "no list", "deep"],
)
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableError):
        decode.read_bytes(data, "vm.speedscope.json")


@pytest.mark.parametrize(("days", "dropped"), [(100, {}), (100.001, {"impossible_time": 1})])
def test_call_stacks_last_a_hundred_days_at_most(days: float, dropped: dict[str, int]) -> None:
    assert opened(sampled([[0]], [days * 86_400])).quality.dropped == dropped
    ended = opened(evented(("O", 0, 0), ("C", 0, days * 86_400)))
    assert (ended.quality.dropped, slices(ended)[0][3] > 0) == (dropped, not dropped)


def test_units() -> None:
    units = {"seconds": 10**12, "milliseconds": 10**9, "microseconds": 10**6, "nanoseconds": 1000}
    found = {unit: opened(sampled([[0]], [3], unit=unit)).events.duration_ps.tolist() for unit in units}
    assert found == {unit: [3 * ps] for unit, ps in units.items()}


def test_texts_that_are_none() -> None:
    frames = [{"name": "\ud800"}, "main", {"name": 3, "file": []}, {"name": "f", "line": 1 << 70, "file": "a.py"}]
    capture = opened(sampled([[0, 1, 2, 3]], [1], name="\udfff"), shared={"frames": frames})
    assert [row[:2] for row in slices(capture)] == [
        ("?", "?"),
        ("?", "(unnamed)"),
        ("?", "(unnamed)"),
        ("?", f"f (a.py:{1 << 70})"),
    ]


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speedscope, "MAX_SLICES", 2)
    capture = opened(sampled([[0, 1], [2], [1]], [1, 1, 1]))
    assert (len(capture.events), capture.quality.dropped) == (2, {"beyond_slices": 2})
    monkeypatch.setattr(speedscope, "MAX_BYTES", 100)
    with pytest.raises(UnreadableError, match="sample less often"):
        opened(sampled([[0]], [1]))


def test_lists_that_take_more_memory_than_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speedscope, "_ROOM", 0)
    with pytest.raises(UnreadableError, match="more lists"):
        opened(sampled([[]] * 1000, [1]))
