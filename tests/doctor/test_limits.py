"""The numbers by which the doctor decides: just within and just beyond."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tensorboard_perfplugin.doctor import diagnose, diagnosis, nothing, questions
from tensorboard_perfplugin.doctor.machine.look import run_program
from tensorboard_perfplugin.logdir import RECORD, Record, Run, Worker, runs_at
from tests.doctor.test_machine import Seed, driver, trainer, troubles
from tests.doctor.test_questions import LONG_AGO_S, SESSION, only, space, write
from tests.logdir.test_programs import profile


@pytest.mark.parametrize(("at", "looks"), [(60_000, "binary data of a kind unknown here"), (70_000, "text")])
def test_a_head_of_64_kb_is_looked_at(work: Path, at: int, looks: str) -> None:
    content = b"x" * at + b"\x00" + b"x" * 20_000
    assert only(write(work, {"notes.txt": content}) / "notes.txt").params["looks"] == looks
    assert only(write(work, {"h.pt.trace.json": content}) / "h.pt.trace.json").params["looks"] == looks


@pytest.mark.parametrize(("age_s", "code"), [(29, "empty_and_fresh"), (31, "empty_file")])
def test_a_file_is_fresh_for_half_a_minute(work: Path, monkeypatch: pytest.MonkeyPatch, age_s: int, code: str) -> None:
    monkeypatch.setattr(diagnosis, "time", SimpleNamespace(time=lambda: LONG_AGO_S + age_s))
    assert only(write(work, {"h.xplane.pb": b""})).code == code


def test_three_names_like_a_missing_one(work: Path) -> None:
    for i in range(7):
        (work / f"train{i}").mkdir()
    assert len(str(only(work / "train").params["alike"]).split(", ")) == 3


def test_three_files_of_an_unknown_format_are_named(work: Path) -> None:
    looks = only(write(work, {f"{i}.html": b"<html>" for i in range(7)})).params["looks"]
    assert looks == ", ".join(f"{i}.html (an HTML page)" for i in range(3))


@pytest.mark.parametrize(("at", "code"), [(2, "misnamed_several_in_folder"), (3, "unknown_files")])
def test_three_files_are_tried_as_traces(work: Path, at: int, code: str) -> None:
    trace = b'{"traceEvents": [{"ph": "X", "name": "op", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]}'
    assert only(write(work, {f"{i}.json": trace if i >= at else b"{}" for i in range(5)})).code == code


@pytest.mark.parametrize(("size", "code"), [((1 << 28) - 1, "misnamed_file"), (1 << 28, "unknown_file")])
def test_files_of_any_name_are_tried_below_256_mb(
    work: Path, monkeypatch: pytest.MonkeyPatch, size: int, code: str
) -> None:
    """The file claims to be so large."""
    monkeypatch.setattr(nothing, "looked_at", lambda path: SimpleNamespace(st_size=size))
    assert only(write(work, {"capture.pb": space().bytes()}) / "capture.pb").code == code


def claimed(monkeypatch: pytest.MonkeyPatch, change: Callable[[Run], Sequence[Run]]) -> None:
    """The one run that is found is taken for these."""
    monkeypatch.setattr(questions, "runs_at", lambda root: [each for run in runs_at(root) for each in change(run)])


@pytest.mark.parametrize(("size", "opened"), [((1 << 30) - 1, None), (1 << 30, 1)])
def test_files_are_opened_until_a_gigabyte_was_decoded(
    work: Path, monkeypatch: pytest.MonkeyPatch, size: int, opened: int | None
) -> None:
    def large(run: Run) -> list[Run]:
        return [replace(run, files=(replace(run.files[0], size_bytes=size),))] * 2

    claimed(monkeypatch, large)
    assert only(write(work, {f"{SESSION}/h.xplane.pb": space().bytes()})).params["opened"] == opened


@pytest.mark.parametrize(("before", "code"), [(999, "worker_missing"), (1000, "ok")])
def test_records_of_a_thousand_runs_are_read(
    work: Path, monkeypatch: pytest.MonkeyPatch, before: int, code: str
) -> None:
    record = Record("s", (Worker("a:1", "ok", file="h.xplane.pb"), Worker("b:1", "closed"))).to_json().encode()
    write(work, {"h.xplane.pb": space().bytes(), "s/h.xplane.pb": space().bytes(), f"s/{RECORD}": record})

    def many(run: Run) -> list[Run]:
        if run.files[0].path.endswith("s/h.xplane.pb"):
            return [run]
        # Of which the first takes all that is decoded.
        return [replace(run, name=str(i), files=(replace(run.files[0], size_bytes=1 << 30),)) for i in range(before)]

    os.utime(work / "s/h.xplane.pb", (1, 1))
    claimed(monkeypatch, many)
    assert only(work).code == code


def test_eight_ranks_are_named(work: Path) -> None:
    """Ten ranks of 32 each that may have been one program's."""
    for host, clock, first in (("first", 0, 0), ("second", 3600, 16)):
        for rank in range(first, first + 10):
            profile(work, f"{host}_{rank}", clock, clock + 5, rank, 32)
    params = only(work).params
    assert (params["first_ranks"], params["first_more"]) == ("0, 1, 2, 3, 4, 5, 6, 7", 2)
    assert (params["second_ranks"], params["second_more"]) == ("16, 17, 18, 19, 20, 21, 22, 23", 2)


