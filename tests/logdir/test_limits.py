"""The numbers by which runs and files are found: just within and just beyond."""

from __future__ import annotations

import itertools
import json
import os
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO

import pytest

import tensorboard_perfplugin.logdir.logdir as logdirs
from tensorboard_perfplugin.logdir import RECORD, Logdir, Root, event_files, ranks_of, record_in, runs_at, walk
from tensorboard_perfplugin.logdir.walk import Walk
from tests.build_capture import chunk, text
from tests.event_files import WRITTEN_S, event, framed, scalar, tagged, write
from tests.logdir.conftest import WAIT_S
from tests.logdir.test_event_files import METADATA, NAME, tags
from tests.logdir.test_logdir import Gate, names
from tests.logdir.test_programs import NOW, S, blank, profile, read
from tests.logdir.test_record import GOOD
from tests.logdir.test_runs import touch

#: As short as a run metadata of a node can be.
SHORT = chunk(1, chunk(1, chunk(2, b"")))


def test_tags_are_cut_at_a_thousand_bytes(tmp_path: Path) -> None:
    """One of 60,000 is within the head of its record."""
    file = write(
        tmp_path / NAME, tagged("a" * 1000, METADATA), tagged("b" * 1001, METADATA), tagged("c" * 60_000, SHORT)
    )
    assert tags(file) == ["a" * 1000, "b" * 1000, "c" * 1000]


@pytest.mark.parametrize(("before", "found"), [(65_000, ["t"]), (66_000, [])])
def test_a_node_is_looked_for_in_the_first_64_kb(tmp_path: Path, before: int, found: list[str]) -> None:
    """Behind another field of the run metadata."""
    metadata = chunk(3, b"x" * before) + SHORT
    assert tags(write(tmp_path / NAME, tagged("t", metadata))) == found


def test_records_shorter_than_64_bytes_are_none(tmp_path: Path) -> None:
    least = len(tagged("a", SHORT)) - 1
    records = [tagged(name * (size - least), SHORT) for name, size in (("a", 63), ("b", 64))]
    assert [len(record) for record in records] == [63, 64]
    assert tags(write(tmp_path / NAME, *records)) == ["b" * (64 - least)]


def test_twenty_thousand_records_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in them is not looked at."""
    monkeypatch.setattr(event_files, "_record", lambda file, at: event_files.Record("t", at, 64, 0))
    file = write(tmp_path / NAME)
    file.write_bytes(file.read_bytes() + framed(tagged("t", METADATA)) * 20_001)
    assert len(tags(file)) == 20_000


@pytest.mark.parametrize(("at", "found"), [(16, ["b"]), (17, ["a", "c"])])
def test_sixteen_bytes_tell_whether_a_file_was_written_anew(tmp_path: Path, at: int, found: list[str]) -> None:
    """The same file, longer, of which a byte differs so far before where it ended."""
    file = write(tmp_path / NAME, tagged("a", METADATA), scalar("loss" * 20))
    assert tags(file) == ["a"]
    content = bytearray(file.read_bytes())
    content[-at] ^= 1
    longer = bytes(content) + framed(tagged("c", METADATA))
    # What is read anew has other tags.
    file.write_bytes(longer.replace(text(1, "a") + chunk(2, METADATA), text(1, "b") + chunk(2, METADATA)))
    assert tags(file)[: len(found)] == found


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


@pytest.mark.parametrize(("at_s", "ns"), [(32_503_679_999, 32_503_679_999 * S), (32_503_680_000, 7 * S)])
def test_nothing_is_written_after_the_year_3000(tmp_path: Path, at_s: int, ns: int) -> None:
    os.utime(write(tmp_path / NAME, tagged("t", METADATA, 0, at_s)), (7, 7))
    assert runs_at(str(tmp_path))[0].captured_ns == pytest.approx(ns)


class Clock:
    """Stands still but for what the listing of each folder takes, and the first reading of each event file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, listing_s: float = 0.0, reading_s: float = 0.0) -> None:
        self.now_s, self._listing_s, self._reading_s = 1000.0, listing_s, reading_s
        self._list, self._look = walk.list_folder, event_files._looked
        ours = SimpleNamespace(monotonic=lambda: self.now_s, sleep=lambda s: None)
        for module in (logdirs, walk, event_files):
            monkeypatch.setattr(module, "time", ours)
        monkeypatch.setattr(walk, "list_folder", self.list_folder)
        monkeypatch.setattr(event_files, "_looked", self.looked)

    def list_folder(self, path: str) -> walk.Listing:
        self.now_s += self._listing_s
        return self._list(path)

    def looked(self, file: BinaryIO, known: event_files.Looked, until_s: float) -> event_files.Looked:
        looked = self._look(file, known, until_s)
        self.now_s += self._reading_s
        return looked


