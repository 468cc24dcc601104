"""A capture as speedscope's file, pprof's profile and collapsed stacks, read back by rules that the writers lack."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensorboard_perfplugin
from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.tables import TrackKind, among, intervals
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.trace.area import area_tracks, clipped
from tensorboard_perfplugin.trace.export import export, speedscope, stacks
from tensorboard_perfplugin.trace.export.pprof import pprof
from tensorboard_perfplugin.trace.export.speedscope import ordered
from tensorboard_perfplugin.trace.lanes import FAR, Window, shown_ids
from tests.build_capture import Space, StatValue
from tests.conftest import SAMPLES, MakeLogdir
from tests.decode.pprofs import profile_class
from tests.timeline.timelines import timeline
from tests.trace.random_traces import FAR as FAR_TIMES
from tests.trace.random_traces import Planes, planes, timeline_of

NS = 1000
#: Of small captures and real ones: TensorFlow, JAX and PyTorch, one of them of a GPU, and streams that overlap.
READ = sorted({path.parent for path in SAMPLES.rglob("*.xplane.pb")} | {SAMPLES / "torch_train"})


def plan_of(form: str, *timelines: Timeline, **options: Any) -> export.Plan:
    given = {option.name: option.default for option in export.OPTIONS} | {"format": form} | options
    return export.plan("run", [export.look(each) for each in timelines], given, ["a warning"])


def lines_of(*timelines: Timeline, **options: Any) -> list[str]:
    by_host = {each.host: each for each in timelines}
    pieces = stacks.collapsed(plan_of("collapsed", *timelines, **options), by_host.__getitem__)
    return b"".join(pieces).decode().splitlines()


def profile_of(*timelines: Timeline, **options: Any) -> Any:
    by_host = {each.host: each for each in timelines}
    pieces = pprof(plan_of("pprof", *timelines, **options), "test", by_host.__getitem__)
    return profile_class().FromString(b"".join(pieces))


def speedscope_of(*timelines: Timeline, **options: Any) -> str:
    by_host = {each.host: each for each in timelines}
    text = speedscope.speedscope(plan_of("speedscope", *timelines, **options), "test", by_host.__getitem__)
    return "".join(text)


def samples(profile: Any) -> Iterator[tuple[list[str], dict[str, str], list[int]]]:
    """Of each sample its stack, the outermost first, as `name` or `name@file:line`, its labels and its values."""
    names, locations = profile.string_table, {each.id: each for each in profile.location}
    functions = {each.id: each for each in profile.function}
    assert len(locations) == len(profile.location)
    # Where it is the name, pprof cuts what stands in brackets.
    assert not any(each.system_name for each in profile.function)
    assert (names[0], len(set(names))) == ("", len(names))
    for sample in profile.sample:
        stack = []
        for id in reversed(sample.location_id):
            (line,) = locations[id].line
            function = functions[line.function_id]
            place = f"@{names[function.filename]}:{line.line}" if function.filename else ""
            stack.append(names[function.name] + place)
        yield stack, {names[each.key]: names[each.str] for each in sample.label}, list(sample.value)


Slice = tuple[str, Decimal, Decimal, int]


def profiles(text: str) -> dict[str, list[Slice]]:
    """Of each profile its slices: name, begin, end and depth. Fails where a rule of the schema is broken."""
    content = json.loads(text, parse_float=Decimal)
    frames = content["shared"]["frames"]
    assert content["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    found: dict[str, list[Slice]] = {}
    for profile in content["profiles"]:
        assert set(profile) == {"type", "name", "unit", "startValue", "endValue", "events"}
        assert (profile["type"], profile["unit"]) == ("evented", "microseconds")
        last, is_open, slices = profile["startValue"], list[tuple[int, Decimal]](), list[Slice]()
        for event in profile["events"]:
            assert event["at"] >= last
            last = event["at"]
            if event["type"] == "O":
                is_open.append((event["frame"], last))
                continue
            frame, begin = is_open.pop()
            assert (event["type"], event["frame"]) == ("C", frame)
            slices.append((frames[frame]["name"], Decimal(begin), Decimal(last), len(is_open)))
        assert (is_open, last) == ([], profile["endValue"])
        found.setdefault(profile["name"], []).extend(sorted(slices, key=lambda each: (each[1], each[3])))
    return found


def training() -> Space:
    space = Space()
    host = space.plane("/host:CPU").line(1, "main")
    place: dict[str, StatValue] = {"file": "/src/train.py", "line": 7}
    host.event("step; 1", 0, 100 * NS).event("$train.py:12 load", 10 * NS, 30 * NS, place)
    host.event("model/dense/MatMul:MatMul", 50 * NS, 20 * NS).event("model/dense/MatMul:MatMul", 80 * NS, 500)
    host.event("$train.py:30 eval", 200 * NS, 2 * NS).event("mark", 300 * NS, 0)
    gpu = space.plane("/device:GPU:0")
    gpu.line(7, "Stream #7").event("sgemm", 60 * NS, 40 * NS, {"tf_op": "model/dense/MatMul:MatMul"})
    gpu.line(8, "_counters_").event("c", 0, 0, {"value": 3})
    gpu.line(9, "Steps").event("1", 0, 100 * NS)
    return space


def test_collapsed_stacks_are_own_times_in_ns() -> None:
    """Of 49.5 and 20.5 ns one is rounded down and one up: 102 ns in all."""
    assert sorted(lines_of(timeline(training()))) == [
        "h;/host:CPU main;$train.py:30 eval 2",
        "h;/host:CPU main;step: 1 49",
        "h;/host:CPU main;step: 1;$train.py:12 load 30",
        "h;/host:CPU main;step: 1;model/dense/MatMul:MatMul 21",
        "h;gpu0 Stream #7;model;dense;MatMul;sgemm 40",
    ]


def test_a_profile_of_pprof() -> None:
    profile = profile_of(timeline(training()))
    names = profile.string_table
    assert [(names[each.type], names[each.unit]) for each in profile.sample_type] == [
        ("calls", "count"),
        ("time", "nanoseconds"),
    ]
    assert (names[profile.default_sample_type], [names[i] for i in profile.comment]) == ("time", ["test", "a warning"])
    assert (profile.duration_nanos, [names[each.filename] for each in profile.mapping]) == (300, ["run"])
    host, gpu = {"host": "h", "track": "/host:CPU main"}, {"host": "h", "track": "gpu0 Stream #7", "device": "gpu0"}
    matmul = "model/dense/MatMul:MatMul"
    assert sorted(samples(profile), key=lambda sample: sample[0]) == [
        (["$train.py:30 eval@train.py:30"], host, [1, 2]),
        (["mark"], host, [1, 0]),
        (["model", "dense", "MatMul", "sgemm"], gpu | {"op_type": "MatMul"}, [1, 40]),
        (["step; 1"], host, [1, 49]),
        (["step; 1", "$train.py:12 load@/src/train.py:7"], host, [1, 30]),
        (["step; 1", matmul], host | {"op_type": "MatMul"}, [2, 21]),
    ]


def test_a_file_of_speedscope() -> None:
    text = speedscope_of(timeline(training()))
    matmul = "model/dense/MatMul:MatMul"
    found = profiles(text)
    d = Decimal
    assert found["h /host:CPU main"] == [
        ("step; 1", d(0), d("0.1"), 0),
        ("$train.py:12 load", d("0.01"), d("0.04"), 1),
        (matmul, d("0.05"), d("0.07"), 1),
        (matmul, d("0.08"), d("0.0805"), 1),
        ("$train.py:30 eval", d("0.2"), d("0.202"), 0),
        ("mark", d("0.3"), d("0.3"), 0),
    ]
    assert found["h gpu0 Stream #7"] == [("sgemm", d("0.06"), d("0.1"), 0)]
    assert found["h gpu0 Steps"] == [("1", d(0), d("0.1"), 0)]
    # No counters; derived tracks say what they are.
    assert all(name.startswith("h ") and "_counters_" not in name for name in found)
    assert {"name": "$train.py:12 load", "file": "/src/train.py", "line": 7} in json.loads(text)["shared"]["frames"]


def test_what_speedscope_gets_is_what_our_reader_finds() -> None:
    """Exact picoseconds, to and fro."""
    original = timeline(training())
    capture = decode.read_bytes(speedscope_of(original, tracks="0").encode(), "x.speedscope.json")
    capture.check()
    columns = (capture.events.start_ps.tolist(), capture.events.duration_ps.tolist())
    assert columns == (original.capture.events.start_ps[:6].tolist(), original.capture.events.duration_ps[:6].tolist())
    assert capture.strings.texts(capture.events.name)[:2] == ["step; 1", "$train.py:12 load (train.py:7)"]
    folded = "\n".join(lines_of(original)).encode()
    assert decode.sniff(folded) == "collapsed stacks"
    again = decode.read_bytes(folded, "x.collapsed")
    again.check()
    assert again.quality.dropped == {}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # Cut to the window; what lies outside is none of it.
        ({"start_ps": 30 * NS, "end_ps": 60 * NS}, {"step; 1": 10, "$train.py:12 load": 10, "MatMul": 10}),
        ({"tracks": "1"}, {"sgemm": 40}),
        # Derived tracks of the capture where they are chosen.
        ({"tracks": "3"}, {"1": 100}),
    ],
)
def test_windows_and_tracks(options: dict[str, Any], expected: dict[str, int]) -> None:
    of = timeline(training())
    plain = {key.replace(";", ":"): value for key, value in expected.items()}
    own = Counter[str]()
    for line in lines_of(of, **options):
        stack, _, ns = line.rpartition(" ")
        own[stack.rpartition(";")[2].rpartition("/")[2].partition(":M")[0]] += int(ns)
    assert own == plain
    found = Counter({stack[-1].partition("@")[0]: values[1] for stack, _, values in samples(profile_of(of, **options))})
    assert sum(found.values()) == sum(expected.values())
    begin, end = options.get("start_ps", 0), options.get("end_ps", FAR)
    slices = [each for rows in profiles(speedscope_of(of, **options)).values() for each in rows]
    assert slices
    assert all(begin <= each[1] * 10**6 and each[2] * 10**6 <= end for each in slices)


def test_what_has_no_stacks_is_not_there() -> None:
    """Of the third track there are only counters, and sums have no place for tracks that are derived."""
    of = timeline(training())
    beyond = f"{len(of.capture.tracks) + 1}-{len(of.capture.tracks) + 9}"
    for form, tracks in (("speedscope", "2"), ("pprof", "2"), ("collapsed", "2"), ("collapsed", beyond)):
        plan = plan_of(form, of, tracks=tracks)
        assert export.seen(export.look(of), plan.parts[0]) is not True, (form, tracks)
        assert not export.has_events(of, plan.parts[0])


def test_slices_that_overlap_in_part_go_to_a_profile_beside() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    line.event("a", 0, 10 * NS).event("b", 5 * NS, 10 * NS).event("in b", 11 * NS, NS).event("c", 20 * NS, NS)
    of = timeline(space)
    found = {name: [each[0] for each in rows] for name, rows in profiles(speedscope_of(of)).items()}
    beside = [name for name in found if "overlapping" in name]
    assert beside
    assert found["h /host:CPU t"] == ["a", "c"]
    assert sorted(name for each in beside for name in found[each]) == ["b", "in b"]
    # Each moment counts once, for what began last.
    assert sorted(lines_of(of)) == [
        "h;/host:CPU t;a 5",
        "h;/host:CPU t;b 9",
        "h;/host:CPU t;b;in b 1",
        "h;/host:CPU t;c 1",
    ]


def test_the_order_of_events_does_not_depend_on_how_many_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    for _ in range(30):
        # Slices that nest: halves of halves, at each depth some.
        spans = [(0, 64)] + [(at, at + size) for size in (32, 16, 8, 4, 0) for at in range(0, 64, max(size, 3))]
        rows = sorted((s for s in spans if rng.random() < 0.5), key=lambda s: (s[0], -s[1]))
        start, end = (np.array(column, np.int64) for column in zip(*rows, strict=True))
        results = []
        for chunk in (1, 3, 1000):
            monkeypatch.setattr(speedscope, "_CHUNK", chunk)
            parts = list(ordered(start, end))
            results.append([np.concatenate(column).tolist() for column in zip(*parts, strict=True)])
        assert results[0] == results[1] == results[2]
        place, opens, at = results[0]
        assert at == sorted(at)
        stack: list[int] = []
        for slice, is_open in zip(place, opens, strict=True):
            if is_open:
                stack.append(slice)
            else:
                assert stack.pop() == slice
        assert (stack, sorted(place)) == ([], sorted([*range(len(start))] * 2))


def test_names_that_would_break_a_line_or_a_stack() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "a;b\nc").event("x;y\r\nz\u2028 7", 0, 5 * NS).event("", 9 * NS, NS)
    space.plane("/device:CUSTOM:<b>").line(1, "</script>").event("<img>&", 0, NS)
    of = timeline(space)
    assert sorted(lines_of(of)) == [
        "h;/device:CUSTOM:<b> </script>;<img>& 1",
        "h;/host:CPU a:b c;(unnamed) 1",
        "h;/host:CPU a:b c;x:y  z  7 5",
    ]
    text = speedscope_of(of)
    assert text.isascii()
    assert not set("<>&") & set(text)
    stacks_of_pprof = sorted(stack for stack, _, _ in samples(profile_of(of)))
    assert stacks_of_pprof == [["(unnamed)"], ["<img>&"], ["x;y\r\nz\u2028 7"]]


def test_times_below_a_nanosecond_add_up() -> None:
    """Each sample differs from its exact time by less than 1 ns, and so does their sum."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i in range(1000):
        line.event(f"e{i % 7}", 1000 * i, 700)
    own = [values[1] for _, _, values in samples(profile_of(timeline(space)))]
    assert sum(own) == 700
    assert all(abs(each - 100) <= 1 for each in own)


