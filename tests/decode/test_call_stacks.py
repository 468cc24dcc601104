"""Files of samplers as slices, each written by hand; what is hostile or damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import call_stacks
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture

MS = 10**9
COLLAPSED = b"main;step;matmul 3\nmain 1\nmain;load (data.py:7) 2\nmain;step 1\n"
PERF = b"""# captured on: a day
python 42/43 [001]    10.000000:     250000 cpu-clock:pppH:
\t    7f01 matmul+0x1f (/usr/lib/libblas.so)
\t    7f02 [unknown] (/app/train)
\t    7f03 main (/usr/bin/python3.11)

python 42/43 [000]    10.001000:     250000 cpu-clock:pppH:
\t    7f02 [unknown] (/app/train)
\t    7f03 main (/usr/bin/python3.11)

worker 42/44 [000]    10.001000:     250000 cpu-clock:pppH:
\t    7f09 idle (/app/train)

python 42/43 [000]    10.001500:          1 sched:sched_switch:
\t    7f03 main (/usr/bin/python3.11)

python 42/43 [000]    10.009000:     250000 cpu-clock:pppH:
\t    7f03 main (/usr/bin/python3.11)

python 42/43 [000]    10.010000:     250000 cpu-clock:pppH:
\t    7f03 main (/usr/bin/python3.11)
"""
AUSTIN = b"""# austin: 3.6.0
# mode: wall