def test_texts_of_a_record_are_cut_at_300_characters(work: Path) -> None:
    workers = (Worker("a:1", "ok", file="h.xplane.pb"), Worker("b:1", "closed", "x" * 301))
    for message, expected in (("x" * 300, "x" * 300), ("x" * 301, "x" * 300 + "…")):
        record = Record("s", (workers[0], replace(workers[1], message=message))).to_json().encode()
        found = only(write(work, {f"{SESSION}/h.xplane.pb": space().bytes(), f"{SESSION}/{RECORD}": record}))
        assert found.params["message"] == expected


@pytest.mark.parametrize(("length", "repeated"), [(300, True), (301, False)])
def test_addresses_of_300_characters_are_repeated(work: Path, length: int, repeated: bool) -> None:
    address = "b" * (length - len("a:1,"))
    record = Record("s", (Worker("a:1", "ok", file="h.xplane.pb"), Worker(address, "closed"))).to_json().encode()
    found = only(write(work, {f"{SESSION}/h.xplane.pb": space().bytes(), f"{SESSION}/{RECORD}": record}))
    assert found.params["addresses"] == (f"a:1,{address}" if repeated else "ADDRESSES")


def tree(monkeypatch: pytest.MonkeyPatch, capture_in: int) -> None:
    """Below every folder lie endless ones, in the one of that number, the first is 1, a capture."""

    def walk(root: str, **_: object) -> Iterator[tuple[str, list[str], list[str]]]:
        number = 0
        while True:
            number += 1
            yield f"{root}/{number}", [], ["h.xplane.pb"] if number == capture_in and root.endswith("c") else []

    monkeypatch.setattr(os, "walk", walk)


def test_twenty_thousand_folders_are_looked_at_below(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(monkeypatch, capture_in=0)
    found = only(work)
    assert (found.code, found.params["folders"]) == ("empty_folders", 19_999)


@pytest.mark.parametrize(("capture_in", "code"), [(2000, "captures_elsewhere"), (2001, "empty_folders")])
def test_two_thousand_folders_are_looked_at_near(
    work: Path, monkeypatch: pytest.MonkeyPatch, capture_in: int, code: str
) -> None:
    tree(monkeypatch, capture_in)
    assert only(work).code == code


@pytest.mark.parametrize(("above", "code"), [(3, "empty_folder_captures_elsewhere"), (4, "empty_folder")])
def test_captures_near_are_looked_for_three_levels_up(work: Path, above: int, code: str) -> None:
    write(work.parents[above - 1], {f"logs/{SESSION}/h.xplane.pb": space().bytes()})
    assert only(work).code == code


@pytest.mark.parametrize("major", [11, 12, 13])
def test_the_packages_of_jax_are_known(tmp_path: Path, major: int) -> None:
    """Each asks for the libcupti of its CUDA, which is not here."""
    seed = trainer().without("torch", "tensorflow", "jax-cuda12", "packages/nvidia", "nvidia/")
    seed.adding(versions={f"jax-cuda{major}-plugin": "0.10.2"}, files=driver("580.65.06"))
    (wrong,) = troubles(seed.made(tmp_path))
    assert (wrong.code, wrong.params["major"]) == ("no_cupti", major)


@pytest.mark.parametrize(("before", "codes"), [(65_000, []), (66_000, ["permission_unknown"])])
def test_the_first_64_kb_of_a_file_are_read(tmp_path: Path, before: int, codes: list[str]) -> None:
    params = {"proc/driver/nvidia/params": "x" * before + "\nRmProfilingAdminOnly: 0\n"}
    assert [each.code for each in troubles(trainer().adding(files=params).made(tmp_path))] == codes


def test_fifty_thousand_entries_of_a_folder_are_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "listdir", lambda path: [str(i) for i in range(200_000)])
    assert len(Seed().made(tmp_path).listed("/proc", r"\d+")) == 50_000


@pytest.mark.parametrize(("takes_s", "answer"), [(9, (0, "x" * (1 << 20))), (11, None)])
def test_a_program_is_given_ten_seconds_and_a_megabyte(
    monkeypatch: pytest.MonkeyPatch, takes_s: int, answer: tuple[int, str] | None
) -> None:
    def run(command: Sequence[str], timeout: float, **_: object) -> SimpleNamespace:
        if takes_s > timeout:
            raise subprocess.TimeoutExpired(command, timeout)
        return SimpleNamespace(returncode=0, stdout=b"x" * (1 << 22))

    monkeypatch.setattr(subprocess, "run", run)
    assert run_program(("nvidia-smi",)) == answer


def test_three_of_a_kind_are_shown(work: Path) -> None:
    found = diagnose(str(write(work, {f"{i}.xplane.pb": b"" for i in range(7)})))
    assert [each.params.get("more") for each in found] == [None, None, 4]