WINDOWS = st.one_of(st.just((None, None)), st.tuples(st.integers(0, 50_000), st.integers(50_001, 120_000)))
TIMES = st.one_of(st.integers(0, 60).map(lambda ns: ns * NS), FAR_TIMES)


@settings(max_examples=40)
@given(planes(TIMES), WINDOWS)
def test_any_capture_in_any_window(captured: Planes, window: tuple[int | None, int | None]) -> None:
    of, options = timeline_of(captured), dict(zip(("start_ps", "end_ps"), window, strict=True))
    events, kinds = of.capture.events, of.capture.tracks.kind
    low, high = (-FAR, FAR) if window[0] is None or window[1] is None else (window[0], window[1])
    expected = Counter[str]()
    for track in np.flatnonzero(~among(kinds, (TrackKind.COUNTER, TrackKind.DERIVED))).tolist():
        rows = np.flatnonzero(events.track == track)
        begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
        busy = intervals.union(np.clip(begin, low, high), np.clip(end, low, high))
        expected[stacks.track_title(of.capture, track)] += int((busy.end - busy.begin).sum()) // 1000
    by_track, own = Counter[str](), 0
    for _, labels, (_, ns) in samples(profile_of(of, **options)):
        by_track[labels["track"]] += ns
    assert +by_track == +expected
    for line in lines_of(of, **options):
        own += int(line.rpartition(" ")[2])
    assert own == expected.total()
    for rows_of_one in profiles(speedscope_of(of, **options)).values():
        assert all(low <= begin * 10**6 <= end * 10**6 <= high for _, begin, end, _ in rows_of_one)


