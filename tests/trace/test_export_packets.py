"""The export in Perfetto's format holds what the export in JSON holds: both read back to the same tables."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Capture, StatKind
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.trace.export import export as trace
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline

from .test_export import NS, launching


def written(*timelines: Timeline, **options: Any) -> tuple[Capture, Capture]:
    """The export as JSON and as packets, read back."""
    given = {option.name: option.default for option in trace.OPTIONS} | options
    plan = trace.plan("run", [trace.look(each) for each in timelines], given)
    by_host = {each.host: each for each in timelines}
    text = "".join(trace.document(plan, "test", by_host.__getitem__)).encode()
    packets = b"".join(trace.packets(plan, "test", by_host.__getitem__))
    made = decode.read_bytes(text, "h.trace.json"), decode.read_bytes(packets, "h.pftrace")
    for capture in made:
        capture.check()
    return made


def rows(capture: Capture) -> list[tuple[Any, ...]]:
    texts, e, t, s = list(capture.strings), capture.events, capture.tracks, capture.stats
    return [
        (
            texts[int(capture.planes.name[t.plane[e.track[i]]])],
            texts[int(t.name[e.track[i]])],
            int(t.kind[e.track[i]]),
            texts[int(e.name[i])],
            int(e.start_ps[i]),
            int(e.duration_ps[i]),
            sorted(
                (
                    texts[int(s.key[j])],
                    int(s.kind[j]),
                    texts[int(s.value[j])] if s.kind[j] == StatKind.TEXT else int(s.value[j]),
                )
                for j in range(int(e.stats_begin[i]), int(e.stats_end[i]))
            ),
        )
        for i in range(len(e))
    ]


def whole_ns() -> Space:
    space = Space()
    cpu = space.plane("/host:CPU").line(7, "python", timestamp_ns=NS)
    cpu.event("step", 1_000_000, 9_000_000, {"step_num": 4, "_r": 1})
    stats: dict[str, StatValue] = {"correlation_id": 3, "é": "ü", "share": 0.25, "many": 1 << 60}
    cpu.event("launch <&>", 1_000_000, 2_000_000, stats)
    cpu.event("note", 5_000_000, 0)
    cpu.event("overlaps", 8_000_000, 4_000_000)
    space.plane("/host:CPU").line(8, "other", timestamp_ns=NS).event("last", 20_000_000, 3_000_000)
    gpu = space.plane("/device:GPU:0").line(13, "Stream #13", timestamp_ns=NS)
    gpu.event("kernel", 2_500_000, 10_000, {"correlation_id": 3})
    gpu.event("kernel", 2_510_000, 10_000)
    return space


def test_both_formats_read_back_alike() -> None:
    text, packets = written(timeline(whole_ns()))
    assert rows(packets) == rows(text)
    assert len(packets.events) == 9
    assert (packets.format, packets.quality.warnings) == (text.format, text.quality.warnings)
    # JSON's times count from a member that only Kineto's have.
    assert packets.start_ns == NS + 1000


def test_what_is_shorter_than_a_nanosecond_is_cut_to_it() -> None:
    _, packets = written(timeline(launching()))
    kernel = sorted((row[4], row[5], row[3]) for row in rows(packets))
    assert kernel == [(0, 2_000_000, "launch"), (1_500_000, 0, "kernel"), (4_000_000, 0, "note")]


@pytest.mark.parametrize("options", [{"start_ps": 2_000_000, "end_ps": 4_000_000}, {"tracks": "1"}])
def test_a_part(options: dict[str, Any]) -> None:
    text, packets = written(timeline(whole_ns()), **options)
    assert rows(packets) == rows(text)
    assert 0 < len(packets.events) < 9


def test_two_hosts_have_one_clock() -> None:
    text, packets = written(timeline(whole_ns(), "a"), timeline(whole_ns(), "b"))
    assert rows(packets) == rows(text)


def test_the_name_of_the_file_says_the_format() -> None:
    given = {option.name: option.default for option in trace.OPTIONS}
    names = [
        trace.file_name(trace.plan("run", [trace.look(timeline(whole_ns()))], given | {"format": form}))
        for form in ("json", "pftrace")
    ]
    assert names == ["run_h_whole.trace.json.gz", "run_h_whole.pftrace.gz"]
