"""What a capture becomes as Chrome trace-event JSON, read back by rules that the writer does not share."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.trace.export import export as trace
from tensorboard_perfplugin.trace.export import export as trace_writer
from tensorboard_perfplugin.trace.export import json as trace_json
from tensorboard_perfplugin.trace.export import program
from tests import chrome
from tests.build_capture import Nothing, Ref, Space, StatValue, Uint
from tests.conftest import SAMPLES, SHARED_CAPTURES
from tests.timeline.timelines import timeline
from tests.web.test_program import PROGRAM
from tests.wire.spent import spend

NS = 1_772_366_400_000_000_000


def text_of(*timelines: Timeline, **options: Any) -> str:
    given = {option.name: option.default for option in trace.OPTIONS} | options
    plan = trace.plan("run", [trace.look(each) for each in timelines], given)
    by_host = {each.host: each for each in timelines}
    return "".join(trace.document(plan, "test", by_host.__getitem__))


def read(*timelines: Timeline, **options: Any) -> chrome.Chrome:
    return chrome.read(text_of(*timelines, **options).encode("ascii"))


def events_of(text: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads(text)["traceEvents"]
    return [event for event in events if event["ph"] != "M"]


def launching() -> Space:
    space = Space()
    cpu = space.plane("/host:CPU", stats={"clock": 5}).line(7, "python", timestamp_ns=NS)
    cpu.event("launch", 1_000_001, 2_000_000, {"correlation_id": 3})
    cpu.event("note", 5_000_000, 0)
    gpu = space.plane("/device:GPU:0").line(13, "Stream #13", timestamp_ns=NS)
    gpu.event("kernel", 2_500_000, 10, {"correlation_id": 3})
    return space


def test_a_launch_and_its_kernel() -> None:
    """All there is, as a reader finds it."""
    text = text_of(timeline(launching()))
    lines = text.split("\n")
    assert lines[0] == (
        '{"displayTimeUnit":"ns","baseTimeNanoseconds":1772366400000000000,"otherData":{"producer":"test","run":"run",'
        '"hosts":{"h":{"offset_ps":0}},"window_ps":null,"warnings":[]},'
    )
    assert lines[-2:] == ["]}", ""]
    assert [line for line in lines if '"ph":"M"' not in line][2:-2] == [
        '{"ph":"X","pid":2,"tid":2,"cat":"thread","name":"launch","ts":1.000001,"dur":2,"args":{"correlation_id":3}},',
        '{"ph":"i","pid":2,"tid":2,"cat":"thread","name":"note","ts":5,"s":"t"},',
        '{"ph":"X","pid":3,"tid":1,"cat":"stream","name":"kernel","ts":2.5,"dur":0.00001,"args":{"correlation_id":3}},',
        '{"ph":"s","pid":2,"tid":2,"cat":"launch","name":"launch","ts":1.000001,"id":1},',
        '{"ph":"f","pid":3,"tid":1,"cat":"launch","name":"launch","ts":2.5,"id":1,"bp":"e"}',
    ]


def test_processes_and_threads_keep_what_the_file_says() -> None:
    made = read(timeline(launching()))
    cpu = {"name": "h /host:CPU", "host": "h", "plane": "/host:CPU", "kind": "cpu", "vendor": "", "ordinal": -1}
    assert made.processes[2] == cpu
    assert made.processes[3]["kind"] == "gpu"
    assert made.attributes == {2: {"clock": 5}}
    assert made.threads == {
        (3, 1): {"name": "Stream #13", "track": 1, "id": 13, "order": made.threads[3, 1]["order"]},
        (2, 2): {"name": "python", "track": 0, "id": 7, "order": made.threads[2, 2]["order"]},
    }


def test_every_kind_of_stat() -> None:
    space = Space()
    stats: list[tuple[str, StatValue]] = [
        ("int", -5),
        ("far", 1 << 53),
        ("near", (1 << 53) - 1),
        ("low", -(1 << 63)),
        ("uint", Uint((1 << 64) - 1)),
        ("double", 0.1),
        ("whole", 3.0),
        ("tiny", 5e-324),
        ("nan", math.nan),
        ("up", math.inf),
        ("down", -math.inf),
        ("text", "é\u2028"),
        ("ref", Ref("interned")),
        ("bytes", b"\x00\xff"),
        ("none", Nothing),
        ("int", 6),
        ("int#2", "taken"),
    ]
    space.plane("/host:CPU").line(1, "t").event("e", 0, 1, stats)
    (made,) = read(timeline(space)).slices
    assert made.args == {
        "int": -5,
        "far": "9007199254740992",
        "near": 9007199254740991,
        "low": "-9223372036854775808",
        "uint": "18446744073709551615",
        "double": Decimal("0.1"),
        "whole": Decimal("3.0"),
        "tiny": Decimal("5e-324"),
        "nan": "NaN",
        "up": "Infinity",
        "down": "-Infinity",
        "text": "é\u2028",
        "ref": "interned",
        "bytes": "data:;base64,AP8=",
        "none": None,
        "int#3": 6,
        "int#2": "taken",
    }


def test_stats_of_the_kind_and_the_full_name_follow() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    plane.kind("%fusion.3 = f32[8]", "fusion.3", {"flops": 8, "own": 1})
    plane.line(1, "t").event("%fusion.3 = f32[8]", 0, 1, {"own": 2}).event("plain", 2, 1)
    first, second = read(timeline(space)).slices
    assert (first.name, first.args) == (
        "fusion.3",
        {"own": 2, "flops": 8, "own#2": 1, "long_name": "%fusion.3 = f32[8]"},
    )
    assert (second.name, second.args) == ("plain", {})


@pytest.mark.parametrize("ps", [0, 1, 999, 1000, 1001, 999_999, 10**6, 10**6 + 10, 123_456_789_012, (1 << 62) + 1])
def test_times_lose_nothing(ps: int) -> None:
    parts = trace_json.Times().pieces(np.array([ps, -ps]))
    texts = ["".join(column[i] for column in parts) for i in (0, 1)]
    assert [Decimal(text) * 10**6 for text in texts] == [ps, -ps]
    assert "." not in texts[0] or texts[0][-1] not in ".0"


def hostile() -> list[str]:
    return [
        "x" * 100_000,
        "</script><script>alert(1)</script>",
        "\x00\x01\x1b[2J\x7f\x9f\r\n\t",
        "\u202e\u2066שלום مرحبا",
        "👩‍👩‍👧‍👦\U0010ffff",
        "'\"\\/&<>\u2028\u2029",
        '"}]}',
        "%s %d {0} {name}",
        "",
    ]


def test_names_stay_text() -> None:
    space = Space(hostnames=["<h>"])
    plane = space.plane("/host:CPU</script>")
    line = plane.line(1, "thread \x07\u202e</script>")
    for i, name in enumerate(hostile()):
        line.event(name, 10 * i, 5, {name or "k": name})
    made = read(timeline(space, "<h>"))
    assert [s.name for s in made.slices] == hostile()
    assert [s.args for s in made.slices] == [{name or "k": name} for name in hostile()]
    assert made.processes[2]["plane"] == "/host:CPU</script>"
    assert made.threads[2, 1]["name"] == "thread \x07\u202e</script>"


def test_a_window_keeps_whole_what_overlaps_it() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    line.event("long", 0, 100).event("before", 10, 10).event("edge", 19, 2).event("at", 20, 0).event("in", 25, 5)
    line.event("end", 30, 0).event("after", 30, 10)
    made = read(timeline(space), start_ps=20, end_ps=30)
    assert [(s.name, s.start_ps, s.duration_ps) for s in made.slices] == [
        ("long", 0, 100),
        ("edge", 19, 2),
        ("at", 20, 0),
        ("in", 25, 5),
    ]
    assert made.head["otherData"]["window_ps"] == [20, 30]


def test_a_part_has_only_arrows_between_its_events() -> None:
    of = timeline(launching())
    assert [(s.name, s.thread) for s in read(of, tracks="1").slices] == [("kernel", (3, 1))]
    assert read(of, tracks="1").arrows == []
    assert [a[0] for a in read(of, tracks="0-1").arrows] == ["launch"]
    assert read(of, start_ps=0, end_ps=1_500_000).arrows == []
    # Of the first host nothing is written: the document began with a comma.
    other = timeline(launching())
    other.host = "second"
    assert [(s.name, s.thread) for s in read(of, other, tracks="second:1").slices] == [("kernel", (6, 1))]
    with pytest.raises(ArgumentError, match="tracks"):
        read(of, tracks="x")


def test_arrows_of_clocks_that_differ() -> None:
    """A kernel that began before its launch is pointed at where the launch began; one that was over by then is not."""
    space = Space()
    cpu = space.plane("/host:CPU").line(1, "t")
    cpu.event("a", 100, 50, {"correlation_id": 1}).event("b", 200, 50, {"correlation_id": 2})
    gpu = space.plane("/device:GPU:0").line(1, "Stream #1")
    gpu.event("ka", 50, 100, {"correlation_id": 1}).event("kb", 150, 50, {"correlation_id": 2})
    made = read(timeline(space))
    assert [(cat, a.name, b.name) for cat, a, b in made.arrows] == [("launch", "a", "ka")]


def test_a_launch_of_two_kernels_and_a_producer() -> None:
    """An instant stands for the slice that it lies in."""
    space = Space()
    cpu = space.plane("/host:CPU")
    one = cpu.line(1, "t").event("op", 0, 100).event("produces", 10, 0, {"_pt": 1, "_p": 9})
    one.event("launch", 50, 10, {"correlation_id": 4})
    cpu.line(2, "u").event("consumes", 20, 30, {"_ct": 1, "_c": 9})
    gpu = space.plane("/device:GPU:0").line(1, "Stream #1")
    gpu.event("k1", 60, 10, {"correlation_id": 4}).event("k2", 70, 10, {"correlation_id": 4})
    arrows = [(cat, a.name, b.name) for cat, a, b in read(timeline(space)).arrows]
    assert arrows == [("producer", "op", "consumes"), ("launch", "launch", "k1"), ("launch", "launch", "k2")]


def test_slices_that_overlap_in_part_have_threads_beside() -> None:
    """Perfetto drops what begins in a slice and ends after it."""
    space = Space()
    line = space.plane("/device:GPU:0").line(1, "Stream #1")
    line.event("a", 0, 10).event("in a", 2, 2).event("b", 5, 10).event("in b", 11, 2).event("c", 20, 5)
    made = read(timeline(space))
    assert [(s.name, made.threads[s.thread]["name"]) for s in made.slices] == [
        ("a", "Stream #1"),
        ("in a", "Stream #1"),
        ("b", "Stream #1 (overlapping, 1)"),
        ("in b", "Stream #1 (overlapping, 2)"),
        ("c", "Stream #1"),
    ]
    main, *beside = made.threads
    assert {made.threads[t].get("beside") for t in beside} == {main[1]}


def test_counters_are_counters() -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(1, "_counters_")
    line.event("power", 10, 0, [("unit", "W"), ("watts", 300.5), ("total", 1 << 60)])
    line.event("power", 20, 5, [("watts", 200.0), ("bad", math.nan)])
    line.event("odd", 30, 0, {"text": "no number"})
    events = events_of(text_of(timeline(space)))
    assert [(e["ph"], e["name"], e["ts"], e["args"], e.get("details"), e.get("dur")) for e in events] == [
        ("C", "power", 0.00001, {"watts": 300.5, "total": 1 << 60}, {"unit": "W"}, None),
        ("C", "power", 0.00002, {"watts": 200.0}, {"bad": "NaN"}, 0.000005),
        ("i", "odd", 0.00003, {"text": "no number"}, None, None),
    ]
    assert len(read(timeline(space)).counters) == 2


def test_memory_in_use_is_a_counter_of_its_own() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i, (name, heap) in enumerate((("MemoryAllocation", 100), ("MemoryDeallocation", 40))):
        stats: dict[str, StatValue] = {
            "bytes_allocated": heap,
            "bytes_available": 1000 - heap,
            "allocator_name": "GPU_0_bfc",
        }
        line.event(name, 10 * i, 0, {**stats, "allocator_name": "GPU_0_bfc", "address": 5})
    made = read(timeline(space))
    assert [(c["name"], c["ts"], c["args"]) for c in made.counters] == [
        ("memory GPU_0_bfc", 0, {"in_use_bytes": 100, "free_bytes": 900}),
        ("memory GPU_0_bfc", 10, {"in_use_bytes": 40, "free_bytes": 960}),
    ]
    assert made.processes[made.counters[0]["pid"]]["derived"] is True


def test_steps_are_marked() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i in range(3):
        line.event("train", 100 * i, 90, {"step_num": i + 5, "_r": 1})
    made = read(timeline(space), start_ps=100, end_ps=10_000)
    steps = [s for s in made.slices if s.cat == "step"]
    assert [(s.name, s.start_ps, s.duration_ps, s.args["number"], s.args["wall_us"]) for s in steps] == [
        ("train 6", 100, 90, 6, Decimal("0.0001")),
        ("train 7", 200, 90, 7, Decimal("0.00009")),
    ]
    assert [s.name for s in made.of_capture()] == ["train", "train"]


def test_hosts_share_an_axis() -> None:
    hosts = []
    for i in range(2):
        space = Space(hostnames=[f"w{i}"])
        space.plane("/host:CPU").line(1, "t", timestamp_ns=NS + 5 * i).event("e", 0, 10)
        hosts.append(timeline(space, f"w{i}"))
    made = read(*hosts)
    assert made.head["baseTimeNanoseconds"] == NS
    assert [(made.processes[s.thread[0]]["host"], s.start_ps) for s in made.slices] == [("w0", 0), ("w1", 5000)]
    # The second host alone, in the window and on the clock of an answer for both.
    (alone,) = read(hosts[1], start_ps=5000, end_ps=5010, origin_ns=NS).slices
    assert alone.start_ps == 5000
    assert [s.start_ps for s in read(*hosts, shifts="w1:-7000").slices] == [0, -2000]
    assert [s.start_ps for s in read(*hosts, start_ps=5000).slices] == [5000]


def test_hosts_without_a_common_clock() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "t").event("e", 3, 10)
    made = read(timeline(space, "a"), timeline(space, "b"))
    assert [s.start_ps for s in made.slices] == [3, 3]
    assert "baseTimeNanoseconds" not in made.head
    assert "each host's times count from its own start" in made.head["otherData"]["warnings"][0]


def test_pieces_are_small_whatever_the_capture(monkeypatch: pytest.MonkeyPatch) -> None:
    """One long name, or a kind of very many stats, that thousands of events share."""
    monkeypatch.setattr(trace_writer, "_CHARACTERS", 100_000)
    monkeypatch.setattr(trace_writer, "_STATS", 1000)
    space = Space()
    plane = space.plane("/host:CPU")
    plane.kind("many", stats={f"k{i}": i for i in range(900)})
    line = plane.line(1, "t")
    for i in range(40):
        line.event("y" * 30_000, 10 * i, 5).event("many", 10 * i + 5, 5)
    of = timeline(space)
    given = {option.name: option.default for option in trace.OPTIONS}
    pieces = list(trace.document(trace.plan("r", [trace.look(of)], given), "test", lambda host: of))
    assert max(map(len, pieces)) < 400_000
    assert len(chrome.read("".join(pieces).encode()).slices) == 80


@pytest.mark.parametrize(("left", "is_cut"), [(1, False), (0, True)])
def test_forty_million_fields_of_a_program_are_written(
    left: int, is_cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(monkeypatch, program, 40_000_000, left, lambda: b"".join(program.program_chunks(PROGRAM, "text")))
    text = b"".join(program.program_chunks(PROGRAM, "text"))
    assert text.endswith(b"// ... what follows was not read\n") is is_cut


def test_texts_are_forgotten_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_json, "_KEPT", 10)
    texts = trace_json.Texts(["", "abc", "defghijkl"])
    for _ in range(2):
        assert texts.pieces(np.array([1, 2, 1])).tolist() == ['"abc"', '"defghijkl"', '"abc"']
        assert texts.pieces(np.array([0])).tolist() == ['""']


def expected(capture: Capture) -> list[tuple[Any, ...]]:
    """Every event, as the capture's own accessors tell it, one at a time."""
    rows = []
    for row in range(len(capture.events)):
        kind = int(capture.events.kind[row])
        label = capture.strings[int(capture.kinds.label[kind])] if kind >= 0 else ""
        name = capture.event_name(row)
        stats = [(key, plain(value)) for key, value in capture.event_values(row)]
        more = [("long_name", name)] if label and label != name else []
        times = int(capture.events.start_ps[row]), int(capture.events.duration_ps[row])
        rows.append((int(capture.events.track[row]), *times, label or name, sorted(map(repr, stats + more))))
    return sorted(rows)


def plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return json.loads(trace_json.blob(value))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else json.loads(trace_json.number(value))
    return str(value) if isinstance(value, int) and abs(value) >= 1 << 53 else value


def found(made: chrome.Chrome) -> list[tuple[Any, ...]]:
    def stats(args: dict[str, Any]) -> list[str]:
        back = ((k.split("#")[0], float(v) if isinstance(v, Decimal) else v) for k, v in args.items())
        return sorted(map(repr, back))

    return sorted(
        (made.threads[s.thread]["track"], s.start_ps, s.duration_ps, s.name, stats(s.args)) for s in made.of_capture()
    )


REAL = ("xprof-tpu-inference-2", "tfprofiler-demo-gpu-multi-worker", "jax_python")
PATHS = [
    *sorted(SAMPLES.glob("**/*.xplane.pb")),
    *(next((SHARED_CAPTURES / "xplane" / name).rglob("*.xplane.pb")) for name in REAL if SHARED_CAPTURES.is_dir()),
]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: "/".join(path.parts[-5:]))
def test_a_capture_comes_back(path: Path) -> None:
    of = Timeline(decode.read(str(path)), "h")
    every = expected(of.capture)
    assert found(read(of)) == every
    first, end = of.capture.span_ps
    low, high = first + (end - first) // 3, first + (end - first) // 2
    assert found(read(of, start_ps=low, end_ps=high)) == [
        row for row in every if row[1] < high and (row[1] >= low or row[1] + row[2] > low)
    ]