@pytest.mark.parametrize("path", READ, ids=lambda path: str(path.relative_to(SAMPLES)).partition("/")[0])
def test_samples_have_the_trace_s_own_self_times(path: Path) -> None:
    """By name, and of each track what its slices cover; the three formats have the same."""
    for host, capture in tensorboard_perfplugin.open(path).captures.items():
        of = Timeline(capture, host)
        tracks = area_tracks(capture)
        area = clipped(of, tracks, Window(-FAR, FAR))
        exact, nodes = Counter[str](), Counter[str]()
        for name, own in zip(capture.strings.texts(area.name), area.self_ps.tolist(), strict=True):
            exact[name or "(unnamed)"] += own
        own_ns, by_track, calls = Counter[str](), Counter[str](), 0
        for stack, labels, (count, ns) in samples(profile_of(of)):
            name = stack[-1].rpartition("@")[0] if "@" in stack[-1] and stack[-1] not in exact else stack[-1]
            own_ns[name] += ns
            nodes[name] += 1
            by_track[labels["track"]] += ns
            calls += count
        assert set(own_ns) == set(exact)
        assert calls == len(area.rows)
        for name, ps in exact.items():
            assert abs(own_ns[name] * 1000 - ps) < 1000 * nodes[name], name
        covered = Counter[str]()
        for track in tracks.tolist():
            rows = slice(int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track]))
            begin = capture.events.start_ps[rows]
            busy = intervals.union(begin, begin + capture.events.duration_ps[rows])
            covered[stacks.track_title(capture, track)] += int((busy.end - busy.begin).sum()) // 1000
        assert +by_track == +covered
        folded = Counter[str]()
        for line in lines_of(of):
            folded[line.split(";")[1]] += int(line.rpartition(" ")[2])
        assert folded == +by_track
        assert not (capture.tracks.kind[tracks] == TrackKind.DERIVED).any()