@pytest.mark.parametrize(
    ("took_s", "passed_s", "is_due"),
    [(0, 1.9, False), (0, 2.1, True), (1, 3.9, False), (1, 4.1, True), (10, 5.9, False), (10, 6.1, True)],
)
def test_when_the_next_scan_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, took_s: float, passed_s: float, is_due: bool
) -> None:
    """After two seconds, four times what the last one took, and six seconds at the most."""
    clock = Clock(monkeypatch, listing_s=took_s)
    logdir = Logdir.from_flags(str(tmp_path))
    assert not logdir.snapshot(WAIT_S).scanning
    clock.now_s += passed_s
    assert logdir.snapshot().scanning == is_due


@pytest.mark.parametrize(("took_s", "interim"), [(0.09, []), (0.11, ["early"])])
def test_what_is_found_in_a_tenth_of_a_second_is_seen_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, took_s: float, interim: list[str]
) -> None:
    touch(tmp_path, "early/h.xplane.pb", "last/h.xplane.pb")
    Clock(monkeypatch, listing_s=took_s / 2)
    gate = Gate(monkeypatch, "last")
    logdir = Logdir.from_flags(str(tmp_path))
    logdir.snapshot()
    assert gate.reached.wait(WAIT_S)
    assert names(logdir.snapshot()) == interim
    gate.open()
    assert names(logdir.snapshot(WAIT_S)) == ["early", "last"]


@pytest.mark.parametrize(("took_s", "found"), [(0.45, ["a", "b"]), (0.55, ["a"])])
def test_a_scan_reads_event_files_for_half_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, took_s: float, found: list[str]
) -> None:
    for name in "ab":
        write(tmp_path / f"{NAME}{name}", tagged(name, METADATA))
    Clock(monkeypatch, reading_s=took_s)
    snapshot = Logdir.from_flags(str(tmp_path)).snapshot(WAIT_S)
    assert sorted(name.rpartition("/")[2] for name in names(snapshot)) == found


@pytest.mark.parametrize(("took_s", "found"), [(19, ["a", "b"]), (21, ["a"])])
def test_a_command_reads_event_files_for_twenty_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, took_s: float, found: list[str]
) -> None:
    for name in "ab":
        write(tmp_path / f"{NAME}{name}", tagged(name, METADATA))
    Clock(monkeypatch, reading_s=took_s)
    assert sorted(run.name.rpartition("/")[2] for run in runs_at(str(tmp_path))) == found


@pytest.mark.parametrize(("before", "ranks"), [(65_000, 2), (66_000, 0)])
def test_the_first_64_kb_of_a_profile_say_its_rank(tmp_path: Path, before: int, ranks: int) -> None:
    path = tmp_path / profile(tmp_path, "vm_77", 0, 5, 1)
    path.write_text('{"before": "' + "x" * before + '", ' + path.read_text()[1:])
    (run,) = runs_at(str(tmp_path))
    assert ranks_of(run.files).ranks == ranks


