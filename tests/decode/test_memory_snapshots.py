"""Memory snapshots of PyTorch: what is read of each version's fields, what is refused, what is cut."""

from __future__ import annotations

import base64
import io
import json
import os
import pickle
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import memory_snapshot
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.tables import BlockState, Capture
from tests.snapshots import ATTENTION, FORWARD, KIB, LOSS, MIB, Device, pickled, snapshot, train

VERSIONS = ("2.0", "2.3", "2.6", "2.9")


def read(data: bytes, name: str = "snapshot.pickle") -> Capture:
    capture = decode.read_bytes(data, name)
    capture.check()
    assert capture.format is Format.MEMORY_SNAPSHOT
    return capture


def events(capture: Capture) -> list[tuple[str, dict[str, Any]]]:
    rows = range(len(capture.events))
    own = [dict(capture.values(int(capture.events.stats_begin[i]), int(capture.events.stats_end[i]))) for i in rows]
    return [(capture.event_name(i), each) for i, each in zip(rows, own, strict=True)]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_actions_of_each_version(version: str, protocol: int) -> None:
    device = Device(version)
    address = device.alloc(3 * MIB, FORWARD)
    device.free(address)
    kept = device.alloc(5 * KIB, ATTENTION)
    capture = read(pickled([device], protocol=protocol))
    assert [
        (name, values.get("addr"), values["bytes_allocated"], values["bytes_available"])
        for name, values in events(capture)
    ] == [
        ("segment_alloc", address, 0, 20 * MIB),
        ("MemoryAllocation", address, 3 * MIB, 17 * MIB),
        ("free_requested", address, 3 * MIB, 17 * MIB),
        ("MemoryDeallocation", address, 0, 20 * MIB),
        ("segment_alloc", kept, 0, 22 * MIB),
        ("MemoryAllocation", kept, 5 * KIB, 22 * MIB - 5 * KIB),
    ]
    step = 1 if version == "2.0" else 10
    assert capture.events.start_ps.tolist() == [i * step * 10**6 for i in range(6)]
    assert (capture.start_ns is None) == (version == "2.0")
    assert [w.code for w in capture.quality.warnings] == (["snapshot_without_times"] if version == "2.0" else [])


@pytest.mark.parametrize("version", VERSIONS)
def test_segments_and_blocks_of_each_version(version: str) -> None:
    device = Device(version)
    address = device.alloc(3 * MIB - 100, FORWARD)
    device.free(device.alloc(2 * MIB, LOSS), completed=False)
    allocator = read(pickled([device])).allocator
    assert allocator
    assert allocator.has_history
    assert (allocator.segments.size.tolist(), allocator.segments.is_large.tolist()) == ([20 * MIB], [1])
    b = allocator.blocks
    assert list(zip(b.address.tolist(), b.size.tolist(), b.requested.tolist(), b.state.tolist(), strict=True)) == [
        (address, 3 * MIB, 3 * MIB - 100, BlockState.IN_USE),
        (address + 3 * MIB, 2 * MIB, 2 * MIB, BlockState.WAITS),
        (address + 5 * MIB, 15 * MIB, 0, BlockState.FREE),
    ]
    assert (b.kind >= 0).tolist() == [True, True, False]


def test_frames_lie_outermost_first_and_the_programs_own_innermost_asked() -> None:
    device = Device()
    device.alloc(KIB, ATTENTION)
    capture = read(pickled([device]))
    row = next(i for i in range(len(capture.events)) if capture.event_name(i) == "MemoryAllocation")
    values = capture.event_values(row)
    assert [str(v).split("\t")[0] for k, v in values if k == "heap_frame"] == [
        "train",
        "_call_impl",
        "forward",
        "attention",
    ]
    assert dict(values)["tf_op"] == "attention (/home/me/model.py:51)"
    assert dict(values)["allocator_name"] == "GPU_0_pytorch"


def test_what_was_in_use_before_the_record() -> None:
    """The ring holds the last actions; levels follow from what the segments say of the end."""
    device = Device(history=2)
    device.alloc(3 * MIB, FORWARD)
    address = device.alloc(2 * MIB, FORWARD)
    device.free(address)
    capture = read(pickled([device]))
    assert [(name, v["bytes_allocated"]) for name, v in events(capture)] == [
        ("free_requested", 5 * MIB),
        ("MemoryDeallocation", 3 * MIB),
    ]


def test_a_failed_allocation() -> None:
    device = Device(capacity=22 * MIB)
    device.alloc(3 * MIB, FORWARD)
    assert device.alloc(30 * MIB, LOSS) == -1
    name, values = events(read(pickled([device])))[-1]
    assert (name, values["requested_bytes"], values["device_free"]) == ("OutOfMemory", 30 * MIB, 2 * MIB)