@pytest.mark.parametrize("path", READ, ids=lambda path: str(path.relative_to(SAMPLES)).partition("/")[0])
def test_samples_are_in_speedscope_s_file_whole(path: Path) -> None:
    for host, capture in tensorboard_perfplugin.open(path).captures.items():
        of = Timeline(capture, host)
        found = Counter(
            (each[0], int(each[1] * 10**6), int((each[2] - each[1]) * 10**6))
            for name, rows in profiles(speedscope_of(of, tracks=f"0-{len(capture.tracks) - 1}")).items()
            for each in rows
        )
        rows = np.flatnonzero(capture.tracks.kind[capture.events.track] != TrackKind.COUNTER)
        names = capture.strings.texts(shown_ids(capture, rows))
        columns = (capture.events.start_ps[rows].tolist(), capture.events.duration_ps[rows].tolist())
        assert found == Counter((name or "(unnamed)", *times) for name, *times in zip(names, *columns, strict=True))


def test_python_gives_each_format_by_its_name(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    path = make_logdir({"train/h.xplane.pb": training()})
    opened = tensorboard_perfplugin.open(path)
    for form, ending in (("speedscope", ".speedscope.json.gz"), ("pprof", ".pb.gz"), ("collapsed", ".collapsed.gz")):
        made = opened.export(format=form)
        assert made.name == f"train_h_whole{ending}"
        made.write(tmp_path / "x.gz")
        assert gzip.decompress((tmp_path / "x.gz").read_bytes()) == b"".join(made.chunks())
    opened.export(format="pprof").write(tmp_path / "x.pprof")
    assert gzip.decompress((tmp_path / "x.pprof").read_bytes())
    with pytest.raises(NotFoundError, match="on these tracks"):
        opened.export(format="collapsed", tracks="2")