@pytest.mark.parametrize(("later_s", "runs"), [(0.9, 1), (1.1, 2)])
def test_recordings_a_second_apart_may_be_at_once(tmp_path: Path, later_s: float, runs: int) -> None:
    profile(tmp_path, "vm_77", 0, 3)
    profile(tmp_path, "vm_90", 3 + later_s, 9)
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("drift_s", "runs"), [(9, 2), (11, 4)])
def test_ranks_whose_times_drift_by_ten_seconds_go_on_together(tmp_path: Path, drift_s: int, runs: int) -> None:
    """Two profiles of two ranks, on hosts whose clocks are an hour apart."""
    for begin in (0, 300):
        profile(tmp_path, "first_1", begin, begin + 5, 0)
        later = begin + 3600 + (drift_s if begin else 0)
        profile(tmp_path, "second_2", later, later + 5, 1)
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("later_s", "runs"), [(86_399, 1), (86_401, 2)])
def test_clocks_differ_by_a_day_at_most(tmp_path: Path, later_s: int, runs: int) -> None:
    profile(tmp_path, "first_77", 0, 5, 0)
    profile(tmp_path, "second_90", later_s, later_s + 5, 1)
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("us", "is_epoch"), [(10**15 - 1, False), (10**15, True)])
def test_times_since_the_epoch_have_sixteen_digits(tmp_path: Path, us: int, is_epoch: bool) -> None:
    """Two profiles, of which the first ends before the second begins where times count from the epoch, or its base."""
    for worker, begin_s in (("vm_77", 0), ("vm_90", 12)):
        path = tmp_path / profile(tmp_path, worker, begin_s, begin_s + 3)
        said = json.loads(path.read_text())
        for each in said["traceEvents"]:
            each["ts"] = us
        said["baseTimeNanoseconds"] = NOW + begin_s * S - us * 1000
        path.write_text(json.dumps(said))
    # Since the epoch both began in 2001, which their names deny.
    assert len(read(tmp_path)) == (1 if is_epoch else 2)


@pytest.mark.parametrize(("marks", "runs"), [(3, 1), (4, 2)])
def test_three_marks_are_nothing_recorded(tmp_path: Path, marks: int, runs: int) -> None:
    profile(tmp_path, "vm_77", 0, 5)
    blank(tmp_path, "vm_77", 9)
    (path,) = tmp_path.glob(f"vm_77.{NOW + 9 * S}*")
    said = json.loads(path.read_text())
    slices = itertools.cycle(each for each in said["traceEvents"] if each["ph"] == "X")
    said["traceEvents"] = list(itertools.islice(slices, marks))
    path.write_text(json.dumps(said))
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("later_s", "runs"), [(119, 1), (121, 2)])
def test_hosts_that_write_a_tag_within_two_minutes_are_one_run(tmp_path: Path, later_s: int, runs: int) -> None:
    for host, at_s in (("a", 0), ("b", later_s)):
        write(tmp_path / f"{NAME}{host}", tagged("t", METADATA, 0, WRITTEN_S + at_s))
    assert len(runs_at(str(tmp_path))) == runs


@pytest.mark.parametrize(("later_s", "runs"), [(119, 1), (121, 2)])
def test_profiles_two_minutes_apart_are_of_another_start(tmp_path: Path, later_s: int, runs: int) -> None:
    """What they are of they do not tell."""
    touch(tmp_path, *(f"vm_{i}.{NOW + s * S}.pt.trace.json" for i, s in enumerate((0, later_s))))
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("size", "is_read"), [(1 << 20, True), ((1 << 20) + 1, False)])
def test_a_record_of_a_megabyte_is_read(tmp_path: Path, size: int, is_read: bool) -> None:
    (tmp_path / RECORD).write_text(json.dumps(GOOD).ljust(size))
    assert (record_in(str(tmp_path)) is not None) == is_read


@pytest.mark.parametrize(("depth", "notes"), [(32, 0), (33, 1)])
def test_folders_are_entered_32_levels_deep(tmp_path: Path, depth: int, notes: int) -> None:
    deep = "/".join("d" * depth)
    touch(tmp_path, f"{deep}/h.xplane.pb")
    scanned = Walk(str(tmp_path))
    assert [visit.path for visit in scanned if visit.files] == [f"{tmp_path}/{deep}"][notes:]
    assert len(scanned.notes) == notes


@pytest.mark.parametrize(("before", "found"), [(99_997, 1), (99_998, 0)])
def test_a_hundred_thousand_folders_are_scanned(tmp_path: Path, before: int, found: int) -> None:
    """So many, all elsewhere, were before: there are three more."""
    touch(tmp_path, "a/b/h.xplane.pb")
    scanned = Walk(str(tmp_path), _seen={(-1, i) for i in range(before)})
    assert sum(len(visit.files) for visit in scanned) == found
    note = f"{tmp_path}: only the first 100,000 folders were scanned"
    assert scanned.notes == ([] if found else [note])


def test_twenty_notes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "scandir", refuse)
    touch(tmp_path, *(f"{i}/h.xplane.pb" for i in range(3)))
    roots = tuple(Root(str(i), f"{tmp_path}/{i % 3}") for i in range(41))
    assert len(Logdir(roots).snapshot(WAIT_S).notes) == 20


def refuse(path: str) -> None:
    raise PermissionError(13, "Permission denied")