P7;T0x1;/app/train.py:main:9;/app/train.py:step:20 1000
P7;T0x1;/app/train.py:main:9;/app/train.py:step:20 1000
P7;T0x2;/app/data.py:load:3 500,1,64
P7;T0x1;/app/train.py:main:9 3000
"""


def opened(data: bytes, name: str = "vm.txt") -> Capture:
    capture = decode.read_bytes(data, name)
    capture.check()
    return capture


def slices(capture: Capture) -> list[tuple[str, str, int, int]]:
    """Thread, name, begin and length in ps."""
    events = capture.events
    threads = capture.strings.texts(capture.tracks.name[events.track])
    columns = (threads, capture.strings.texts(events.name), events.start_ps.tolist(), events.duration_ps.tolist())
    return list(zip(*columns, strict=True))


def test_collapsed_stacks_are_a_flame_graph() -> None:
    capture = opened(COLLAPSED)
    assert slices(capture) == [
        ("all threads", "main", 0, 7 * MS),
        ("all threads", "load (data.py:7)", 1 * MS, 2 * MS),
        ("all threads", "step", 3 * MS, 4 * MS),
        ("all threads", "matmul", 4 * MS, 3 * MS),
    ]
    assert (capture.format, capture.quality.dropped) == ("collapsed_stacks", {})
    assert capture.quality.warnings == (message("samples_without_length", n=7, stacks=4, length="1 ms"),)


def test_many_samples_take_less_time_each() -> None:
    capture = opened(b"a;b 10000000000\na;c 20000000000\n")
    assert slices(capture)[1:] == [("all threads", "b", 0, 10**16), ("all threads", "c", 10**16, 2 * 10**16)]


def test_a_sample_of_perf_lasts_to_the_next_unless_the_thread_did_not_run() -> None:
    capture = opened(PERF)
    assert slices(capture) == [
        ("python 43", "main", 0, 2 * MS),
        ("python 43", "[unknown] (train)", 0, 2 * MS),
        ("python 43", "matmul", 0, 1 * MS),
        ("python 43", "main", 9 * MS, 2 * MS),
        ("worker 44", "idle", 1 * MS, 1 * MS),
    ]
    assert (capture.format, capture.quality.dropped) == ("perf_script", {"sample_of_other_event": 1})
    assert capture.quality.warnings == (message("samples_shown", n=5, slices=5),)


def test_threads_of_austin_have_their_own_time() -> None:
    capture = opened(AUSTIN)
    assert slices(capture) == [
        ("process 7 thread 0x1", "main (train.py:9)", 0, 5 * MS),
        ("process 7 thread 0x1", "step (train.py:20)", 0, 2 * MS),
        ("process 7 thread 0x2", "load (data.py:3)", 0, MS // 2),
    ]
    assert (capture.format, capture.quality.dropped) == ("austin", {})


def test_austins_memory_has_no_times() -> None:
    with pytest.raises(UnreadableError, match="samples of memory"):
        decode.read_bytes(AUSTIN.replace(b"wall", b"memory"), "a.austin")


def session(**content: Any) -> bytes:
    return json.dumps({"start_time": 1_700_000_000.5, "duration": 0.5, "sample_count": 3, **content}).encode()


def test_saved_samples_of_pyinstrument_are_in_the_order_of_time() -> None:
    main, step = "main\0/app/train.py\0009", "step\0/app/train.py\00020\x01l21"
    capture = opened(session(frame_records=[[[main, step], 0.002], [[main], 0.001], [[main, step], 0.004]]), "a.json")
    assert slices(capture) == [
        ("session", "main (train.py:9)", 0, 7 * MS),
        ("session", "step (train.py:20)", 0, 2 * MS),
        ("session", "step (train.py:20)", 3 * MS, 4 * MS),
    ]
    assert (capture.format, capture.start_ns) == ("pyinstrument", 1_700_000_000_500_000_000)


TREE = {"function": "main", "file_path": "a.py", "line_no": 1, "time": 0.01, "children": []}


def test_a_tree_of_pyinstrument_has_inner_frames_at_the_begin_of_outer_ones() -> None:
    inner = [{**TREE, "function": "f", "time": 0.004}, {**TREE, "function": "g", "time": 0.008}]
    capture = opened(session(root_frame={**TREE, "children": inner}))
    assert [row[1:] for row in slices(capture)] == [
        ("main (a.py:1)", 0, 10 * MS),
        ("f (a.py:1)", 0, 4 * MS),
        ("g (a.py:1)", 4 * MS, 6 * MS),
    ]


def test_a_session_of_pyinstrument_5_leaves_out_what_is_a_frames_own() -> None:
    leaf = {"identifier": "[self]\0\0000", "time": 0.003, "children": []}
    tree = {"identifier": "main\0a.py\0001", "time": 0.003, "attributes": {}, "children": [leaf]}
    data = json.dumps({"session": {"start_time": 1.5, "duration": 1}, "frame_tree": tree}).encode()
    assert slices(opened(data, "a.pyisession")) == [("session", "main (a.py:1)", 0, 3 * MS)]


@pytest.mark.parametrize(("data", "read"), [(COLLAPSED, b"main 1\n"), (PERF, b"python3.11)\n"), (AUSTIN, b"20 1000\n")])
def test_a_file_that_is_cut_off_has_what_lies_before(data: bytes, read: bytes) -> None:
    first = data.index(read) + len(read)
    assert [size for size in range(first, len(data)) if not slices(opened(data[:size]))] == []


def test_in_a_folder_the_bytes_tell_whose_a_name_is(tmp_path: Path) -> None:
    """Other programs end names so, too."""
    others = (("c.perf", b"PERFILE2" + bytes(90)), ("d.txt", PERF))
    for name, data in (("a.perf", PERF), ("b.collapsed", COLLAPSED), *others):
        (tmp_path / name).write_bytes(data)
    files = [file for run in runs_at(str(tmp_path)) for file in run.every_file]
    assert sorted(file.name for file in files) == ["a.perf", "b.collapsed"]


@pytest.mark.parametrize(
    "data",
    [
        session(frame_records=[]),
        session(root_frame=None),
        session(frame_records=[[["a"], -1]]),
        session(root_frame={"time": "much"}),
        session(root_frame=TREE)[:-9],
        b"# austin: 3\nP1;T2;a:b:1 soon\n",
    ],
)
def test_what_holds_no_stack_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableError):
        decode.read_bytes(data, "a.txt")


def test_more_than_is_kept_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_stacks, "MAX_IN_STACKS", 12)
    capture = opened(b"a;b 1\nc;d 1\ne;f 5\n")
    assert [row[1] for row in slices(capture)] == ["a", "b", "c", "d"]
    assert capture.quality.dropped == {"beyond_slices": 1}


def test_more_threads_than_have_tracks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_stacks, "MAX_TRACKS", 1)
    assert opened(AUSTIN).quality.dropped == {"beyond_tracks": 1}


def test_a_deep_stack_keeps_a_thousand_frames() -> None:
    deep = b";".join(b"f%d" % i for i in range(400))
    capture = opened(b"a;b 1\nc 1\n" + b";".join([deep] * 3) + b" 1\n")
    assert len(capture.events) == 1003
    assert capture.quality.dropped == {"deeper_frame": 1}


@pytest.mark.parametrize(("us", "length_ps"), [(2000, 2 * MS), (2001, MS)])
def test_a_thread_ran_for_twice_the_usual_distance(us: int, length_ps: int) -> None:
    """Samples at 0, 1, 2, 3 ms and later: the last but one lasts up to twice the usual 1 ms."""
    at = [("a", 0), ("b", 1000), ("a", 2000), ("b", 3000), ("a", 3000 + us)]
    lines = [f"python 7 {5 + n / 1e6:.6f}: 1 cycles: \n\t 7f01 {name} (x)\n\n" for name, n in at]
    rows = slices(opened("".join(lines).encode()))
    assert rows[3] == ("python 7", "b", 3 * MS, length_ps)
