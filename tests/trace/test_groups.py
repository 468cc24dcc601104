"""The groups of tracks and the order to draw them in."""

from __future__ import annotations

import json

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space
from tests.trace.test_viewer import ask, opened, rows


def test_groups_in_drawing_order() -> None:
    """Devices first, then the host, then Python, then what is left, in whatever order the file has them."""
    space = Space()
    space.plane("/something else").line(2, "x").event("y", 0, 1)
    space.plane("/host:python-tracer").line(2, "python").event("$a.py:1 f", 0, 1)
    cpu = space.plane("/host:CPU")
    cpu.line(1, "tf_pool/7").event("e", 0, 1)
    cpu.line(2, "session.run").event("e", 0, 1)
    cpu.line(3, "ops").event("e", 0, 1)
    gpu = space.plane("/device:GPU:0")
    names = ("Source code", "Framework Ops", "XLA Ops", "Stream #7", "XLA Modules", "Steps", "Framework Name Scope")
    for i, name in enumerate(names):
        gpu.line(i + 1, name).event("e", 0, 1)
    gpu.line((1 << 63) - 1, "_counters_").event("power", 0, 0, stats={"power": 1})
    tpu = space.plane("/device:TPU:3")
    for i, name in enumerate(("XLA Ops", "XLA Modules", "Steps")):
        tpu.line(i + 1, name).event("e", 0, 1)
    assert rows(ask(opened(space)), "tracks", "group", "name") == [
        ("gpu0 steps", "Steps"),
        ("gpu0 streams", "Stream #7"),
        ("gpu0 xla modules", "XLA Modules"),
        ("gpu0 xla ops", "XLA Ops"),
        ("gpu0 name scopes", "Source code"),
        ("gpu0 name scopes", "Framework Name Scope"),
        ("gpu0 ops", "Framework Ops"),
        ("gpu0 counters", "power"),
        ("tpu3 steps", "Steps"),
        ("tpu3 xla modules", "XLA Modules"),
        ("tpu3 xla ops", "XLA Ops"),
        ("host threads", "session.run"),
        ("host threads", "ops"),
        ("host threads", "tf_pool/7"),
        ("python", "python"),
        ("other", "x"),
    ]


def test_processes_of_a_trace_are_groups_of_their_own() -> None:
    """Chrome's browser and its pages were one group; of Horovod's timeline each of many tensors was `thread 0`."""
    names = {1: "Browser", 2: "Page", 3: "Page", 4: "tensor/dense", 5: "tensor/conv", 6: "helper"}
    threads = {(1, 1): "IO", (1, 2): "CrBrowserMain", (2, 1): "JS", (3, 1): "JS", (6, 1): "Compositor"}
    said = [{"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}} for pid, name in names.items()]
    said += [
        {"ph": "M", "name": "thread_name", "pid": p, "tid": t, "args": {"name": name}}
        for (p, t), name in threads.items()
    ]
    ran = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 0), (5, 0), (6, 1)]
    slices = [{"ph": "X", "name": "work", "pid": pid, "tid": tid, "ts": 1, "dur": 1} for pid, tid in ran]
    slices.append({"ph": "b", "cat": "c", "id": 1, "name": "load", "pid": 1, "tid": 1, "ts": 1})
    capture = decode.read_bytes(json.dumps([*said, *slices]).encode(), name="h.json")
    assert rows(ask(Timeline(capture, "h")), "tracks", "group", "name") == [
        ("Browser", "CrBrowserMain"),
        ("Browser", "IO"),
        ("Browser", "load"),
        ("Page", "JS"),
        ("Page", "thread 2"),
        ("Page (2)", "JS"),
        ("Page (2)", "thread 2"),
        ("processes", "tensor/dense"),
        ("processes", "tensor/conv"),
        ("processes", "Compositor"),
    ]


def sampled(*threads: tuple[int, int]) -> list[dict[str, object]]:
    return [{"ph": "P", "name": "s", "stack": ["f"], "pid": p, "tid": t, "ts": i} for p, t in threads for i in (0, 9)]


def test_sampled_stacks_of_a_thread_stand_below_it_in_its_process() -> None:
    """They were in the group `other`, above all threads; of a process without other threads nobody said whose."""
    names = {1: "Browser", 2: "Page", 3: "Worker"}
    said = [{"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}} for pid, name in names.items()]
    said += [
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": t, "args": {"name": n}} for t, n in ((1, "IO"), (2, "main"))
    ]
    ran = [{"ph": "X", "name": "work", "pid": p, "tid": t, "ts": 1, "dur": 1} for p, t in ((1, 1), (1, 2), (2, 5))]
    for pids, expected in (
        ((1,), [("host threads", name) for name in ("main", "main (samples)", "IO", "IO (samples)")]),
        (
            (1, 2, 3),
            [
                *(("Browser", name) for name in ("main", "main (samples)", "IO", "IO (samples)")),
                *(("Page", name) for name in ("thread 5", "thread 5 (samples)")),
                ("processes", "Worker (samples)"),
            ],
        ),
    ):
        events = [e for e in (*said, *ran, *sampled((1, 1), (1, 2), (2, 5), (3, 9))) if e["pid"] in pids]
        capture = decode.read_bytes(json.dumps(events).encode(), name="h.json")
        assert rows(ask(Timeline(capture, "h")), "tracks", "group", "name") == expected


def test_numbers_in_names_of_threads_go_by_their_size() -> None:
    space = Space()
    cpu = space.plane("/host:CPU")
    names = ("thread 10", "pool/12", "thread 2", "thread 2b", "thread 02", "pool/9", "", "main", "9" * 5000)
    for i, name in enumerate(names):
        cpu.line(i + 1, name).event("e", 0, 1)
    found = [name for (name,) in rows(ask(opened(space)), "tracks", "name")]
    assert [name for name in found if len(name) < 20] == [
        *("", "main", "pool/9", "pool/12"),
        *("thread 2", "thread 02", "thread 2b", "thread 10"),
    ]
