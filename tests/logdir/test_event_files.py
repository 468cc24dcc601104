"""Run metadata in TensorBoard's event files: each tag a run; files of scalars alone cost little and show nothing."""

from __future__ import annotations

import itertools
import os
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.doctor import diagnose
from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.logdir import Logdir, event_files, runs_at
from tensorboard_perfplugin.logdir.event_files import MOST_CHUNK, event_host, look
from tests.build_capture import chunk, number, text
from tests.decode.step_stats import node, run_metadata
from tests.event_files import VERSION, WRITTEN_S, event, framed, scalar, tagged, write

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
METADATA = run_metadata({DEVICE: [node(f"n{i}", 10 * i, 4, f"n{i} = MatMul(x)") for i in range(9)]})
NAME = "events.out.tfevents.1700000000.vm-1"
FOREVER = float("inf")


def named(path: Path) -> dict[str, tuple[str, ...]]:
    """Run → hosts, newest first."""
    return {run.name: run.hosts for run in runs_at(str(path))}


def tags(path: Path, until_s: float = FOREVER) -> list[str]:
    return [record.tag for record in look(str(path), path.stat(), until_s).records]


@pytest.mark.parametrize(
    ("name", "host"),
    [
        (NAME, "vm-1"),
        ("events.out.tfevents.1700000000.node.of.cluster", "node.of.cluster"),
        ("events.out.tfevents.1700000000.10.0.0.12", "10.0.0.12"),
        ("events.out.tfevents.1700000000.vm-1.4711.0", "vm-1"),
        ("events.out.tfevents.1700000000.vm-1.4711.0.", "vm-1"),
        ("mine.tfevents", "mine.tfevents"),
        ("events.out.tfevents.1700000000.vm-1.4711.0.v2", None),
        ("events.out.tfevents.1700000000.vm-1.profile-empty", None),
        ("events.txt", None),
    ],
)
def test_the_host_is_in_the_name(name: str, host: str | None) -> None:
    assert event_host(name) == host


def test_each_tag_is_a_run(tmp_path: Path) -> None:
    at = WRITTEN_S
    file = write(
        tmp_path / "logs/train" / NAME,
        scalar("loss"),
        tagged("step 2", METADATA, 2, at),
        *(scalar("loss", step) for step in range(3, 400)),
        tagged("step 10", METADATA, 10, at + 60),
    )
    assert named(tmp_path / "logs") == {"train/step 10": ("vm-1",), "train/step 2": ("vm-1",)}
    assert named(tmp_path / "logs/train") == {"train/step 10": ("vm-1",), "train/step 2": ("vm-1",)}
    assert named(file) == {"vm-1/step 10": ("vm-1",), "vm-1/step 2": ("vm-1",)}
    newest = runs_at(str(tmp_path))[0]
    assert (newest.captured_ns, newest.size_bytes) == (int((at + 60) * 10**9), len(tagged("step 10", METADATA, 10)))


def test_every_tool_says_what_it_says_of_the_bytes_alone(tmp_path: Path) -> None:
    write(tmp_path / "events/vm-1" / NAME, tagged("first", b""), tagged("t", METADATA))
    (tmp_path / "vm-1.run_metadata.pb").write_bytes(METADATA)
    both = [tensorboard_perfplugin.open(str(tmp_path / name)) for name in ("events", "vm-1.run_metadata.pb")]
    for tool in ("overview", "op_stats", "input_pipeline", "trace_viewer"):
        told, plain = (each.tool(tool).to_dict() for each in both)
        assert told.pop("run") != plain.pop("run")
        assert told == plain


def test_hosts_that_wrote_a_tag_at_once_are_one_run(tmp_path: Path) -> None:
    for host, at_s in (("a", 0), ("b", 3), ("c", 900)):
        write(tmp_path / f"events.out.tfevents.17000000{at_s:02}.{host}", tagged("t", METADATA, 0, WRITTEN_S + at_s))
    assert sorted(named(tmp_path).values()) == [("a", "b"), ("c",)]


def test_a_tag_that_was_written_again_is_two_runs(tmp_path: Path) -> None:
    write(tmp_path / NAME, tagged("t", METADATA), tagged("t", METADATA, 0, WRITTEN_S + 1))
    name = tmp_path.name
    assert named(tmp_path) == {f"{name}/t (2)": ("vm-1",), f"{name}/t": ("vm-1",)}