def test_annotations_are_slices_and_what_the_program_said_is_there() -> None:
    device = Device(metadata="loader")
    notes = train(device, 2)
    capture = read(pickled([device], [*notes, ("lonely", "END", device.now_us)]))
    slices = np.flatnonzero(capture.events.duration_ps > 0)
    assert [capture.event_name(i) for i in slices.tolist()] == ["ProfilerStep#0", "ProfilerStep#1"]
    assert events(capture)[0][1]["user_metadata"] == "loader"


def test_two_devices_and_a_later_one_alone() -> None:
    first, second = Device(), Device(number=1)
    second.alloc(KIB, FORWARD)
    capture = read(pickled([first, second]))
    assert [capture.strings[int(i)] for i in capture.tracks.name] == ["GPU_1_pytorch"]


def test_only_segments() -> None:
    device = Device(history=0)
    device.alloc(KIB, FORWARD)
    for data in (pickled([device]), pickle.dumps(device.state())):
        capture = read(data)
        assert capture.allocator
        assert (len(capture.events), capture.allocator.has_history, len(capture.allocator.blocks)) == (0, False, 2)


def test_html_and_json_hold_the_same() -> None:
    device = Device()
    train(device, 2)
    data = pickled([device])
    html = b'<html><script>import {x} from "./MemoryViz.js"\nconst local_files = [{"name": "snapshot.pickle", '
    html += b'"base64": "' + base64.b64encode(data + b"\0") + b'"}]</script></html>'
    wanted = events(read(data))
    assert events(read(html, "trace.html")) == wanted
    assert events(read(json.dumps(snapshot([device])).encode(), "anything.json")) == wanted


class _Runs:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("here",)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_what_would_run_is_refused(protocol: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        UnreadableError, match=r"names the Python object posix\.mkdir \(opcode \w*GLOBAL at byte .*nothing was run"
    ):
        decode.read_bytes(pickle.dumps({"segments": [_Runs()]}, protocol), "snapshot.pickle")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("apart_us", "is_real"), [(10**12, True), (10**12 + 1, False)])
def test_actions_lie_eleven_days_apart_at_most(apart_us: int, is_real: bool) -> None:
    device = Device()
    device.alloc(3 * MIB, FORWARD)
    content = snapshot([device])
    first, last = content["device_traces"][0]
    last["time_us"] = first["time_us"] + apart_us
    capture = read(pickle.dumps(content))
    assert (capture.start_ns is not None) is is_real
    assert capture.events.start_ps.tolist() == [0, apart_us * 10**6 if is_real else 10**6]


@pytest.mark.parametrize(("before", "is_found"), [(65_000, True), (66_000, False)])
def test_how_far_a_page_is_looked_at_for_its_snapshot(before: int, is_found: bool) -> None:
    page = b"<!DOCTYPE html>".ljust(before) + b'[{"name": "s", "base64": "'
    page += base64.b64encode(pickled([Device()])) + b'"}]'
    source: Any = SimpleNamespace(data=memoryview(page), head=page[:100], unreadable=lambda: UnreadableError("none"))
    if is_found:
        assert bytes(memory_snapshot.pickled(source)) == pickled([Device()])
    else:
        with pytest.raises(UnreadableError):
            memory_snapshot.pickled(source)


def test_a_snapshot_as_json_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_snapshot, "MAX_JSON", 1 << 20)
    device = Device()
    train(device, 2)
    data = json.dumps(snapshot([device])).encode().ljust((1 << 20) + 1)
    with pytest.raises(UnreadableError, match="as JSON of more than 1 MiB"):
        decode.read_bytes(data, "anything.json")


def test_a_pickle_that_breaks_off_before_any_snapshot_is_refused() -> None:
    with pytest.raises(UnreadableError, match="holds no memory snapshot before byte"):
        decode.read_bytes(pickled([Device()])[:12], "a.pickle")


def test_devices_with_one_list_lose_no_entry() -> None:
    """Fewer than none were said to be lost."""
    device = Device()
    device.alloc(KIB, FORWARD)
    made = snapshot([device])
    made["device_traces"] = [made["device_traces"][0]] * 2
    assert read(pickle.dumps(made)).quality.dropped == {}