def test_a_timeline_that_slim_made_of_it_is_no_run_of_its_own(tmp_path: Path) -> None:
    """`trace_every_n_steps` writes both; the Timeline tells less."""
    write(tmp_path / "log" / NAME, tagged("run_metadata-101", METADATA))
    for step in (101, 201):
        (tmp_path / f"log/tf_trace-{step}.json").write_text("[]")
    runs = {run.name: run for run in runs_at(str(tmp_path))}
    assert sorted(runs) == ["log (step 201)", "log/run_metadata-101"]
    (file,) = runs["log/run_metadata-101"].files
    assert (file.tag, [Path(other.path).name for other in file.others]) == ("run_metadata-101", ["tf_trace-101.json"])


def test_what_has_no_profile_is_no_run(tmp_path: Path) -> None:
    """PyTorch's `add_graph` names a device, and nothing that ran there; TensorFlow 2 graphs alone."""
    device = chunk(1, chunk(1, text(1, "/device:CPU:0")))
    graph = chunk(3, chunk(1, text(1, "x" * 99)))
    write(tmp_path / "a" / NAME, tagged("step1", device), tagged("graph", graph), tagged("x" * 99, b""))
    write(tmp_path / "b" / NAME, scalar("loss"))
    (tmp_path / NAME).write_bytes(b"x" * 500)
    (tmp_path / "vm.tfevents").mkdir()
    with pytest.raises(NotFoundError, match="no captures"):
        runs_at(str(tmp_path))
    writer = chunk(10, text(1, "tensorboard.summary.writer.event_file_writer"))
    other = write(tmp_path / "c" / NAME, tagged("t", METADATA), version=text(3, "brain.Event:2") + writer)
    assert tags(other) == []


@pytest.mark.parametrize("cut", [1, 100, 300])
def test_a_record_that_is_still_written_is_found_when_it_is_whole(tmp_path: Path, cut: int) -> None:
    file = write(tmp_path / NAME, tagged("a", METADATA), tagged("b", METADATA))
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    first = runs_at(str(tmp_path))
    assert [run.name.rpartition("/")[2] for run in first] == ["a", "b"]
    file.write_bytes(whole + framed(tagged("c", METADATA)))
    second = {run.name: run for run in runs_at(str(tmp_path))}
    assert [name.rpartition("/")[2] for name in second] == ["a", "b", "c"]
    # What was made of the half is not shown any more; what is whole is not made again.
    same = [run.files[0].identity == second[run.name].files[0].identity for run in first]
    before = first[0].files[0].identity
    assert (same, before[1:3]) == ([True, True], second[first[0].name].files[0].identity[1:3])


def test_what_lies_before_the_damage_is_found_and_the_damage_told(tmp_path: Path) -> None:
    file = write(tmp_path / NAME, tagged("a", METADATA))
    at = file.stat().st_size
    file.write_bytes(file.read_bytes() + b"\x00" * 100 + framed(tagged("b", METADATA)))
    snapshot = Logdir.from_flags(str(tmp_path)).snapshot(5)
    assert [run.name for run in snapshot.runs] == [f"{tmp_path.name}/a"]
    assert snapshot.notes == (f"{file}: damaged at byte {at:,}; later records are not read",)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """From now on what is read: where, and how many bytes."""
    reads: list[tuple[int, int]] = []
    read = event_files._read

    def counting(file: BinaryIO, at: int, size: int) -> bytes:
        found = read(file, at, size)
        reads.append((at, len(found)))
        return found

    monkeypatch.setattr(event_files, "_read", counting)
    return reads


def test_only_what_was_added_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / NAME, *(scalar("loss", step) for step in range(900)), tagged("a", METADATA))
    reads = counted(monkeypatch)
    assert tags(file) == ["a"]
    assert tags(file) == ["a"]
    before = len(reads)
    end = file.stat().st_size
    with file.open("ab") as more:
        more.write(framed(tagged("b", METADATA)))
    assert tags(file) == ["a", "b"]
    assert min(at for at, _ in reads[before:]) >= end - 64
    # Written anew: nothing that was known holds.
    os.utime(write(file, *(scalar("lots", step) for step in range(1500)), tagged("c", METADATA)))
    assert tags(file) == ["c"]


def test_large_records_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Images of 1 GB: the file has holes for them."""
    size = 1 << 30
    length = size.to_bytes(8, "little")
    frame = length + event_files._sum_of(size).to_bytes(4, "little") + event(chunk(5, bytes(99)))
    file = write(tmp_path / NAME)
    for tag in ("a", "b"):
        with file.open("ab") as more:
            more.write(frame)
            more.truncate(more.tell() - len(frame) + 12 + size + 4)
        with file.open("ab") as more:
            more.write(framed(tagged(tag, METADATA)))
    reads = counted(monkeypatch)
    assert tags(file) == ["a", "b"]
    assert sum(size for _, size in reads) < MOST_CHUNK


def test_a_look_ends_in_time_and_the_next_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock, which is looked at before and after each piece, says that there is time for one."""
    monkeypatch.setattr(event_files, "time", SimpleNamespace(monotonic=itertools.cycle([0.0, 2.0]).__next__))
    parts = [part for i in range(4) for part in (tagged(str(i), METADATA), *(scalar("loss", s) for s in range(200)))]
    file = write(tmp_path / NAME, *parts)
    found = [len(tags(file, until_s=1.0)) for _ in range(20)]
    assert (found[0], found[-1]) == (1, 4)
    assert found == sorted(found)


def test_hostile_tags_are_text(tmp_path: Path) -> None:
    write(tmp_path / NAME, tagged("../../etc/\x1b[31m", METADATA), tagged("", METADATA), tagged("x" * 70_000, METADATA))
    name = tmp_path.name
    assert sorted(named(tmp_path)) == sorted([f"{name}/../../etc/\\x1b[31m", f"{name}/run metadata"])


@pytest.mark.parametrize("size", [0, 1 << 63, (1 << 64) - 1])
def test_lengths_that_cannot_be_end_the_walk(tmp_path: Path, size: int) -> None:
    check = event_files._sum_of(size).to_bytes(4, "little")
    file = write(tmp_path / NAME, tagged("a", METADATA))
    file.write_bytes(file.read_bytes() + (size.to_bytes(8, "little") + check + bytes(4)) * 2000 + number(1, 1))
    assert tags(file) == ["a"]


def test_a_file_without_run_metadata_says_what_it_is(tmp_path: Path) -> None:
    file = write(tmp_path / NAME, scalar("loss"))
    with pytest.raises(NotFoundError, match=r"an event file without run metadata, which FileWriter.add_run_metadata"):
        runs_at(str(file))


def test_the_doctor_tells_of_a_damaged_file_and_of_a_half_record(tmp_path: Path) -> None:
    file = write(tmp_path / NAME, tagged("a", METADATA))
    (only,) = diagnose(str(tmp_path))
    assert (only.ok, only.found) == (True, "1 run, 1 capture, 10 events")
    file.write_bytes(file.read_bytes()[:-20])
    os.utime(file, (1e9, 1e9))
    (only,) = diagnose(str(tmp_path))
    assert (only.case, "ends 20 bytes before" in only.found) == ("truncated_file", True)
    sound = framed(event(VERSION), tagged("a", METADATA))
    file.write_bytes(sound + b"no record" * 20)
    (only,) = diagnose(str(tmp_path))
    told = f"damaged at byte {len(sound):,}; later records are not read"
    assert (only.case, only.path, only.found) == ("damaged_file", str(file), told)


@pytest.mark.parametrize(("later_s", "runs"), [(119, 1), (121, 2)])
def test_hosts_that_write_a_tag_within_two_minutes_are_one_run(tmp_path: Path, later_s: int, runs: int) -> None:
    for host, at_s in (("a", 0), ("b", later_s)):
        write(tmp_path / f"{NAME}{host}", tagged("t", METADATA, 0, WRITTEN_S + at_s))
    assert len(runs_at(str(tmp_path))) == runs


def test_a_record_at_the_end_of_a_piece_is_seen_whole(tmp_path: Path) -> None:
    """Its time and step are there twice, and 24 bytes of it in the first 4096 of the file."""
    metadata = chunk(8, text(1, "t") + chunk(2, METADATA))
    twice = (b"\x09" + struct.pack("<d", WRITTEN_S) + b"\x10" + b"\xff" * 9 + b"\x01") * 2
    begin = len(write(tmp_path / NAME).read_bytes())
    padding = 4060 - begin - len(framed(event(chunk(5, b""))))
    filler = framed(event(chunk(5, b"x" * (padding - 1))))
    assert begin + len(filler) == 4060
    file = tmp_path / NAME
    file.write_bytes(file.read_bytes() + filler + framed(twice + metadata))
    assert tags(file) == ["t"]