class _Persists(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        return "theirs" if obj == "mine" else None


def test_persistent_ids_and_other_objects_are_refused() -> None:
    file = io.BytesIO()
    _Persists(file).dump({"segments": ["mine"]})
    with pytest.raises(UnreadableError, match=r"builds Python objects \(opcode BINPERSID"):
        decode.read_bytes(file.getvalue(), "a.pickle")
    with pytest.raises(UnreadableError, match=r"names the Python object copy_reg\._reconstructor"):
        decode.read_bytes(b"\x80\x02}ccopy_reg\n_reconstructor\n.", "a.pickle")


@pytest.mark.parametrize(
    "value", [[], {}, {"a": 1}, "text", None, (1, 2), [1, 2, 3], 5.5, 1 << 200, b"bytes", {(1, 2): 3}]
)
def test_pickles_of_other_things(value: Any) -> None:
    with pytest.raises(UnreadableError, match="memory snapshot"):
        decode.read_bytes(pickle.dumps(value), "a.pickle")


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.999])
def test_what_is_cut_gives_what_is_there(share: float) -> None:
    device = Device()
    train(device, 3)
    whole = pickled([device])
    cut = read(whole[: int(len(whole) * share)])
    assert [w.code for w in cut.quality.warnings] == ["snapshot_cut"]
    got, wanted = ([v.get("addr") for _, v in events(c)] for c in (cut, read(whole)))
    assert got == wanted[: len(got)]
    assert len(got) >= len(wanted) * (share - 0.35)


def test_a_structure_that_holds_itself() -> None:
    loop: dict[str, Any] = {"segments": []}
    loop["device_traces"] = [loop["segments"], loop]
    loop["allocator_settings"] = loop
    read(pickle.dumps(loop))


def test_long_stacks_and_many_keys() -> None:
    """A pickle gives a list of more than 1,000 items in parts."""
    deep = [("/a.py", i, f"f{i}") for i in range(2500)]
    device = Device()
    device.alloc(KIB, deep)
    capture = read(pickled([device]))
    row = next(i for i in range(len(capture.events)) if capture.event_name(i) == "MemoryAllocation")
    frames = [v for k, v in capture.event_values(row) if k == "heap_frame"]
    assert frames == [f"f{i}\t/a.py\t{i}" for i in reversed(range(2500))]


def test_numbers_of_any_length() -> None:
    device = Device()
    address = device.alloc(KIB, FORWARD)
    made = snapshot([device])
    for entry in made["device_traces"][0]:
        entry["stream"] = 1 << 63
        entry["extra"] = -(1 << 70)
    capture = read(pickle.dumps(made))
    assert events(capture)[-1][1]["addr"] == address


FRAMEWORKS = Path(__file__).parents[2] / ".venv-frameworks/bin/python"
_SEGSUM = """
import pickle, sys
from torch.cuda import _memory_viz
snapshot = pickle.load(open(sys.argv[1], "rb"))
print(_memory_viz.segsum(snapshot))
print(_memory_viz.memory(snapshot, lambda lines: lines))
open(sys.argv[2], "w").write(_memory_viz.trace_plot(snapshot))
"""


@pytest.mark.skipif(not FRAMEWORKS.exists(), reason="PyTorch's environment is not there")
def test_as_pytorchs_own_tools_read_it(tmp_path: Path) -> None:
    """`_memory_viz` sums the same snapshot: segments, bytes by stack; and its HTML opens."""
    device = Device()
    train(device, 3)
    device.alloc(3 * MIB - 700, LOSS)
    path, html = tmp_path / "a.pickle", tmp_path / "a.html"
    path.write_bytes(pickled([device]))
    done = subprocess.run(
        [str(FRAMEWORKS), "-c", _SEGSUM, str(path), str(html)], capture_output=True, text=True, check=True
    )
    capture = decode.read(str(path))
    allocator = capture.allocator
    assert allocator
    used = allocator.blocks.state == BlockState.IN_USE
    segments, reserved, allocated = (
        re.search(rf"{name}: (\S+)", done.stdout)[1]  # type: ignore[index]
        for name in ("segments", "total_reserved", "total_allocated")
    )
    assert segments == str(len(allocator.segments))
    assert reserved == f"{allocator.segments.size.sum() / MIB:.1f}MiB"
    assert allocated == f"{allocator.blocks.requested[used].sum() / MIB:.1f}MiB"
    by_stack: dict[str, int] = {}
    for line in done.stdout.splitlines():
        if match := re.fullmatch(r"stream_0;active_allocated;(.*?);?([^;]*) (\d+)", line):
            by_stack[match[2]] = by_stack.get(match[2], 0) + int(match[3])
    ours: dict[str, int] = {}
    for kind, size in zip(allocator.blocks.kind[used].tolist(), allocator.blocks.requested[used].tolist(), strict=True):
        begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
        name, file, line = str([v for k, v in capture.values(begin, end) if k == "heap_frame"][-1]).split("\t")
        ours[f"{file.rpartition('/')[2]}:{line}:{name}"] = (
            ours.get(f"{file.rpartition('/')[2]}:{line}:{name}", 0) + size
        )
    assert {k: v for k, v in by_stack.items() if k != "<gaps>"} == ours
    assert events(decode.read(str(html))) == events(capture)
